//! Faults that others have had, each as a small transcript.

use seamux::schema::{LifecycleEvent, Message, MessageKind};
use seamux::seam::{Block, BlockCause, Fact};
use serde_json::{Value, json};

use super::map_text;

pub(crate) fn transcript(records: &[Value]) -> String {
    records.iter().map(|it| format!("{it}\n")).collect()
}

pub(crate) fn user(content: impl Into<Value>) -> Value {
    json!({"type": "user", "timestamp": "2026-01-05T10:00:01.000Z",
           "message": {"role": "user", "content": content.into()}})
}

pub(crate) fn assistant(id: &str, stop: &str, block: Value) -> Value {
    json!({"type": "assistant", "timestamp": "2026-01-05T10:00:02.000Z",
           "message": {"id": id, "role": "assistant", "model": "m-test", "stop_reason": stop,
                       "content": [block], "usage": {"input_tokens": 7, "output_tokens": 3}}})
}

fn texts(messages: &[Message]) -> Vec<&str> {
    messages.iter().filter_map(|it| it.text.as_deref()).collect()
}

fn lifecycles(messages: &[Message]) -> Vec<(LifecycleEvent, &str)> {
    let all = messages.iter().filter_map(|it| it.lifecycle.as_ref());
    all.map(|it| (it.event, it.detail.as_deref().unwrap_or_default())).collect()
}

fn moves_the_state(fact: &Fact) -> bool {
    matches!(fact, Fact::Prompt(_) | Fact::TurnGoesOn | Fact::TurnEnded | Fact::Interrupted)
}

#[test]
fn an_echo_after_clear_never_moves_the_state() {
    let echo = "<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>";
    let stdout = "<local-command-stdout></local-command-stdout>";
    let system =
        |content: &str| json!({"type": "system", "subtype": "local_command", "content": content});
    let mut caveat = user("<local-command-caveat>note</local-command-caveat>");
    caveat["isMeta"] = true.into();
    for records in
        [[caveat.clone(), user(echo), user(stdout)], [caveat, system(echo), system(stdout)]]
    {
        let mapped = map_text(&transcript(&records));
        assert_eq!(texts(&mapped.messages), ["/clear"]);
        assert!(!mapped.facts.iter().any(moves_the_state), "{:?}", mapped.facts);
    }
}

#[test]
fn warnings_and_injected_context_never_move_the_state() {
    let mut meta = user("context for the model");
    meta["isMeta"] = true.into();
    let mapped = map_text(&transcript(&[
        meta,
        user("<system-reminder>\nremember\n</system-reminder>"),
        json!({"type": "system", "subtype": "informational", "level": "warning", "content": "careful"}),
    ]));
    assert_eq!(
        lifecycles(&mapped.messages),
        [
            (LifecycleEvent::Hidden, "context for the model"),
            (LifecycleEvent::Hidden, "<system-reminder>\nremember\n</system-reminder>"),
            (LifecycleEvent::Warning, "careful"),
        ]
    );
    assert_eq!(mapped.facts, []);
}

#[test]
fn blocks_that_share_a_message_id_are_all_kept_and_counted_once() {
    let mapped = map_text(&transcript(&[
        assistant("msg_x", "tool_use", json!({"type": "text", "text": "Looking."})),
        assistant(
            "msg_x",
            "tool_use",
            json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "a"}}),
        ),
        assistant(
            "msg_x",
            "tool_use",
            json!({"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "b"}}),
        ),
    ]));
    let kinds: Vec<_> = mapped.messages.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [MessageKind::Text, MessageKind::Tool, MessageKind::Tool]);
    assert!(mapped.messages.iter().all(|it| it.turn.as_deref() == Some("msg_x")));
    let usages = mapped.facts.iter().filter(|it| matches!(it, Fact::Usage(_)));
    assert_eq!(usages.count(), 1);
}

#[test]
fn a_record_written_twice_with_one_more_key_harms_nothing() {
    let mapped = map_text(&transcript(&[
        json!({"type": "attachment", "uuid": "h1", "attachment": {"type": "hook_success"}}),
        json!({"type": "attachment", "uuid": "h1", "slug": "x", "attachment": {"type": "hook_success"}}),
        user("after"),
    ]));
    assert_eq!(texts(&mapped.messages), ["after"]);
}

/// BB-TP-05
#[test]
fn a_prompt_absorbed_in_the_middle_of_a_turn_is_a_prompt() {
    let mapped = map_text(&transcript(&[json!({
        "type": "attachment", "timestamp": "2026-01-05T10:00:03.000Z",
        "attachment": {"type": "queued_command", "commandMode": "prompt",
                       "prompt": "also update the readme", "origin": {"kind": "human"}}})]));
    assert_eq!(texts(&mapped.messages), ["also update the readme"]);
    assert_eq!(mapped.messages[0].time.as_deref(), Some("2026-01-05T10:00:03.000Z"));
    assert!(
        matches!(&mapped.facts[..], [Fact::Prompt(mark), Fact::TurnGoesOn] if mark.text == "also update the readme")
    );
}

#[test]
fn the_queue_of_the_cli_shows_no_message_of_its_own() {
    let operation = |operation: &str, content: Value| json!({"type": "queue-operation", "operation": operation, "content": content});
    let mapped = map_text(&transcript(&[
        operation("enqueue", "A".into()),
        operation("dequeue", Value::Null),
        user("A"),
        operation("enqueue", "B".into()),
        operation("remove", Value::Null),
        operation("enqueue", "<task-notification><summary>x</summary></task-notification>".into()),
    ]));
    assert_eq!(texts(&mapped.messages), ["A"]);
    let queued: Vec<_> =
        mapped.facts.iter().filter(|it| matches!(it, Fact::CliQueued { .. })).collect();
    assert_eq!(queued.len(), 2);
}

/// BB-TP-15
#[test]
fn commands_and_their_output_are_plain_and_quoted_tags_stay() {
    let mapped = map_text(&transcript(&[
        user(
            "<command-name>/context</command-name><command-message>context</command-message><command-args></command-args>",
        ),
        user(
            "<local-command-stdout>\u{1b}[1mUsage\u{1b}[22m 18%\r\u{1b}[38;5;244mdone\u{1b}[39m</local-command-stdout>",
        ),
        user("why does it print <command-name> in my log?"),
    ]));
    assert_eq!(
        texts(&mapped.messages),
        ["/context", "why does it print <command-name> in my log?"]
    );
    assert_eq!(lifecycles(&mapped.messages), [(LifecycleEvent::CommandOutput, "Usage 18%\ndone")]);
}

#[test]
fn an_interrupt_is_no_message_and_ends_the_turn() {
    for marker in ["[Request interrupted by user]", "[Request interrupted by user for tool use]"] {
        let mapped = map_text(&transcript(&[user(json!([{"type": "text", "text": marker}]))]));
        assert_eq!(lifecycles(&mapped.messages), [(LifecycleEvent::Interrupted, "")]);
        assert_eq!(mapped.facts, [Fact::Interrupted]);
    }
}

#[test]
fn a_usage_limit_is_a_failure_and_not_an_answer() {
    let mut limit = assistant(
        "m-err",
        "stop_sequence",
        json!({"type": "text", "text": "limit reached · resets 4pm (UTC)"}),
    );
    limit["isApiErrorMessage"] = true.into();
    limit["error"] = "rate_limit".into();
    limit["message"]["model"] = "<synthetic>".into();
    let mapped = map_text(&transcript(&[limit]));
    assert_eq!(mapped.messages[0].error.as_deref(), Some("rate_limit"));
    let block = Block {
        cause: BlockCause::UsageLimit,
        words: "limit reached · resets 4pm (UTC)".to_owned(),
    };
    assert_eq!(mapped.facts, [Fact::TurnEnded, Fact::Blocked(block)]);
}

#[test]
fn thinking_does_not_end_a_turn_whose_words_are_yet_to_come() {
    let thinking = assistant("m1", "end_turn", json!({"type": "thinking", "thinking": "Hmm."}));
    let mapped = map_text(&transcript(&[thinking]));
    assert!(mapped.messages[0].thinking);
    assert!(!mapped.facts.contains(&Fact::TurnEnded));
}

#[test]
fn a_subagent_in_the_main_file_says_nothing_about_the_run() {
    let mut prompt = user("look around");
    let mut answer = assistant("m1", "end_turn", json!({"type": "text", "text": "done"}));
    for record in [&mut prompt, &mut answer] {
        record["isSidechain"] = true.into();
        record["agentId"] = "a1".into();
    }
    let mapped = map_text(&transcript(&[prompt, answer]));
    assert!(mapped.messages.iter().all(|it| it.agent.as_deref() == Some("a1")));
    assert_eq!(mapped.facts, []);
}

#[test]
fn an_unknown_record_is_kept_counted_and_costs_no_other() {
    let mapped = map_text(&transcript(&[
        json!({"type": "system", "subtype": "brand_new_kind", "payload": {"k": "v".repeat(999)}}),
        json!({"type": "hologram"}),
        json!({"type": "user", "message": 5}),
        user("still here"),
    ]));
    let unknown =
        ["system/brand_new_kind", "hologram", "user"].map(|it| Fact::UnknownRecord(it.to_owned()));
    assert_eq!(mapped.facts[..3], unknown);
    assert!(
        lifecycles(&mapped.messages)
            .iter()
            .all(|it| it.0 == LifecycleEvent::Unknown && it.1.len() < 300)
    );
    assert_eq!(texts(&mapped.messages), ["still here"]);
}

#[test]
fn a_field_of_an_odd_type_costs_only_itself() {
    let mapped = map_text(&transcript(&[json!({
        "type": "assistant", "timestamp": 12345, "gitBranch": [1], "isSidechain": "no",
        "message": {"id": {}, "usage": 3, "stop_reason": true, "content": "string instead of array"}})]));
    assert_eq!(texts(&mapped.messages), ["string instead of array"]);
    assert_eq!(mapped.messages[0].time, None);
}

#[test]
fn a_key_that_nobody_knows_changes_nothing() {
    for version in ["2.1.197", "2.1.332"] {
        let path = format!("fixtures/claude-code/{version}/slash-1.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        let more = text.replace("\n{", "\n{\"type2\": {\"type\": [1, null]}, ");
        assert_ne!(more, text);
        assert_eq!(map_text(&more), map_text(&text));
    }
}

#[test]
fn the_title_that_a_person_chose_stays() {
    let mapped = map_text(&transcript(&[
        json!({"type": "ai-title", "aiTitle": "Guess"}),
        json!({"type": "custom-title", "customTitle": "Mine"}),
        json!({"type": "ai-title", "aiTitle": "Another guess"}),
        json!({"type": "custom-title", "customTitle": "Mine"}),
    ]));
    let titles = ["Guess", "Mine"].map(|it| Fact::Title(it.to_owned()));
    assert_eq!(mapped.facts, titles);
}
