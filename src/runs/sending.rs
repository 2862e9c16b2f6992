//! What a person sends: replies and interrupts, each with its receipt.

use crate::schema::{Receipt, ReceiptKind, ReceiptStatus, RunState};
use crate::seam::Activity;

use super::actor::Actor;
use super::error::RunError;
use super::now;
use super::outbox::{self, Held};

/// How many sent things are known by their sender's own id.
const SENT_KEPT: usize = 500;

impl Actor {
    pub(super) fn hold_reply(
        &mut self,
        text: &str,
        client_id: Option<String>,
        by: &str,
    ) -> Result<Receipt, RunError> {
        if let Some(known) = self.sent_before(client_id.as_deref()) {
            return Ok(known);
        }
        let plan = self.provider.reply(text)?;
        let receipt = outbox::receipt(ReceiptKind::Reply, by, now(), client_id.clone());
        let when_idle = plan.recorded_as.starts_with('/');
        self.outbox.hold(Held { receipt: receipt.clone(), text: text.to_owned(), plan, when_idle });
        self.publish_receipts(vec![receipt.clone()]);
        self.remember(&receipt);
        Ok(receipt)
    }

    /// The receipt of the same thing sent before, by a page that did not see
    /// our answer and sent it again.
    pub(super) fn sent_before(&self, client_id: Option<&str>) -> Option<Receipt> {
        let (_, receipt) =
            self.reported.iter().find(|(known, _)| Some(known.as_str()) == client_id)?;
        let newest = self.tools.hub.receipt(&self.row.id, &receipt.id);
        Some(newest.unwrap_or_else(|| receipt.clone()))
    }

    pub(super) fn remember(&mut self, receipt: &Receipt) {
        let Some(client_id) = &receipt.client_id else { return };
        self.reported.push((client_id.clone(), receipt.clone()));
        if self.reported.len() > SENT_KEPT {
            self.reported.remove(0);
        }
    }

    pub(super) fn interrupt(&mut self, by: &str) -> Receipt {
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
}
