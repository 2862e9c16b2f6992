//! How a run starts: its environment, and what keeps it from starting.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::house::{Furnish, House, pinned_cli, pinned_version};

/// A person's home that has the CLI, configured by `settings`.
pub(super) fn home_with_cli(furnish: &mut Furnish<'_>, claude_json: &Value) {
    std::fs::write(furnish.home.join(".claude.json"), claude_json.to_string()).unwrap();
    let config = furnish.home.join(".config/seamux");
    std::fs::create_dir_all(&config).unwrap();
    let program = pinned_cli();
    // A closed port on loopback: this home talks to nobody.
    let text = format!(
        "[providers.claude-code]\nprogram = {:?}\n\n[providers.claude-code.env]\n\
         ANTHROPIC_BASE_URL = \"http://127.0.0.1:9\"\nANTHROPIC_AUTH_TOKEN = \"very-secret-token\"\n\
         DISABLE_AUTOUPDATER = \"1\"\nCLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = \"1\"\n",
        program.to_str().unwrap()
    );
    std::fs::write(config.join("config.toml"), text).unwrap();
}

pub(super) fn folder(house: &House) -> String {
    let folder = house.dir.path().join("work");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::canonicalize(folder).unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_folder_that_the_cli_does_not_trust_is_a_clear_warning_and_nothing_is_pressed() {
    let config = json!({ "hasCompletedOnboarding": true, "projects": {} });
    let mut house = House::serve(|it| home_with_cli(it, &config));
    let cwd = folder(&house);
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "prompt": "hello" }));
    let now = house.until("the warning", |it| it.warnings().contains(&"trust_pending"));
    assert_ne!(now.state(), "ended", "a blind Enter would end it on newer versions");
    assert!(house.screen().contains("trust"), "{}", house.screen());
    let receipt = house.reply("echo later");
    house.until("the reply is held", |it| it.receipt(&receipt)["status"] == "queued");
    // The person's own configuration is theirs.
    let text = std::fs::read_to_string(house.dir.path().join("home/.claude.json")).unwrap();
    let now: Value = serde_json::from_str(&text).unwrap();
    assert!(now["projects"][&cwd]["hasTrustDialogAccepted"] != json!(true), "{now}");
}

pub(super) fn dialog(house: &House, id: &str) -> Value {
    let asked = house.until("the question before the start", |it| {
        it.state() == "question" && it.page["pending_dialogs"][0]["id"] == id
    });
    asked.page["pending_dialogs"][0].clone()
}

/// Answers, and waits for the proof.
pub(super) fn answer(house: &House, dialog: &Value, option: usize) {
    let body = json!({ "dialog_id": dialog["id"], "answers": [{ "selected": [option] }] });
    let sent = house.post(&house.run_path("/answer"), &body);
    assert_eq!(sent.status, 202, "{}", sent.body);
    let receipt = sent.body["id"].as_str().unwrap();
    house.until("the proof", |it| {
        let receipt = it.receipt(receipt);
        assert_ne!(receipt["status"], "failed", "{receipt}\n{}", house.screen());
        receipt["status"] == "recorded"
    });
}

/// BB-DG-07
#[test]
fn trust_is_given_from_here_and_the_first_message_goes_out() {
    let config = json!({ "hasCompletedOnboarding": true, "projects": {} });
    let mut house = House::serve(|it| home_with_cli(it, &config));
    let cwd = folder(&house);
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd, "prompt": "hello" }));
    let asked = dialog(&house, "startup-trust");
    assert_eq!(asked["channel"], "keys");
    answer(&house, &asked, 0);
    let now = house.until("the first message", |it| it.texts("user") == ["hello"]);
    assert_eq!((now.run["pending_dialogs"].as_u64(), now.warnings().len()), (Some(0), 0));
}

#[test]
fn trust_is_refused_from_here_and_the_run_ends() {
    let config = json!({ "hasCompletedOnboarding": true, "projects": {} });
    let mut house = House::serve(|it| home_with_cli(it, &config));
    let cwd = folder(&house);
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    let asked = dialog(&house, "startup-trust");
    answer(&house, &asked, 1);
    house.until("the end", |it| it.state() == "ended");
}

#[test]
fn questions_before_the_start_follow_each_other() {
    let mut config = json!({ "hasCompletedOnboarding": true, "projects": {} });
    let mut house = House::serve(|it| {
        let real = std::fs::canonicalize(it.home.parent().unwrap()).unwrap();
        config["projects"][real.to_str().unwrap()] = json!({ "hasTrustDialogAccepted": true });
        home_with_cli(it, &config);
        let file = it.home.join(".config/seamux/config.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        let key = "ANTHROPIC_API_KEY = \"sk-ant-abcdefghijklmnopqrstuvwxyz0123456789\"";
        std::fs::write(file, text.replace("ANTHROPIC_AUTH_TOKEN = \"very-secret-token\"", key))
            .unwrap();
    });
    let cwd = folder(&house);
    let servers = json!({ "mcpServers": { "one": { "command": "/bin/false" } } });
    std::fs::write(Path::new(&cwd).join(".mcp.json"), servers.to_string()).unwrap();
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    let first = dialog(&house, "startup-mcp");
    let body = json!({ "dialog_id": first["id"], "answers": [{ "selected": [2] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &body).status, 202);
    let second = dialog(&house, "startup-api-key");
    answer(&house, &second, 0);
    house.until("the start", |it| it.run["pending_dialogs"] == 0 && it.warnings().is_empty());
}

#[test]
fn the_agent_gets_a_chosen_environment_and_no_secret_shows_in_it() {
    let mut trusted = BTreeMap::new();
    let mut house = House::serve(|it| {
        let real = std::fs::canonicalize(it.home.parent().unwrap()).unwrap();
        trusted.insert(real, json!({ "hasTrustDialogAccepted": true }));
        home_with_cli(it, &json!({ "hasCompletedOnboarding": true, "projects": trusted }));
        for (name, value) in
            [("CLAUDECODE", "1"), ("CLAUDE_CODE_ENTRYPOINT", "cli"), ("DATABASE_URL", "leaked")]
        {
            it.environment.insert(name.into(), value.into());
        }
        it.environment.insert("SSH_AUTH_SOCK".into(), "/run/agent".into());
    });
    let cwd = folder(&house);
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    house.until("readiness", |it| {
        it.run["cli_version"] == pinned_version().as_str() && it.warnings().is_empty()
    });
    let pid =
        house.tmux(&["display-message", "-p", "-t", &format!("={}:", house.run), "#{pane_pid}"]);
    let read = |file: &str| {
        let bytes = std::fs::read(Path::new("/proc").join(pid.trim()).join(file)).unwrap();
        String::from_utf8_lossy(&bytes).replace('\0', "\n")
    };
    let (environment, command) = (read("environ"), read("cmdline"));
    assert!(environment.contains("SSH_AUTH_SOCK=/run/agent"));
    for unwanted in ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "leaked", "very-secret-token"] {
        assert!(!environment.contains(unwanted), "{unwanted} in {environment}");
        assert!(!command.contains(unwanted), "{unwanted} in {command}");
    }
    let settings = house.dir.path().join(format!("state/runs/{}/settings.json", house.run));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(settings.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(settings).unwrap().contains("very-secret-token"));
}

/// Each CLI writes its settings as it knows them, over what was added for another one.
#[test]
fn runs_of_the_demo_that_start_in_the_same_moment_in_other_folders_all_start() {
    let mut house = House::demo();
    let starts: Vec<_> = (0..3)
        .map(|number| {
            let cwd = house.dir.path().join(format!("folder-{number}"));
            std::fs::create_dir(&cwd).unwrap();
            let body = json!({ "provider": "claude-code", "cwd": cwd, "prompt": "echo at once" });
            let (url, bearer) = (format!("{}/api/v1/runs", house.url), house.bearer());
            std::thread::spawn(move || {
                let request = ureq::post(url).header("authorization", bearer);
                let mut answer = request.send_json(body).unwrap();
                let run: Value = answer.body_mut().read_json().unwrap();
                run["id"].as_str().unwrap().to_owned()
            })
        })
        .collect();
    for run in starts {
        house.run = run.join().unwrap();
        let now = house.until("its answer", |it| {
            it.state() == "needs_input" && it.texts("assistant") == ["at once"]
        });
        assert_eq!(now.warnings(), Vec::<&str>::new());
    }
}
