//! Dialogs of the real CLI, answered by keys: no hook waits for an answer.

use serde_json::{Value, json};

use crate::house::{Answer, Conversation, House};

/// A run whose CLI has no hook for dialogs.
pub(super) fn by_keys() -> House {
    by_keys_in(House::demo())
}

pub(super) fn by_keys_in(mut house: House) -> House {
    let cwd = house.dir.path().join("state/workspace");
    house.start_run(&json!({
        "provider": "claude-code", "cwd": cwd, "prompt": "echo ready", "options": { "dialogs": "keys" }
    }));
    house.until("the first exchange", |it| it.state() == "needs_input");
    house
}

pub(super) fn wait_for_dialog(house: &House) -> Value {
    let asked = house.until("a dialog for keys", |it| {
        it.state() == "question" && it.page["pending_dialogs"][0]["channel"] == "keys"
    });
    assert!(asked.warnings().is_empty(), "the dialog says it all: {:?}", asked.warnings());
    asked.page["pending_dialogs"][0].clone()
}

pub(super) fn answer(house: &House, dialog: &Value, answers: &Value) -> Answer {
    house
        .post(&house.run_path("/answer"), &json!({ "dialog_id": dialog["id"], "answers": answers }))
}

/// Answers, and waits until the CLI recorded it and the turn is over.
pub(super) fn settle(house: &House, dialog: &Value, answers: &Value) -> Conversation {
    let sent = answer(house, dialog, answers);
    assert_eq!(sent.status, 202, "{}", sent.body);
    assert_eq!(sent.body["door"], "keys");
    let receipt = sent.body["id"].as_str().unwrap().to_owned();
    house.until("the recorded answer", |it| {
        let status = &it.receipt(&receipt)["status"];
        assert_ne!(status, "failed", "{}\n{}", it.receipt(&receipt), house.screen());
        status == "recorded" && it.state() == "needs_input"
    })
}

pub(super) fn outcomes(seen: &Conversation) -> Vec<&Value> {
    let dialogs = seen.messages().iter().map(|it| &it["dialog"]);
    dialogs.filter(|it| !it.is_null()).map(|it| &it["outcome"]).collect()
}

/// What was recorded for each question of the newest dialog.
pub(super) fn recorded(seen: &Conversation) -> Vec<String> {
    let answers = outcomes(seen).pop().unwrap()["answers"].as_array().unwrap().clone();
    answers.iter().map(|it| it[1].as_str().unwrap().replace('"', "")).collect()
}

#[test]
fn one_option_is_chosen() {
    let house = by_keys();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, &json!([{ "selected": [2] }]));
    assert_eq!(recorded(&end), ["Green"]);
    // The first row too: nothing has to be moved for it.
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, &json!([{ "selected": [0] }]));
    assert_eq!(recorded(&end), ["Red"]);
}

/// BB-DG-01
#[test]
fn four_questions_of_every_kind_are_answered_and_reviewed() {
    let house = by_keys();
    house.reply("ask all");
    let dialog = wait_for_dialog(&house);
    let chosen = json!([{ "selected": [1] }, { "selected": [0, 2] }, { "selected": [1] }, { "selected": [2] }]);
    let end = settle(&house, &dialog, &chosen);
    assert_eq!(recorded(&end), ["Blue", "Ham, Corn", "Row", "漢字 & quotes"]);
}

/// BB-DG-05: digits and several lines are words, not choices.
#[test]
fn own_words_stand_alone_or_beside_options() {
    let house = by_keys();
    house.reply("ask all");
    let dialog = wait_for_dialog(&house);
    let words = "neither: 2 of \"teal\", 漢字 & 🎨\nor 1";
    let chosen = json!([
        { "other_text": words }, { "selected": [1], "other_text": "anchovy 3x" },
        { "selected": [0] }, { "other_text": "15:00" },
    ]);
    let end = settle(&house, &dialog, &chosen);
    let expected = [&words.replace('"', ""), "Olives, anchovy 3x", "Stack", "15:00"];
    assert_eq!(recorded(&end), expected);
}

#[test]
fn a_command_is_allowed_denied_and_denied_with_words() {
    let house = by_keys();
    let listing = house.dir.path().join("state/workspace/demo-listing.txt");
    house.reply("run a command");
    let dialog = wait_for_dialog(&house);
    assert_eq!(dialog["kind"], "approval");
    let end = settle(&house, &dialog, &json!([{ "selected": [1] }]));
    assert_eq!(end.tools().last().unwrap()["status"], "cancelled");

    house.reply("run a command");
    let dialog = wait_for_dialog(&house);
    let words = json!([{ "selected": [1], "other_text": "use `du` instead\n2 times" }]);
    let end = settle(&house, &dialog, &words);
    assert_eq!(end.tools().last().unwrap()["status"], "cancelled");
    assert!(end.texts("assistant").last().unwrap().contains("use `du` instead"));
    assert!(!listing.exists());

    house.reply("run a command");
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, &json!([{ "selected": [0] }]));
    assert_eq!(end.tools().last().unwrap()["status"], "ok");
    assert!(listing.exists());
}

#[test]
fn a_plan_is_sent_back_and_then_approved() {
    let house = by_keys();
    house.reply("make a plan");
    let dialog = wait_for_dialog(&house);
    assert_eq!(dialog["kind"], "plan");
    assert!(dialog["body"].as_str().unwrap().contains("Greet the reader"), "{dialog}");
    let back = json!([{ "selected": [2], "other_text": "smaller steps" }]);
    let end = settle(&house, &dialog, &back);
    assert_eq!(outcomes(&end)[0]["accepted"], false);
    assert!(end.texts("assistant").last().unwrap().contains("smaller steps"));

    house.reply("make a plan");
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, &json!([{ "selected": [0] }]));
    assert_eq!(outcomes(&end).last().unwrap()["accepted"], true);
    assert_eq!(end.run["permission_mode"], "default");
}

#[test]
fn each_kind_of_permission_is_answered() {
    let house = by_keys();
    let ask = |phrase: &str, kind: &str, chosen: usize| {
        house.reply(phrase);
        let dialog = wait_for_dialog(&house);
        assert!(dialog["title"].as_str().unwrap().starts_with(kind), "{dialog}");
        let end = settle(&house, &dialog, &json!([{ "selected": [chosen] }]));
        end.tools().last().unwrap()["status"].clone()
    };
    assert_eq!(ask("write a file", "Write", 0), "ok");
    assert_eq!(ask("edit a file", "Write", 0), "ok");
    assert_eq!(ask("edit a file", "Edit", 0), "ok");
    assert_eq!(ask("edit a file", "Edit", 1), "cancelled");
    assert_eq!(ask("fetch a page", "Fetch", 1), "cancelled");
    assert_eq!(ask("read outside", "Read", 0), "ok");
}

#[test]
fn of_two_commands_each_gets_its_own_answer() {
    let house = by_keys();
    house.reply("two commands");
    let first = wait_for_dialog(&house);
    assert!(first["title"].as_str().unwrap().contains("live-one"), "{first}");
    assert_eq!(answer(&house, &first, &json!([{ "selected": [0] }])).status, 202);
    let asked = house.until("the second command", |it| {
        let dialogs = it.page["pending_dialogs"].as_array().unwrap();
        dialogs.len() == 1 && dialogs[0]["id"] != first["id"] && dialogs[0]["channel"] == "keys"
    });
    settle(&house, &asked.page["pending_dialogs"][0], &json!([{ "selected": [0] }]));
    for name in ["live-one.txt", "live-two.txt"] {
        assert!(house.dir.path().join("state/workspace").join(name).exists(), "{name}");
    }
}
