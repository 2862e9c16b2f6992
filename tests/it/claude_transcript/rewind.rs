//! Going back: what was left behind is marked, and nothing else ever is.

use std::path::Path;

use seamux::providers::claude_code::ClaudeCode;
use seamux::runs;
use seamux::schema::{Position, Role};
use seamux::seam::{Fact, Mapped};
use serde_json::{Value, json};

use super::cases::{assistant, transcript, user};
use super::map_text;

/// A record with its place in the thread.
fn link(mut record: Value, uuid: &str, parent: Option<&str>) -> Value {
    record["uuid"] = uuid.into();
    record["parentUuid"] = parent.into();
    record
}

fn says(text: &str, uuid: &str, parent: Option<&str>) -> Value {
    link(user(text), uuid, parent)
}

fn answers(text: &str, uuid: &str, parent: &str) -> Value {
    link(assistant(uuid, "end_turn", json!({"type": "text", "text": text})), uuid, Some(parent))
}

fn left_behind(records: &[Value]) -> Vec<(u64, u64)> {
    let Mapped { facts, .. } = map_text(&transcript(records));
    let ranges = facts.iter().filter_map(|it| match it {
        Fact::Abandoned { from, to } => Some((from.record, to.record)),
        _ => None,
    });
    ranges.collect()
}

#[test]
fn what_was_said_after_the_point_that_a_person_went_back_to_is_left_behind() {
    let inspection =
        runs::inspect(&ClaudeCode::new(), Path::new("fixtures/claude-code/2.1.198/rewind.jsonl"))
            .unwrap();
    let main: Vec<_> = inspection
        .messages
        .iter()
        .filter(|it| !it.abandoned && it.role == Some(Role::User))
        .filter_map(|it| it.text.as_deref())
        .collect();
    assert_eq!(main, ["echo eight", "echo nine", "/context", "echo thirteen"]);
    // The summary of what came before the kept turns is still true.
    let kept: Vec<_> = inspection
        .messages
        .iter()
        .filter(|it| !it.abandoned && !it.is_hidden())
        .filter_map(|it| it.lifecycle.as_ref()?.detail.as_deref())
        .collect();
    assert!(kept[0].contains("The last request was: echo eight"), "{kept:?}");
}

#[test]
fn a_prompt_that_was_interrupted_before_its_first_word_is_left_behind_by_the_next() {
    let records = [
        says("one", "u1", None),
        answers("1", "a1", "u1"),
        says("never mind", "u2", Some("a1")),
        says("two", "u3", Some("a1")),
        answers("2", "a2", "u3"),
    ];
    assert_eq!(left_behind(&records), [(3, 4)]);
    assert_eq!(left_behind(&records[..3]), [], "until then it stands as it was said");
    // The very first one has no parent to go back to.
    assert_eq!(left_behind(&[says("x", "u1", None), says("y", "u2", None)]), [(1, 2)]);
}

#[test]
fn results_of_calls_that_ran_side_by_side_are_no_branch() {
    let call = |id: &str, uuid: &str, parent: &str| {
        let input = json!({"type": "tool_use", "id": id, "name": "Read", "input": {}});
        link(assistant("m", "tool_use", input), uuid, Some(parent))
    };
    let result = |id: &str, uuid: &str, parent: &str| {
        link(user(json!([{"type": "tool_result", "tool_use_id": id}])), uuid, Some(parent))
    };
    let records = [
        says("look", "u1", None),
        call("t1", "c1", "u1"),
        call("t2", "c2", "c1"),
        result("t1", "r1", "c1"),
        result("t2", "r2", "c2"),
        link(
            user(json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}])),
            "i1",
            Some("r1"),
        ),
        says("go on", "u2", Some("i1")),
    ];
    assert_eq!(left_behind(&records), []);
}

#[test]
fn subagents_compactions_and_records_out_of_order_are_no_branch() {
    let mut aside = says("look around", "s1", None);
    aside["isSidechain"] = true.into();
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b",
        "parentUuid": null, "logicalParentUuid": "a1"});
    let mut summary = says("what was said", "z", Some("b"));
    summary["isCompactSummary"] = true.into();
    let records = [
        // The prompt stands behind what descends from it.
        answers("1", "a1", "u1"),
        says("one", "u1", None),
        aside,
        says("two", "u2", Some("a1")),
        boundary,
        summary,
        says("three", "u3", Some("z")),
    ];
    assert_eq!(left_behind(&records), []);
}

#[test]
fn what_cannot_be_known_is_never_cut_off() {
    // The parent was lost, or the mapper began behind it.
    let lost = [says("one", "u1", Some("gone")), says("two", "u2", Some("lost"))];
    assert_eq!(left_behind(&lost), []);
    // Two records that name each other.
    let circle = [
        says("one", "u1", Some("u2")),
        says("two", "u2", Some("u1")),
        says("three", "u3", Some("u0")),
    ];
    assert_eq!(left_behind(&circle), []);
    // A record that is written twice stands where it stood.
    let twice = [says("one", "u1", None), answers("1", "a1", "u1"), says("one", "u1", None)];
    assert_eq!(left_behind(&twice), []);
    // Nothing but notes of the CLI lies behind the parent.
    let note =
        json!({"type": "system", "subtype": "turn_duration", "uuid": "n", "parentUuid": "a1"});
    let notes = [twice[0].clone(), twice[1].clone(), note, says("two", "u2", Some("a1"))];
    assert_eq!(left_behind(&notes), []);
}

#[test]
fn only_the_recordings_in_which_somebody_went_back_have_anything_left_behind() {
    let mut found = Vec::new();
    for version in ["2.1.197", "2.1.198", "2.1.332"] {
        for entry in std::fs::read_dir(format!("fixtures/claude-code/{version}")).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            if map_text(&text).facts.iter().any(|it| matches!(it, Fact::Abandoned { .. })) {
                found.push(format!("{version}/{}", path.file_stem().unwrap().to_str().unwrap()));
            }
        }
    }
    found.sort();
    // In `errors` a failing turn was interrupted before its first word.
    assert_eq!(found, ["2.1.197/errors", "2.1.198/rewind", "2.1.332/errors"]);
}

#[test]
fn a_dialog_that_was_left_behind_is_not_open_any_more() {
    let question = json!({"type": "tool_use", "id": "q1", "name": "AskUserQuestion",
        "input": {"questions": [{"question": "Which?", "options": []}]}});
    let records = [
        says("one", "u1", None),
        link(assistant("m", "tool_use", question), "c1", Some("u1")),
        says("two", "u2", None),
    ];
    let Mapped { mut messages, facts } = map_text(&transcript(&records));
    assert_eq!(runs::open_dialogs(&messages).count(), 1);
    for fact in facts {
        if let Fact::Abandoned { from, to } = fact {
            runs::abandon(&mut messages, from, to);
        }
    }
    assert_eq!(runs::open_dialogs(&messages).count(), 0);
    let open: Vec<Position> =
        messages.iter().filter(|it| !it.abandoned).map(|it| it.position).collect();
    assert_eq!(open, [Position::new(3, 0)]);
}
