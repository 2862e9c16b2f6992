//! What can go wrong with a run, and whose move it is then.

use std::path::PathBuf;

use crate::schema::Dialog;
use crate::seam::{Blame, SeamError};
use crate::store::StoreError;
use crate::terminal::TerminalError;
use crate::workspace::WorkspaceError;

/// Messages have no capital and no full stop, so that they read well after
/// "could not send: ".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    #[error("there is no run {0}")]
    NotFound(String),
    #[error("the run has ended")]
    Ended,
    #[error("the run has not ended")]
    Live,
    /// One native conversation is live in one place only: two processes would
    /// write over each other.
    #[error("this conversation goes on {}", place(run.as_deref(), *pid))]
    ConversationLive { run: Option<String>, pid: Option<u32> },
    #[error("this conversation belongs to run {run}, which has ended")]
    ConversationKnown { run: String },
    #[error("there is no conversation {native_id} of {provider} on this machine")]
    NoSession { provider: String, native_id: String },
    /// It runs where nothing can be typed from here.
    #[error("{why}")]
    ReadOnly { why: String, what_next: String },
    #[error("no dialog is open; it may have been answered in the terminal")]
    NoDialog,
    #[error("another dialog is open now")]
    DialogChanged { current: Box<Dialog> },
    #[error("it is not held any more: it was sent, or taken out of the queue")]
    AlreadySent,
    #[error("the queue has no entry {0}")]
    NoEntry(String),
    #[error("there is no provider `{name}`")]
    UnknownProvider { name: String, known: Vec<String> },
    #[error("{name} is not installed on this machine")]
    ProviderMissing { name: String, install_hint: String },
    /// One field of the request cannot work.
    #[error("{detail}")]
    Invalid { field: &'static str, code: &'static str, detail: String, hint: Option<String> },
    #[error(transparent)]
    Seam(#[from] SeamError),
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("could not {doing}")]
    Io {
        doing: String,
        #[source]
        source: std::io::Error,
    },
    #[error("the worktree of this run is gone: there is no folder {}", path.display())]
    WorktreeGone { path: PathBuf, branch: String, repository: PathBuf },
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error("no login is under way")]
    NoLogin,
    #[error("seamux is stopping")]
    Stopping,
}

impl RunError {
    pub(super) fn io(doing: impl Into<String>, source: std::io::Error) -> Self {
        Self::Io { doing: doing.into(), source }
    }

    /// The stable code of the API.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "run_not_found",
            Self::Ended => "run_ended",
            Self::Live => "run_live",
            Self::ConversationLive { .. } => "conversation_live",
            Self::ConversationKnown { .. } => "conversation_known",
            Self::NoSession { .. } => "session_not_found",
            Self::ReadOnly { .. } => "read_only",
            Self::NoDialog => "no_dialog",
            Self::DialogChanged { .. } => "dialog_changed",
            Self::Seam(SeamError::NotAnswerable) => "not_answerable",
            Self::Seam(SeamError::Invalid { field: "answers" | "discuss", .. }) => "invalid_answer",
            Self::AlreadySent => "already_sent",
            Self::NoEntry(_) => "entry_not_found",
            Self::UnknownProvider { .. } => "unknown_provider",
            Self::ProviderMissing { .. } => "provider_missing",
            Self::Invalid { code, .. } => code,
            Self::Seam(SeamError::Invalid { .. }) => "invalid_field",
            Self::Seam(SeamError::Empty) => "empty",
            Self::Seam(SeamError::TooLong(_)) => "too_long",
            Self::Seam(SeamError::Busy) => "busy",
            Self::Seam(SeamError::TranscriptGone) => "transcript_gone",
            Self::Seam(SeamError::InvalidCode) => "invalid_code",
            Self::Seam(SeamError::CodeUnsupported) => "code_unsupported",
            Self::Seam(SeamError::LoginTimeout) => "login_timeout",
            Self::Seam(SeamError::LoginFailed(_)) => "login_failed",
            Self::Seam(SeamError::AuthUnknown(_)) => "auth_unknown",
            Self::NoLogin => "no_login",
            Self::Seam(_) => "refused",
            Self::Terminal(TerminalError::TmuxMissing { .. }) => "tmux_missing",
            Self::Terminal(_) => "terminal",
            error if error.is_full() => "disk_full",
            Self::Store(_) => "store",
            Self::Io { .. } => "io",
            Self::WorktreeGone { .. } => "worktree_gone",
            Self::Workspace(error) => error.code(),
            Self::Stopping => "stopping",
        }
    }

    /// The disk has no room for what had to be written down first.
    pub fn is_full(&self) -> bool {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        match self {
            Self::Store(error) => error.is_full(),
            Self::Io { source, .. } => matches!(source.kind(), StorageFull | QuotaExceeded),
            Self::Workspace(error) => error.is_full(),
            _ => false,
        }
    }

    pub fn blame(&self) -> Blame {
        match self {
            Self::NotFound(_)
            | Self::NoEntry(_)
            | Self::NoSession { .. }
            | Self::UnknownProvider { .. }
            | Self::Invalid { .. } => Blame::Caller,
            Self::Ended
            | Self::Live
            | Self::ConversationLive { .. }
            | Self::ConversationKnown { .. }
            | Self::ReadOnly { .. }
            | Self::NoDialog
            | Self::DialogChanged { .. }
            | Self::AlreadySent
            | Self::NoLogin
            | Self::WorktreeGone { .. }
            | Self::ProviderMissing { .. } => Blame::Race,
            Self::Workspace(error) => error.blame(),
            Self::Seam(error) => error.blame(),
            Self::Terminal(
                TerminalError::NoDirectory { .. }
                | TerminalError::NoProgram { .. }
                | TerminalError::TooBig { .. },
            ) => Blame::Caller,
            Self::Terminal(TerminalError::NoTarget | TerminalError::Refused(_)) => Blame::Race,
            Self::Terminal(_) | Self::Store(_) | Self::Io { .. } | Self::Stopping => Blame::System,
        }
    }

    /// Which field of the request is meant, if one is.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::UnknownProvider { .. } => Some("provider"),
            Self::NoSession { .. } => Some("native_id"),
            Self::Seam(SeamError::Empty | SeamError::TooLong(_)) => Some("text"),
            Self::Invalid { field, .. } | Self::Seam(SeamError::Invalid { field, .. }) => {
                Some(field)
            }
            Self::Terminal(TerminalError::NoDirectory { .. }) => Some("cwd"),
            Self::Workspace(error) => error.field(),
            _ => None,
        }
    }

    /// What to try next, in one sentence, if there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound(_) => Some("GET /api/v1/runs lists the runs".into()),
            Self::Ended => Some("resume it, or start a new run".into()),
            Self::Live => Some("send it a message, or stop it first".into()),
            Self::ConversationLive { run: Some(_), .. } => Some("go on in that run".into()),
            Self::ConversationLive { .. } => Some("end that process first".into()),
            Self::ConversationKnown { .. } => Some("resume that run".into()),
            Self::NoSession { .. } => Some("GET /api/v1/discover lists what can be adopted".into()),
            Self::ReadOnly { what_next, .. } => Some(what_next.clone()),
            Self::UnknownProvider { known, .. } => Some(format!("it can be: {}", known.join(", "))),
            Self::ProviderMissing { install_hint, .. } => Some(install_hint.clone()),
            Self::Invalid { hint, .. } => hint.clone(),
            Self::Terminal(error) => error.hint().map(Into::into),
            error if error.is_full() => {
                Some("make room where seamux keeps its state, then send it again".into())
            }
            Self::Store(_) | Self::Io { .. } => Some("the server's log says more".into()),
            Self::WorktreeGone { path, branch, repository } => Some(format!(
                "git -C {} worktree add {} {branch} makes it again",
                repository.display(),
                path.display()
            )),
            Self::Workspace(error) => error.hint(),
            Self::AlreadySent | Self::NoEntry(_) => {
                Some("GET /api/v1/runs/{id}/queue lists what is held".into())
            }
            Self::NoLogin => Some("begin one with POST .../auth/login".into()),
            Self::Seam(SeamError::InvalidCode) => {
                Some("copy all of it, and paste it once more".into())
            }
            Self::Seam(SeamError::LoginFailed(_) | SeamError::LoginTimeout) => {
                Some("begin the login again".into())
            }
            Self::NoDialog | Self::DialogChanged { .. } | Self::Seam(_) | Self::Stopping => None,
        }
    }
}

fn place(run: Option<&str>, pid: Option<u32>) -> String {
    match (run, pid) {
        (Some(run), _) => format!("in run {run}"),
        (None, Some(pid)) => format!("in process {pid}, which is not a run of ours"),
        (None, None) => "elsewhere".to_owned(),
    }
}
