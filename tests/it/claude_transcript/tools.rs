//! Calls of tools and what becomes of them, each as a small transcript.

use seamux::schema::{ToolStatus, ToolView};
use seamux::seam::Fact;
use serde_json::{Value, json};

use super::cases::{assistant, transcript, user};
use super::map_text;

fn call(id: &str, name: &str, input: Value) -> Value {
    assistant("m1", "tool_use", json!({"type": "tool_use", "id": id, "name": name, "input": input}))
}

fn result(id: &str, is_error: bool, content: &str, twin: Value) -> Value {
    let block =
        json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error});
    let mut record = user(json!([block]));
    record["toolUseResult"] = twin;
    record
}

#[test]
fn failure_is_told_by_the_block_and_not_by_its_twin() {
    let mapped = map_text(&transcript(&[
        call("t1", "Bash", json!({"command": "false"})),
        result("t1", true, "Exit code 1\nno", json!("Error: Exit code 1")),
        call("t2", "Bash", json!({"command": "true"})),
        result(
            "t2",
            false,
            "",
            json!({"stdout": "", "stderr": "warning: no error", "interrupted": false}),
        ),
        call("t3", "Bash", json!({"command": "rm x"})),
        result(
            "t3",
            true,
            "The user doesn't want to proceed with this tool use.",
            json!("User rejected tool use"),
        ),
    ]));
    let ends: Vec<_> = mapped
        .facts
        .iter()
        .filter_map(|it| match it {
            Fact::ToolEnded(it) => {
                Some((it.call_id.as_str(), it.status, exit_code(it.view.as_ref())))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        ends,
        [
            ("t1", ToolStatus::Error, Some(1)),
            ("t2", ToolStatus::Ok, Some(0)),
            ("t3", ToolStatus::Cancelled, None),
        ]
    );
}

fn exit_code(view: Option<&ToolView>) -> Option<i32> {
    match view {
        Some(ToolView::Command { exit_code, .. }) => *exit_code,
        _ => None,
    }
}

#[test]
fn an_edit_becomes_a_diff_with_the_line_numbers_of_its_result() {
    let hunk = json!({"oldStart": 4, "oldLines": 2, "newStart": 4, "newLines": 2, "lines": [" a", "-b", "+c"]});
    let mapped = map_text(&transcript(&[
        call("t1", "Edit", json!({"file_path": "/x/y.rs", "old_string": "b", "new_string": "c"})),
        result("t1", false, "updated", json!({"filePath": "/x/y.rs", "structuredPatch": [hunk]})),
    ]));
    let diff =
        |text: &str| Some(ToolView::Diff { path: "/x/y.rs".to_owned(), diff: text.to_owned() });
    assert_eq!(mapped.messages[0].tool.as_ref().unwrap().view, diff("@@ @@\n-b\n+c\n"));
    let Some(Fact::ToolEnded(end)) =
        mapped.facts.iter().find(|it| matches!(it, Fact::ToolEnded(_)))
    else {
        panic!("no end");
    };
    assert_eq!(end.view, diff("@@ -4,2 +4,2 @@\n a\n-b\n+c\n"));
}

#[test]
fn a_plan_that_the_call_leaves_out_comes_from_the_plan_file() {
    let path = "/home/dev/.claude/plans/x.md";
    let mapped = map_text(&transcript(&[
        call("t1", "Write", json!({"file_path": path, "content": "# Plan\n1. A\n"})),
        call("t2", "Edit", json!({"file_path": path, "old_string": "A", "new_string": "B"})),
        call("t3", "ExitPlanMode", json!({})),
    ]));
    let dialog = mapped.messages[2].dialog.as_ref().unwrap();
    assert_eq!((dialog.body.as_str(), dialog.questions.len()), ("# Plan\n1. B\n", 1));
}

#[test]
fn a_declined_dialog_is_told_without_having_seen_its_call() {
    let rejected = result(
        "t9",
        true,
        "The user doesn't want to proceed with this tool use.",
        json!("User rejected tool use"),
    );
    let mapped = map_text(&transcript(&[rejected]));
    assert!(
        matches!(&mapped.facts[..], [Fact::ToolEnded(end)] if end.dialog.as_ref().is_some_and(|it| !it.accepted))
    );
}

#[test]
fn an_approved_plan_is_told_without_having_seen_its_call() {
    let twin = json!({"plan": null, "isAgent": false, "filePath": "/home/dev/.claude/plans/x.md"});
    let mapped = map_text(&transcript(&[result("t9", false, "approved", twin)]));
    let accepted = |it: &Fact| matches!(it, Fact::ToolEnded(end) if end.dialog.as_ref().is_some_and(|it| it.accepted));
    assert!(mapped.facts.iter().any(accepted));
}

#[test]
fn answers_are_those_of_the_questions_that_were_asked() {
    let twin = json!({
        "questions": [{"question": "First?", "options": []}, {"question": "Layout?", "options": []}],
        "answers": {"First?": ["a", "b"], "Other?": "x", "Layout?": "one\rtwo"},
        "annotations": {"Layout?": {"notes": "wide"}},
    });
    let mapped = map_text(&transcript(&[result("t1", false, "answered", twin)]));
    let [Fact::ToolEnded(end), Fact::TurnGoesOn] = &mapped.facts[..] else {
        panic!("{:?}", mapped.facts);
    };
    let outcome = end.dialog.as_ref().unwrap();
    let answers =
        [("First?", "a, b"), ("Layout?", "one\ntwo")].map(|it| (it.0.to_owned(), it.1.to_owned()));
    assert_eq!(outcome.answers, answers);
    assert_eq!(outcome.detail.as_deref(), Some("Layout? wide"));
}

#[test]
fn a_question_without_questions_is_one_open_question() {
    let mapped =
        map_text(&transcript(&[call("t1", "AskUserQuestion", json!({"questions": "what?"}))]));
    let dialog = mapped.messages[0].dialog.as_ref().unwrap();
    assert_eq!((dialog.questions.len(), dialog.answerable), (1, false));
    assert!(dialog.questions[0].options.is_empty() && dialog.questions[0].free_text);
}
