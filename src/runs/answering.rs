//! Dialogs that wait at the live door, and what became of the answers, whatever
//! way they went.
//!
//! The door races the terminal's own dialog. An answer is written down before
//! it is handed over, and it is proven only by the CLI's own record: when that
//! says something else, both are shown.

mod held;
mod proof;
mod talk;

use tracing::{info, warn};

use crate::schema::{Dialog, DialogKind, Door, Receipt, ReceiptKind, ReceiptStatus, Response};
use crate::seam::{Activity, SeamError, SignalKind};
use crate::signals::Asker;

use super::actor::Actor;
use super::error::RunError;
use super::now;
use super::outbox;
use super::wall::epoch_millis;

pub(super) use held::{Answered, Answering};

use held::Raised;

impl Actor {
    pub(super) fn raise(&mut self, payload: Vec<u8>, asker: Asker) {
        let signal = self.provider.live().and_then(|live| live.signal(&payload));
        let Some((SignalKind::DialogRaised { mut dialog, mark }, agent)) =
            signal.map(|it| (it.kind, it.agent))
        else {
            warn!("A hook asks something that is no dialog");
            return;
        };
        let call = self.answering.call_of(mark).or_else(|| self.same_in_transcript(&dialog, mark));
        dialog.id = match call {
            Some(call) => call,
            // Of a subagent, perhaps, whose calls stand elsewhere.
            None if self.facts.registry == Some(Activity::Waiting) => format!("door-{}", asker.id),
            None => {
                info!("A hook asks again what was answered while we were away");
                return; // Dropping the asker tells it so.
            }
        };
        if let Some(agent) = agent {
            dialog.title = format!("{} (subagent {agent})", dialog.title);
        }
        info!(dialog.id = dialog.id, dialog.kind = ?dialog.kind, "A dialog waits at the door");
        self.answering.settled(&dialog.id);
        self.asked_again(&dialog.id);
        self.answering.note_seen(&dialog.id);
        self.answering.raised.push(Raised { dialog: *dialog, payload, asker, at: epoch_millis() });
        self.read_transcript();
    }

    /// The call that the transcript has for a dialog which is asked again.
    fn same_in_transcript(&self, raised: &Dialog, mark: u64) -> Option<String> {
        let live = self.provider.live()?;
        let texts = |it: &Dialog| -> Vec<String> {
            it.questions.iter().map(|question| question.text.clone()).collect()
        };
        let dialogs = self.tools.hub.open_dialogs(&self.row.id).into_iter().filter(|open| {
            let plan = open.kind == DialogKind::Plan;
            open.kind == raised.kind && (plan || texts(open) == texts(raised))
        });
        let calls = self.tools.hub.running_calls(&self.row.id).into_iter();
        let calls = calls.filter(|call| live.mark(&call.name, &call.input) == mark);
        let mut known = dialogs.map(|it| it.id).chain(calls.map(|it| it.call_id));
        known.find(|id| !self.answering.has(id))
    }

    /// Answers through the door. Everything is checked before the first effect.
    pub(super) async fn answer(
        &mut self,
        dialog_id: &str,
        response: Response,
        client_id: Option<String>,
        by: &str,
    ) -> Result<Receipt, RunError> {
        if let Some(known) = self.sent_before(client_id.as_deref()).await? {
            return Ok(known);
        }
        let Some(at) = self.answering.raised.iter().position(|it| it.dialog.id == dialog_id) else {
            return self.answer_by_keys(dialog_id, response, client_id, by).await;
        };
        let live = self.provider.live().ok_or(RunError::Seam(SeamError::NotAnswerable))?;
        let output = live.decide(&self.answering.raised[at].payload, &response)?;
        let mut receipt = outbox::receipt(ReceiptKind::Answer, by, now(), client_id);
        receipt.door = Door::Live;
        receipt.dialog_id = Some(dialog_id.to_owned());
        self.write_down(&receipt, &self.answering.raised[at].dialog, &response).await?;
        let Raised { dialog, asker, .. } = self.answering.raised.remove(at);
        if !asker.answer(output) {
            return Err(RunError::NoDialog);
        }
        receipt.status = ReceiptStatus::Typed;
        self.publish_receipts(vec![receipt.clone()]);
        self.answering.answered(Answered::new(receipt.clone(), dialog, response));
        Ok(receipt)
    }

    pub(super) fn no_such_dialog(&self, dialog_id: &str) -> RunError {
        let open = self.pending_now();
        match open.first() {
            None => RunError::NoDialog,
            Some(_) if open.iter().any(|it| it.id == dialog_id) => {
                RunError::Seam(SeamError::NotAnswerable)
            }
            Some(current) => RunError::DialogChanged { current: Box::new(current.clone()) },
        }
    }
}

#[cfg(test)]
mod tests;
