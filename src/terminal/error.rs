//! What can go wrong between us and tmux, and what to do about it.

use std::path::PathBuf;
use std::time::Duration;

/// Each variant is one thing that a caller can act on. Messages have no capital
/// and no full stop, so that they read well after "could not paste: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TerminalError {
    #[error("there is no tmux on PATH ({path})")]
    TmuxMissing { path: String },
    #[error("tmux {found} is too old")]
    TmuxTooOld { found: String },
    #[error("no tmux server is running at {socket}")]
    NoServer { socket: PathBuf },
    #[error("the tmux server (pid {server_pid}) does not understand the tmux on PATH")]
    VersionMismatch { server_pid: i32 },
    #[error("the tmux server (pid {server_pid}) lives, but nobody can reach it at {socket}")]
    ServerUnreachable { server_pid: i32, socket: PathBuf },
    /// In doubt: the request may or may not have taken effect.
    #[error("the connection to tmux was lost before it answered")]
    ControlLost,
    /// In doubt, like `ControlLost`.
    #[error("tmux gave no answer within {0:?}")]
    Timeout(Duration),
    #[error("the pane no longer exists")]
    NoTarget,
    #[error("refused: {0}")]
    Refused(Refusal),
    #[error("a tmux session named {0} exists already")]
    DuplicateName(String),
    #[error("the terminal cannot be started like this: {0}")]
    BadSpec(String),
    #[error("{path} is not a directory that can be entered")]
    NoDirectory { path: PathBuf },
    #[error("there is no program {program} to run")]
    NoProgram { program: String },
    #[error("{size} bytes are too many, the limit is {limit}")]
    TooBig { size: usize, limit: usize },
    #[error("tmux says: {0}")]
    Tmux(String),
    #[error("the process runs in no tmux that we can reach")]
    Outside,
    #[error("the terminal layer was shut down")]
    Closed,
    #[error("could not {doing}")]
    Io {
        doing: String,
        #[source]
        source: std::io::Error,
    },
}

/// Why nothing was written. In each case the pane got not one byte.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    #[error("the process in the pane has ended")]
    Dead,
    #[error("someone is looking at the pane in copy mode")]
    Mode,
    #[error("the pane carries another stamp")]
    Stamp,
    #[error("the pane belongs to a tmux server that is gone")]
    Epoch,
    #[error("the pane runs another process by now")]
    Process,
    #[error("the process is not in the foreground of its terminal")]
    Background,
    #[error("input to the pane was switched off")]
    InputOff,
    #[error("the tmux server came to it too late")]
    Late,
    #[error("the text contains the control character U+{0:04X}")]
    ControlCharacter(u32),
    #[error("the text is empty")]
    Empty,
}

impl TerminalError {
    /// What to try next, in one sentence, if there is something.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::TmuxMissing { .. } => {
                "agents run inside tmux so that they outlive us; install it \
                 (apt install tmux, dnf install tmux, brew install tmux) and start again"
            }
            Self::TmuxTooOld { .. } => "install tmux 3.3 or newer",
            Self::NoServer { .. } => "the agents in it are gone; start them again",
            Self::VersionMismatch { .. } => {
                "end the agents and that server, or put the tmux that started it back on PATH"
            }
            Self::ServerUnreachable { .. } => "look at that process; is it stopped?",
            Self::ControlLost | Self::Timeout(_) => {
                "it may have happened; look before you send it again"
            }
            Self::NoTarget | Self::Refused(Refusal::Dead | Refusal::Epoch) => {
                "start the agent again"
            }
            Self::Refused(Refusal::Mode) => "leave copy mode in the attached terminal (key q)",
            Self::Outside => "type in the terminal that it runs in",
            Self::Refused(Refusal::Background) => "bring it back there with fg",
            Self::Refused(Refusal::InputOff) => "switch it on with tmux select-pane -e",
            Self::Refused(Refusal::ControlCharacter(_)) => "send plain text, tabs and line feeds",
            Self::DuplicateName(_) => "choose another name, or adopt the session that has it",
            Self::NoDirectory { .. } => "create the directory, or choose another one",
            Self::NoProgram { .. } => "install it, or give its full path",
            Self::TooBig { .. } => "write it to a file and send the path",
            Self::Refused(_)
            | Self::BadSpec(_)
            | Self::Tmux(_)
            | Self::Closed
            | Self::Io { .. } => {
                return None;
            }
        })
    }

    pub(super) fn io(doing: impl Into<String>, source: std::io::Error) -> Self {
        let doing = doing.into();
        Self::Io { doing, source }
    }

    /// Gives tmux's own words a type where we act on them.
    pub(super) fn from_tmux(text: &str) -> Self {
        let text = text.trim();
        if let Some(name) = text.strip_prefix("duplicate session: ") {
            Self::DuplicateName(name.into())
        } else if text.starts_with("can't find ") || text.starts_with("no such session") {
            Self::NoTarget
        } else if text == "target pane has exited" {
            Self::Refused(Refusal::Dead)
        } else {
            Self::Tmux(text.into())
        }
    }
}
