//! Public faults of others, by their case: what records mean. Those of single
//! records stand in `claude_transcript`, those of files in `transcript_files`.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use seamux::providers::claude_code::ClaudeCode;
use seamux::providers::claude_code::transcript::ClaudeMapper;
use seamux::runs;
use seamux::schema::{LifecycleEvent, Message, RunState, ToolStatus};
use seamux::seam::{AgentProvider, Fact, Mapped, Record, RecordMapper};
use serde_json::{Value, json};

fn map(records: &[Value]) -> Mapped {
    let mut mapper = ClaudeMapper::default();
    let mut all = Mapped::default();
    for (at, record) in (1..).zip(records) {
        let mapped = mapper.map(Record { at, bytes: record.to_string().as_bytes() });
        all.messages.extend(mapped.messages);
        all.facts.extend(mapped.facts);
    }
    all
}

fn state(records: &[Value]) -> RunState {
    let lines: Vec<_> = records.iter().map(|it| it.to_string().into_bytes()).collect();
    *runs::states(&ClaudeCode::new(), lines.iter().map(Vec::as_slice)).last().unwrap()
}

fn said(text: &str) -> Value {
    json!({"type": "user", "promptSource": "typed", "message": {"content": text}})
}

fn texts(messages: &[Message]) -> Vec<&str> {
    messages.iter().filter_map(|it| it.text.as_deref()).collect()
}

fn append(path: &Path, text: &str) {
    let mut file = File::options().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// BB-TP-01
#[test]
fn a_transcript_that_is_read_twice_gives_every_message_the_same_place() {
    let path = Path::new("fixtures/claude-code/2.1.332/misc-multi.jsonl");
    let [one, two] = [(); 2].map(|()| runs::inspect(&ClaudeCode::new(), path).unwrap());
    assert_eq!(one.messages, two.messages);
    let mut places: Vec<_> = one.messages.iter().map(|it| it.position).collect();
    places.dedup();
    assert_eq!(places.len(), one.messages.len());
}

/// BB-TP-03
#[test]
fn a_record_that_was_written_twice_costs_neither_its_file_nor_another() {
    let hook = json!({"type": "attachment", "uuid": "h1", "attachment": {"type": "hook_success"}});
    let mut again = hook.clone();
    again["slug"] = "x".into();
    let mapped = map(&[hook, again, said("after")]);
    assert_eq!((texts(&mapped.messages), mapped.facts.len()), (vec!["after"], 1));
}

/// BB-TP-07
#[test]
fn a_prompt_that_was_taken_back_from_the_queue_reads_as_that() {
    let queue = |operation: &str, content: Value| json!({"type": "queue-operation", "operation": operation, "content": content});
    let mut dropped = queue("remove", "C".into());
    dropped["reason"] = "cancelled".into();
    let mut absorbed = queue("remove", "D".into());
    absorbed["reason"] = "absorbed_mid_turn".into();
    let mapped = map(&[
        queue("enqueue", "A".into()),
        queue("dequeue", Value::Null),
        said("A"),
        queue("enqueue", "B".into()),
        queue("popAll", "B".into()),
        dropped,
        absorbed,
        queue("remove", Value::Null),
    ]);
    assert_eq!(texts(&mapped.messages), ["A"]);
    let notices: Vec<_> = mapped
        .messages
        .iter()
        .filter_map(|it| it.lifecycle.as_ref())
        .map(|it| (it.event, it.detail.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(
        notices,
        [
            (LifecycleEvent::Notice, "Taken back before it was sent: B"),
            (LifecycleEvent::Notice, "Taken back before it was sent: C"),
        ]
    );
    let returned: Vec<_> = mapped
        .facts
        .iter()
        .filter_map(|it| match it {
            Fact::CliReturned { text } => text.as_deref(),
            _ => None,
        })
        .collect();
    assert_eq!(returned, ["B", "C"]);
}

/// BB-TP-13
#[test]
fn no_bookkeeping_key_decides_what_a_record_is() {
    const BOOKKEEPING: &[&str] = &[
        "uuid",
        "parentUuid",
        "sessionId",
        "cwd",
        "version",
        "userType",
        "entrypoint",
        "slug",
        "gitBranch",
        "promptId",
        "requestId",
        "timestamp",
    ];
    let kinds = |record: &Value| -> Vec<_> {
        let mapped = map(std::slice::from_ref(record)).messages;
        mapped.into_iter().map(|it| (it.kind, it.lifecycle.map(|it| it.event), it.text)).collect()
    };
    for name in ["2.1.197/slash-1", "2.1.332/input", "2.1.332/misc-agentbg", "2.1.198/hookblock"] {
        let text = fs::read_to_string(format!("fixtures/claude-code/{name}.jsonl")).unwrap();
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let is = kinds(&record);
            for key in BOOKKEEPING {
                let mut less = record.clone();
                less.as_object_mut().unwrap().remove(*key);
                assert_eq!(kinds(&less), is, "{name} without {key}");
            }
        }
    }
}

/// BB-TP-17: what a CLI writes in a person's name.
#[test]
fn only_what_a_person_said_is_a_prompt() {
    let mut meta = said("instructions");
    meta["isMeta"] = true.into();
    meta["promptSource"] = Value::Null;
    let mut halted = said("Operation stopped by hook: no");
    halted["promptSource"] = Value::Null;
    let typed = said("Operation stopped by hook: what does that mean?");
    let records = [meta, said("rename the helper"), halted, typed];
    let mapped = map(&records);
    let prompts: Vec<_> = mapped
        .facts
        .iter()
        .filter_map(|it| match it {
            Fact::Prompt(mark) => Some(mark.text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(prompts, ["rename the helper", "Operation stopped by hook: what does that mean?"]);
    assert_eq!(state(&records[..1]), RunState::Idle);
    assert_eq!(state(&records[..3]), RunState::NeedsInput);
}

/// BB-TR-01
#[test]
fn a_whole_line_that_is_no_record_is_counted_and_the_next_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    append(&path, "{\"type\":\"user\",\"message\":{\"content\":\nnonsense\n");
    append(&path, &format!("{}\n", said("after")));
    let inspection = runs::inspect(&ClaudeCode::new(), &path).unwrap();
    assert_eq!((inspection.unknown_records(), texts(&inspection.messages)), (2, vec!["after"]));
}

/// BB-SD-01: both variants of the record.
#[test]
fn an_interrupted_turn_is_over() {
    let call = json!({"type": "assistant", "message": {"stop_reason": "tool_use", "content": [
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "sleep 60"}}]}});
    let marker = json!({"type": "user", "message": {"content": [
        {"type": "text", "text": "[Request interrupted by user for tool use]"}]}});
    let records = [said("wait"), call, marker];
    assert_eq!(state(&records[..2]), RunState::Working);
    assert_eq!(state(&records), RunState::NeedsInput);
    // And its call runs no more, although nothing says how it ended.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    records.iter().for_each(|it| append(&path, &format!("{it}\n")));
    let messages = runs::inspect(&ClaudeCode::new(), &path).unwrap().messages;
    let tool = messages.iter().find_map(|it| it.tool.as_ref()).unwrap();
    assert_eq!(tool.status, ToolStatus::Cancelled);
}

/// BB-SD-05: a screen is never asked, so nothing that a reply quotes is a dialog.
#[test]
fn a_dialog_that_a_reply_quotes_is_only_text() {
    let quote = "Do you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to interrupt";
    let answer = json!({"type": "assistant", "message": {"stop_reason": "end_turn",
        "content": [{"type": "text", "text": quote}]}});
    assert_eq!(state(&[said("show me a dialog"), answer]), RunState::NeedsInput);
}

/// BB-SD-07
#[test]
fn a_limit_is_a_failure_with_its_own_words_and_ends_the_turn() {
    let limit = |error: &str| {
        json!({"type": "assistant", "isApiErrorMessage": true, "error": error,
            "message": {"model": "<synthetic>", "stop_reason": "stop_sequence",
                "content": [{"type": "text", "text": "limit reached · resets 4pm (UTC)"}]}})
    };
    for error in ["rate_limit", "server_error"] {
        let records = [said("go"), limit(error)];
        let mapped = map(&records);
        assert_eq!(mapped.messages[1].error.as_deref(), Some(error));
        assert_eq!(mapped.messages[1].text.as_deref(), Some("limit reached · resets 4pm (UTC)"));
        assert_eq!(state(&records), RunState::NeedsInput);
        // A subagent that failed does not end the turn of the agent that sent it.
        let mut aside = limit(error);
        aside["isSidechain"] = true.into();
        aside["agentId"] = "a1".into();
        assert_eq!(state(&[said("go"), aside]), RunState::Working);
    }
}

/// BB-SD-11
#[test]
fn a_message_has_its_place_from_the_record_and_keeps_it() {
    let records = [said("one"), said("two"), said("three")];
    let all = map(&records).messages;
    for count in 1..records.len() {
        assert_eq!(map(&records[..count]).messages, all[..count]);
    }
}

/// Agents keep a run working, background shells do not.
#[test]
fn an_agent_in_the_background_keeps_the_run_working_until_its_notice_came() {
    for (name, works) in [("misc-agentbg", true), ("misc-bgbash", false)] {
        for version in ["2.1.197", "2.1.332"] {
            let path = format!("fixtures/claude-code/{version}/{name}.jsonl");
            let file = fs::read(path).unwrap();
            let lines: Vec<_> = file.split(|it| *it == b'\n').collect();
            let has = |it: &[u8], what: &str| String::from_utf8_lossy(it).contains(what);
            // The turn is over, and the notice has not come yet.
            let notice = lines.iter().position(|it| has(it, "<task-notification>")).unwrap();
            let ended = lines[..notice].iter().rposition(|it| has(it, "\"turn_duration\""));
            let states = runs::states(&ClaudeCode::new(), lines.iter().copied());
            if let Some(ended) = ended {
                let wanted = if works { RunState::Working } else { RunState::NeedsInput };
                assert_eq!(states[ended], wanted, "{version} {name}");
            }
            assert_eq!(states.last(), Some(&RunState::NeedsInput), "{version} {name}");
        }
    }
}

#[test]
fn a_subagent_s_own_record_reads_as_a_conversation() {
    let provider = ClaudeCode::new();
    let agents = provider.subagents().unwrap();
    for version in ["2.1.197", "2.1.332"] {
        let path = format!("fixtures/claude-code/{version}/misc-agent-subagent.jsonl");
        let text = fs::read_to_string(path).unwrap();
        let mut mapper = agents.mapper();
        let mut all = Mapped::default();
        for (at, line) in (1..).zip(text.lines()) {
            let mapped = mapper.map(Record { at, bytes: line.as_bytes() });
            all.messages.extend(mapped.messages);
            all.facts.extend(mapped.facts);
        }
        assert!(all.messages.iter().all(|it| it.agent.is_none()));
        assert!(all.facts.iter().any(|it| matches!(it, Fact::Prompt(_))));
        let calls = all.messages.iter().filter(|it| it.tool.is_some()).count();
        let ends = all.facts.iter().filter(|it| matches!(it, Fact::ToolEnded(_))).count();
        assert_eq!((calls, ends), (1, 1));
    }
}
