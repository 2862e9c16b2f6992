//! Receipts of answers: proven by the CLI's record, over a crash too, and one for
//! what somebody answered at the terminal.

use serde_json::{Value, json};

use crate::house::{Conversation, House};

fn asked(house: &House, phrase: &str) -> Value {
    house.reply(phrase);
    let seen = house
        .until("a dialog at the door", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    seen.page["pending_dialogs"][0].clone()
}

fn answer(house: &House, dialog: &Value, selected: usize) -> String {
    let body = json!({ "dialog_id": dialog["id"], "answers": [{ "selected": [selected] }] });
    let sent = house.post(&house.run_path("/answer"), &body);
    assert_eq!(sent.status, 202, "{}", sent.body);
    sent.body["id"].as_str().unwrap().to_owned()
}

fn of_dialog<'a>(seen: &'a Conversation, dialog: &Value) -> Option<&'a Value> {
    let receipts = seen.page["receipts"].as_array().unwrap();
    receipts.iter().find(|it| it["dialog_id"] == dialog["id"])
}

#[test]
fn an_allowed_command_that_is_broken_off_was_allowed_all_the_same() {
    let house = House::demo();
    let dialog = asked(&house, "endless tool");
    let receipt = answer(&house, &dialog, 0);
    let seen = house.until("the call", |it| {
        it.state() == "working" && it.tools().iter().any(|it| it["status"] == "running")
    });
    // The CLI records the decision together with the end of the call.
    assert_eq!(seen.receipt(&receipt)["status"], "typed");
    assert_eq!(house.post(&house.run_path("/interrupt"), &json!({})).status, 202);
    let seen = house.until("the proof", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!(seen.tools()[0]["status"], "cancelled");
    assert!(seen.warnings().is_empty(), "{:?}", seen.warnings());
    let by_id = seen.receipt(&receipt);
    assert_eq!((&by_id["dialog_id"], &by_id["door"]), (&dialog["id"], &json!("live")));
    assert!(by_id["position"].is_string() && by_id["epoch"] == seen.run["epoch"]);
}

#[test]
fn an_answer_is_proven_by_the_next_life_if_we_die_right_after_it() {
    let mut house = House::demo();
    let dialog = asked(&house, "ask one");
    let receipt = answer(&house, &dialog, 1);
    // One that was not handed over yet is told to have failed, and the dialog is open again.
    house.until("the answer is handed over", |it| it.receipt(&receipt)["status"] != "accepted");
    house.kill_server();
    house.start_again();
    let seen = house.until("the proof", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.run["pending_dialogs"] == 0
    });
    let outcome = seen.messages().iter().find(|it| it["dialog"]["id"] == dialog["id"]).unwrap();
    assert_eq!(outcome["dialog"]["outcome"]["answers"][0][1], "Blue");
    assert!(seen.warnings().is_empty(), "{:?}", seen.warnings());
}

#[test]
fn what_was_answered_at_the_terminal_has_a_receipt_too() {
    let house = House::demo();
    let dialog = asked(&house, "ask one");
    house.until_screen("the picker", |it| it.contains("3. Green"));
    house.press_until_gone("2", "Which colour?\n");
    let seen = house.until("the receipt", |it| of_dialog(it, &dialog).is_some());
    let receipt = of_dialog(&seen, &dialog).unwrap();
    let told = json!([receipt["by"], receipt["door"], receipt["status"], receipt["kind"]]);
    assert_eq!(told, json!(["terminal", "terminal", "recorded", "answer"]));
    let audit = house.get(&house.run_path("/audit")).body.to_string();
    assert!(audit.contains("\"by\":\"terminal\""), "{audit}");
}
