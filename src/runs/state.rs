//! The state of a run, folded from facts. Pure.
//!
//! Precedence, strongest first: the process is gone; a dialog is open; what
//! the CLI's own list of live processes says; what its hooks said; what the
//! transcript shows. A weaker source speaks only while the stronger ones are
//! silent, so a late hook or an echo in the transcript can't move a state that
//! the CLI itself has told.

use std::collections::BTreeSet;

use crate::schema::RunState;
use crate::seam::{Activity, Fact, SignalKind, StartReason};

/// Whether a turn is under way, by one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Working,
    Over,
}

/// Everything that the state follows from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StateFacts {
    pub(super) ended: bool,
    /// The CLI's list of live processes.
    pub(super) registry: Option<Activity>,
    pub(super) hooks: Option<Turn>,
    pub(super) transcript: Option<Turn>,
    /// The process has just come to rest, and the end of its turn may be on its
    /// way into the transcript: what is shown should not run ahead of it.
    pub(super) settling: bool,
    /// Dialogs that wait at the live door.
    pub(super) live_dialogs: usize,
    /// Dialogs in the transcript that have no outcome.
    pub(super) open_dialogs: usize,
    /// Somebody has said something in this conversation, or is about to.
    pub(super) spoken: bool,
    /// Agents that work beside the turn and have not reported.
    pub(super) background: BTreeSet<String>,
    /// When the process began, as RFC 3339 in UTC. What an earlier process left
    /// in the background ended with it, and nothing ever reports that.
    pub(super) process_since: Option<String>,
}

impl StateFacts {
    pub(super) fn state(&self) -> RunState {
        if self.ended {
            return RunState::Ended;
        }
        if self.live_dialogs > 0 {
            return RunState::Question;
        }
        match self.registry {
            Some(Activity::Waiting) => RunState::Question,
            Some(Activity::Busy) if self.open_dialogs > 0 => RunState::Question,
            Some(Activity::Busy) => RunState::Working,
            Some(Activity::Idle) if self.settling && self.transcript == Some(Turn::Working) => {
                RunState::Working
            }
            Some(Activity::Idle) => self.rest(),
            Some(Activity::Starting) | None => self.without_registry(),
        }
    }

    fn without_registry(&self) -> RunState {
        if self.open_dialogs > 0 {
            return RunState::Question;
        }
        match self.hooks.or(self.transcript) {
            Some(Turn::Working) => RunState::Working,
            Some(Turn::Over) | None => self.rest(),
        }
    }

    fn rest(&self) -> RunState {
        if !self.background.is_empty() {
            return RunState::Working;
        }
        if self.spoken { RunState::NeedsInput } else { RunState::Idle }
    }

    /// How many dialogs of the transcript really wait: an idle process waits
    /// for none, whatever its transcript left open.
    pub(super) fn pending_dialogs(&self) -> usize {
        let waits = !self.ended && self.registry != Some(Activity::Idle);
        if waits { self.open_dialogs } else { 0 }
    }

    pub(super) fn take_signal(&mut self, signal: &SignalKind) {
        match signal {
            SignalKind::PromptSubmitted { .. } => {
                self.hooks = Some(Turn::Working);
                self.spoken = true;
                // The CLI waits for this hook before it begins, and writes its
                // list afterwards: an idle entry is of before the prompt.
                if self.registry == Some(Activity::Idle) {
                    self.registry = None;
                }
            }
            SignalKind::ToolStarting { .. } => {
                self.hooks = Some(Turn::Working);
                self.spoken = true;
            }
            SignalKind::TurnEnded | SignalKind::TurnFailed { .. } => self.hooks = Some(Turn::Over),
            // A process that has just begun has nothing in the background yet.
            SignalKind::ConversationStarted {
                reason: StartReason::Startup | StartReason::Resume,
                ..
            } => self.background.clear(),
            SignalKind::DialogRaised { .. }
            | SignalKind::ConversationStarted { .. }
            | SignalKind::ConversationEnded { .. }
            | SignalKind::ToolEnded { .. }
            | SignalKind::Notified { .. }
            | SignalKind::TextDelta { .. }
            | SignalKind::Unknown { .. } => {}
        }
    }

    pub(super) fn take_fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Prompt(_) | Fact::TurnGoesOn => {
                self.transcript = Some(Turn::Working);
                self.spoken = true;
            }
            Fact::TurnEnded => {
                self.transcript = Some(Turn::Over);
                self.spoken = true;
            }
            Fact::Interrupted => {
                // No hook tells of an interrupt, so the record overrides the last one.
                self.transcript = Some(Turn::Over);
                self.hooks = Some(Turn::Over);
            }
            Fact::BackgroundStarted { id, time } => {
                // Times of one form and one zone order like their text.
                let is_of_before = match (time, &self.process_since) {
                    (Some(time), Some(since)) => time < since,
                    _ => false,
                };
                if !is_of_before {
                    self.background.insert(id.clone());
                }
            }
            Fact::BackgroundEnded { id } => {
                self.background.remove(id);
            }
            Fact::ToolEnded(_)
            | Fact::Abandoned { .. }
            | Fact::CliQueued { .. }
            | Fact::CliReturned { .. }
            | Fact::Usage(_)
            | Fact::Title(_)
            | Fact::Model(_)
            | Fact::PermissionMode(_)
            | Fact::Branch(_)
            | Fact::Decided { .. }
            | Fact::Blocked(_)
            | Fact::UnknownRecord(_) => {}
        }
    }

    /// A new conversation began in the same process.
    pub(super) fn new_epoch(&mut self) {
        self.transcript = None;
        self.hooks = None;
        self.open_dialogs = 0;
        self.spoken = false;
        self.background.clear();
    }
}

/// What a turn leaves without a result gets none any more. One that stands behind
/// the end in the record, out of order, still counts.
pub(super) fn ends_turn(fact: &Fact) -> bool {
    matches!(fact, Fact::TurnEnded | Fact::Interrupted)
}

#[cfg(test)]
mod tests;
