//! A person tells the agent to stop.
//!
//! The key is pressed only while the agent is busy, since at rest it would do
//! something else. One that comes in the very moment in which a tool begins can
//! be lost, so it is looked after until the agent has stopped.

use tokio::time::Instant;
use tracing::debug;

use crate::schema::{Receipt, ReceiptKind, ReceiptStatus, RunState};
use crate::seam::Activity;

use super::actor::Actor;
use super::now;
use super::outbox;
use super::state::Turn;

impl Actor {
    pub(super) fn interrupt(&mut self, by: &str) -> Receipt {
        if let Some(pending) = self.outbox.awaited_interrupt() {
            return pending.clone(); // It stops already.
        }
        let mut receipt = outbox::receipt(ReceiptKind::Interrupt, by, now(), None);
        let working = self.facts.state() == RunState::Working;
        let activity = match self.facts.registry {
            Some(activity) => activity,
            None if working => Activity::Busy,
            None => Activity::Idle,
        };
        if activity == Activity::Waiting && self.stands_at_the_answered() {
            self.outbox.hold_interrupt(receipt.clone(), Instant::now());
        } else {
            receipt = self.press_interrupt(receipt, activity);
        }
        self.publish_receipts(vec![receipt.clone()]);
        receipt
    }

    fn press_interrupt(&mut self, mut receipt: Receipt, activity: Activity) -> Receipt {
        match self.provider.interrupt(activity) {
            Ok(recipe) => self.outbox.play(recipe, Some(receipt.clone())),
            Err(error) => {
                receipt.status = ReceiptStatus::Failed;
                receipt.detail = Some(format!("Not interrupted: {error}."));
            }
        }
        receipt
    }

    /// The CLI waits, and all that it asked has been answered here: it goes on in
    /// a moment, and at its dialog the key would mean something else.
    fn stands_at_the_answered(&self) -> bool {
        self.facts.live_dialogs == 0 && !self.has_unanswered() && self.was_just_answered()
    }

    /// Presses the key that was held back, once the CLI has left its dialog.
    pub(super) fn release_interrupt(&mut self) {
        let Some(too_long) = self.outbox.held_interrupt(Instant::now()) else { return };
        let activity = match self.facts.registry {
            Some(Activity::Waiting) if self.stands_at_the_answered() && !too_long => return,
            activity => activity.unwrap_or(Activity::Busy),
        };
        if activity == Activity::Idle {
            return self.prove_interrupt(Some("The turn was over."));
        }
        let Some(receipt) = self.outbox.take_interrupt() else { return };
        let receipt = self.press_interrupt(receipt, activity);
        self.publish_receipts(vec![receipt]);
    }

    /// Presses the key again while the agent is still busy with the same turn.
    pub(super) fn look_after_interrupt(&mut self) {
        let Some(again) = self.outbox.interrupt_due(Instant::now()) else { return };
        if self.facts.registry != Some(Activity::Busy) || self.facts.live_dialogs > 0 {
            return;
        }
        match self.provider.interrupt(Activity::Busy) {
            Ok(recipe) if again => {
                debug!("The agent is still busy; interrupted again");
                self.outbox.play(recipe, None);
            }
            _ => {
                let receipt = self.outbox.take_interrupt();
                let why = "The agent did not stop. Look at the terminal.";
                let failed = receipt.map(|it| outbox::failed(it, why));
                self.publish_receipts(failed.into_iter().collect());
            }
        }
    }

    /// The CLI is idle and recorded no mark in time: it was interrupted before its
    /// first word, and the prompt stands in the composer again.
    pub(super) fn finish_early_interrupt(&mut self) {
        let unanswered = match &self.last_prompt {
            Some((prompt, false)) => Some(prompt.clone()),
            // A turn that had begun and has no end on record: its mark is on the way.
            _ if self.facts.transcript == Some(Turn::Working) => {
                self.early_interrupt = self.outbox.mark_by(Instant::now());
                if self.early_interrupt.is_some() {
                    return;
                }
                None
            }
            _ => None,
        };
        let detail = match unanswered {
            Some(prompt) => {
                self.outbox.play(self.provider.withdraw(&prompt), None);
                "The agent had not begun to answer."
            }
            None => "The turn was over.",
        };
        self.prove_interrupt(Some(detail));
    }

    pub(super) fn prove_interrupt(&mut self, detail: Option<&str>) {
        if let Some(mut receipt) = self.outbox.take_interrupt() {
            receipt.status = ReceiptStatus::Recorded;
            receipt.detail = detail.map(Into::into);
            self.publish_receipts(vec![receipt]);
        }
    }
}
