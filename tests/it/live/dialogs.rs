//! Dialogs of the real CLI, answered here or in the terminal.

use serde_json::{Value, json};

use crate::house::{Answer, Conversation, House};

fn wait_for_dialog(house: &House) -> Value {
    let asked = house.until("a dialog at the door", |it| {
        it.state() == "question" && it.page["pending_dialogs"][0]["channel"] == "live"
    });
    asked.page["pending_dialogs"][0].clone()
}

fn answer(house: &House, dialog: &Value, answers: Value) -> Answer {
    let body = json!({ "dialog_id": dialog["id"], "answers": answers });
    house.post(&house.run_path("/answer"), &body)
}

/// Answers, and waits until the CLI recorded it and the turn is over.
fn settle(house: &House, dialog: &Value, answers: Value) -> Conversation {
    let sent = answer(house, dialog, answers);
    assert_eq!(sent.status, 202, "{}", sent.body);
    assert_eq!(sent.body["door"], "live");
    let receipt = sent.body["id"].as_str().unwrap().to_owned();
    house.until("the recorded answer", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
    })
}

fn outcomes(seen: &Conversation) -> Vec<&Value> {
    let dialogs = seen.messages().iter().map(|it| &it["dialog"]);
    dialogs.filter(|it| !it.is_null()).map(|it| &it["outcome"]).collect()
}

#[test]
fn three_questions_are_answered_at_once_and_recorded_as_they_were_chosen() {
    let house = House::demo();
    house.reply("ask many");
    let dialog = wait_for_dialog(&house);
    assert_eq!(dialog["questions"].as_array().unwrap().len(), 3);
    assert!(dialog["questions"][2]["options"][0]["preview"].is_string());
    let chosen = json!([{ "selected": [1] }, { "selected": [0, 2] }, { "selected": [1] }]);
    let end = settle(&house, &dialog, chosen);
    let answers: Vec<_> = outcomes(&end)[0]["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it[1].as_str().unwrap())
        .collect();
    assert!(
        answers.contains(&"Blue") && answers.contains(&"Ham, Corn") && answers.contains(&"Row"),
        "{answers:?}"
    );
    assert_eq!(end.run["pending_dialogs"], 0);
}

#[test]
fn own_words_are_an_answer() {
    let house = House::demo();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    let words = "neither: \"teal\", 漢字 & 🎨";
    let end = settle(&house, &dialog, json!([{ "other_text": words }]));
    assert_eq!(outcomes(&end)[0]["answers"][0][1], words);
}

#[test]
fn a_command_is_allowed_and_runs() {
    let house = House::demo();
    house.reply("run a command");
    let dialog = wait_for_dialog(&house);
    assert_eq!(dialog["kind"], "approval");
    assert!(dialog["body"].as_str().unwrap().contains("ls -la > demo-listing.txt"));
    let end = settle(&house, &dialog, json!([{ "selected": [0] }]));
    assert_eq!(end.tools()[0]["status"], "ok");
    assert!(house.dir.path().join("state/workspace/demo-listing.txt").exists());
}

#[test]
fn a_command_is_denied_with_words_and_does_not_run() {
    let house = House::demo();
    house.reply("run a command");
    let dialog = wait_for_dialog(&house);
    let last = dialog["questions"][0]["options"].as_array().unwrap().len() - 1;
    let end =
        settle(&house, &dialog, json!([{ "selected": [last], "other_text": "use du instead" }]));
    assert_eq!(end.tools()[0]["status"], "error");
    assert!(end.tools()[0]["output"].as_str().unwrap().contains("use du instead"));
    assert!(!house.dir.path().join("state/workspace/demo-listing.txt").exists());
}

#[test]
fn a_plan_is_read_whole_sent_back_and_then_approved() {
    let house = House::demo();
    house.reply("make a plan");
    let dialog = wait_for_dialog(&house);
    assert_eq!(dialog["kind"], "plan");
    assert!(dialog["body"].as_str().unwrap().contains('#'), "the plan is in the card: {dialog}");
    let back = json!([{ "selected": [2], "other_text": "smaller steps" }]);
    let end = settle(&house, &dialog, back);
    assert_eq!(outcomes(&end)[0]["accepted"], false);

    house.reply("make a plan");
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, json!([{ "selected": [0] }]));
    assert_eq!(outcomes(&end).last().unwrap()["accepted"], true);
    assert_eq!(end.run["permission_mode"], "default");
}

#[test]
fn the_person_at_the_terminal_may_be_first_and_a_late_answer_is_told_so() {
    let house = House::demo();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    house.until_screen("the picker", |it| it.contains("Which colour?") && it.contains("3. Green"));
    house.press_until_gone("2", "Which colour?\n");
    let end = house.until("the terminal's answer", |it| {
        it.state() == "needs_input" && it.run["pending_dialogs"] == 0
    });
    assert_eq!(outcomes(&end)[0]["answers"][0][1], "Blue");
    let late = answer(&house, &dialog, json!([{ "selected": [0] }]));
    assert_eq!((late.status, &late.body["code"]), (409, &json!("no_dialog")));
}

#[test]
fn an_escape_in_the_terminal_closes_the_card_too() {
    let house = House::demo();
    house.reply("run a command");
    wait_for_dialog(&house);
    house.until_screen("the permission", |it| it.contains("Do you want to proceed?"));
    house.press_until_gone("Escape", "Do you want to proceed?");
    let end =
        house.until("no card", |it| it.state() == "needs_input" && it.run["pending_dialogs"] == 0);
    assert_eq!(end.tools()[0]["status"], "cancelled");
}

#[test]
fn a_dialog_outlives_kill_9_and_is_answered_by_the_next_life() {
    let mut house = House::demo();
    house.reply("ask one");
    let before = wait_for_dialog(&house);
    house.kill_server();
    house.start_again();
    let dialog = wait_for_dialog(&house);
    assert_eq!(dialog["id"], before["id"], "it is the same dialog");
    let end = settle(&house, &dialog, json!([{ "selected": [2] }]));
    assert_eq!(outcomes(&end)[0]["answers"][0][1], "Green");
}

#[test]
fn a_dialog_outlives_a_polite_stop_too() {
    let mut house = House::demo();
    house.reply("run a command");
    wait_for_dialog(&house);
    assert_eq!(house.terminate(), Some(0));
    house.start_again();
    let dialog = wait_for_dialog(&house);
    let end = settle(&house, &dialog, json!([{ "selected": [0] }]));
    assert_eq!(end.tools()[0]["status"], "ok");
}

#[test]
fn a_wrong_answer_presses_nothing_and_says_what_is_open() {
    let house = House::demo();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    let short = answer(&house, &dialog, json!([]));
    assert_eq!((short.status, &short.body["code"]), (422, &json!("invalid_answer")));
    let beyond = answer(&house, &dialog, json!([{ "selected": [7] }]));
    assert_eq!((beyond.status, &beyond.body["code"]), (422, &json!("invalid_answer")));
    let other = answer(&house, &json!({ "id": "toolu_other" }), json!([{ "selected": [0] }]));
    assert_eq!((other.status, &other.body["code"]), (409, &json!("dialog_changed")));
    assert_eq!(other.body["dialog"]["id"], dialog["id"]);
    assert_eq!(house.conversation().run["pending_dialogs"], 1, "it still waits");
    settle(&house, &dialog, json!([{ "selected": [0] }]));
    let none = answer(&house, &dialog, json!([{ "selected": [0] }]));
    assert_eq!((none.status, &none.body["code"]), (409, &json!("no_dialog")));
}

#[test]
fn two_dialogs_at_once_are_both_listed_and_each_gets_its_own_answer() {
    let house = House::demo();
    house.reply("two questions");
    let both = house.until("both dialogs", |it| {
        let dialogs = it.page["pending_dialogs"].as_array().unwrap();
        dialogs.len() == 2 && dialogs.iter().all(|it| it["channel"] == "live")
    });
    let dialogs = both.page["pending_dialogs"].as_array().unwrap().clone();
    assert_ne!(dialogs[0]["id"], dialogs[1]["id"]);
    let options = |at: usize| dialogs[at]["questions"][0]["options"].as_array().unwrap().len();
    let last = |at: usize| json!([{ "selected": [options(at) - 1] }]);
    // The second one first: an answer names its dialog.
    assert_eq!(answer(&house, &dialogs[1], last(1)).status, 202);
    house.until("one left", |it| it.page["pending_dialogs"].as_array().unwrap().len() == 1);
    let end = settle(&house, &dialogs[0], last(0));
    for dialog in &dialogs {
        let message = end.messages().iter().find(|it| it["dialog"]["id"] == dialog["id"]).unwrap();
        let options = dialog["questions"][0]["options"].as_array().unwrap();
        assert_eq!(message["dialog"]["outcome"]["answers"][0][1], options.last().unwrap()["label"]);
    }
}

/// BB-DG-15
#[test]
fn a_reply_waits_while_a_dialog_is_open_and_goes_out_after_it() {
    let house = House::demo();
    house.reply("ask one");
    let dialog = wait_for_dialog(&house);
    let held = house.reply("echo afterwards");
    house.until("the reply is held", |it| {
        it.receipt(&held)["status"] == "queued" && it.page["queued"].as_array().unwrap().len() == 1
    });
    assert_eq!(answer(&house, &dialog, json!([{ "selected": [0] }])).status, 202);
    house.until("the held reply", |it| it.texts("assistant").contains(&"afterwards"));
}

#[test]
fn a_dialog_that_was_answered_while_seamux_was_away_does_not_come_back() {
    let mut house = House::demo();
    house.reply("run a command");
    wait_for_dialog(&house);
    house.until_screen("the permission", |it| it.contains("Do you want to proceed?"));
    house.kill_server();
    house.press_until_gone("1", "Do you want to proceed?");
    // The model went with the server, so the turn ends only later.
    let listing = house.dir.path().join("state/workspace/demo-listing.txt");
    house.until_screen("the command's own file", |_| listing.exists());
    house.start_again();
    house.until("the end of the turn", |it| it.state() == "needs_input");
    // The next turn is the proof that the waiting hook was sent home: its
    // question would hold the reply.
    let end = house.exchange("echo nothing waits");
    assert_eq!((end.run["pending_dialogs"].as_u64(), end.warnings().len()), (Some(0), 0));
    assert!(end.texts("assistant").contains(&"nothing waits"));
}
