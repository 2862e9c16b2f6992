//! `seamux inspect`, as a person and as a script run it.

use std::path::Path;
use std::process::{Command, Output};

use seamux::providers::claude_code::ClaudeCode;
use seamux::runs;
use seamux::schema::Message;
use serde_json::{Value, json};

fn inspect(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seamux"));
    command.arg("inspect").args(arguments).env_clear().output().unwrap()
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    std::str::from_utf8(&output.stdout).unwrap()
}

fn complaint(arguments: &[&str]) -> String {
    let output = inspect(arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn every_fixture_is_one_object_in_the_shape_of_the_api() {
    for version in ["2.1.197", "2.1.198", "2.1.332"] {
        let folder = format!("fixtures/claude-code/{version}");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let output = inspect(&[path.to_str().unwrap(), "--json"]);
            let object: Value = serde_json::from_str(stdout(&output)).unwrap();
            let mut keys: Vec<_> = object.as_object().unwrap().keys().collect();
            keys.sort();
            assert_eq!(keys, ["context_usage", "epochs", "messages", "state", "unknown"]);
            assert_eq!(object["unknown"], json!({}), "{}", path.display());
            assert_eq!(object["epochs"][0]["id"], path.file_stem().unwrap().to_str().unwrap());

            let messages: Vec<Message> =
                serde_json::from_value(object["messages"].clone()).unwrap();
            assert!(!messages.is_empty());
            assert!(messages.is_sorted_by_key(|it| it.position));
            // The same code in the same process says the same.
            let inspection = runs::inspect(&ClaudeCode::new(), &path).unwrap();
            assert_eq!(inspection.messages, messages);
            assert_eq!(object["state"], json!(inspection.state));
        }
    }
}

#[test]
fn a_person_reads_one_line_for_each_message_and_the_state() {
    let output = inspect(&["fixtures/claude-code/2.1.332/ask1.jsonl", "-p", "claude-code"]);
    let text = stdout(&output);
    for line in ["user: scn ask1", "question [answered: Blue]: Which colour?", "state: needs_input"]
    {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains(", 0 of them unknown"), "{text}");
    assert!(text.chars().all(|it| it == '\n' || !it.is_control()));
}

#[test]
fn records_that_nobody_knows_are_counted_by_their_type() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    let prompt = json!({"type": "user", "message": {"content": "hello"}});
    let text = format!("{prompt}\n{{\"type\":\"hologram\"}}\n{{\"type\":\"hologram\"}}\nhalf");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let object: Value = serde_json::from_str(stdout(&inspect(&[path, "--json"]))).unwrap();
    assert_eq!(object["unknown"], json!({"hologram": 2}));
    assert_eq!(object["state"], "working");
    let text = inspect(&[path]);
    assert!(stdout(&text).contains("records: 3, 2 of them unknown\n  2 × hologram\n"));
}

#[test]
fn what_is_no_transcript_is_refused_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let binary: Vec<u8> = (0..=255_u8).cycle().take(100_000).collect();
    let missing = dir.path().join("missing");
    for (path, reason) in [
        (missing.to_str().unwrap().to_owned(), "there is no file"),
        (dir.path().to_str().unwrap().to_owned(), "is a folder, not a transcript"),
        (write("empty", b""), "is empty"),
        (write("half", br#"{"type":"user","message":{"content":"#), "holds no whole record"),
        (write("binary", &binary), "is no transcript"),
        (write("prose", b"# Notes\n\nNothing to see.\n"), "is no transcript"),
    ] {
        let complaint = complaint(&[&path]);
        assert!(complaint.contains(reason), "{complaint}");
        assert!(complaint.contains("hint: "), "{complaint}");
        assert!(complaint.lines().count() == 2, "{complaint}");
    }
}

#[test]
fn a_provider_that_is_not_there_is_named_with_those_that_are() {
    let complaint = complaint(&["fixtures/claude-code/2.1.332/ask1.jsonl", "-p", "nobody"]);
    assert!(complaint.contains("there is no provider `nobody`"), "{complaint}");
    assert!(complaint.contains("claude-code"), "{complaint}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let program = env!("CARGO_BIN_EXE_seamux");
    let file = Path::new("fixtures/claude-code/2.1.332/input.jsonl");
    let script = format!(
        "'{program}' inspect --json '{}' | head -c 1; echo ${{PIPESTATUS[0]}}",
        file.display()
    );
    let output = Command::new("bash").arg("-c").arg(script).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "{0\n");
}
