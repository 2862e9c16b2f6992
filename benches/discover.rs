//! Ten thousand conversations that no run has: how long their list takes, the first
//! time and later, and how much is read for it.
//!
//! The files are made up: most short, some long, a few of them huge holes with two
//! ends, as only their ends count.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

#[path = "support/server.rs"]
mod server;
#[path = "support/spread.rs"]
mod spread;

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use server::Server;
use spread::Spread;

const MIB: f64 = 1024.0 * 1024.0;

struct Plan {
    files: usize,
    rounds: usize,
}

const MEASURE: Plan = Plan { files: 10_000, rounds: 50 };
const TRY_OUT: Plan = Plan { files: 60, rounds: 2 };

fn main() -> anyhow::Result<()> {
    // Without `--bench` it is only tried out, as `cargo test --benches` does.
    let plan = if std::env::args().any(|word| word == "--bench") { MEASURE } else { TRY_OUT };
    println!("{}", spread::load());
    let dir = tempfile::tempdir()?;
    let bytes = make(&dir.path().join("home/.claude/projects"), plan.files)?;
    println!("{} conversations of {:.0} MiB in all", plan.files, bytes as f64 / MIB);

    let mut serve = Command::new(env!("CARGO_BIN_EXE_seamux"));
    let (server, _) = Server::launch(dir.path(), serve.arg("serve"), &[])?;
    let ask = |what: &str, query: &str, rounds: usize, count: usize| -> anyhow::Result<()> {
        let before = bytes_read(&server)?;
        let (mut times, mut size) = (Vec::new(), 0);
        for _ in 0..rounds {
            let (time, body) = get(&server, query)?;
            let body_size = body.len();
            let answer: Value = serde_json::from_str(&body)?;
            let sessions = answer["sessions"].as_array().context("no list")?;
            ensure!(sessions.len() == count, "{} instead of {count}", sessions.len());
            times.push(time);
            size = body_size;
        }
        let read = (bytes_read(&server)? - before) as f64 / MIB / rounds as f64;
        let size = size as f64 / MIB;
        println!("{what}: {}  {read:.1} MiB read, {size:.2} MiB sent", Spread::of(times));
        Ok(())
    };
    let some = plan.files.min(100);
    ask("the newest 100, first look", "", 1, some)?;
    ask("the newest 100, later", "", plan.rounds, some)?;
    ask("one in all of them, first look", "?q=number-7-only", 1, 1)?;
    ask("one in all of them, later", "?q=number-7-only", plan.rounds, 1)?;
    ask("all of them, later", "?limit=10000", plan.rounds, plan.files)
}

/// As text, and how long that took.
fn get(server: &Server, query: &str) -> anyhow::Result<(Duration, String)> {
    let began = Instant::now();
    let mut answer = ureq::get(format!("{}/api/v1/discover{query}", server.url))
        .header("authorization", format!("Bearer {}", server.token))
        .header("accept-encoding", "identity")
        .call()?;
    let body = answer.body_mut().with_config().limit(1 << 30).read_to_string()?;
    Ok((began.elapsed(), body))
}

/// What the server has read so far, in bytes.
fn bytes_read(server: &Server) -> anyhow::Result<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/io", server.process.id()))?;
    let line = text.lines().find_map(|it| it.strip_prefix("rchar: ")).context("no count")?;
    Ok(line.trim().parse()?)
}

/// Conversations in a hundred folders. Answers with their size in all.
fn make(projects: &Path, files: usize) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for number in 0..files {
        let folder = projects.join(format!("-srv-project-{}", number % 100));
        std::fs::create_dir_all(&folder)?;
        let id = uuid::Uuid::new_v4().to_string();
        let file = File::create(folder.join(format!("{id}.jsonl")))?;
        bytes += write(&file, number, &id)?;
        // Each of its own time, else their order is chance.
        let age = Duration::from_secs(60 + number as u64);
        file.set_modified(std::time::SystemTime::now() - age)?;
    }
    Ok(bytes)
}

fn write(mut file: &File, number: usize, id: &str) -> anyhow::Result<u64> {
    let cwd = format!("/srv/project-{}", number % 100);
    let record = |role: &str, at: usize, content: Value| {
        let record = json!({
            "parentUuid": null, "isSidechain": false, "cwd": cwd, "sessionId": id,
            "gitBranch": "main", "type": role, "uuid": format!("{number}-{at}"),
            "message": { "role": role, "content": content },
            "timestamp": "2026-11-30T10:00:00.000Z",
        });
        record.to_string() + "\n"
    };
    let prompt = format!("Fix the build, number-{number}-only\nand tell me what was wrong");
    file.write_all(record("user", 0, json!(prompt)).as_bytes())?;
    // Most are short. One in ten is long, one in a hundred huge.
    let exchanges = if number.is_multiple_of(10) { 200 } else { 12 };
    let words = "The linker did not find the library. ".repeat(20);
    let text: String = (1..=exchanges)
        .map(|at| record("assistant", at, json!([{ "type": "text", "text": words }])))
        .collect();
    file.write_all(text.as_bytes())?;
    let mut size = file.metadata()?.len();
    if number.is_multiple_of(100) {
        size += 200 << 20;
        let last = record("assistant", 0, json!([{ "type": "text", "text": "Done." }]));
        file.write_all_at(format!("\n{last}").as_bytes(), size)?;
    }
    Ok(file.metadata()?.len())
}
