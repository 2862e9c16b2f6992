//! A conversation of 20 MB through the real server, with a stand-in for the CLI.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use seamux::providers::claude_code::transcript::ClaudeMapper;
use seamux::runs::{Keep, View, for_wire};
use seamux::schema::Message;
use seamux::seam::{Record, RecordMapper};
use serde_json::{Value, json};

use crate::house::{Answer, House};

const SIZE: usize = 20_000_000;

/// In the middle of a turn: at its end, nothing would still run.
fn said(number: usize, size: usize) -> Value {
    let text = format!("Step {number}. {}", "It goes on and on. ".repeat(size / 19));
    json!({"type": "assistant", "timestamp": "2026-01-05T10:00:02.000Z", "message": {"id": format!("m{number}"),
        "model": "m-test", "stop_reason": "tool_use", "content": [{"type": "text", "text": text}]}})
}

fn call(id: &str) -> Value {
    json!({"type": "assistant", "message": {"id": id, "model": "m-test", "stop_reason": "tool_use",
        "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "make"}}]}})
}

fn result(id: &str, output: &str) -> Value {
    json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": id, "content": output}]},
        "toolUseResult": {"stdout": output}})
}

/// A title that a person chose and a call without an end, long ago; then much
/// else; then what the CLI itself would call it.
fn long() -> String {
    let mut text = String::new();
    let mut add = |record: Value| {
        text.push_str(&record.to_string());
        text.push('\n');
        text.len()
    };
    add(json!({"type": "custom-title", "customTitle": "Chosen by a person"}));
    add(call("open"));
    for number in 0.. {
        add(said(number, 500 + number * 37 % 3000));
        let id = format!("t{number}");
        add(call(&id));
        if number % 2 == 0 {
            // The result of the one before comes late.
            if number > 0 {
                add(result(&format!("t{}", number - 1), "late"));
            }
            add(result(&id, &"output ".repeat(number * 101 % 4000)));
        }
        if add(json!({"type": "ai-title", "aiTitle": "Thought of"})) > SIZE {
            break;
        }
    }
    text
}

/// Starts like the CLI, with this transcript, and waits.
fn furnish(home: &Path, transcript: &str) {
    let prepared = home.join("prepared.jsonl");
    fs::write(&prepared, transcript).unwrap();
    let program = home.join("claude");
    let script = r#"#!/bin/sh
case "$*" in *--version*) echo "2.1.198 (Claude Code)"; exit ;; esac
while [ $# -gt 0 ]; do [ "$1" = --session-id ] && session=$2; shift; done
mkdir -p "$HOME/.claude/projects/p" "$HOME/.claude/sessions"
mv "$HOME/prepared.jsonl" "$HOME/.claude/projects/p/$session.jsonl"
echo "{\"pid\":$$,\"sessionId\":\"$session\",\"status\":\"idle\",\"version\":\"2.1.198\"}" \
    > "$HOME/.claude/sessions/$$.json"
exec sleep 600
"#;
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let config = home.join(".config/seamux");
    fs::create_dir_all(&config).unwrap();
    let program = program.display().to_string();
    fs::write(
        config.join("config.toml"),
        format!("[providers.claude-code]\nprogram = {program:?}\n"),
    )
    .unwrap();
}

fn whole(text: &str) -> Vec<Message> {
    let mut view = View::new(Keep::records(0..u64::MAX, true));
    let (mut mapper, mut at) = (ClaudeMapper::default(), 0);
    for line in text.split_inclusive('\n') {
        view.take(mapper.map(Record { at, bytes: line.trim_end().as_bytes() }));
        at += line.len() as u64;
    }
    view.into_messages()
}

/// Starts a run and tells, as the CLI does through its hook, where it writes.
fn open(house: &mut House) {
    let body = json!({ "provider": "claude-code", "cwd": house.dir.path() });
    let run = house.start_run(&body);
    let events = house.events(&format!("?run={}", house.run), None);
    let settings = house.dir.path().join("state/runs").join(&house.run).join("settings.json");
    let settings: Value = serde_json::from_slice(&fs::read(settings).unwrap()).unwrap();
    let hook = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().unwrap();
    let sessions = house.dir.path().join("home/.claude/sessions");
    while fs::read_dir(&sessions).map_or(0, |it| it.count()) == 0 {
        events.up_to("a sign of life", |_| true);
    }
    let payload = json!({ "hook_event_name": "SessionStart", "source": "startup",
        "session_id": run["epoch"], "transcript_path": transcript(house) });
    let mut shell =
        Command::new("/bin/sh").args(["-c", hook]).stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
    house.until("the newest page", |it| !it.messages().is_empty());
}

fn wire(mut message: Value) -> String {
    message["revision"] = 0.into();
    message.to_string()
}

fn page(house: &House, query: &str) -> Answer {
    let answer = house.get(&house.run_path(&format!("/messages{query}")));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer
}

fn assert_all_pages_are(house: &House, expected: &[Message]) {
    let mut pages = Vec::new();
    let mut query = "?limit=500".to_owned();
    loop {
        let mut body = page(house, &query).body;
        let messages = body["messages"].as_array_mut().unwrap();
        query = format!("?limit=500&before={}", messages[0]["position"].as_str().unwrap());
        pages.push(std::mem::take(messages));
        if body["has_more"] == false {
            break;
        }
    }
    let read: Vec<String> = pages.into_iter().rev().flatten().map(wire).collect();
    let expected: Vec<String> =
        expected.iter().map(|it| wire(serde_json::to_value(for_wire(it)).unwrap())).collect();
    assert_eq!(read.len(), expected.len());
    let differs = read.iter().zip(&expected).find(|(read, expected)| read != expected);
    assert_eq!(differs, None);
}

fn transcript(house: &House) -> PathBuf {
    let folder = house.dir.path().join("home/.claude/projects/p");
    fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

fn append(path: &Path, records: impl IntoIterator<Item = Value>) -> String {
    let text: String = records.into_iter().map(|it| format!("{it}\n")).collect();
    File::options().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
    text
}

fn ends_with(page: &Value, text: &str) -> bool {
    let newest = page["messages"].as_array().and_then(|it| it.last());
    newest.and_then(|it| it["text"].as_str()).is_some_and(|it| it.starts_with(text))
}

#[test]
fn a_conversation_of_20_mb_is_shown_from_its_end_and_paged_to_its_start() {
    let mut text = long();
    let mut house = House::serve(|it| furnish(it.home, &text));
    open(&mut house);
    // Only the start of it knows the title, and which old call still runs.
    house.until("the title", |it| it.run["title"] == "Chosen by a person");
    assert_all_pages_are(&house, &whole(&text));

    // A call that has run since the start is still waited for.
    let cursor = page(&house, "").body["cursor"].as_str().unwrap().to_owned();
    let path = transcript(&house);
    text += &append(&path, [result("open", "at last"), said(900_000, 10)]);
    house.until("an append", |it| ends_with(&it.page, "Step 900000."));
    let watch = format!("?run={}&cursor={cursor}", house.run);
    let told = house.events(&watch, None).up_to("the end of the call", |it| {
        it.name == "message.upsert" && it.data["message"]["tool"]["call_id"] == "open"
    });
    assert_eq!(told.last().unwrap().data["message"]["tool"]["status"], "ok");
    assert!(told.iter().all(|it| it.name != "resync"), "nothing was lost");

    // More than is held: a reader that was away is told to read anew.
    let events = house.events(&format!("?run={}", house.run), None);
    text += &append(&path, (900_001..902_500).map(|it| said(it, 10)));
    events.up_to("the last of many appends", |it| {
        it.data["message"]["text"].as_str().is_some_and(|it| it.starts_with("Step 902499."))
    });
    let told = house.events(&watch, None).up_to("resync", |it| it.name == "resync");
    assert_eq!(told.last().unwrap().data, json!({ "run": house.run }));
    assert_all_pages_are(&house, &whole(&text));

    // A message with a long body is whole when it is asked for alone.
    let all = whole(&text);
    let long = all.iter().find(|it| for_wire(it).cut).expect("a long one");
    let alone = house.get(&house.run_path(&format!("/messages/{}", long.position)));
    assert_eq!(wire(alone.body), wire(serde_json::to_value(long).unwrap()));

    // The next server adopts it and shows the same.
    house.kill_server();
    text += &append(&path, [said(902_500, 10)]);
    house.start_again();
    house.until("the page after a restart", |it| ends_with(&it.page, "Step 902500."));
    assert_all_pages_are(&house, &whole(&text));

    // Written anew, and shorter: every reader is told, and nothing old is shown.
    let events = house.events(&format!("?run={}", house.run), None);
    fs::write(&path, format!("{}\n", said(1, 10))).unwrap();
    events.up_to("the news", |it| it.name == "epoch.changed");
    let now = house.until("the new record", |it| it.messages().len() == 1);
    assert!(ends_with(&now.page, "Step 1."));
}

#[test]
fn an_ended_run_pages_as_it_did() {
    let text = long();
    let mut house = House::serve(|it| furnish(it.home, &text));
    open(&mut house);
    assert_eq!(house.post(&house.run_path("/stop"), &json!({})).status, 202);
    house.until("the end", |it| it.state() == "ended");
    let mut expected = whole(&text);
    for tool in expected.iter_mut().filter_map(|it| it.tool.as_mut()) {
        if tool.status == seamux::schema::ToolStatus::Running {
            tool.status = seamux::schema::ToolStatus::Cancelled;
        }
    }
    assert_all_pages_are(&house, &expected);
    house.kill_server();
    house.start_again();
    assert_all_pages_are(&house, &expected);
}
