//! A person who wants to talk about a question of the real CLI before they answer it.

use serde_json::{Value, json};

use super::keys;
use super::keys_odd::{by_keys_behind_a_shell, cli_of, kill};
use crate::house::{Answer, Conversation, House};

const WORDS: &str = "what is \"blue\": navy, 漢字 or 🎨?\n2 lines";

fn wait_at_the_door(house: &House) -> Value {
    let asked = house
        .until("a dialog at the door", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    asked.page["pending_dialogs"][0].clone()
}

fn discuss(house: &House, dialog: &Value, words: &str) -> Answer {
    assert_eq!(dialog["can_discuss"], true, "{dialog}");
    let body = json!({ "dialog_id": dialog["id"], "discuss": words, "client_id": "talk-1" });
    house.post(&house.run_path("/answer"), &body)
}

fn receipt_of(sent: &Answer, door: &str) -> String {
    assert_eq!((sent.status, &sent.body["door"]), (202, &json!(door)), "{}", sent.body);
    sent.body["id"].as_str().unwrap().to_owned()
}

/// Waits until the CLI recorded it and the turn is over.
fn settle(house: &House, receipt: &str) -> Conversation {
    house.until("the record", |it| {
        let status = &it.receipt(receipt)["status"];
        assert_ne!(status, "failed", "{}\n{}", it.receipt(receipt), house.screen());
        let held = it.page["queued"].as_array().unwrap();
        status == "recorded" && it.state() == "needs_input" && held.is_empty()
    })
}

/// And until the words that follow were recorded as well.
fn settle_with_words(house: &House, receipt: &str, words: &str) -> Conversation {
    settle(house, receipt);
    let end = house.until("the words", |it| {
        let reply =
            it.page["receipts"].as_array().unwrap().iter().find(|it| {
                it["client_id"] == format!("{receipt}-words") && it["status"] == "recorded"
            });
        reply.is_some() && it.state() == "needs_input"
    });
    assert_eq!(said(&end, words), 1, "{:?}", end.texts("user"));
    end
}

fn said(seen: &Conversation, words: &str) -> usize {
    seen.texts("user").iter().filter(|it| **it == words).count()
}

fn outcome(seen: &Conversation) -> &Value {
    keys::outcomes(seen).pop().unwrap()
}

fn audited(house: &House, receipt: &str) -> Value {
    let audit = house.get(&house.run_path("/audit"));
    let entries = audit.body["entries"].as_array().unwrap();
    entries.iter().find(|it| it["id"] == receipt).unwrap().clone()
}

#[test]
fn through_the_door_the_words_reach_the_model_and_the_turn_goes_on() {
    let house = House::demo();
    house.reply("ask one");
    let dialog = wait_at_the_door(&house);
    let sent = discuss(&house, &dialog, WORDS);
    let receipt = receipt_of(&sent, "live");
    // A page that did not see the answer sends it again.
    assert_eq!(discuss(&house, &dialog, WORDS).body["id"], receipt.as_str());
    let end = settle(&house, &receipt);
    let outcome = outcome(&end);
    assert_eq!((&outcome["accepted"], &outcome["discussed"]), (&json!(false), &json!(true)));
    assert_eq!(outcome["detail"], WORDS, "{outcome}");
    assert_eq!(said(&end, WORDS), 0, "they were part of the answer");
    assert!(end.texts("assistant").last().unwrap().contains("navy"), "the model has them");
    let entry = audited(&house, &receipt);
    assert_eq!((&entry["discuss"], &entry["answers"]), (&json!(WORDS), &Value::Null), "{entry}");
    assert_eq!(entry["dialog"]["questions"][0]["text"], "Which colour?");
    assert!(end.warnings().is_empty(), "{:?}", end.warnings());
}

#[test]
fn through_the_door_no_words_are_needed() {
    let house = House::demo();
    house.reply("ask many");
    let dialog = wait_at_the_door(&house);
    let receipt = receipt_of(&discuss(&house, &dialog, ""), "live");
    let end = settle(&house, &receipt);
    assert_eq!(outcome(&end)["discussed"], true, "{}", outcome(&end));
    assert_eq!(outcome(&end)["detail"], Value::Null);
    assert_eq!(audited(&house, &receipt)["discuss"], "");
    // The next question can be answered as ever.
    house.reply("ask one");
    let next = wait_at_the_door(&house);
    let body = json!({ "dialog_id": next["id"], "answers": [{ "selected": [1] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &body).status, 202);
    house.until("the answer", |it| keys::outcomes(it).last().unwrap()["accepted"] == true);
}

#[test]
fn an_answer_says_one_thing_and_a_permission_is_not_talked_about() {
    let house = House::demo();
    house.reply("ask one");
    let dialog = wait_at_the_door(&house);
    let send = |body: &Value| house.post(&house.run_path("/answer"), body);
    let id = &dialog["id"];
    let both = send(&json!({ "dialog_id": id, "answers": [{ "selected": [0] }], "discuss": "x" }));
    let neither = send(&json!({ "dialog_id": id }));
    for wrong in [both, neither] {
        assert_eq!((wrong.status, &wrong.body["code"]), (422, &json!("invalid_answer")));
    }
    settle(&house, &receipt_of(&discuss(&house, &dialog, "why?"), "live"));
    let late = send(&json!({ "dialog_id": id, "discuss": "x" }));
    assert_eq!((late.status, &late.body["code"]), (409, &json!("no_dialog")));

    house.reply("run a command");
    let dialog = wait_at_the_door(&house);
    assert_eq!((&dialog["kind"], &dialog["can_discuss"]), (&json!("approval"), &Value::Null));
    let refused = send(&json!({ "dialog_id": dialog["id"], "discuss": "why?" }));
    assert_eq!((refused.status, &refused.body["code"]), (422, &json!("invalid_answer")));
    assert_eq!(house.conversation().run["pending_dialogs"], 1, "it still waits");
}

#[test]
fn by_keys_the_words_follow_as_a_reply_in_front_of_what_was_held() {
    let house = keys::by_keys();
    house.reply("ask one");
    let dialog = keys::wait_for_dialog(&house);
    house.reply("echo held before");
    let receipt = receipt_of(&discuss(&house, &dialog, WORDS), "keys");
    let end = settle_with_words(&house, &receipt, WORDS);
    assert_eq!(outcome(&end)["discussed"], true, "{}", outcome(&end));
    let end = house.until("the held reply", |it| said(it, "echo held before") == 1);
    let place = |words: &str| end.texts("user").iter().position(|it| *it == words).unwrap();
    assert!(place(WORDS) < place("echo held before"), "{:?}", end.texts("user"));
    assert_eq!(audited(&house, &receipt)["discuss"], WORDS);
}

#[test]
fn by_keys_each_layout_of_a_question_has_the_row() {
    let house = keys::by_keys();
    let previews = json!({ "questions": [{ "question": "Which layout?", "header": "Layout",
        "multiSelect": false, "options": [
            { "label": "Stack", "description": "Below", "preview": "+---+\n| A |\n+---+" },
            { "label": "Row", "description": "Beside", "preview": "+---+---+" }] }] });
    let asks = ["ask several", "ask all", "ask at length", &format!("ask this: {previews}")];
    for (at, ask) in asks.into_iter().enumerate() {
        house.reply(ask);
        let dialog = keys::wait_for_dialog(&house);
        let body = json!({ "dialog_id": dialog["id"], "discuss": " " });
        let sent = house.post(&house.run_path("/answer"), &body);
        let end = settle(&house, &receipt_of(&sent, "keys"));
        assert_eq!(keys::outcomes(&end).len(), at + 1);
        assert_eq!(outcome(&end)["discussed"], true, "{ask}: {}", outcome(&end));
    }
}

#[test]
fn by_keys_a_command_is_not_taken_for_words() {
    let house = keys::by_keys();
    house.reply("ask one");
    let dialog = keys::wait_for_dialog(&house);
    let refused = discuss(&house, &dialog, "/clear");
    assert_eq!((refused.status, &refused.body["code"]), (422, &json!("invalid_answer")));
    assert_eq!(house.conversation().run["pending_dialogs"], 1, "it still waits");
}

#[test]
fn what_was_handed_over_before_kill_9_is_recorded_by_the_next_life() {
    let mut house = House::demo();
    house.reply("ask one");
    let dialog = wait_at_the_door(&house);
    let receipt = receipt_of(&discuss(&house, &dialog, "why?"), "live");
    house.kill_server();
    house.start_again();
    let end = house.until("the record", |it| it.receipt(&receipt)["status"] == "recorded");
    assert_eq!(outcome(&end)["discussed"], true, "{}", outcome(&end));
    assert_eq!(end.run["pending_dialogs"], 0);
}

#[test]
fn words_that_follow_by_keys_outlive_kill_9_and_are_said_once() {
    let mut house = keys::by_keys();
    house.reply("ask one");
    let dialog = keys::wait_for_dialog(&house);
    let receipt = receipt_of(&discuss(&house, &dialog, "echo why blue"), "keys");
    house.until("the last key", |it| {
        ["typed", "recorded"].contains(&it.receipt(&receipt)["status"].as_str().unwrap_or(""))
    });
    house.kill_server();
    house.start_again();
    let said_once = |it: &Conversation| said(it, "echo why blue") == 1;
    house.until("the words", |it| said_once(it) && it.receipt(&receipt)["status"] == "recorded");
    let end = house.exchange("echo afterwards");
    assert!(said_once(&end), "{:?}", end.texts("user"));
    assert_eq!(keys::outcomes(&end)[0]["discussed"], true);
}

/// BB-DG-09, over a kill -9: the person at the terminal answers what was to be
/// talked about. Both sides are told, and the words are not sent after an answer.
#[test]
fn an_answer_at_the_terminal_is_told_and_the_words_stay_here() {
    let mut house = by_keys_behind_a_shell();
    house.reply("ask one");
    let dialog = keys::wait_for_dialog(&house);
    house.until_screen("the picker", |it| it.contains("Chat about this"));
    let cli = cli_of(&house);
    kill(&cli, "-STOP");
    let receipt = receipt_of(&discuss(&house, &dialog, "echo why blue"), "keys");
    house.kill_server();
    house.press("2");
    kill(&cli, "-CONT");
    house.until_screen("the answer", |it| it.contains("→ Blue"));
    house.start_again();
    let end = house.until("the end", |it| {
        it.receipt(&receipt)["status"] == "failed" && it.state() == "needs_input"
    });
    assert_eq!(keys::recorded(&end), ["Blue"]);
    let detail = end.receipt(&receipt)["detail"].as_str().unwrap();
    assert!(detail.ends_with("Recorded by the CLI: Blue."), "{detail}");
    let end = house.exchange("echo afterwards");
    assert_eq!(said(&end, "echo why blue"), 0, "{:?}", end.texts("user"));
    assert_eq!(audited(&house, &receipt)["discuss"], "echo why blue");
}
