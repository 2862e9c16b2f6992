//! Finds the tmux server, and starts it only when it is certain that there is none.
//!
//! A second server on the same socket would hide the first one with all agents
//! in it. Therefore the pid of the server is on record: while that process
//! lives, it is asked to put its socket back instead.

use std::fmt::Write as _;
use std::fs::{DirBuilder, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Signal, getuid, pidfd_send_signal};
use tokio::net::UnixStream;
use tokio::time::{sleep, timeout};
use tracing::{info, warn};

use super::TerminalConfig;
use super::error::TerminalError;
use super::process::{find_program, handle, stat};

const SOCKET_LIMIT: Duration = Duration::from_secs(2);
const SOCKET_CHECK: Duration = Duration::from_millis(20);

/// The configuration of the server, a line each. All lines may be run again,
/// because they are, on every connect: the server may be older than we are.
///
/// `window-size manual` is missing on purpose: as a global option it makes
/// tmux 3.3 and 3.5 crash at the next new session. It is set for each window.
const CONFIGURATION: &[(&str, &str)] = &[
    ("set -s exit-empty off", "the server outlives the last run"),
    ("set -s escape-time 10", "a viewer's Escape arrives at once"),
    ("set -s set-clipboard off", "no agent writes to a viewer's clipboard"),
    ("set -s focus-events off", "no agent is told that viewers come and go"),
    ("set -s extended-keys on", "programs that ask get modified keys from viewers"),
    ("set -s buffer-limit 20", "ours are named and deleted; this is for strays"),
    ("set -s @seamux_now \"%s\"", "the clock of the guard that refuses late writes"),
    ("set -s message-limit 0", "the log of commands would keep prompts and environments"),
    ("set -s terminal-features[90] xterm-256color:RGB:title", "true colours in the browser"),
    ("set -g history-limit 20000", "some 12 MB for each pane at most"),
    ("set -g default-size 120x40", "for windows that others make"),
    ("set -g mouse off", "a wheel must not enter copy mode, where pastes lose their brackets"),
    ("set -g status off", "all rows for the agent"),
    ("set -g update-environment \"\"", "nothing of a later viewer leaks in"),
    ("set -g destroy-unattached off", "runs live on without viewers"),
    ("set -gw remain-on-exit on", "the exit status stays readable"),
    ("set -gw remain-on-exit-format \"\"", "the last screen stays as it was"),
    ("set -gw allow-rename off", "names are ours"),
    ("set -gw automatic-rename off", "names are ours"),
    ("set -gw allow-passthrough off", "no escape sequences past tmux"),
    ("unbind-key -aq -T prefix", "nobody kills a run by accident"),
    ("bind-key d detach-client", "what a viewer needs"),
    ("bind-key [ copy-mode", "what a viewer needs"),
];

/// Where the server is, and how it is to be started.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) config: TerminalConfig,
    pub(super) socket: PathBuf,
    /// True if a plain `tmux -L NAME` in a person's shell finds the socket too.
    pub(super) usual_place: bool,
}

/// How to reach the server.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) program: PathBuf,
    /// The server that is there already; without one, connecting starts it.
    pub(super) running: Option<i32>,
    /// Whether `program` is the very one that the server runs.
    pub(super) same_program: bool,
}

impl Server {
    pub(super) fn new(config: TerminalConfig) -> Result<Self, TerminalError> {
        let usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let name = &config.socket_name;
        if name.is_empty() || name.starts_with(['-', '.']) || !name.bytes().all(usual) {
            return Err(TerminalError::BadSpec(format!("`{name}` is no name for a socket")));
        }
        let given = config.env.iter().find(|(key, _)| key == "TMUX_TMPDIR");
        let base = given.map_or("/tmp", |(_, value)| value);
        let socket = Path::new(base).join(format!("tmux-{}", getuid().as_raw())).join(name);
        let theirs = std::env::var_os("TMUX_TMPDIR").filter(|value| !value.is_empty());
        let usual_place = theirs.is_none_or(|value| Path::new(&value) == Path::new(base))
            && (given.is_none() || base == "/tmp");
        let server = Self { config, socket, usual_place };
        server.prepare_directory()?;
        Ok(server)
    }

    fn prepare_directory(&self) -> Result<(), TerminalError> {
        let directory = &self.config.runtime_dir;
        let make = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        let checked = make.and_then(|()| std::fs::metadata(directory)).and_then(|metadata| {
            if metadata.uid() != getuid().as_raw() {
                return Err(std::io::Error::new(ErrorKind::PermissionDenied, "it is not ours"));
            }
            std::fs::set_permissions(directory, Permissions::from_mode(0o700))
        });
        checked
            .and_then(|()| std::fs::write(self.conf(), self.conf_text()))
            .map_err(|source| TerminalError::io(format!("prepare {}", directory.display()), source))
    }

    pub(super) fn conf(&self) -> PathBuf {
        self.config.runtime_dir.join(format!("tmux-{}.conf", self.config.socket_name))
    }

    fn record(&self) -> PathBuf {
        self.config.runtime_dir.join(format!("tmux-{}.server", self.config.socket_name))
    }

    fn conf_text(&self) -> String {
        let mut text = String::from("# Written by seamux at each start; changes are lost.\n");
        for (line, reason) in CONFIGURATION {
            writeln!(text, "# {reason}\n{line}").ok(); // A String takes everything.
        }
        text + &default_terminal() + "\n"
    }

    /// The lines to run on every connect.
    pub(super) fn configuration() -> Vec<String> {
        let lines = CONFIGURATION.iter().map(|(line, _)| (*line).to_owned());
        lines.chain([default_terminal()]).collect()
    }

    /// PATH as agents see it.
    pub(super) fn path(&self) -> String {
        let given = self.config.env.iter().find(|(key, _)| key == "PATH");
        let ours = || std::env::var("PATH").unwrap_or_default();
        given.map_or_else(ours, |(_, value)| value.clone())
    }

    /// Finds the way in. Never leads to a second server.
    pub(super) async fn find(&self, may_start: bool) -> Result<Door, TerminalError> {
        let mut running = self.reach().await;
        if let Some(recorded) = self.recorded()
            && running != Some(recorded)
        {
            running = Some(self.recall(recorded).await?);
        }
        let path = self.path();
        let on_path = find_program(Path::new("tmux"), &path, Path::new("/"));
        if let Some(pid) = running {
            let theirs = server_program(pid);
            let same = |ours: &PathBuf| theirs.as_deref().is_some_and(|exe| same_file(ours, exe));
            let (program, same_program) = match (on_path, &theirs) {
                (Some(ours), _) if same(&ours) => (ours, true),
                // Survives an upgrade: the file behind this name is the one that runs.
                (_, Some(exe)) => (exe.clone(), true),
                (Some(ours), None) => (ours, false),
                (None, None) => return Err(TerminalError::TmuxMissing { path }),
            };
            return Ok(Door { program, running, same_program });
        }
        if !may_start {
            return Err(TerminalError::NoServer { socket: self.socket.clone() });
        }
        let program = on_path.ok_or(TerminalError::TmuxMissing { path })?;
        Ok(Door { program, running: None, same_program: true })
    }

    /// The process that listens at the socket.
    async fn reach(&self) -> Option<i32> {
        listener(&self.socket).await
    }

    /// The server on record, if that very process lives.
    fn recorded(&self) -> Option<i32> {
        let text = std::fs::read_to_string(self.record()).ok()?;
        let mut numbers = text.split_ascii_whitespace();
        let pid: i32 = numbers.next()?.parse().ok()?;
        let started: u64 = numbers.next()?.parse().ok()?;
        (stat(pid)?.started == started).then_some(pid)
    }

    /// Remembers the server for the next start of ours.
    pub(super) fn remember(&self, pid: i32) {
        let Some(stat) = stat(pid) else { return };
        let draft = self.record().with_extension("draft");
        let write = std::fs::write(&draft, format!("{pid} {}\n", stat.started))
            .and_then(|()| std::fs::rename(&draft, self.record()));
        if let Err(error) = write {
            warn!(%error, "Could not record the tmux server");
        }
    }

    /// Makes a server whose socket was deleted or taken listen there again.
    async fn recall(&self, pid: i32) -> Result<i32, TerminalError> {
        let unreachable =
            || TerminalError::ServerUnreachable { server_pid: pid, socket: self.socket.clone() };
        let handle = handle(pid).filter(|_| self.recorded() == Some(pid));
        let handle = handle.ok_or_else(unreachable)?;
        info!(server.pid = pid, "The tmux server lost its socket; asking for it back");
        if let Some(directory) = self.socket.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(directory).ok(); // tmux needs it.
        }
        pidfd_send_signal(handle, Signal::USR1).map_err(|_| unreachable())?;
        // A file gives no news of its own here; the wait is short and ends.
        let listening = async {
            while self.reach().await != Some(pid) {
                sleep(SOCKET_CHECK).await;
            }
        };
        timeout(SOCKET_LIMIT, listening).await.map_err(|_| unreachable())?;
        Ok(pid)
    }
}

/// The process that listens at a socket, if it is one of this user: what it runs,
/// we run to talk to it.
pub(super) async fn listener(socket: &Path) -> Option<i32> {
    let connect = timeout(SOCKET_LIMIT, UnixStream::connect(socket));
    let peer = connect.await.ok()?.ok()?.peer_cred().ok()?;
    peer.pid().filter(|_| peer.uid() == getuid().as_raw())
}

/// The program that a server runs, by a name that outlives the file.
pub(super) fn server_program(pid: i32) -> Option<PathBuf> {
    let exe = PathBuf::from(format!("/proc/{pid}/exe"));
    std::fs::metadata(&exe).is_ok().then_some(exe)
}

pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    let id = |path| std::fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    id(one).is_some() && id(one) == id(other)
}

/// The better terminal description, where it is installed.
fn default_terminal() -> String {
    let places = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"];
    let known = |place: &&str| Path::new(place).join("t/tmux-256color").exists();
    let name = if places.iter().any(known) { "tmux" } else { "screen" };
    format!("set -g default-terminal {name}-256color")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(directory: &Path, name: &str) -> Result<Server, TerminalError> {
        Server::new(TerminalConfig {
            socket_name: name.into(),
            runtime_dir: directory.into(),
            env: vec![],
        })
    }

    #[test]
    fn a_record_counts_only_for_the_very_process() {
        let directory = tempfile::tempdir().unwrap();
        let server = server(directory.path(), "seamux-unit").unwrap();
        let pid = i32::try_from(std::process::id()).unwrap();
        assert_eq!(server.recorded(), None);
        server.remember(pid);
        assert_eq!(server.recorded(), Some(pid));
        std::fs::write(server.record(), format!("{pid} 1\n")).unwrap();
        assert_eq!(server.recorded(), None);
    }

    #[test]
    fn the_runtime_directory_is_private() {
        let directory = tempfile::tempdir().unwrap();
        let inside = directory.path().join("a/b");
        server(&inside, "seamux-unit").unwrap();
        assert_eq!(std::fs::metadata(&inside).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_socket_name_cannot_leave_its_directory() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["", "../x", "-L", "a b", ".."] {
            assert!(server(directory.path(), name).is_err(), "{name}");
        }
    }

    #[test]
    fn no_global_option_that_crashes_the_server() {
        let lines = Server::configuration().join("\n");
        assert!(!lines.contains("window-size"));
    }
}
