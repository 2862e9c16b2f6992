//! The real CLI reads what was seeded, from the places that the provider names.

use std::fs;

use serde_json::{Value, json};

use super::worktrees::trust;
use crate::house::House;
use crate::workspaces::{git, repository};

#[test]
fn the_cli_knows_a_seeded_prompt_and_a_seeded_skill_and_reads_the_instructions() {
    let mut house = House::demo_in(|it| {
        trust(it);
        let seed = it.home.join("seed");
        for (name, text) in [
            ("context.md", "Be brief.\n"),
            ("prompts/seeded-prompt.md", "echo from a seeded prompt\n"),
            (
                "skills/seeded-skill/SKILL.md",
                "---\nname: seeded-skill\ndescription: Says where it is from\n---\n\necho from a seeded skill\n",
            ),
        ] {
            let path = seed.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        it.environment.insert("SEAMUX_SEED_DIR".into(), seed.to_str().unwrap().into());
        // The CLI itself tells which instructions it read.
        let config = it.home.with_file_name("state").join("home/.claude");
        let told = format!("cat >> {}", it.home.join("told").display());
        let hook = json!([{ "hooks": [{ "type": "command", "command": told }] }]);
        fs::create_dir_all(&config).unwrap();
        let settings = json!({ "hooks": { "InstructionsLoaded": hook } });
        fs::write(config.join("settings.json"), settings.to_string()).unwrap();
    });
    let repo = house.dir.path().join("shop");
    repository(&repo);
    let run = house.start_run(&json!({
        "provider": "claude-code", "cwd": repo, "prompt": "echo here", "seed": true,
        "worktree": { "branch": "seeded" },
    }));
    assert_eq!(run["warnings"], json!([]));
    house.until("the first answer", |it| it.state() == "needs_input");
    let cwd = run["cwd"].as_str().unwrap();
    let cwd = std::path::Path::new(cwd);
    assert!(cwd.join("CLAUDE.local.md").is_file());
    assert_eq!(git(cwd, &["status", "--porcelain"]), "");
    let told = fs::read_to_string(house.dir.path().join("home/told")).unwrap();
    assert!(told.contains(cwd.join("CLAUDE.local.md").to_str().unwrap()), "{told}");
    for (command, words) in
        [("/seeded-prompt", "from a seeded prompt"), ("/seeded-skill", "from a seeded skill")]
    {
        house.reply(command);
        house.until(words, |it| {
            it.state() == "needs_input" && it.texts("assistant").contains(&words)
        });
    }
    assert_eq!(git(cwd, &["status", "--porcelain"]), "", "also after the CLI worked there");

    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended");
    let bearer = house.bearer();
    let path = house.run_path("");
    let left = house.send("DELETE", &path, None, &[("authorization", &bearer)]);
    assert_eq!(left.body["worktree"]["parked"], false, "{}", left.body);
    assert!(!cwd.exists());
    let exclude = fs::read_to_string(repo.join(".git/info/exclude")).unwrap_or_default();
    assert!(!exclude.contains("seamux"), "{exclude}");
}

#[test]
fn a_run_in_a_plain_folder_is_seeded_only_if_it_is_wanted_and_says_what_was_not_written() {
    let mut house = House::demo_in(|it| {
        trust(it);
        let seed = it.home.join("seed");
        fs::create_dir_all(&seed).unwrap();
        fs::write(seed.join("context.md"), "Seeded.\n").unwrap();
        it.environment.insert("SEAMUX_SEED_DIR".into(), seed.to_str().unwrap().into());
        it.environment.insert("SEAMUX_SEED".into(), "true".into());
    });
    let repo = house.dir.path().join("shop");
    repository(&repo);
    let body = |seed: Value| {
        let mut body = json!({ "provider": "claude-code", "cwd": repo, "prompt": "echo here" });
        if !seed.is_null() {
            body["seed"] = seed;
        }
        body
    };
    house.start_run(&body(json!(false)));
    assert!(!repo.join("CLAUDE.local.md").exists());
    house.start_run(&body(Value::Null));
    assert_eq!(fs::read_to_string(repo.join("CLAUDE.local.md")).unwrap(), "Seeded.\n");
    assert_eq!(git(&repo, &["status", "--porcelain"]), "");
    let here = house.until("the first answer", |it| it.state() == "needs_input");
    assert_eq!(here.run["branch"], "main");
    // Somebody's own words are in its place.
    fs::write(repo.join("CLAUDE.local.md"), "Mine.\n").unwrap();
    let run = house.start_run(&body(Value::Null));
    assert_eq!(run["warnings"][0]["code"], "seed_incomplete", "{run}");
    assert_eq!(fs::read_to_string(repo.join("CLAUDE.local.md")).unwrap(), "Mine.\n");
}
