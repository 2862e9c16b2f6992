//! A program that stands in for the CLI: it starts and waits.
//! The test plays the rest: it writes the record, the list of live processes and
//! the hooks' words, in orders that the real CLI shows rarely or never.

mod epochs;
mod states;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::house::{Furnish, House};

const SCRIPT: &str = r#"#!/bin/sh
case "$*" in *--version*) echo "2.1.198 (Claude Code)"; exit ;; esac
exec sleep 600
"#;

pub(crate) struct StandIn {
    pub(crate) house: House,
    pub(crate) epoch: String,
    pid: String,
}

impl StandIn {
    /// One whose hooks work.
    pub(crate) fn start() -> Self {
        Self::start_in(|_| {})
    }

    /// The same, after `more` was done to the house.
    pub(crate) fn start_in(more: impl FnOnce(&mut Furnish<'_>)) -> Self {
        let it = Self::silent_in(more);
        let record = it.record("p", &it.epoch);
        it.say("SessionStart", json!({ "source": "startup", "transcript_path": record }));
        it
    }

    /// One that no hook ever speaks for.
    pub(crate) fn silent() -> Self {
        Self::silent_in(|_| {})
    }

    fn silent_in(more: impl FnOnce(&mut Furnish<'_>)) -> Self {
        let mut house = House::serve(|it| {
            furnish(it.home);
            more(it);
        });
        let run = house.start_run(&json!({ "provider": "claude-code", "cwd": house.dir.path() }));
        let mut stand_in = Self { house, epoch: String::new(), pid: String::new() };
        stand_in.move_to(&run);
        stand_in.list(&stand_in.epoch, "idle");
        stand_in
    }

    /// Stands in for the process of this run from now on.
    pub(crate) fn move_to(&mut self, run: &Value) {
        run["epoch"].as_str().unwrap().clone_into(&mut self.epoch);
        let target = format!("={}:", self.house.run);
        let pid = self.house.tmux(&["display-message", "-p", "-t", &target, "#{pane_pid}"]);
        pid.trim().clone_into(&mut self.pid);
    }

    fn config(&self) -> PathBuf {
        self.house.dir.path().join("home/.claude")
    }

    /// The file of a conversation in one of the folders.
    pub(crate) fn record(&self, folder: &str, epoch: &str) -> PathBuf {
        let folder = self.config().join("projects").join(folder);
        fs::create_dir_all(&folder).unwrap();
        folder.join(format!("{epoch}.jsonl"))
    }

    /// Appends to the record of the conversation that the process is in.
    pub(crate) fn write(&self, records: &[Value]) {
        append(&self.record("p", &self.epoch), records);
    }

    /// What the CLI's list of live processes says about this one.
    pub(crate) fn list(&self, epoch: &str, status: &str) {
        self.list_since(epoch, status, None);
    }

    /// The same, with the time at which that began, which is the file's time too.
    pub(crate) fn list_since(&self, epoch: &str, status: &str, since: Option<SystemTime>) {
        let pid: u32 = self.pid.parse().unwrap();
        let mut entry =
            json!({ "pid": pid, "sessionId": epoch, "status": status, "version": "2.1.198" });
        if let Some(since) = since {
            let since = since.duration_since(UNIX_EPOCH).unwrap().as_millis();
            entry["statusUpdatedAt"] = u64::try_from(since).unwrap().into();
        }
        let sessions = self.config().join("sessions");
        fs::create_dir_all(&sessions).unwrap();
        let draft = sessions.join("draft");
        fs::write(&draft, entry.to_string()).unwrap();
        if let Some(since) = since {
            File::options().write(true).open(&draft).unwrap().set_modified(since).unwrap();
        }
        fs::rename(draft, sessions.join(format!("{pid}.json"))).unwrap();
    }

    /// Takes the process off that list.
    pub(crate) fn unlist(&self) {
        fs::remove_file(self.config().join(format!("sessions/{}.json", self.pid))).unwrap();
    }

    /// Calls a hook as the CLI would. One that asks goes on until it is answered.
    pub(crate) fn hook(&self, event: &str, mut payload: Value) -> Child {
        let settings = self.house.dir.path().join("state/runs").join(&self.house.run);
        let settings = fs::read(settings.join("settings.json")).unwrap();
        let settings: Value = serde_json::from_slice(&settings).unwrap();
        let command = settings["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap();
        payload["hook_event_name"] = event.into();
        if payload["session_id"].is_null() {
            payload["session_id"] = self.epoch.clone().into();
        }
        let mut shell = Command::new("/bin/sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        shell.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
        shell
    }

    /// One that says something and asks nothing.
    pub(crate) fn say(&self, event: &str, payload: Value) {
        assert!(self.hook(event, payload).wait().unwrap().success());
    }
}

fn furnish(home: &Path) {
    let program = home.join("claude");
    fs::write(&program, SCRIPT).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let config = home.join(".config/seamux");
    fs::create_dir_all(&config).unwrap();
    let program = program.display().to_string();
    let text = format!("[providers.claude-code]\nprogram = {program:?}\n");
    fs::write(config.join("config.toml"), text).unwrap();
}

pub(crate) fn append(path: &Path, records: &[Value]) {
    let text: String = records.iter().map(|it| format!("{it}\n")).collect();
    let mut file = File::options().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

pub(crate) fn said(text: &str) -> Value {
    json!({ "type": "user", "promptSource": "typed", "message": { "content": text } })
}

pub(crate) fn answered(text: &str) -> Value {
    json!({ "type": "assistant", "message": { "id": text, "model": "m", "stop_reason": "end_turn",
        "content": [{ "type": "text", "text": text }] } })
}

pub(crate) fn call(id: &str) -> Value {
    json!({ "type": "assistant", "message": { "id": id, "model": "m", "stop_reason": "tool_use",
        "content": [{ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "sleep 60" } }] } })
}
