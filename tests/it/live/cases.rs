//! Public faults of others in dialogs and terminals, tried on the real CLI.

use serde_json::json;

use super::keys;
use crate::house::House;

fn status(house: &House, receipt: &str, wanted: &str) {
    house.until(wanted, |it| {
        let status = &it.receipt(receipt)["status"];
        assert_ne!(status, "failed", "{}\n{}", it.receipt(receipt), house.screen());
        status == wanted
    });
}

/// BB-TM-11: a person splits the window and works in a shell of their own.
#[test]
fn a_shell_beside_the_agent_is_nobodys_business() {
    let house = House::demo();
    let session = format!("={}:", house.run);
    house.tmux(&["split-window", "-t", &session, "exec /bin/sh"]);
    house.tmux(&["send-keys", "-l", "-t", &session, "echo half a comm"]);
    let shell = || house.tmux(&["capture-pane", "-p", "-t", &session]);
    let end = house.exchange("echo beside a shell");
    assert_eq!(end.texts("assistant").last(), Some(&"beside a shell"));
    house.reply("ask one");
    let asked = house.until("a question", |it| it.page["pending_dialogs"][0]["channel"] == "live");
    let dialog = &asked.page["pending_dialogs"][0]["id"];
    let answer = json!({ "dialog_id": dialog, "answers": [{ "selected": [1] }] });
    let sent = house.post(&house.run_path("/answer"), &answer);
    status(&house, sent.body["id"].as_str().unwrap(), "recorded");
    assert!(!shell().contains("beside a shell"), "{}", shell());
    // The shell ends; the agent did not.
    house.tmux(&["kill-pane", "-t", &session]);
    let end = house.exchange("echo still here");
    assert_eq!(end.run["state"], "needs_input");
}

/// BB-TM-13: the renderer is the one that leaves a history to scroll in.
#[test]
fn the_cli_draws_on_the_ordinary_screen_and_leaves_its_history_to_the_terminal() {
    let house = House::demo();
    house.exchange("stream a long answer");
    let shown = house.tmux(&[
        "display-message",
        "-p",
        "-t",
        &house.pane(),
        "#{alternate_on} #{history_size}",
    ]);
    let (alternate, history) = shown.trim().split_once(' ').unwrap();
    assert_eq!(alternate, "0");
    assert!(history.parse::<usize>().unwrap() > 0, "{shown}");
}

/// BB-DG-05: own words that begin like a choice stay words.
#[test]
fn own_words_that_look_like_a_key_of_the_picker_are_words() {
    let house = keys::by_keys();
    for words in ["15:00", "1", "2回目", "y", "one line\nand another"] {
        house.reply("ask one");
        let dialog = keys::wait_for_dialog(&house);
        let end = keys::settle(&house, &dialog, &json!([{ "selected": [], "other_text": words }]));
        let recorded = keys::recorded(&end).concat().replace('\r', "\n");
        assert_eq!(recorded, words);
    }
}

/// BB-DG-15: what is sent meanwhile does not reach the picker, however small
/// the terminal is.
#[test]
fn a_message_never_answers_a_question_on_a_small_screen() {
    for house in [House::demo(), keys::by_keys()] {
        let window = format!("={}:", house.run);
        house.tmux(&["resize-window", "-t", &window, "-x", "80", "-y", "10"]);
        house.reply("ask one");
        let asked = house.until("a question", |it| {
            it.page["pending_dialogs"][0]["channel"].as_str().is_some_and(|it| it != "none")
        });
        let held = house.reply("echo 2 yes, proceed");
        status(&house, &held, "queued");
        let dialog = &asked.page["pending_dialogs"][0]["id"];
        let answer = json!({ "dialog_id": dialog, "answers": [{ "selected": [2] }] });
        let sent = house.post(&house.run_path("/answer"), &answer);
        assert_eq!(sent.status, 202, "{}", sent.body);
        status(&house, sent.body["id"].as_str().unwrap(), "recorded");
        status(&house, &held, "recorded");
        let end = house.until("rest", |it| it.state() == "needs_input");
        assert_eq!(keys::recorded(&end), ["Green"]);
        assert_eq!(end.texts("user").last(), Some(&"echo 2 yes, proceed"));
    }
}
