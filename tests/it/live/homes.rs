//! Where a CLI keeps its things is noted for each run.

use std::path::Path;

use serde_json::json;

use super::startup::home_with_cli;
use crate::house::House;

const DIR: &str = "CLAUDE_CONFIG_DIR";

fn records(config: &Path) -> usize {
    let folders = std::fs::read_dir(config.join("projects")).into_iter().flatten().flatten();
    let files = folders.flat_map(|it| std::fs::read_dir(it.path()).into_iter().flatten().flatten());
    files.filter(|it| it.path().extension().is_some_and(|it| it == "jsonl")).count()
}

/// BB-TL-11
#[test]
fn a_run_stays_in_the_folder_that_its_cli_was_configured_with() {
    let mut account = std::path::PathBuf::new();
    let mut trusted = json!({});
    let mut house = House::serve(|it| {
        // The account's folder and the folder of the work are both links.
        let root = it.home.parent().unwrap().canonicalize().unwrap();
        account = root.join("account");
        for (real, link) in [("account", "account-link"), ("work", "work-link")] {
            std::fs::create_dir_all(root.join(real)).unwrap();
            std::os::unix::fs::symlink(root.join(real), root.join(link)).unwrap();
        }
        let work = root.join("work").to_str().unwrap().to_owned();
        trusted = json!({ "hasCompletedOnboarding": true,
            "projects": { work: { "hasTrustDialogAccepted": true } } });
        std::fs::write(account.join(".claude.json"), trusted.to_string()).unwrap();
        home_with_cli(it, &trusted);
        let link = root.join("account-link").to_str().unwrap().to_owned();
        it.environment.insert(DIR.to_owned(), link);
    });
    let cwd = house.dir.path().canonicalize().unwrap().join("work-link");
    let run = house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "prompt": "hello" }));
    assert!(run["cwd"].as_str().unwrap().ends_with("/work"), "{run}");
    house.until("the record", |it| it.texts("user") == ["hello"]);
    assert_eq!(records(&account), 1);

    // The next life is started elsewhere, as by another shell; empty counts as unset.
    house.kill_server();
    house.environment.insert(DIR.to_owned(), String::new());
    house.start_again();
    let seen = house.until("the record again", |it| it.texts("user") == ["hello"]);
    assert_ne!(seen.state(), "ended");
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended");
    assert_eq!(house.post(&house.run_path("/resume"), &json!({})).status, 202);
    let seen = house.until("the process", |it| it.state() != "ended");
    assert_eq!(seen.texts("user"), ["hello"]);
    assert_eq!(records(&account), 1, "it goes on where it was");

    // A new run lives where the CLI is configured now.
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "prompt": "hello, new home" }));
    house.until("its record", |it| it.texts("user") == ["hello, new home"]);
    assert_eq!(records(&account), 1);
    assert_eq!(records(&house.dir.path().join("home/.claude")), 1);
}
