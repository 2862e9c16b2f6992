//! Conversations on this machine that are no runs yet.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::run::Attach;

/// A conversation of a CLI that seamux did not start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Session {
    pub provider: String,
    pub native_id: String,
    pub state: SessionState,
    /// What becomes of it when it is adopted.
    pub adopts_as: AdoptsAs,
    /// Why it can only be read, and what to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What was said or done last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_activity_at: Option<String>,
    /// Of its record, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The process that it is live in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli_version: Option<String>,
    /// How a person gets to its terminal, if that is in tmux.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attach: Option<Attach>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    Working,
    /// It takes input.
    Idle,
    /// A dialog is open in its terminal.
    Waiting,
    Starting,
    /// No process has it.
    Past,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AdoptsAs {
    /// A chat that types into its terminal.
    Chat,
    ReadOnly,
    /// The CLI is started again on it.
    Resume,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Discovered {
    /// The live ones first, then the newest.
    pub sessions: Vec<Session>,
    pub has_more: bool,
}
