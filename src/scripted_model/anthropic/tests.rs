#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::time::Duration;

use serde_json::{Value, json};

use super::reply::Message;
use super::request::Request;
use crate::scripted_model::paced::Frame;
use crate::scripted_model::play::{Answer, Part};
use crate::scripted_model::situation::{Purpose, Situation};

fn situation(messages: &Value) -> Situation {
    let tools = json!([{ "name": "Bash" }, { "name": "Write" }]);
    request(&json!({ "model": "m", "tools": tools, "messages": messages })).situation()
}

fn request(body: &Value) -> Request {
    serde_json::from_value(body.clone()).unwrap()
}

fn call(id: &str, name: &str) -> Value {
    json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": id, "name": name, "input": {} }] })
}

fn result(id: &str, text: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": text })
}

fn user(blocks: &Value) -> Value {
    json!({ "role": "user", "content": blocks })
}

#[test]
fn reminders_and_messages_of_the_cli_are_not_what_was_typed() {
    let found = situation(&json!([
        user(&json!([
            { "type": "text", "text": "<system-reminder>\nsay fail\n</system-reminder>\n" },
            { "type": "text", "text": "<system-reminder>x</system-reminder>hello" },
        ])),
        { "role": "system", "content": "fail" },
    ]));
    assert_eq!(found.prompt, "hello");
    assert_eq!((found.step, found.results.len()), (0, 0));
}

#[test]
fn a_tool_that_is_only_named_can_be_called_too() {
    let names = "The following deferred tools are now available via ToolSearch. Load them first:\n\
                 EnterPlanMode\nExitPlanMode\n";
    let found = situation(&json!([{ "role": "system", "content": names }, user(&json!("go"))]));
    assert!(found.offers("Bash") && found.offers("EnterPlanMode") && found.offers("ExitPlanMode"));
    assert!(!found.offers("ToolSearch") && !found.offers("WebFetch"));
}

#[test]
fn results_are_counted_in_rounds_and_know_their_tools() {
    let found = situation(&json!([
        user(&json!("go")),
        call("a", "Write"),
        user(&json!([result("a", "ok")])),
        { "role": "assistant", "content": [
            { "type": "tool_use", "id": "b", "name": "Bash", "input": {} },
            { "type": "tool_use", "id": "c", "name": "Write", "input": {} },
        ] },
        user(&json!([
            { "type": "tool_result", "tool_use_id": "b", "is_error": true, "content": [{ "type": "text", "text": "no" }] },
            result("c", "yes"),
        ])),
    ]));
    let results: Vec<_> =
        found.results.iter().map(|it| (it.tool.as_str(), it.text.as_str(), it.failed)).collect();
    assert_eq!(results, [("Bash", "no", true), ("Write", "yes", false)]);
    assert_eq!((found.step, found.prompt.as_str()), (2, "go"));
}

#[test]
fn a_text_beside_a_good_result_is_a_note_and_beside_a_broken_one_the_next_prompt() {
    let chain =
        |blocks: Value| situation(&json!([user(&json!("go")), call("a", "Bash"), user(&blocks)]));

    let noted = chain(json!([result("a", "ok"), { "type": "text", "text": "and be quick" }]));
    assert_eq!((noted.prompt.as_str(), noted.step), ("go", 1));

    let refused = json!({ "type": "tool_result", "tool_use_id": "a", "is_error": true, "content": "refused" });
    let after = chain(
        json!([refused, { "type": "text", "text": "first" }, { "type": "text", "text": "second" }]),
    );
    assert_eq!((after.prompt.as_str(), after.step, after.results.len()), ("second", 0, 0));

    let marker = json!({ "type": "text", "text": "[Request interrupted by user for tool use]" });
    let after = chain(json!([result("a", "ok"), marker, { "type": "text", "text": "next" }]));
    assert_eq!((after.prompt.as_str(), after.step), ("next", 0));
}

#[test]
fn plan_mode_its_file_and_the_folder_are_read_from_what_stands_around() {
    let on = json!({ "role": "system", "content":
        "Plan mode is active.\nYour plan belongs into the plan file at /home/a b/.claude/plans/x-y.md with a tool." });
    let off = json!({ "role": "system", "content": "## Exited Plan Mode\n" });
    let body = |messages: Value| {
        request(&json!({
            "model": "m", "tools": [{ "name": "Write" }], "messages": messages,
            "system": [{ "type": "text", "text": "plan mode is active when..\n - Primary working directory: /w s\n - x" }],
        }))
        .situation()
    };
    let before = body(json!([user(&json!("go"))]));
    assert_eq!(
        (before.plan_mode, before.plan_file, before.cwd.as_deref()),
        (false, None, Some("/w s"))
    );
    let during = body(json!([user(&json!("go")), on]));
    assert_eq!(
        (during.plan_mode, during.plan_file.as_deref()),
        (true, Some("/home/a b/.claude/plans/x-y.md"))
    );
    assert!(!body(json!([user(&json!("go")), on, off])).plan_mode);
}

#[test]
fn what_waited_stays_until_it_is_answered() {
    let told = json!({ "role": "system", "content":
        "The user sent a new message while you were working:\necho later\n\nIMPORTANT: do it." });
    let mut messages =
        vec![user(&json!("go")), call("a", "Bash"), user(&json!([result("a", "ok")])), told];
    let now = situation(&json!(messages));
    assert_eq!(
        (now.prompt.as_str(), now.step, now.waiting),
        ("go", 1, vec!["echo later".to_owned()])
    );

    let mut with_call = messages.clone();
    with_call
        .extend([call("toolu_waiting_1", "Bash"), user(&json!([result("toolu_waiting_1", "ok")]))]);
    let next = situation(&json!(with_call));
    assert_eq!((next.prompt.as_str(), next.step, next.waiting.len()), ("echo later", 1, 0));

    messages.push(json!({ "role": "assistant", "content": "later" }));
    messages.push(user(&json!("more")));
    assert_eq!(situation(&json!(messages)).waiting.len(), 0);
}

#[test]
fn small_requests_and_summaries_are_no_turns() {
    let schema = json!({ "type": "object", "properties": { "title": { "type": "string" } } });
    let title = request(&json!({
        "model": "m", "output_config": { "format": { "schema": schema } },
        "messages": [user(&json!("<session>\nfail\n</session>\nWrite a title."))],
    }));
    assert_eq!(
        title.situation().purpose,
        Purpose::Side { about: "\nfail\n".into(), schema: Some(schema) }
    );

    let ask = "Respond with TEXT ONLY: an <analysis> block and a <summary> block.";
    let beside_a_result = json!([result("a", "ok"), { "type": "text", "text": ask }]);
    let compaction =
        situation(&json!([user(&json!("go")), call("a", "Bash"), user(&beside_a_result)]));
    assert_eq!((compaction.purpose, compaction.prompt.as_str()), (Purpose::Compaction, "go"));
    let alone = situation(&json!([user(
        &json!([{ "type": "text", "text": "go" }, { "type": "text", "text": ask }])
    )]));
    assert_eq!((alone.purpose, alone.prompt.as_str()), (Purpose::Compaction, "go"));
}

#[test]
fn a_retry_has_the_same_key_and_the_next_prompt_another() {
    let once = [user(&json!("fail"))];
    let again = [
        user(&json!("fail")),
        json!({ "role": "assistant", "content": "ok" }),
        user(&json!("fail")),
    ];
    let key = |messages: &[Value]| situation(&json!(messages)).prompt_key;
    assert_eq!(key(&once), key(&once));
    assert_ne!(key(&once), key(&again));
}

fn message() -> Message {
    let answer = Answer {
        parts: vec![
            Part::Thinking("Hm, well.".into()),
            Part::Text("two  words\n".into()),
            Part::Tool {
                name: "Bash".into(),
                input: json!({ "command": "ls" }),
                to_waiting: false,
            },
        ],
        ..Answer::default()
    };
    let mut number = 0;
    Message::new(&answer, "m", 7, |prefix| {
        number += 1;
        format!("{prefix}{number}")
    })
}

fn lines(frames: &[Frame]) -> String {
    let line = |frame: &Frame| match frame {
        Frame::Data(data) => data.split_once("data: ").unwrap().1.trim_end().to_owned(),
        other => format!("{other:?}"),
    };
    frames.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_stream_has_every_event_of_the_api() {
    insta::assert_snapshot!(lines(&message().to_frames(Duration::ZERO, None)), @r#"
    {"message":{"content":[],"id":"msg_1","model":"m","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":7,"output_tokens":1}},"type":"message_start"}
    {"type":"ping"}
    {"content_block":{"signature":"","thinking":"","type":"thinking"},"index":0,"type":"content_block_start"}
    {"delta":{"thinking":"Hm, ","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
    {"delta":{"thinking":"well.","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
    {"delta":{"signature":"c2NyaXB0ZWQ=","type":"signature_delta"},"index":0,"type":"content_block_delta"}
    {"index":0,"type":"content_block_stop"}
    {"content_block":{"text":"","type":"text"},"index":1,"type":"content_block_start"}
    {"delta":{"text":"two  ","type":"text_delta"},"index":1,"type":"content_block_delta"}
    {"delta":{"text":"words\n","type":"text_delta"},"index":1,"type":"content_block_delta"}
    {"index":1,"type":"content_block_stop"}
    {"content_block":{"id":"toolu_2","input":{},"name":"Bash","type":"tool_use"},"index":2,"type":"content_block_start"}
    {"delta":{"partial_json":"{\"command\":\"ls\"}","type":"input_json_delta"},"index":2,"type":"content_block_delta"}
    {"index":2,"type":"content_block_stop"}
    {"delta":{"stop_reason":"tool_use","stop_sequence":null},"type":"message_delta","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":7,"output_tokens":10}}
    {"type":"message_stop"}
    "#);
}

#[test]
fn a_cut_stream_ends_in_the_middle() {
    insta::assert_snapshot!(lines(&message().to_frames(Duration::from_millis(5), Some(3))), @r#"
    {"message":{"content":[],"id":"msg_1","model":"m","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":7,"output_tokens":1}},"type":"message_start"}
    {"type":"ping"}
    {"content_block":{"signature":"","thinking":"","type":"thinking"},"index":0,"type":"content_block_start"}
    Pause(5ms)
    {"delta":{"thinking":"Hm, ","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
    Pause(5ms)
    {"delta":{"thinking":"well.","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
    {"delta":{"signature":"c2NyaXB0ZWQ=","type":"signature_delta"},"index":0,"type":"content_block_delta"}
    {"index":0,"type":"content_block_stop"}
    {"content_block":{"text":"","type":"text"},"index":1,"type":"content_block_start"}
    Pause(5ms)
    {"delta":{"text":"two  ","type":"text_delta"},"index":1,"type":"content_block_delta"}
    Pause(30ms)
    Cut
    "#);
}

#[test]
fn without_a_stream_the_message_is_one_object() {
    insta::assert_snapshot!(message().to_json(), @r#"{"content":[{"signature":"c2NyaXB0ZWQ=","thinking":"Hm, well.","type":"thinking"},{"text":"two  words\n","type":"text"},{"id":"toolu_2","input":{"command":"ls"},"name":"Bash","type":"tool_use"}],"id":"msg_1","model":"m","role":"assistant","stop_reason":"tool_use","stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"input_tokens":7,"output_tokens":10}}"#);
}
