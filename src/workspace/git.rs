//! Runs the `git` program: never a question, never for ever, and no word of a
//! caller is taken for an option.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use super::error::WorkspaceError;

/// A look takes a moment, also in a large repository on a slow disk.
const LOOK: Duration = Duration::from_secs(60);

/// A checkout may have to write many files, and runs the repository's hooks.
const WORK: Duration = Duration::from_secs(300);

/// What a git that was told to end may take to clean up after itself.
const GRACE: Duration = Duration::from_secs(3);

/// The git program with one environment. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Git {
    env: Vec<(String, String)>,
}

impl Git {
    /// With the environment that the agents have, so that both read the same settings.
    pub fn new(env: &[(String, String)]) -> Self {
        // A variable like GIT_DIR would lead each command into another repository.
        let mut env: Vec<_> = env.iter().filter(|it| !it.0.starts_with("GIT_")).cloned().collect();
        for (name, value) in [
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_ASKPASS", "true"),
            ("GIT_EDITOR", "true"),
            ("GIT_PAGER", "cat"),
            ("LC_ALL", "C"),
        ] {
            env.retain(|it| it.0 != name);
            env.push((name.into(), value.into()));
        }
        Self { env }
    }

    pub(super) fn with(&self, name: &str, value: &Path) -> Self {
        let mut git = self.clone();
        git.env.push((name.into(), value.to_string_lossy().into_owned()));
        git
    }

    /// Asks something and changes nothing: no hook runs, and no lock is taken, so
    /// that an agent's own git never meets one of ours.
    pub(super) async fn ask<S: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<Output, WorkspaceError> {
        self.ask_about(dir, args, Vec::new()).await
    }

    /// The same, with something on its standard input.
    pub(super) async fn ask_about<S: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
        input: Vec<u8>,
    ) -> Result<Output, WorkspaceError> {
        let quiet = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
        let mut command = self.command(dir);
        command.args(quiet).args(args).env("GIT_OPTIONAL_LOCKS", "0");
        run(command, LOOK, input).await
    }

    /// Does something, with the hooks that the same command would run by hand.
    pub(super) async fn work<S: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<Output, WorkspaceError> {
        let mut command = self.command(dir);
        command.args(args);
        run(command, WORK, Vec::new()).await
    }

    /// The answer, without the end of its line; `None` if git says no.
    pub(super) async fn line<S: AsRef<OsStr>>(
        &self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
    ) -> Result<Option<String>, WorkspaceError> {
        let output = self.ask(dir, args).await?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(output.status.success().then(|| text.trim_end_matches('\n').to_owned()))
    }

    fn command(&self, dir: &Path) -> Command {
        let mut command = Command::new("git");
        command.env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command.current_dir(dir);
        command
    }
}

async fn run(
    mut command: Command,
    limit: Duration,
    input: Vec<u8>,
) -> Result<Output, WorkspaceError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Its hooks and filters are in its group, so they end with it.
    let mut child = command.process_group(0).kill_on_drop(true).spawn().map_err(|error| {
        // A folder that is gone reads the same as a program that is not there.
        let folder = command.as_std().get_current_dir().is_some_and(Path::is_dir);
        match error.kind() {
            io::ErrorKind::NotFound if folder => WorkspaceError::GitMissing,
            _ => WorkspaceError::io("start git", error),
        }
    })?;
    let pid = child.id();
    if let Some(mut stdin) = child.stdin.take() {
        // Beside the reading, since both pipes may be full. A git that ended early says why.
        tokio::spawn(async move { stdin.write_all(&input).await.ok() });
    }
    let output = child.wait_with_output();
    tokio::pin!(output);
    let ended = match timeout(limit, &mut output).await {
        Ok(ended) => ended,
        Err(_) => {
            // A git that is asked to end takes half-made things away.
            end_group(pid, Signal::TERM);
            if timeout(GRACE, &mut output).await.is_err() {
                end_group(pid, Signal::KILL);
            }
            return Err(WorkspaceError::TimedOut(limit.as_secs()));
        }
    };
    ended.map_err(|error| WorkspaceError::io("read what git says", error))
}

fn end_group(pid: Option<u32>, signal: Signal) {
    if let Some(pid) = pid.and_then(|it| Pid::from_raw(it.cast_signed())) {
        kill_process_group(pid, signal).ok(); // It may have ended by itself.
    }
}

/// What a git that failed said, in an error.
pub(super) fn failure(doing: &'static str, output: &Output) -> WorkspaceError {
    let text = String::from_utf8_lossy(&output.stderr);
    if text.contains("No space left on device") || text.contains("Disk quota exceeded") {
        return WorkspaceError::DiskFull;
    }
    let lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let told: Vec<_> = lines.filter(|it| !it.starts_with("hint:")).collect();
    // What went wrong stands in its last lines; before them is progress.
    let words = told[told.len().saturating_sub(3)..].join("; ");
    let words = words.chars().take(400).collect();
    WorkspaceError::Git { doing, words }
}

/// A path that git printed.
pub(super) fn path_of(line: &str) -> PathBuf {
    PathBuf::from(line)
}

/// The entries of an answer with `-z`.
pub(super) fn entries(output: &Output) -> impl Iterator<Item = String> + '_ {
    output
        .stdout
        .split(|byte| *byte == 0)
        .filter(|it| !it.is_empty())
        .map(|it| String::from_utf8_lossy(it).into_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use super::*;

    fn said(stderr: &str) -> WorkspaceError {
        let status = ExitStatus::from_raw(128 << 8);
        failure("do it", &Output { status, stdout: Vec::new(), stderr: stderr.into() })
    }

    #[test]
    fn the_last_words_are_quoted_and_a_full_disk_is_told_apart() {
        let text = "Preparing\nhint: try\nfatal: no luck\n";
        assert_eq!(said(text).to_string(), "git could not do it: Preparing; fatal: no luck");
        let full = "error: unable to write file a.txt: No space left on device\nfatal: x\n";
        assert_eq!(said(full).code(), "disk_full");
    }

    #[tokio::test]
    async fn one_that_hangs_is_ended_with_what_it_started() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("sh");
        command.current_dir(&dir).args(["-c", "sleep 600 & echo $! > pid; wait"]);
        let error = run(command, Duration::from_millis(500), Vec::new()).await.expect_err("ended");
        assert_eq!(error.code(), "git_failed");
        let pid = std::fs::read_to_string(dir.path().join("pid")).expect("its number");
        // Whoever is dead and not taken away yet has no arguments any more.
        let arguments = std::fs::read(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
        assert!(arguments.is_empty(), "{}", String::from_utf8_lossy(&arguments));
    }
}
