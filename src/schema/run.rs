//! Runs: one supervised CLI each.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::provider::CompatVerdict;

/// One supervised CLI in one tmux session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    pub id: String,
    pub provider: String,
    pub title: String,
    pub state: RunState,
    pub cwd: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
    pub origin: Origin,
    pub epoch: String,
    pub created_at: String,
    pub last_activity_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<Exit>,
    pub pending_dialogs: usize,
    pub queued: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_usage: Option<ContextUsage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli_version: Option<String>,
    pub compat: CompatVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attach: Option<Attach>,
    pub warnings: Vec<Warning>,
    /// The newest line of the conversation, for lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_line: Option<String>,
    /// It can be read, but not written to; the warning `read_only` says why.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// Plays a script against a scripted model: nothing in it is real work.
    pub demo: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Spawned, and nothing said yet.
    Idle,
    Working,
    /// The agent ended its turn.
    NeedsInput,
    /// A dialog is pending.
    Question,
    Ended,
}

impl RunState {
    /// Smaller is more urgent; the order of the list of runs.
    pub fn urgency(self) -> u8 {
        match self {
            Self::Question => 0,
            Self::NeedsInput => 1,
            Self::Working => 2,
            Self::Idle => 3,
            Self::Ended => 4,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Spawned,
    Adopted,
}

/// How the process ended. All fields empty: it is gone and nobody saw how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Exit {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
    /// The last words in the terminal of a process that ended before it was
    /// ready. A quote for people: nothing follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Tokens in the context window after the latest answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContextUsage {
    pub used: u64,
    pub limit: u64,
}

/// A run that is in no list any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Forgotten {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree: Option<WorktreeLeft>,
}

/// What became of the worktree of a forgotten run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorktreeLeft {
    pub branch: String,
    /// The branch went too: it was made for the run, and no commit was ever made on it.
    pub branch_removed: bool,
    /// It was kept for what is in it; `reasons` say for what.
    pub parked: bool,
    /// Where it lies, if it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub reasons: Vec<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How a person gets to the same live terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Attach {
    /// To paste into a shell.
    pub command: String,
    pub socket: String,
    pub session: String,
}

/// Something about a run that a person should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Warning {
    pub code: String,
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// One native conversation of a run. Its id is the CLI's own identity for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Epoch {
    pub id: String,
    /// Why it began: `startup`, `resume`, `clear`, `compact` or `fork`.
    pub reason: String,
    pub started_at: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptStatus {
    Locating,
    Available,
    Gone,
}

/// Text that the model is writing and that the transcript does not have yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StreamingTail {
    pub text: String,
}
