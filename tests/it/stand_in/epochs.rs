//! Conversations that begin, roll over, move, and exist twice.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::json;

use super::{StandIn, answered, append, said};

/// The list of live processes is faster than the hook, and the hook knows more.
#[test]
fn the_reason_of_an_epoch_is_corrected_by_the_hook_and_stays_corrected() {
    let mut it = StandIn::start();
    it.write(&[said("one"), answered("old words")]);
    it.list("second", "idle");
    let guessed = it.house.until("the next epoch", |now| now.run["epoch"] == "second");
    assert_eq!(guessed.page["epochs"][1]["reason"], "resume");
    it.say("SessionStart", json!({ "source": "clear", "session_id": "second" }));
    let reason = |now: &crate::house::Conversation| now.page["epochs"][1]["reason"] == "clear";
    it.house.until("the reason", reason);
    it.house.kill_server();
    it.house.start_again();
    let now = it.house.until("the epoch after a restart", |now| now.run["epoch"] == "second");
    assert!(reason(&now), "{}", now.page["epochs"]);
}

/// BB-TL-05
#[test]
fn a_conversation_that_is_cleared_twice_in_a_moment_is_followed_to_its_newest_record() {
    let it = StandIn::start();
    it.write(&[said("one"), answered("in the first")]);
    it.house.until("the first", |now| now.texts("assistant") == ["in the first"]);
    for (epoch, words) in [("second", "in the second"), ("third", "in the third")] {
        for other in ["stranger-1", "stranger-2"] {
            append(&it.record("p", other), &[said("hello"), answered("of somebody else")]);
        }
        append(&it.record("p", epoch), &[said("go on"), answered(words)]);
        it.list(epoch, "idle");
        it.say("SessionStart", json!({ "source": "clear", "session_id": epoch }));
        append(&it.record("p", "stranger-1"), &[answered("newer than all")]);
    }
    let now = it.house.until("the third", |now| now.texts("assistant") == ["in the third"]);
    assert_eq!(now.run["id"], it.house.run.as_str(), "the run is the same one");
    let epochs = now.page["epochs"].as_array().unwrap();
    let known: Vec<_> = epochs.iter().map(|it| (&it["id"], &it["reason"])).collect();
    assert_eq!(
        known[1..],
        [(&json!("second"), &json!("clear")), (&json!("third"), &json!("clear"))]
    );
    for (epoch, words) in [(it.epoch.as_str(), "in the first"), ("second", "in the second")] {
        let page = it.house.get(&it.house.run_path(&format!("/messages?epoch={epoch}")));
        let text = page.body.to_string();
        assert!(text.contains(words) && !text.contains("somebody else"), "{epoch}: {text}");
    }
}

/// BB-TL-07
#[test]
fn a_record_that_moves_in_the_middle_of_a_turn_leaves_nothing_behind_that_counts() {
    let mut it = StandIn::start();
    let [here, there] = ["p", "worktree"].map(|folder| it.record(folder, &it.epoch));
    let stub = json!({ "type": "bridge-session", "sessionId": it.epoch, "lastSequenceNum": 0 });
    append(&here, &[said("one"), answered("at home")]);
    it.house.until("the first", |now| now.texts("assistant") == ["at home"]);
    let events = it.house.events(&format!("?run={}", it.house.run), None);
    for (from, to, words) in [(&here, &there, "in the worktree"), (&there, &here, "back home")] {
        fs::rename(from, to).unwrap();
        append(from, std::slice::from_ref(&stub));
        append(to, &[said(words), answered(words)]);
        // The next hook says where it writes; the stub is there before that.
        it.say("Stop", json!({ "transcript_path": to }));
        it.house.until(words, |now| now.texts("assistant").last() == Some(&words));
    }
    let now = it.house.conversation();
    assert_eq!(now.texts("assistant"), ["at home", "in the worktree", "back home"]);
    assert_eq!(now.page["epochs"].as_array().unwrap().len(), 1);
    let told = events.up_to("the last answer", |it| it.data["message"]["text"] == "back home");
    assert!(told.iter().all(|it| it.name != "epoch.changed"), "it was never read anew");
    // A server that comes later sees two files of that name. The stub is the newer one.
    it.house.kill_server();
    fs::remove_file(&there).unwrap();
    fs::rename(&here, &there).unwrap();
    append(&here, &[stub]);
    it.house.start_again();
    let now = it.house.until("all of it", |now| now.texts("assistant").len() == 3);
    assert_eq!(now.texts("user"), ["one", "in the worktree", "back home"]);
}

/// BB-TL-03
#[test]
fn of_two_records_of_one_conversation_the_one_that_grows_is_followed() {
    for (old, new) in [("a", "b"), ("b", "a")] {
        let mut it = StandIn::start();
        it.house.kill_server();
        let [stale, live] = [old, new].map(|folder| it.record(folder, &it.epoch));
        append(&stale, &[said("one"), answered("stale"), said("two"), answered("stale too")]);
        let file = File::options().write(true).open(&stale).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        append(&live, &[said("one"), answered("live")]);
        it.house.start_again();
        it.house.until("the live one", |now| now.texts("assistant") == ["live"]);
        append(&live, &[said("two"), answered("goes on")]);
        append(&stale, &[answered("a late row")]);
        let both = ["live", "goes on"];
        it.house.until("an append", |now| now.texts("assistant") == both);
        // Should the CLI write elsewhere after all, its hook says so.
        it.say("Stop", json!({ "transcript_path": stale }));
        let told = ["stale", "stale too", "a late row"];
        let seen = it.house.until("the other one", |now| now.texts("assistant") == told);
        assert_eq!(seen.warnings(), ["record_switched"], "a switch is told");
    }
}

/// A rewrite to exactly the length that was read is as much news as any other.
#[test]
fn a_record_that_is_written_anew_at_the_same_length_is_shown_anew_at_once() {
    let it = StandIn::start();
    it.write(&[said("one"), answered("first words")]);
    it.house.until("the first", |now| now.texts("assistant") == ["first words"]);
    let path = it.record("p", &it.epoch);
    let text = fs::read_to_string(&path).unwrap();
    let began = std::time::Instant::now();
    fs::write(&path, text.replace("first", "other")).unwrap();
    let now = it.house.until("the other", |now| now.texts("assistant") == ["other words"]);
    assert!(began.elapsed() < Duration::from_secs(10), "the slow re-scan found it");
    assert_eq!(now.messages().len(), 2);
}
