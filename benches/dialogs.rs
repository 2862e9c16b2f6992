//! Dialogs: how long one takes from the CLI's hook to its event at a reader, and
//! an answer from the request to the CLI's own record of it, through the hook
//! and by keys.
//!
//! The real CLI that compat/ pins, with the scripted model. Only the first
//! series plays the CLI's part itself: it starts the hook as the CLI would, and
//! the clock begins before that.

#![expect(clippy::print_stdout, reason = "it is what a bench is for")]

#[path = "support/clock.rs"]
mod clock;
#[path = "support/server.rs"]
mod server;
#[path = "support/spread.rs"]
mod spread;
#[path = "append/stream.rs"]
mod stream;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use clock::now;
use server::Server;
use spread::Spread;
use stream::Stream;

struct Plan {
    hooks: usize,
    door: usize,
    keys: usize,
}

const MEASURE: Plan = Plan { hooks: 500, door: 60, keys: 30 };
const TRY_OUT: Plan = Plan { hooks: 2, door: 1, keys: 1 };

fn main() -> anyhow::Result<()> {
    let plan = if std::env::args().any(|word| word == "--bench") { MEASURE } else { TRY_OUT };
    println!("{}", spread::load());
    let dir = tempfile::tempdir()?;
    let mut house = House::open(dir.path())?;
    let raised = house.raise(plan.hooks)?;
    println!("hook to event, {} dialogs:            {}", plan.hooks, Spread::of(raised));
    let door = house.answer(plan.door, "live")?;
    println!("answer to record, hook, {} dialogs:    {}", plan.door, Spread::of(door));
    house.start_by_keys()?;
    let keys = house.answer(plan.keys, "keys")?;
    println!("answer to record, keys, {} of 4 questions: {}", plan.keys, Spread::of(keys));
    Ok(())
}

/// The pinned CLI, as `make setup` installs it.
fn pinned_cli() -> anyhow::Result<PathBuf> {
    let platform = if cfg!(target_arch = "aarch64") { "linux-arm64" } else { "linux-x64" };
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("compat/node_modules/@anthropic-ai");
    let program = modules.join(format!("claude-code-{platform}/claude"));
    ensure!(program.is_file(), "{} is missing; `make setup` installs it", program.display());
    Ok(program)
}

struct House {
    server: Server,
    state: PathBuf,
    run: String,
    stream: Stream,
}

impl House {
    fn open(dir: &Path) -> anyhow::Result<Self> {
        let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/compat/scenarios/live.toml");
        let mut demo = Command::new(env!("CARGO_BIN_EXE_seamux"));
        demo.args(["demo", "--scenario", scenario]).env_clear();
        let (server, ready) =
            Server::launch(dir, &mut demo, &[("SEAMUX_DEMO_CLI", pinned_cli()?)])?;
        let run = ready["run_id"].as_str().context("the demo names no run")?.to_owned();
        let stream = Stream::open(&server, &[&run])?;
        let mut house = Self { server, state: dir.join("state"), run, stream };
        house.until_state("needs_input")?;
        Ok(house)
    }

    fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        let mut answer = ureq::post(format!("{}/api/v1/runs{path}", self.server.url))
            .header("Authorization", format!("Bearer {}", self.server.token))
            .send_json(body)?;
        Ok(answer.body_mut().read_json()?)
    }

    fn get(&self, path: &str) -> anyhow::Result<Value> {
        let mut answer = ureq::get(format!("{}/api/v1/runs{path}", self.server.url))
            .header("Authorization", format!("Bearer {}", self.server.token))
            .call()?;
        Ok(answer.body_mut().read_json()?)
    }

    /// Reads the stream until an event fits; when it was here.
    fn until<T>(
        &mut self,
        fits: impl Fn(&str, &Value) -> Option<T>,
    ) -> anyhow::Result<(Duration, T)> {
        loop {
            let (at, events) = self.stream.events()?;
            let events = events.iter().filter_map(|event| {
                let data: Value = serde_json::from_slice(&event.data).ok()?;
                fits(&event.name, &data)
            });
            if let Some(found) = events.last() {
                return Ok((at, found));
            }
        }
    }

    fn until_state(&mut self, state: &str) -> anyhow::Result<()> {
        let run = self.run.clone();
        if self.get(&format!("/{run}"))?["state"] == state {
            return Ok(());
        }
        self.until(|name, data| {
            let run = data["run"]["id"] == *run && data["run"]["state"] == state;
            (name == "run.changed" && run).then_some(())
        })?;
        Ok(())
    }

    /// A dialog of this channel, as an event.
    fn until_dialog(&mut self, channel: &str) -> anyhow::Result<(Duration, Value)> {
        self.until(|name, data| {
            let dialog = &data["pending_dialogs"][0];
            (name == "dialog.changed" && dialog["channel"] == channel).then(|| dialog.clone())
        })
    }

    /// Plays the CLI that asks for a permission; from before the start of the
    /// hook to the event.
    fn raise(&mut self, count: usize) -> anyhow::Result<Vec<Duration>> {
        let command = self.hook_command()?;
        let epoch = self.get(&format!("/{}", self.run))?["epoch"].clone();
        let mut times = Vec::new();
        for number in 0..count {
            let payload = json!({
                "session_id": epoch, "hook_event_name": "PermissionRequest",
                "tool_name": "Bash", "tool_input": { "command": format!("echo {number}") },
            });
            let begin = now()?;
            let mut hook = Command::new("/bin/sh")
                .args(["-c", &command])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            hook.stdin.take().context("no stdin")?.write_all(payload.to_string().as_bytes())?;
            let (at, dialog) = self.until_dialog("live")?;
            times.push(at.saturating_sub(begin));
            let answer = json!({ "dialog_id": dialog["id"], "answers": [{ "selected": [0] }] });
            self.post(&format!("/{}/answer", self.run), &answer)?;
            ensure!(hook.wait_with_output()?.status.success(), "the hook failed");
            self.until(|name, data| {
                let none = data["pending_dialogs"].as_array().is_some_and(Vec::is_empty);
                (name == "dialog.changed" && none).then_some(())
            })?;
        }
        Ok(times)
    }

    /// What the CLI calls when it asks.
    fn hook_command(&self) -> anyhow::Result<String> {
        for file in std::fs::read_dir(self.state.join("runs").join(&self.run))? {
            let settings = std::fs::read(file?.path()).unwrap_or_default();
            let settings: Value = serde_json::from_slice(&settings).unwrap_or_default();
            let command = &settings["hooks"]["PermissionRequest"][0]["hooks"][0]["command"];
            if let Some(command) = command.as_str() {
                return Ok(command.to_owned());
            }
        }
        bail!("no settings name the hook")
    }

    /// Asks with the real CLI; from before the request that answers to the
    /// event that says what the CLI recorded.
    fn answer(&mut self, count: usize, channel: &str) -> anyhow::Result<Vec<Duration>> {
        let questions: Vec<Value> = (0..4).map(question).collect();
        let text = format!("ask this: {}", json!({ "questions": questions }));
        let mut times = Vec::new();
        for _ in 0..count {
            self.until_state("needs_input")?;
            self.post(&format!("/{}/reply", self.run), &json!({ "text": text }))?;
            let (_, dialog) = self.until_dialog(channel)?;
            let answers: Vec<Value> = (0..4).map(|at| json!({ "selected": [at % 3] })).collect();
            let answer = json!({ "dialog_id": dialog["id"], "answers": answers });
            let begin = now()?;
            let receipt = self.post(&format!("/{}/answer", self.run), &answer)?;
            let id = receipt["id"].clone();
            let (at, end) = self.until(|name, data| {
                let receipt = &data["receipt"];
                let over = receipt["status"] == "recorded" || receipt["status"] == "failed";
                (name == "receipt" && receipt["id"] == id && over).then(|| receipt.clone())
            })?;
            ensure!(end["status"] == "recorded", "not recorded: {end}");
            times.push(at.saturating_sub(begin));
        }
        Ok(times)
    }

    /// Another run, whose dialogs are answered by keys.
    fn start_by_keys(&mut self) -> anyhow::Result<()> {
        let cwd = self.get(&format!("/{}", self.run))?["cwd"].clone();
        let body = json!({
            "provider": "claude-code", "cwd": cwd, "prompt": "hello",
            "options": { "dialogs": "keys" },
        });
        let run = self.post("", &body)?;
        self.run = run["id"].as_str().context("no run")?.to_owned();
        self.stream = Stream::open(&self.server, &[&self.run])?;
        self.until_state("needs_input")
    }
}

fn question(number: usize) -> Value {
    let options: Vec<Value> = ["Red", "Green", "Blue"]
        .iter()
        .map(|label| json!({ "label": label, "description": format!("About {label}") }))
        .collect();
    json!({
        "question": format!("Which colour for part {number}?"), "header": format!("Part {number}"),
        "multiSelect": false, "options": options,
    })
}
