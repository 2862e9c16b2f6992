//! The real program, with a home and a tmux server of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use serde_json::Value;

/// Ended when dropped, and its tmux server with it.
pub(crate) struct Server {
    pub(crate) url: String,
    pub(crate) token: String,
    pub(crate) process: Child,
    tmux_socket: String,
}

impl Server {
    /// Starts this command of the program in a folder that nothing else uses: its
    /// state is in `state`, its home in `home`. Nothing of the caller's environment
    /// reaches it but the PATH, and these variables besides. With what it said
    /// when it was ready.
    pub(crate) fn launch(
        dir: &Path,
        command: &mut Command,
        more: &[(&str, PathBuf)],
    ) -> anyhow::Result<(Self, Value)> {
        let home = dir.join("home");
        std::fs::create_dir_all(&home)?;
        let tmux_socket = format!("seamux-bench-{}", std::process::id());
        let mut process = command
            .args(["--json", "--no-open", "--listen", "127.0.0.1:0"])
            .arg("--state-dir")
            .arg(dir.join("state"))
            .args(["--tmux-socket", &tmux_socket])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &home)
            .env("LANG", "C.UTF-8")
            .envs(more.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("the server could not be started")?;
        let mut ready = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut ready)?;
        }
        let mut server = Self { url: String::new(), token: String::new(), process, tmux_socket };
        let ready: Value = serde_json::from_str(&ready).context("the server did not get ready")?;
        server.url = ready["url"].as_str().context("no url")?.to_owned();
        server.token = ready["token"].as_str().context("no token")?.to_owned();
        Ok((server, ready))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).ok();
        self.process.wait().ok();
        let tmux = || {
            let mut tmux = Command::new("tmux");
            tmux.args(["-L", &self.tmux_socket]).stdin(Stdio::null()).stderr(Stdio::null());
            tmux
        };
        // tmux leaves its socket behind. It may have ended by itself: then there is nothing to do.
        let asked = tmux().args(["display-message", "-p", "#{socket_path}"]).output();
        tmux().arg("kill-server").status().ok();
        if let Ok(answer) = asked
            && answer.status.success()
        {
            std::fs::remove_file(String::from_utf8_lossy(&answer.stdout).trim()).ok();
        }
    }
}
