//! Killing seamux at any moment loses nothing.

use crate::house::House;

#[test]
fn a_run_outlives_kill_9_and_the_next_start_has_the_whole_conversation() {
    let mut house = House::demo();
    house.exchange("echo before");
    house.reply("slow lines");
    house.until("streamed text", |it| !it.page["tail"].is_null());
    let before = house.conversation();

    house.kill_server();
    assert!(house.tmux(&["list-sessions"]).contains(&house.run), "the agent lives on in tmux");
    house.start_again();

    let after = house.until("the turn's end", |it| it.state() == "needs_input");
    assert_eq!(after.run["id"], before.run["id"]);
    // What was there is there, in the same places, and the answer is complete.
    for message in before.messages() {
        let same =
            after.messages().iter().find(|it| it["position"] == message["position"]).unwrap();
        assert_eq!(same["text"], message["text"]);
    }
    assert!(after.texts("assistant").iter().any(|it| it.lines().count() >= 10), "{after:#?}");
    assert!(house.exchange("echo after").texts("assistant").contains(&"after"));
}

#[test]
fn what_happened_while_seamux_was_away_is_there_afterwards() {
    let mut house = House::demo();
    house.kill_server();
    // A person goes on in the terminal meanwhile.
    let pane = format!("={}:", house.run);
    house.tmux(&["send-keys", "-l", "-t", &pane, "echo from the terminal"]);
    house.tmux(&["send-keys", "-t", &pane, "Enter"]);
    house.start_again();
    let after =
        house.until("both sides", |it| it.texts("assistant").contains(&"from the terminal"));
    assert!(after.texts("user").contains(&"echo from the terminal"));
}

#[test]
fn a_run_that_ended_while_seamux_was_away_is_ended_and_readable() {
    let mut house = House::demo();
    house.exchange("echo last words");
    house.kill_server();
    house.tmux(&["send-keys", "-l", "-t", &format!("={}:", house.run), "/exit"]);
    house.tmux(&["send-keys", "-t", &format!("={}:", house.run), "Enter"]);
    house.tmux(&["send-keys", "-t", &format!("={}:", house.run), "Enter"]);
    let old = house.run.clone();
    house.start_again();
    // The demo opens a new run if the old one is gone by then.
    house.run = old;
    let after = house.until("the end", |it| it.state() == "ended");
    assert!(after.texts("assistant").contains(&"last words"), "{after:#?}");
}

#[test]
fn a_cursor_of_another_life_is_told_to_read_everything_anew() {
    let mut house = House::demo();
    let cursor = house.conversation().page["cursor"].as_str().unwrap().to_owned();
    let query = format!("?run={}", house.run);
    house.reply("echo news");
    let seen = house.events(&query, Some(&cursor)).up_to("the answer", |it| {
        it.name == "message.upsert" && it.data["message"]["text"] == "news"
    });
    assert!(seen.iter().all(|it| it.name != "resync"));
    let middle = seen.iter().rev().find(|it| !it.id.is_empty()).unwrap().id.clone();
    // Resumed where it was left: what was seen does not come again.
    house.reply("echo more");
    let resumed = house.events(&query, Some(&middle)).up_to("the next answer", |it| {
        it.name == "message.upsert" && it.data["message"]["text"] == "more"
    });
    assert!(resumed.iter().all(|it| it.data["message"]["text"] != "news"), "{resumed:#?}");

    house.kill_server();
    house.start_again();
    let seen = house.events(&query, Some(&middle)).up_to("a resync", |it| it.name == "resync");
    assert_eq!(seen.len(), 1, "it comes first: {seen:#?}");
}
