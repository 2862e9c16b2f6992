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
        match self.provider.interrupt(activity) {
            Ok(recipe) => self.outbox.play(recipe, Some(receipt.clone())),
            Err(error) => {
                receipt.status = ReceiptStatus::Failed;
                receipt.detail = Some(format!("Not interrupted: {error}."));
            }
        }
        self.publish_receipts(vec![receipt.clone()]);
        receipt
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

    /// The CLI is idle and recorded no mark: it was interrupted before its
    /// first word, and the prompt stands in the composer again.
    pub(super) fn finish_early_interrupt(&mut self) {
        let unanswered = match &self.last_prompt {
            Some((prompt, false)) => Some(prompt.clone()),
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
