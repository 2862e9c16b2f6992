//! What the state follows from when one witness or another is silent.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{StandIn, call, said};
use crate::house::Conversation;

/// Looks until it holds; how long that took.
fn took(it: &StandIn, what: &str, done: impl Fn(&Conversation) -> bool) -> Duration {
    let began = Instant::now();
    it.house.until(what, done);
    began.elapsed()
}

/// BB-SD-01: no hook tells of an interrupt. The screen is never asked: the CLI's
/// own list says that it rests, with the mark in the record and without.
#[test]
fn an_interrupt_that_no_hook_reports_ends_the_work_within_three_seconds() {
    for mark in [true, false] {
        let it = StandIn::start();
        it.say("UserPromptSubmit", json!({ "prompt": "wait" }));
        it.list(&it.epoch, "busy");
        it.write(&[said("wait"), call("t1")]);
        it.house.until("work", |now| now.state() == "working" && !now.tools().is_empty());
        if mark {
            let text = "[Request interrupted by user for tool use]";
            it.write(&[json!({ "type": "user",
                "message": { "content": [{ "type": "text", "text": text }] } })]);
        }
        it.list(&it.epoch, "idle");
        let time = took(&it, "rest", |now| now.state() == "needs_input");
        assert!(time < Duration::from_secs(3), "{time:?}, mark: {mark}");
        let now = it.house.conversation();
        let marks =
            now.messages().iter().filter(|it| it["lifecycle"]["event"] == "interrupted").count();
        assert_eq!(marks, usize::from(mark));
        if mark {
            assert_eq!(now.tools()[0]["status"], "cancelled");
        }
    }
}

/// BB-SD-03, first half: the record shows an open call, the hooks are silent, and
/// the list of live processes says that it waits.
#[test]
fn an_agent_that_waits_in_the_terminal_is_never_shown_as_working() {
    let it = StandIn::silent();
    it.write(&[said("clean up"), call("t1")]);
    it.list(&it.epoch, "busy");
    it.house.until("work", |now| now.state() == "working" && !now.tools().is_empty());
    it.list(&it.epoch, "waiting");
    let time = took(&it, "the question", |now| now.state() == "question");
    assert!(time < Duration::from_secs(2), "{time:?}");
    // What it waits for is told too: as a dialog, or as what only the terminal shows.
    let told = |now: &Conversation| {
        now.run["pending_dialogs"] == 1 || now.warnings().contains(&"terminal_dialog")
    };
    it.house.until("what it waits for", told);
    it.list(&it.epoch, "busy");
    it.house.until("work again", |now| now.state() == "working" && !told(now));
}

/// Without a hook nobody says where the record is; it is found where it comes up.
#[test]
fn a_record_that_no_hook_tells_of_is_found_when_it_comes() {
    let it = StandIn::silent();
    it.house.until("the silence", |now| now.warnings().contains(&"setup_pending"));
    let began = Instant::now();
    it.write(&[said("hello?")]);
    it.house.until("the record", |now| now.texts("user") == ["hello?"]);
    it.write(&[said("still there?")]);
    it.house.until("more of it", |now| now.texts("user") == ["hello?", "still there?"]);
    assert!(began.elapsed() < Duration::from_secs(10), "the slow re-scan found it");
}

/// BB-SD-03, second half: a hook asks, and everything else is silent.
#[test]
fn a_dialog_that_only_a_hook_knows_is_a_question_until_the_hook_is_gone() {
    let it = StandIn::start();
    it.say("UserPromptSubmit", json!({ "prompt": "clean up" }));
    it.unlist();
    let input = json!({ "command": "rm -r build" });
    it.say("PreToolUse", json!({ "tool_name": "Bash", "tool_input": input, "tool_use_id": "t1" }));
    it.house.until("work", |now| now.state() == "working");
    let mut asking =
        it.hook("PermissionRequest", json!({ "tool_name": "Bash", "tool_input": input }));
    let time = took(&it, "the question", |now| now.state() == "question");
    assert!(time < Duration::from_secs(2), "{time:?}");
    assert_eq!(it.house.conversation().run["pending_dialogs"], 1);
    asking.kill().unwrap();
    asking.wait().unwrap();
    it.house.until("no question", |now| now.run["pending_dialogs"] == 0);
}
