//! A private tmux server with a terminal on it, gone when the test ends.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use seamux::terminal::{Pane, PaneSpec, Terminal, TerminalConfig, TerminalEvent};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// Far more than anything needs, so that only a real failure ends here.
const LIMIT: Duration = Duration::from_secs(20);

/// Kills the server when dropped.
pub(super) struct Rig {
    pub(super) name: String,
    pub(super) dir: tempfile::TempDir,
    pub(super) path: String,
}

impl Rig {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("seamux-test-{}-{number}", std::process::id());
        Self { name, dir: tempfile::tempdir().unwrap(), path: "/usr/bin:/bin".into() }
    }

    pub(super) fn config(&self) -> TerminalConfig {
        let env = [("PATH", &*self.path), ("HOME", "/tmp"), ("LANG", "C.UTF-8")];
        TerminalConfig {
            socket_name: self.name.clone(),
            runtime_dir: self.dir.path().join("run"),
            env: env.map(|(key, value)| (key.into(), value.into())).to_vec(),
        }
    }

    pub(super) async fn open(&self) -> (Terminal, Events) {
        let (terminal, events) = Terminal::open(self.config()).await.unwrap();
        (terminal, Events(events))
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(super) fn spec(&self, session: &str, argv: &[&str]) -> PaneSpec {
        PaneSpec {
            session: session.into(),
            stamp: format!("stamp-{session}"),
            labels: vec![],
            argv: argv.iter().map(Into::into).collect(),
            cwd: self.dir.path().into(),
            env: vec![],
            size: (100, 30),
        }
    }

    pub(super) async fn sh(&self, terminal: &Terminal, session: &str, script: &str) -> Pane {
        terminal.spawn(self.spec(session, &["/bin/sh", "-c", script])).await.unwrap()
    }

    /// A pane that writes down every byte that it gets, with bracketed paste on.
    pub(super) async fn reader(&self, terminal: &Terminal, session: &str) -> (Pane, PathBuf) {
        let got = self.file(&format!("{session}.got"));
        let script = r#"stty raw -echo; printf '\033[?2004hready\r\n'; exec cat > "$0""#;
        let got_name = got.to_str().unwrap();
        let spec = self.spec(session, &["/bin/sh", "-c", script, got_name]);
        let pane = terminal.spawn(spec).await.unwrap();
        until("the reader is ready", || got.exists().then_some(())).await;
        // The screen shows the word only after tmux understood what stands before it.
        for _ in 0..2000 {
            if terminal.capture(&pane).await.unwrap().contains("ready") {
                return (pane, got);
            }
            sleep(Duration::from_millis(5)).await;
        }
        panic!("the reader never got ready");
    }

    /// What a person does beside us.
    pub(super) fn tmux(&self, words: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-u", "-L", &self.name, "-N"]).args(words).env_remove("TMUX");
        let output = command.env_remove("TMUX_TMPDIR").output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&text).trim_end().to_owned()
    }

    pub(super) fn buffers(&self) -> String {
        self.tmux(&["list-buffers", "-F", "#{buffer_name}"])
    }

    pub(super) fn control_client(&self) -> String {
        let format = "#{?client_control_mode,#{client_pid},}";
        let clients = self.tmux(&["list-clients", "-F", format]).trim().to_owned();
        assert!(clients.parse::<u32>().is_ok(), "{clients}");
        clients
    }

    pub(super) fn socket(&self) -> PathBuf {
        let uid = rustix::process::getuid().as_raw();
        PathBuf::from(format!("/tmp/tmux-{uid}/{}", self.name))
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
        // One that lost its socket, or stands still, has to be ended by its number on record.
        let record = self.dir.path().join(format!("run/tmux-{}.server", self.name));
        if let Ok(record) = std::fs::read_to_string(record) {
            let pid = record.split(' ').next().unwrap();
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&line).contains(&self.name) {
                kill("KILL", pid);
            }
        }
        std::fs::remove_file(self.socket()).ok();
    }
}

pub(super) struct Events(mpsc::Receiver<TerminalEvent>);

impl Events {
    pub(super) async fn next(&mut self) -> TerminalEvent {
        timeout(LIMIT, self.0.recv()).await.expect("no event came").unwrap()
    }

    /// The next event that `wanted` takes.
    pub(super) async fn find<T>(&mut self, wanted: impl Fn(&TerminalEvent) -> Option<T>) -> T {
        loop {
            if let Some(found) = wanted(&self.next().await) {
                return found;
            }
        }
    }

    pub(super) async fn wait(&mut self, wanted: TerminalEvent) {
        self.find(|event| (*event == wanted).then_some(())).await;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

pub(super) fn kill(signal: &str, pid: &str) {
    assert!(pid.parse::<u32>().unwrap() > 1);
    Command::new("kill").args(["-s", signal, pid]).output().unwrap();
}

/// Waits until a fact is there.
pub(super) async fn until<T>(what: &str, fact: impl Fn() -> Option<T>) -> T {
    let wait = async {
        loop {
            if let Some(found) = fact() {
                return found;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LIMIT, wait).await.unwrap_or_else(|_| panic!("never: {what}"))
}

/// What a program wrote, once it gave the file its final name.
pub(super) async fn content(file: &Path) -> String {
    until("the file", || std::fs::read_to_string(file).ok()).await
}

pub(super) fn lives(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}
