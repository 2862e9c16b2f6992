//! The state of a run, folded from facts. Pure.
//!
//! Precedence, strongest first: the process is gone; a dialog is open; what
//! the CLI's own list of live processes says; what its hooks said; what the
//! transcript shows. A weaker source speaks only while the stronger ones are
//! silent, so a late hook or an echo in the transcript can't move a state that
//! the CLI itself has told.

use std::collections::BTreeSet;

use crate::schema::RunState;
use crate::seam::{Activity, Fact, SignalKind};

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
        match self.registry {
            Some(Activity::Waiting) => RunState::Question,
            Some(Activity::Busy) if self.open_dialogs > 0 => RunState::Question,
            Some(Activity::Busy) => RunState::Working,
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

    /// How many dialogs really wait: an idle process waits for none, whatever
    /// its transcript left open.
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
            SignalKind::ConversationStarted { .. }
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
            | Fact::Usage(_)
            | Fact::Title(_)
            | Fact::Model(_)
            | Fact::PermissionMode(_)
            | Fact::Branch(_)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seam::PromptMark;

    fn prompt() -> Fact {
        Fact::Prompt(PromptMark { text: "x".into(), block: 0 })
    }

    #[test]
    fn a_fresh_run_is_idle_until_somebody_speaks() {
        let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
        assert_eq!(facts.state(), RunState::Idle);
        facts.take_fact(&prompt());
        facts.take_fact(&Fact::TurnEnded);
        assert_eq!(facts.state(), RunState::NeedsInput);
    }

    #[test]
    fn a_prompt_ends_the_rest_before_the_list_of_processes_says_so() {
        let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
        facts.take_signal(&SignalKind::PromptSubmitted { text: "x".into() });
        assert_eq!(facts.state(), RunState::Working);
    }

    #[test]
    fn a_late_hook_cannot_overrule_what_the_cli_says_of_itself() {
        let mut facts = StateFacts { registry: Some(Activity::Busy), ..Default::default() };
        facts.take_signal(&SignalKind::TurnEnded);
        assert_eq!(facts.state(), RunState::Working);
    }

    #[test]
    fn an_interrupt_ends_the_turn_although_no_hook_tells_of_it() {
        let mut facts = StateFacts::default();
        facts.take_signal(&SignalKind::PromptSubmitted { text: "x".into() });
        assert_eq!(facts.state(), RunState::Working);
        facts.take_fact(&Fact::Interrupted);
        assert_eq!(facts.state(), RunState::NeedsInput);
    }

    #[test]
    fn a_process_that_waits_is_a_question_even_if_nobody_knows_the_dialog() {
        let facts = StateFacts { registry: Some(Activity::Waiting), ..Default::default() };
        assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::Question, 0));
    }

    #[test]
    fn a_dialog_left_open_in_the_transcript_of_an_idle_process_is_not_pending() {
        let mut facts = StateFacts { open_dialogs: 1, spoken: true, ..Default::default() };
        assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::Question, 1));
        facts.registry = Some(Activity::Idle);
        assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::NeedsInput, 0));
    }

    #[test]
    fn the_end_of_the_process_wins_over_everything() {
        let facts = StateFacts {
            ended: true,
            registry: Some(Activity::Busy),
            hooks: Some(Turn::Working),
            transcript: Some(Turn::Working),
            open_dialogs: 3,
            spoken: true,
            background: ["a1".to_owned()].into(),
            process_since: None,
        };
        assert_eq!((facts.state(), facts.pending_dialogs()), (RunState::Ended, 0));
    }

    fn started(id: &str, time: &str) -> Fact {
        Fact::BackgroundStarted { id: id.into(), time: Some(time.into()) }
    }

    #[test]
    fn an_agent_in_the_background_keeps_an_idle_process_working_until_it_reports() {
        let mut facts = StateFacts { registry: Some(Activity::Idle), ..Default::default() };
        facts.take_fact(&prompt());
        facts.take_fact(&started("a1", "2026-01-05T10:00:00.000Z"));
        facts.take_fact(&started("a2", "2026-01-05T10:00:00.000Z"));
        facts.take_fact(&Fact::TurnEnded);
        assert_eq!(facts.state(), RunState::Working);
        facts.take_fact(&Fact::BackgroundEnded { id: "a1".into() });
        facts.take_fact(&Fact::BackgroundEnded { id: "a-shell".into() });
        assert_eq!(facts.state(), RunState::Working);
        facts.take_fact(&Fact::BackgroundEnded { id: "a2".into() });
        assert_eq!(facts.state(), RunState::NeedsInput);
    }

    #[test]
    fn an_agent_in_the_background_hides_no_dialog_and_no_new_conversation() {
        let mut facts = StateFacts { registry: Some(Activity::Waiting), ..Default::default() };
        facts.take_fact(&started("a1", "2026-01-05T10:00:00.000Z"));
        assert_eq!(facts.state(), RunState::Question);
        facts.new_epoch();
        facts.registry = Some(Activity::Idle);
        assert_eq!(facts.state(), RunState::Idle);
    }

    #[test]
    fn what_an_earlier_process_left_in_the_background_is_gone() {
        let since = Some("2026-01-05T11:00:00.000Z".to_owned());
        let mut facts = StateFacts {
            registry: Some(Activity::Idle),
            process_since: since,
            spoken: true,
            ..Default::default()
        };
        facts.take_fact(&started("lost", "2026-01-05T10:00:00.000Z"));
        assert_eq!(facts.state(), RunState::NeedsInput);
        facts.take_fact(&started("alive", "2026-01-05T11:00:00.001Z"));
        assert_eq!(facts.state(), RunState::Working);
    }
}
