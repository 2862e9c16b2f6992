//! Talking with the real CLI.

use serde_json::json;

use crate::house::House;

#[test]
fn three_exchanges_are_recorded_in_order_and_proven() {
    let house = House::demo();
    house.exchange("echo one");
    house.exchange("echo two");
    let receipt = house.reply("echo three");
    let end = house.until("the third answer", |it| {
        it.receipt(&receipt)["status"] == "recorded" && it.texts("assistant").contains(&"three")
    });
    assert_eq!(end.texts("user"), ["What can I try here?", "echo one", "echo two", "echo three"]);
    assert_eq!(end.texts("assistant")[1..], ["one", "two", "three"]);
    // The receipt names the very message that proves it.
    let proof = &end.receipt(&receipt)["position"];
    let message = end.messages().iter().find(|it| it["position"] == *proof).unwrap();
    assert_eq!(message["text"], "echo three");
    assert_eq!(end.run["demo"], true);
}

#[test]
fn a_tool_call_shows_what_it_did() {
    let house = House::demo();
    let end = house.exchange("safe tool");
    let tools = end.tools();
    assert_eq!(tools.len(), 1, "{tools:#?}");
    assert_eq!((&tools[0]["name"], &tools[0]["status"]), (&json!("Bash"), &json!("ok")));
    assert_eq!(tools[0]["view"]["type"], "command");
    assert!(tools[0]["output"].as_str().unwrap().contains("demo-notes.md"), "{tools:#?}");
}

#[test]
fn thinking_is_marked_and_kept_apart_from_the_answer() {
    let house = House::demo();
    let end = house.exchange("think");
    assert!(end.messages().iter().any(|it| it["thinking"] == true), "{end:#?}");
}

#[test]
fn text_is_streamed_before_the_transcript_has_it() {
    let house = House::demo();
    let events = house.events(&format!("?run={}", house.run), None);
    house.reply("slow lines");
    let seen = events.up_to("answer in the transcript", |it| {
        let message = &it.data["message"];
        let lines = message["text"].as_str().unwrap_or_default().lines().count();
        it.name == "message.upsert" && message["role"] == "assistant" && lines >= 15
    });
    let tails: Vec<usize> = seen
        .iter()
        .filter(|it| it.name == "tail.changed")
        .filter_map(|it| it.data["tail"]["text"].as_str().map(str::len))
        .collect();
    assert!(tails.len() >= 5, "streamed in {} pieces", tails.len());
    assert!(tails.is_sorted(), "the tail only grows: {tails:?}");
    let answer = seen.last().unwrap().data["message"]["text"].as_str().unwrap();
    assert!(answer.len() >= *tails.last().unwrap());
    house.until("the tail is gone", |it| it.page["tail"].is_null() && it.state() == "needs_input");
}

#[test]
fn a_reply_while_working_is_taken_by_the_cli_and_answered() {
    let house = House::demo();
    let first = house.reply("slow lines");
    house.until("work", |it| it.state() == "working" && it.receipt(&first)["status"] == "recorded");
    let second = house.reply("echo meanwhile");
    house.until("the CLI's own queue", |it| it.receipt(&second)["status"] == "queued");
    let end = house.until("both answers", |it| {
        it.receipt(&second)["status"] == "recorded" && it.texts("assistant").contains(&"meanwhile")
    });
    assert_eq!(end.texts("user").iter().filter(|it| **it == "echo meanwhile").count(), 1);
}

/// BB-TP-07, with the real CLI.
#[test]
fn a_text_that_was_taken_back_from_the_agents_own_queue_is_told_to_its_sender() {
    let house = House::demo();
    house.reply("slow lines");
    house.until("work", |it| it.state() == "working" && !it.page["tail"].is_null());
    let taken = house.reply("echo never");
    house.until("the CLI's own queue", |it| it.receipt(&taken)["status"] == "queued");
    // A person fetches it into the composer and throws it away there.
    let target = format!("={}:", house.run);
    house.tmux(&["send-keys", "-t", &target, "Up"]);
    let told = house.until("the news", |it| it.receipt(&taken)["status"] == "failed");
    assert!(told.receipt(&taken)["detail"].as_str().unwrap().contains("gave it back"));
    let notice = |it: &&serde_json::Value| {
        it["lifecycle"]["detail"].as_str().is_some_and(|it| it.contains("echo never"))
    };
    assert_eq!(told.messages().iter().filter(notice).count(), 1);
    house.tmux(&["send-keys", "-t", &target, "C-u"]);
    let end = house.exchange("echo after all");
    assert!(!end.texts("user").contains(&"echo never"), "{:?}", end.texts("user"));
}

#[test]
fn the_same_client_id_twice_is_one_reply() {
    let house = House::demo();
    let body = json!({ "text": "echo once", "client_id": "page-1" });
    let first = house.post(&house.run_path("/reply"), &body);
    let again = house.post(&house.run_path("/reply"), &body);
    assert_eq!(first.body["id"], again.body["id"]);
    let end = house.until("the answer", |it| it.texts("assistant").contains(&"once"));
    let end = if end.state() == "needs_input" {
        end
    } else {
        house.until("the end", |it| it.state() == "needs_input")
    };
    assert_eq!(end.texts("user").iter().filter(|it| **it == "echo once").count(), 1);
}

#[test]
fn the_live_session_is_one_attach_away() {
    let house = House::demo();
    house.exchange("echo look at me");
    let attach = house.get(&house.run_path("/attach")).body;
    assert!(attach["command"].as_str().unwrap().starts_with("tmux -L "), "{attach}");
    // The command itself, in a terminal of its own, shows what the chat shows.
    let command = format!("TERM=xterm-256color timeout 3 {}", attach["command"].as_str().unwrap());
    let output = std::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let screen = String::from_utf8_lossy(&output.stdout);
    assert!(screen.contains("What can I try here?"), "{screen}");
    // Looking ended; the run did not.
    assert_ne!(house.conversation().state(), "ended");
}

#[test]
fn a_stop_ends_the_process_and_the_conversation_stays() {
    let house = House::demo();
    house.exchange("echo before the end");
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    let end = house.until("the end", |it| it.state() == "ended");
    assert!(
        end.run["exit"]["code"].is_number() || end.run["exit"]["signal"].is_string(),
        "{}",
        end.run
    );
    assert!(end.texts("assistant").contains(&"before the end"));
    assert!(!house.tmux(&["list-sessions"]).contains(&house.run), "the ended session is removed");
    let late = house.post(&house.run_path("/reply"), &json!({ "text": "hello?" }));
    assert_eq!((late.status, &late.body["code"]), (409, &json!("run_ended")));
}

#[test]
fn a_message_that_cannot_be_sent_is_refused_and_the_chat_goes_on() {
    let house = House::demo();
    let send = |text: &str| house.post(&house.run_path("/reply"), &json!({ "text": text }));
    let empty = send(" \n\u{200b}");
    assert_eq!((empty.status, &empty.body["code"]), (422, &json!("empty")));
    let long = send(&"x".repeat(600 * 1024));
    assert_eq!((long.status, &long.body["code"]), (422, &json!("too_long")));
    let larger = send(&"x".repeat(2 * 1024 * 1024));
    assert_eq!((larger.status, &larger.body["code"]), (413, &json!("body_too_large")));
    let overlay = send("/model");
    assert_eq!((overlay.status, &overlay.body["code"]), (409, &json!("refused")));
    let end = house.exchange("echo still here");
    assert_eq!(end.texts("user").len(), 2, "nothing of it reached the terminal");
}
