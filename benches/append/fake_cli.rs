//! A stand-in for Claude Code: it does what the server waits for, and writes
//! its transcript when it is told to.
//!
//! What it writes has the shape of recorded files of the real one. It takes
//! its orders over a unix socket, a line each: how many records to append. It
//! answers with the time right before the write, on the monotonic clock, which
//! is the same one for all processes.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

use super::clock::now;
use super::server::Server;

/// The word that makes this program the stand-in.
pub(crate) const WORD: &str = "fake-cli";

const VERSION: &str = "2.1.198";
const RECORDED: &str = include_str!("../../fixtures/claude-code/2.1.197/basic.jsonl");

/// The text of one record; no other record has it.
pub(crate) fn text(number: usize) -> String {
    format!(
        "Step {number:06}: the parser now keeps the offset of each line, and the test says why."
    )
}

/// Its program file, as a person would name it in the configuration.
pub(crate) fn install(dir: &Path, orders: &Path) -> anyhow::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let program = dir.join("claude");
    let this = std::env::current_exe()?;
    let (this, orders) = (this.display(), orders.display());
    fs::write(&program, format!("#!/bin/sh\nexec '{this}' {WORD} '{orders}' \"$@\"\n"))?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700))?;
    Ok(program)
}

/// Starts a run of it, as a program would over the API.
pub(crate) fn start_run(server: &Server, cwd: &Path) -> anyhow::Result<String> {
    let mut answer = ureq::post(format!("{}/api/v1/runs", server.url))
        .header("Authorization", format!("Bearer {}", server.token))
        .send_json(json!({ "provider": "claude-code", "cwd": cwd }))?;
    let run: Value = answer.body_mut().read_json()?;
    Ok(run["id"].as_str().context("the run has no id")?.to_owned())
}

/// Runs it until nobody gives orders any more. The arguments are those after
/// [`WORD`]: where the orders come from, and the command line of the CLI.
pub(crate) fn run(args: impl Iterator<Item = String>) -> anyhow::Result<()> {
    let args: Vec<String> = args.collect();
    if args.iter().any(|it| it == "--version") {
        writeln!(std::io::stdout(), "{VERSION} (Claude Code)")?;
        return Ok(());
    }
    let orders = args.first().context("no orders")?;
    let session =
        args.iter().skip_while(|it| *it != "--session-id").nth(1).context("no session")?;
    let home = PathBuf::from(std::env::var_os("HOME").context("no home")?);
    let (projects, sessions) = (home.join(".claude/projects/bench"), home.join(".claude/sessions"));
    fs::create_dir_all(&projects)?;
    fs::create_dir_all(&sessions)?;
    let transcript = projects.join(format!("{session}.jsonl"));
    fs::write(&transcript, "")?;
    let pid = std::process::id();
    let entry = json!({ "pid": pid, "sessionId": session, "status": "idle", "version": VERSION });
    fs::write(sessions.join(format!("{pid}.json")), entry.to_string())?;

    let settings =
        args.iter().skip_while(|it| *it != "--settings").nth(1).context("no settings")?;
    greet(Path::new(settings), session, &transcript)?;

    let mut record = recorded_answer(session)?;
    let mut number = 0;
    let mut orders = UnixStream::connect(orders)?;
    for order in BufReader::new(orders.try_clone()?).lines() {
        let count: usize = order?.parse()?;
        let mut lines = String::new();
        for _ in 0..count {
            lines += &next(&mut record, number).to_string();
            lines.push('\n');
            number += 1;
        }
        let mut file = OpenOptions::new().append(true).open(&transcript)?;
        let before = now()?;
        file.write_all(lines.as_bytes())?;
        drop(file);
        writeln!(orders, "{}", before.as_nanos())?;
    }
    Ok(())
}

/// Runs the hook for the start of a conversation, as the settings have it.
fn greet(settings: &Path, session: &str, transcript: &Path) -> anyhow::Result<()> {
    let settings: Value = serde_json::from_str(&fs::read_to_string(settings)?)?;
    let hook = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str();
    let mut shell = Command::new("/bin/sh")
        .args(["-c", hook.context("no hook")?])
        .stdin(Stdio::piped())
        .spawn()?;
    let payload = json!({
        "hook_event_name": "SessionStart",
        "source": "startup",
        "session_id": session,
        "transcript_path": transcript,
    });
    let mut stdin = shell.stdin.take().context("no standard input")?;
    write!(stdin, "{payload}")?;
    drop(stdin);
    shell.wait()?;
    Ok(())
}

/// A record of a real answer, made one of this conversation.
fn recorded_answer(session: &str) -> anyhow::Result<Value> {
    let mut records = RECORDED.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut record: Value = records
        .find(|it: &Value| {
            it["message"]["content"][0]["type"] == "text" && it["type"] == "assistant"
        })
        .context("no recorded answer")?;
    record["sessionId"] = session.into();
    Ok(record)
}

fn next(record: &mut Value, number: usize) -> &Value {
    record["parentUuid"] = record["uuid"].take();
    record["uuid"] = uuid::Uuid::new_v4().to_string().into();
    record["message"]["id"] = format!("msg_{number:020}").into();
    record["message"]["content"][0]["text"] = text(number).into();
    record
}

/// The other end: gives the orders.
pub(crate) struct Orders {
    socket: UnixStream,
    answers: BufReader<UnixStream>,
}

impl Orders {
    /// Waits until the stand-in has started.
    pub(crate) fn accept(listener: &UnixListener) -> anyhow::Result<Self> {
        let (socket, _) = listener.accept()?;
        Ok(Self { answers: BufReader::new(socket.try_clone()?), socket })
    }

    pub(crate) fn append(&mut self, count: usize) -> anyhow::Result<()> {
        Ok(writeln!(self.socket, "{count}")?)
    }

    /// When the last ones were appended.
    pub(crate) fn appended_at(&mut self) -> anyhow::Result<Duration> {
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        Ok(Duration::from_nanos(answer.trim().parse()?))
    }
}
