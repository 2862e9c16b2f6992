//! A person's own desk: a tmux of theirs, with a shell and whatever they start in it.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::house::House;

/// A person's own tmux, with a shell in it.
pub(super) struct Desk {
    name: String,
}

impl Desk {
    pub(super) fn new(house: &House) -> Self {
        let desk = Self { name: format!("{}-desk", house.socket) };
        let mut tmux = desk.command();
        for (name, value) in environment(house) {
            tmux.env(name, value);
        }
        tmux.current_dir(workspace(house));
        tmux.args(["-f", "/dev/null", "new-session", "-d", "-s", "desk", "-x", "120", "-y", "40"]);
        tmux.args(["env", "PS1=desk$ ", "bash", "--norc", "--noprofile"]);
        assert!(tmux.status().unwrap().success());
        desk
    }

    fn command(&self) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.env_clear().args(["-u", "-L", &self.name]);
        tmux
    }

    pub(super) fn tmux(&self, arguments: &[&str]) -> String {
        let output = self.command().args(arguments).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(super) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-t", "=desk:"])
    }

    /// A person types a line.
    pub(super) fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-t", "=desk:", "-l", text]);
        self.tmux(&["send-keys", "-t", "=desk:", "Enter"]);
    }

    pub(super) fn until(&self, what: &str, shows: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(40);
        while !shows(&self.screen()) {
            assert!(Instant::now() < deadline, "never on the desk: {what}\n{}", self.screen());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The shell works, and nothing of ours stands in it.
    pub(super) fn shell_is_well(&self) {
        self.until("the shell", |it| it.trim_end().ends_with("desk$"));
        self.line("echo the sum is $((40 + 2))");
        self.until("an answer of the shell", |it| it.contains("the sum is 42"));
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let socket = self.tmux(&["display-message", "-p", "#{socket_path}"]);
        self.tmux(&["kill-server"]);
        std::fs::remove_file(socket.trim()).ok(); // tmux leaves it behind.
    }
}

pub(super) fn workspace(house: &House) -> PathBuf {
    std::fs::canonicalize(house.dir.path().join("state/workspace")).unwrap()
}

pub(super) fn environment(house: &House) -> Vec<(String, String)> {
    let state = house.dir.path().join("state");
    let port = std::fs::read_to_string(state.join("model-port")).unwrap();
    [
        ("HOME", state.join("home").to_str().unwrap()),
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("LANG", "C.UTF-8"),
        ("TERM", "xterm-256color"),
        ("ANTHROPIC_BASE_URL", &format!("http://127.0.0.1:{}", port.trim())),
        ("ANTHROPIC_AUTH_TOKEN", "scripted"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec()
}
