//! Live facts from a CLI's structured door.

use std::path::PathBuf;

use crate::schema::Dialog;

/// One fact that a CLI told by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The conversation that it speaks of.
    pub native_id: Option<String>,
    /// Where that conversation is recorded.
    pub transcript: Option<PathBuf>,
    pub permission_mode: Option<String>,
    /// The subagent that it speaks of.
    pub agent: Option<String>,
    pub kind: SignalKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// A conversation began or goes on under this identity: the epoch signal.
    ConversationStarted {
        reason: StartReason,
        model: Option<String>,
    },
    ConversationEnded {
        reason: String,
    },
    PromptSubmitted {
        text: String,
    },
    /// `mark` tells one call from another where a later signal lacks the id.
    ToolStarting {
        call_id: Option<String>,
        name: String,
        mark: u64,
    },
    /// A dialog opens, and the sender waits for an answer. Its id is the call
    /// with the same mark; the dialog's own id field is empty.
    DialogRaised {
        dialog: Box<Dialog>,
        mark: u64,
    },
    ToolEnded {
        call_id: Option<String>,
    },
    /// The CLI wants a person's attention.
    Notified {
        message: String,
        blocked: bool,
    },
    TurnEnded,
    TurnFailed {
        error: String,
    },
    /// A piece of the answer that the model is writing.
    TextDelta {
        message_id: String,
        index: u64,
        text: String,
        last: bool,
    },
    /// A signal that no rule names.
    Unknown {
        name: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartReason {
    Startup,
    Resume,
    Clear,
    Compact,
    Fork,
}

impl StartReason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Startup => "startup",
            Self::Resume => "resume",
            Self::Clear => "clear",
            Self::Compact => "compact",
            Self::Fork => "fork",
        }
    }
}

/// What a live process is doing, by its own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Up, but not yet able to take input.
    Starting,
    Idle,
    Busy,
    /// A dialog is open in the terminal.
    Waiting,
}

/// Where a CLI keeps its list of live processes: one file per process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryPlace {
    pub dir: PathBuf,
    /// How the names of its entries end.
    pub suffix: &'static str,
}

/// One live process, by the CLI's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryEntry {
    pub pid: u32,
    pub native_id: String,
    pub activity: Activity,
    /// Since when, in milliseconds since 1970, if the CLI says so.
    pub since: Option<u64>,
    /// What it waits for, in the CLI's words.
    pub waiting_for: Option<String>,
    /// It shows a screen of its own that no call of the model explains, such as
    /// a menu that a person opened.
    pub own_screen: bool,
    pub cwd: Option<PathBuf>,
    pub version: Option<String>,
    /// When the process began, in clock ticks since boot, if the CLI says so.
    /// With the number it names one process, however often numbers are used again.
    pub started: Option<u64>,
}
