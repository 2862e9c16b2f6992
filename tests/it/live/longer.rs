//! What is allowed for longer than once, and modes that ask for less.

use serde_json::{Value, json};

use super::startup::{answer as answer_startup, dialog as startup_dialog, folder, home_with_cli};
use crate::house::{Conversation, House};

fn labels(dialog: &Value) -> Vec<&str> {
    let options = dialog["questions"][0]["options"].as_array().unwrap();
    options.iter().map(|it| it["label"].as_str().unwrap()).collect()
}

fn asked(house: &House, phrase: &str) -> Value {
    house.reply(phrase);
    let seen = house
        .until("a dialog at the door", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    seen.page["pending_dialogs"][0].clone()
}

fn choose(house: &House, dialog: &Value, option: usize) -> Conversation {
    let body = json!({ "dialog_id": dialog["id"], "answers": [{ "selected": [option] }] });
    let sent = house.post(&house.run_path("/answer"), &body);
    assert_eq!(sent.status, 202, "{}", sent.body);
    let receipt = sent.body["id"].as_str().unwrap().to_owned();
    house.until("the proof", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    })
}

/// Allows it for as long as is offered, and does it once more: nobody is asked.
fn is_not_asked_again(phrase: &str) {
    let house = House::demo();
    let dialog = asked(&house, phrase);
    let offered = labels(&dialog);
    assert!(offered.len() > 2, "once, for longer, and no: {offered:?}");
    let end = choose(&house, &dialog, 1);
    assert_eq!(end.tools().last().unwrap()["status"], "ok", "{:?}", end.tools());
    let end = house.exchange(phrase);
    assert_eq!(end.tools().len(), 2);
    assert!(end.warnings().is_empty(), "{:?}", end.warnings());
}

#[test]
fn a_command_that_was_allowed_for_longer_is_not_asked_again() {
    is_not_asked_again("name a version");
}

#[test]
fn edits_that_were_allowed_for_longer_are_not_asked_again() {
    is_not_asked_again("write a file");
}

#[test]
fn a_mode_that_never_asks_is_accepted_from_here() {
    let mut config = json!({ "hasCompletedOnboarding": true, "projects": {} });
    let mut house = House::serve(|it| {
        let real = std::fs::canonicalize(it.home.parent().unwrap()).unwrap();
        config["projects"][real.to_str().unwrap()] = json!({ "hasTrustDialogAccepted": true });
        home_with_cli(it, &config);
        // As root, the CLI takes this mode only in a sandbox.
        let file = it.home.join(".config/seamux/config.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(file, text + "IS_SANDBOX = \"1\"\n").unwrap();
    });
    let cwd = folder(&house);
    let body =
        json!({ "provider": "claude-code", "cwd": cwd, "permission_mode": "bypassPermissions" });
    house.start_run(&body);
    let asked = startup_dialog(&house, "startup-bypass");
    answer_startup(&house, &asked, 0);
    let seen = house.until("the start", |it| {
        it.run["pending_dialogs"] == 0 && it.warnings().is_empty() && it.state() != "question"
    });
    assert_eq!(seen.run["permission_mode"], "bypassPermissions");
}
