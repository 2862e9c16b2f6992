//! What an actor starts with.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use crate::schema::Warning;
use crate::seam::{AgentHome, AgentProvider};
use crate::store::{RunRow, Unfinished};
use crate::terminal::{Pane, Terminal};

use super::resume::Before;

/// What an actor starts with.
pub(super) struct Start {
    pub row: RunRow,
    pub provider: Arc<dyn AgentProvider>,
    pub home: AgentHome,
    pub seat: Seat,
    pub epoch: String,
    pub transcript: Option<PathBuf>,
    /// A first message that has to be typed once the CLI is ready.
    pub deferred_prompt: Option<String>,
    /// When it was spawned, in contrast to adopted.
    pub began: Option<SystemTime>,
    /// What it was before, if it goes on with an old conversation.
    pub resumed: Option<Before>,
    pub prompted: bool,
    pub startup_checks: Vec<PathBuf>,
    /// What a person should know from the beginning.
    pub warnings: Vec<Warning>,
    /// What an earlier life of ours left.
    pub unfinished: Unfinished,
}

/// Where the process of a run is, and the way to it.
pub(super) struct Seat {
    pub pane: Pane,
    pub terminal: Terminal,
    /// Why nothing can be typed there.
    pub outside: Option<Warning>,
}
