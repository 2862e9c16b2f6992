//! One very long line costs little more than itself, and everything else nothing.

#![expect(clippy::print_stdout, reason = "a child tells its parent what it held")]

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use seamux::providers::claude_code::ClaudeCode;
use seamux::runs::{Older, Source, View, newest};
use seamux::schema::{Message, Position, ToolStatus};
use seamux::seam::AgentProvider;
use serde_json::json;

const LONG: usize = 64_000_000;
const MANY: usize = 20_000_000;

/// Names the file to the process that reads it.
const FILE: &str = "SEAMUX_TEST_LONG_LINE";

/// A call, its result, and words before and behind.
fn transcript(result: &str) -> String {
    let said = |id: &str, content: serde_json::Value| json!({"type": "assistant", "message": {"id": id, "model": "m-test", "content": [content]}});
    let call =
        json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}});
    let lines = [
        said("m1", json!({"type": "text", "text": "before"})).to_string(),
        said("m2", call).to_string(),
        result.to_owned(),
        said("m3", json!({"type": "text", "text": "behind"})).to_string(),
    ];
    lines.map(|it| it + "\n").concat()
}

/// What a long line can be: a long output without its end, a whole one, and
/// countless small parts.
fn results() -> [String; 3] {
    let result = |content: serde_json::Value| {
        let part = json!({"type": "tool_result", "tool_use_id": "t1", "content": content});
        json!({"type": "user", "message": {"content": [part]}, "toolUseResult": {"stdout": content}})
            .to_string()
    };
    let long = result("line \"one\"\n\u{e9}".repeat(LONG / 34).into());
    let part = json!({"type": "text", "text": "x"});
    let many = result(vec![part; MANY / 52].into());
    let cut = long[..long.len() - 100].to_owned();
    [cut, long, many]
}

/// Reads it in every way there is, in a process of its own.
fn read(path: &Path) {
    let text = fs::metadata(path).unwrap().len();
    let provider: Arc<dyn AgentProvider> = Arc::new(ClaudeCode::default());
    let file = Arc::new(File::open(path).unwrap());
    let end = newest(&provider, &file).unwrap().unwrap();
    let mut shown = View::starting_at(end.start);
    end.mapped.into_iter().for_each(|it| drop(shown.take(it)));
    assert_eq!(words(shown.into_messages()).last().unwrap(), "behind");

    let source = Source::new(provider.clone(), path.to_owned(), file).unwrap();
    let older = Older::Before { end: Position::new(text, 0), want: 100 };
    let page = source.read(older, false).unwrap();

    let tool = page.iter().find_map(|it| it.tool.as_ref()).unwrap();
    let output = tool.output.as_deref().unwrap_or_default();
    let is_there = tool.status == ToolStatus::Ok && output.len() > 10_000;
    let is_unknown =
        tool.status == ToolStatus::Running && page.iter().any(|it| it.lifecycle.is_some());
    println!("read: {is_there} {is_unknown}");
    assert_eq!(words(page), ["before", "behind"]);
}

fn words(messages: Vec<Message>) -> Vec<String> {
    messages.into_iter().filter_map(|it| it.text).collect()
}

/// The most memory that this process held so far.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn a_very_long_line_costs_little_more_than_itself() {
    if let Some(path) = std::env::var_os(FILE) {
        let before = peak();
        read(path.as_ref());
        println!("peak: {}", peak() - before);
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    for (number, result) in results().iter().enumerate() {
        fs::write(file.path(), transcript(result)).unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "long_line::a_very_long_line_costs_little_more_than_itself"])
            .arg("--nocapture")
            .env(FILE, file.path())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{number}: {told}");
        // A line without its end says nothing, and is shown as that.
        let is_whole = number > 0;
        let read = format!("read: {is_whole} {}", !is_whole);
        assert!(told.contains(&read), "{number}: {told}");
        let peak = told.lines().find_map(|it| it.strip_prefix("peak: ")).unwrap();
        let peak: usize = peak.parse().unwrap();
        // Beside the line, what is kept of it to work on, and what the allocator holds back.
        let most = result.len() + 32 * 1024 * 1024;
        assert!((result.len() / 2..most).contains(&peak), "{number}: {peak} of {most}");
    }
}
