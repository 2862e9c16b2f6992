//! A house for the real program: its own home, state, tmux server and port,
//! a clean environment, and an end that leaves nothing behind.
//!
//! Tests talk to it over HTTP and wait for events; they never sleep and hope.

mod keyboard;
mod program;
mod seen;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use program::start;

pub(crate) use program::{pinned_cli, pinned_version, program, repo, run_once};
pub(crate) use seen::{Conversation, Event, Events};

/// How long a test waits for something that should take a moment.
const PATIENCE: Duration = Duration::from_secs(40);

/// A running seamux.
pub(crate) struct House {
    pub(crate) dir: TempDir,
    pub(crate) socket: String,
    pub(crate) url: String,
    pub(crate) token: String,
    /// The run that the demo opened, or the one that the test works with.
    pub(crate) run: String,
    arguments: Vec<String>,
    /// Of the next start.
    pub(crate) environment: BTreeMap<String, String>,
    server: Child,
}

/// What the server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl House {
    /// The real CLI with the scripted model, and a run that is already open.
    pub(crate) fn demo() -> Self {
        Self::demo_in(|_| {})
    }

    /// The same, after `furnish`.
    pub(crate) fn demo_in(furnish: impl FnOnce(&mut Furnish<'_>)) -> Self {
        let scenario = repo().join("compat/scenarios/live.toml");
        let scenario = scenario.to_str().unwrap();
        let house = Self::build(&["demo", "--scenario", scenario], furnish);
        house.until("the first exchange", |it| it.state() == "needs_input");
        house
    }

    /// A server without any run. `furnish` may change the home and the environment.
    pub(crate) fn serve(furnish: impl FnOnce(&mut Furnish<'_>)) -> Self {
        Self::build(&["serve"], furnish)
    }

    fn build(command: &[&str], furnish: impl FnOnce(&mut Furnish<'_>)) -> Self {
        static HOUSES: AtomicU32 = AtomicU32::new(0);
        let number = HOUSES.fetch_add(1, Ordering::Relaxed);
        let socket = format!("seamux-it-{}-{number}", std::process::id());
        let dir = tempfile::Builder::new().prefix("sx").tempdir().unwrap();
        let home = dir.path().join("home");
        std::fs::create_dir_all(&home).unwrap();
        // More of it, for a failure that shows once in a hundred times.
        let log = std::env::var("SEAMUX_TEST_LOG")
            .unwrap_or_else(|_| "seamux=info,seamux::runs::keyed=debug,warn".into());
        let mut environment: BTreeMap<String, String> = [
            ("HOME", home.to_str().unwrap()),
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("LANG", "C.UTF-8"),
            ("TERM", "xterm-256color"),
            ("SEAMUX_LOG", &log),
            ("SEAMUX_DEMO_CLI", pinned_cli().to_str().unwrap()),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        furnish(&mut Furnish { home: &home, environment: &mut environment });
        let state = dir.path().join("state");
        let common = ["--json", "--no-open", "--listen", "127.0.0.1:0", "--tmux-socket", &socket];
        let arguments: Vec<String> = command
            .iter()
            .chain(&common)
            .chain(&["--state-dir", state.to_str().unwrap()])
            .map(|it| (*it).to_owned())
            .collect();
        let (server, ready) = start(&arguments, &environment, dir.path());
        let mut house = Self {
            dir,
            socket,
            url: String::new(),
            token: String::new(),
            run: String::new(),
            arguments,
            environment,
            server,
        };
        house.move_in(&ready);
        house
    }

    fn move_in(&mut self, ready: &Value) {
        self.url = ready["url"].as_str().unwrap().to_owned();
        self.token = ready["token"].as_str().unwrap().to_owned();
        if let Some(run) = ready["run_id"].as_str() {
            self.run = run.to_owned();
        }
    }

    /// kill -9, as a crash or the kernel would.
    pub(crate) fn kill_server(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    /// The next start on the same state.
    pub(crate) fn start_again(&mut self) {
        let (server, ready) = start(&self.arguments, &self.environment, self.dir.path());
        self.server = server;
        self.move_in(&ready);
    }

    /// Another start of the same kind while the first one runs, to its end.
    pub(crate) fn start_beside(&self) -> std::process::Output {
        Command::new(program())
            .args(&self.arguments)
            .env_clear()
            .envs(&self.environment)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.server.id()
    }

    /// Ends the server as an init system would; its exit code.
    pub(crate) fn terminate(&mut self) -> Option<i32> {
        let pid = self.server.id().to_string();
        assert!(Command::new("kill").arg(pid).status().unwrap().success());
        self.server.wait().unwrap().code()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None, &[("authorization", &self.bearer())])
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_json("POST", path, body)
    }

    pub(crate) fn send_json(&self, method: &str, path: &str, body: &Value) -> Answer {
        let headers =
            [("authorization", self.bearer()), ("content-type", "application/json".into())];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.send(method, path, Some(body.to_string().as_bytes()), &headers)
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// A request with nothing added to it.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&[u8]>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request =
            ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .timeout_global(Some(PATIENCE))
            .build()
            .new_agent();
        let mut response = match body {
            Some(body) => agent.run(request.body(body).unwrap()),
            None => agent.run(request.body(()).unwrap()),
        }
        .unwrap();
        let text = response.body_mut().read_to_string().unwrap_or_default();
        Answer {
            status: response.status().as_u16(),
            body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }

    /// Starts a run and works with it from now on.
    pub(crate) fn start_run(&mut self, body: &Value) -> Value {
        let answer = self.post("/api/v1/runs", body);
        assert_eq!(answer.status, 201, "{}", answer.body);
        self.run = answer.body["id"].as_str().unwrap().to_owned();
        answer.body
    }

    pub(crate) fn run_path(&self, rest: &str) -> String {
        format!("/api/v1/runs/{}{rest}", self.run)
    }

    /// Sends a reply; its receipt's id.
    pub(crate) fn reply(&self, text: &str) -> String {
        let answer = self.post(&self.run_path("/reply"), &json!({ "text": text }));
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.body["id"].as_str().unwrap().to_owned()
    }

    /// Sends a reply and waits until the CLI recorded it and ended its turn.
    pub(crate) fn exchange(&self, text: &str) -> Conversation {
        let receipt = self.reply(text);
        self.until(text, |it| {
            it.receipt(&receipt)["status"] == "recorded" && it.state() == "needs_input"
        })
    }

    pub(crate) fn conversation(&self) -> Conversation {
        let run = self.get(&self.run_path(""));
        let page = self.get(&self.run_path("/messages?limit=500"));
        assert_eq!((run.status, page.status), (200, 200), "{}", page.body);
        Conversation { run: run.body, page: page.body }
    }

    /// Looks again at each event until `done` holds.
    pub(crate) fn until(&self, what: &str, done: impl Fn(&Conversation) -> bool) -> Conversation {
        self.until_within(PATIENCE, what, done)
    }

    /// The same, for what takes long.
    pub(crate) fn until_within(
        &self,
        patience: Duration,
        what: &str,
        done: impl Fn(&Conversation) -> bool,
    ) -> Conversation {
        let events = self.events(&format!("?run={}", self.run), None);
        let deadline = Instant::now() + patience;
        loop {
            let now = self.conversation();
            if done(&now) {
                return now;
            }
            if events.next_before(deadline).is_none() {
                panic!(
                    "waited in vain for: {what}\n{now:#?}\n--- screen\n{}\n--- log\n{}\n--- in short\n{}",
                    self.screen(),
                    self.log(),
                    now.in_short()
                );
            }
        }
    }

    /// Looks at the terminal until it shows something: for tests that play the
    /// person at the keyboard, since a screen tells nobody when it changes.
    pub(crate) fn until_screen(&self, what: &str, shows: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !shows(&self.screen()) {
            assert!(Instant::now() < deadline, "never on screen: {what}\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Follows the event stream.
    pub(crate) fn events(&self, query: &str, last_id: Option<&str>) -> Events {
        let agent = ureq::Agent::config_builder().timeout_recv_body(None).build().new_agent();
        let mut request = agent
            .get(format!("{}/api/v1/events{query}", self.url))
            .header("authorization", self.bearer());
        if let Some(id) = last_id {
            request = request.header("last-event-id", id);
        }
        let response = request.call().unwrap();
        let (sender, events) = mpsc::channel();
        std::thread::spawn(move || {
            let mut event = Event::default();
            for line in BufReader::new(response.into_body().into_reader()).lines() {
                let Ok(line) = line else { return };
                match line.split_once(':').map(|(field, rest)| (field, rest.trim_start())) {
                    Some(("event", name)) => name.clone_into(&mut event.name),
                    Some(("id", id)) => id.clone_into(&mut event.id),
                    Some(("data", data)) => event.data = serde_json::from_str(data).unwrap(),
                    _ if line.is_empty() && sender.send(std::mem::take(&mut event)).is_err() => {
                        return; // The test has seen enough.
                    }
                    _ => {}
                }
            }
        });
        Events(events)
    }

    pub(crate) fn tmux(&self, arguments: &[&str]) -> String {
        let output =
            Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What a person would see who attached.
    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-t", &format!("={}:", self.run)])
    }

    /// What the server has read from files and pipes so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/io", self.server.id())).unwrap();
        let count = text.lines().find_map(|it| it.strip_prefix("rchar: ")).unwrap();
        count.trim().parse().unwrap()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.dir.path().join("state/seamux.log")).unwrap_or_default()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
        let socket = self.tmux(&["display-message", "-p", "#{socket_path}"]);
        self.tmux(&["kill-server"]);
        std::fs::remove_file(socket.trim()).ok(); // tmux leaves it behind.
    }
}

/// What a test may change before the first start.
pub(crate) struct Furnish<'a> {
    pub(crate) home: &'a Path,
    pub(crate) environment: &'a mut BTreeMap<String, String>,
}
