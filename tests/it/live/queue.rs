//! What is held: why, for how long, and that it goes out exactly once.

use serde_json::{Value, json};

use crate::house::{Conversation, House};

fn type_in_terminal(house: &House, text: &str) {
    house.tmux(&["send-keys", "-l", "-t", &format!("={}:", house.run), text]);
}

fn send(house: &House, body: Value) -> String {
    let answer = house.post(&house.run_path("/reply"), &body);
    assert_eq!(answer.status, 202, "{}", answer.body);
    answer.body["id"].as_str().unwrap().to_owned()
}

fn edit(house: &House, entry: &str, body: Value) -> (u16, Value) {
    let answer = house.send_json("PATCH", &house.run_path(&format!("/queue/{entry}")), &body);
    (answer.status, answer.body)
}

fn cancel(house: &House, entry: &str) -> (u16, Value) {
    let path = house.run_path(&format!("/queue/{entry}"));
    let answer = house.send("DELETE", &path, None, &[("authorization", &house.bearer())]);
    (answer.status, answer.body)
}

fn queue(house: &House) -> Vec<Value> {
    house.get(&house.run_path("/queue")).body["queued"].as_array().unwrap().clone()
}

fn texts(queue: &[Value]) -> Vec<&str> {
    queue.iter().map(|it| it["text"].as_str().unwrap()).collect()
}

fn held_as(house: &House, entry: &str, cause: &str) -> Conversation {
    house.until(cause, |it| {
        let queued = it.page["queued"].as_array().unwrap();
        queued.iter().any(|it| it["id"] == entry && it["cause"] == cause)
    })
}

fn said(seen: &Conversation, text: &str) -> usize {
    seen.texts("user").into_iter().filter(|it| *it == text).count()
}

/// A draft of a person, seen on the screen.
fn draft(house: &House, text: &str) {
    type_in_terminal(house, text);
    house.until_screen("the draft", |it| it.contains(text));
}

#[test]
fn a_draft_in_the_terminal_holds_a_reply_until_it_is_gone() {
    let house = House::demo();
    draft(&house, "merge it only after");
    let reply = send(&house, json!({ "text": "echo held for a draft" }));
    held_as(&house, &reply, "draft");
    type_in_terminal(&house, " the tests pass");
    house.until_screen("the whole draft", |it| it.contains("only after the tests pass"));
    house.press("C-u");
    let end = house.until("the reply", |it| it.receipt(&reply)["status"] == "recorded");
    assert_eq!(said(&end, "echo held for a draft"), 1);
    assert!(!end.texts("user").iter().any(|it| it.contains("merge")), "{:?}", end.texts("user"));
}

#[test]
fn a_reply_that_is_sent_anyway_leaves_the_draft_where_it_was() {
    let house = House::demo();
    draft(&house, "half a sentence");
    let reply = send(&house, json!({ "text": "echo anyway", "force": true }));
    let end = house.until("the reply", |it| it.receipt(&reply)["status"] == "recorded");
    assert_eq!(said(&end, "echo anyway"), 1);
    house.until_screen("the draft again", |it| it.contains("❯\u{a0}half a sentence"));
    let next = send(&house, json!({ "text": "echo one more" }));
    held_as(&house, &next, "draft");
    assert_eq!(edit(&house, &next, json!({ "when": "now" })).0, 200);
    house.until("the next one", |it| it.receipt(&next)["status"] == "recorded");
    house.until_screen("the draft once more", |it| it.contains("❯\u{a0}half a sentence"));
}

#[test]
fn nothing_is_typed_into_the_shell_mode_of_the_composer() {
    let house = House::demo();
    type_in_terminal(&house, "!");
    house.until_screen("the shell mode", |it| it.contains("! for shell mode"));
    let reply = send(&house, json!({ "text": "touch /tmp/never", "force": true }));
    held_as(&house, &reply, "draft");
    house.press("BSpace");
    let end = house.until("the reply", |it| it.receipt(&reply)["status"] == "recorded");
    assert_eq!(said(&end, "touch /tmp/never"), 1, "as a message");
}

#[test]
fn the_queue_is_edited_reordered_and_cancelled_and_then_goes_out_in_its_order() {
    let house = House::demo();
    house.reply("ask one");
    let asked =
        house.until("the question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let ids: Vec<String> = ["echo first", "echo second", "echo third", "echo never"]
        .map(|text| send(&house, json!({ "text": text })))
        .into();
    held_as(&house, &ids[3], "dialog");
    assert_eq!(cancel(&house, &ids[3]).1["status"], "failed");
    assert_eq!(edit(&house, &ids[2], json!({ "before": ids[0] })).0, 200);
    assert_eq!(edit(&house, &ids[0], json!({ "text": "echo changed", "before": null })).0, 200);
    assert_eq!(texts(&queue(&house)), ["echo third", "echo second", "echo changed"]);

    assert_eq!(edit(&house, &ids[0], json!({ "text": "  " })).1["code"], "empty");
    assert_eq!(edit(&house, &ids[0], json!({ "before": "nobody" })).1["code"], "entry_not_found");
    assert_eq!(edit(&house, "nobody", json!({})).1["code"], "entry_not_found");
    assert_eq!(cancel(&house, &ids[3]), (409, cancel(&house, &ids[3]).1));
    assert_eq!(cancel(&house, &ids[3]).1["code"], "already_sent");

    let dialog = &asked.page["pending_dialogs"][0]["id"];
    let body = json!({ "dialog_id": dialog, "answers": [{ "selected": [0] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &body).status, 202);
    let end = house.until("all three", |it| {
        ids[..3].iter().all(|id| it.receipt(id)["status"] == "recorded")
            && it.state() == "needs_input"
    });
    let said: Vec<&str> = end.texts("user");
    assert_eq!(said[said.len() - 3..], ["echo third", "echo second", "echo changed"]);
    assert_eq!(cancel(&house, &ids[0]).1["code"], "already_sent");
}

#[test]
fn one_for_after_the_turn_waits_while_one_for_now_goes_in() {
    let house = House::demo();
    house.reply("stream a long answer");
    house.until("the turn", |it| it.state() == "working" && !it.page["tail"].is_null());
    let later = send(&house, json!({ "text": "echo later", "when": "after_turn" }));
    held_as(&house, &later, "turn");
    let now = send(&house, json!({ "text": "echo now" }));
    house.until("the one for now", |it| {
        assert_ne!(it.receipt(&later)["status"], "typed", "not in the turn");
        matches!(it.receipt(&now)["status"].as_str(), Some("queued" | "recorded"))
            && it.page["queued"].as_array().unwrap().len() == 1
    });
    let end = house.until("both", |it| {
        it.receipt(&later)["status"] == "recorded" && it.state() == "needs_input"
    });
    assert_eq!((said(&end, "echo now"), said(&end, "echo later")), (1, 1));
    let order = end.texts("user");
    let at = |text: &str| order.iter().position(|it| *it == text);
    assert!(at("echo now") < at("echo later"));
}

#[test]
fn what_is_held_outlives_kill_9_and_goes_out_once_and_in_order() {
    let mut house = House::demo();
    house.reply("run a command");
    house.until("the approval", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let texts = ["echo alpha", "echo beta", "echo gamma"];
    let ids = texts.map(|text| send(&house, json!({ "text": text, "client_id": text })));
    held_as(&house, &ids[2], "dialog");
    house.kill_server();
    house.start_again();
    let again = house.until("the queue of before", |it| {
        it.page["queued"].as_array().unwrap().len() == 3
            && it.page["pending_dialogs"][0]["channel"] == "live"
    });
    // The page did not see our answer and sends again.
    assert_eq!(send(&house, json!({ "text": texts[1], "client_id": texts[1] })), ids[1]);
    let dialog = &again.page["pending_dialogs"][0]["id"];
    let body = json!({ "dialog_id": dialog, "answers": [{ "selected": [0] }] });
    assert_eq!(house.post(&house.run_path("/answer"), &body).status, 202);
    let end = house.until("all three", |it| {
        ids.iter().all(|id| it.receipt(id)["status"] == "recorded") && it.state() == "needs_input"
    });
    assert_eq!(end.texts("user")[end.texts("user").len() - 3..], texts);
    house.kill_server();
    house.start_again();
    let receipt = house.get(&house.run_path(&format!("/receipts/{}", ids[0])));
    assert_eq!((receipt.status, &receipt.body["status"]), (200, &json!("recorded")));
    assert_eq!(send(&house, json!({ "text": texts[0], "client_id": texts[0] })), ids[0]);
    assert!(queue(&house).is_empty());
}

#[test]
fn what_was_meant_for_a_cleared_conversation_waits_for_a_person() {
    let mut house = House::demo();
    draft(&house, "not finished");
    let old = send(&house, json!({ "text": "echo for the old one" }));
    held_as(&house, &old, "draft");
    house.kill_server();
    house.press("C-u");
    type_in_terminal(&house, "/clear ");
    house.until_screen("the command", |it| it.contains("❯\u{a0}/clear"));
    house.press("Enter");
    house.until_screen("a clear", |it| !it.contains("❯\u{a0}/clear"));
    house.start_again();
    held_as(&house, &old, "epoch");
    let new = house.exchange("echo for the new one");
    assert_eq!(said(&new, "echo for the old one"), 0);
    assert_eq!(edit(&house, &old, json!({ "when": "now" })).0, 200);
    house.until("sent by a person's word", |it| it.receipt(&old)["status"] == "recorded");
}

#[test]
fn the_audit_tells_who_sent_what_and_what_became_of_it() {
    let house = House::demo();
    let sent = send(&house, json!({ "text": "echo hello", "client_id": "c-1" }));
    house.until("the reply", |it| it.receipt(&sent)["status"] == "recorded");
    house.reply("ask one");
    let asked =
        house.until("the question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let dialog = &asked.page["pending_dialogs"][0]["id"];
    let body = json!({ "dialog_id": dialog, "answers": [{ "selected": [1] }] });
    let answered = house.post(&house.run_path("/answer"), &body).body;
    let id = answered["id"].as_str().unwrap();
    house.until("the answer", |it| it.receipt(id)["status"] == "recorded");
    let audit = house.get(&house.run_path("/audit"));
    assert_eq!(audit.status, 200);
    let entries = audit.body["entries"].as_array().unwrap();
    let entry = |id: &str| entries.iter().find(|it| it["id"] == id).unwrap();
    let (reply, answer) = (entry(&sent), entry(id));
    assert_eq!((&reply["by"], &reply["door"]), (&json!("token"), &json!("keys")));
    assert!(reply["text"].is_null(), "the words are in the CLI's record, and only there");
    let path = format!("/messages/{}", reply["position"].as_str().unwrap());
    assert_eq!(house.get(&house.run_path(&path)).body["text"], "echo hello");
    assert_eq!((&answer["door"], &answer["dialog_id"]), (&json!("live"), dialog));
    assert_eq!(answer["answers"], json!([{ "selected": [1] }]));
    assert_eq!(answer["dialog"]["questions"][0]["options"][1]["label"], "Blue");
}
