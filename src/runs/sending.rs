//! What a person says, and changes about it while it is held.

use crate::schema::{HoldCause, Receipt, ReceiptKind, SendWhen};

use super::actor::Actor;
use super::error::RunError;
use super::now;
use super::outbox::{self, failed};
use super::queue::{Held, Queue, QueueEdit};

/// A text for the agent, and how it is to be sent.
#[derive(Clone, Debug, Default)]
pub struct NewReply {
    pub text: String,
    /// The sender's own id for it: the same one twice is one reply.
    pub client_id: Option<String>,
    pub when: SendWhen,
    /// Also over a person's draft, which is set aside.
    pub force: bool,
}

/// What a person does with the queue.
#[derive(Clone, Debug)]
pub enum QueueChange {
    Edit(QueueEdit),
    Cancel,
}

impl Actor {
    /// Takes a reply. Once this is `Ok`, it outlives us.
    pub(super) async fn hold_reply(
        &mut self,
        new: NewReply,
        by: &str,
    ) -> Result<Receipt, RunError> {
        if let Some(known) = self.sent_before(new.client_id.as_deref()).await? {
            return Ok(known);
        }
        let plan = self.provider.reply(&new.text)?;
        let receipt = outbox::receipt(ReceiptKind::Reply, by, now(), new.client_id);
        // What is sent behind a command may be meant for the conversation that
        // the command opens.
        let free = self.queue.has_command() || self.outbox.awaits_command();
        let held = Held {
            receipt: receipt.clone(),
            text: new.text,
            plan,
            when: new.when,
            force: new.force,
            epoch: (!free).then(|| self.epoch.clone()),
            cause: HoldCause::Order,
            in_doubt: false,
        };
        self.book(&held).await?;
        self.queue.push(held);
        self.show_receipts(vec![receipt.clone()]);
        Ok(receipt)
    }

    /// The same, in front of what is held already.
    pub(super) async fn hold_first(&mut self, new: NewReply, by: &str) -> Result<(), RunError> {
        let first = self.queue.first().map(|it| it.receipt.id.clone());
        let held = self.hold_reply(new, by).await?;
        if let Some(first) = first
            && self.queue.move_before(&held.id, Some(&first))
        {
            self.save_queue().await?;
        }
        Ok(())
    }

    /// The receipt of the same thing sent before, by a page that did not see
    /// our answer and sent it again.
    pub(super) async fn sent_before(
        &self,
        client_id: Option<&str>,
    ) -> Result<Option<Receipt>, RunError> {
        let Some(client_id) = client_id else { return Ok(None) };
        let known = self.tools.hub.receipt_of(&self.row.id, client_id);
        if known.is_some() {
            return Ok(known);
        }
        Ok(self.tools.store.receipt_of(self.row.id.clone(), client_id.to_owned()).await?)
    }

    /// Changes a reply that is still held.
    pub(super) async fn change_queue(
        &mut self,
        entry: &str,
        change: QueueChange,
        by: &str,
    ) -> Result<Receipt, RunError> {
        if self.queue.get_mut(entry).is_none() {
            let run = self.row.id.clone();
            let known = match self.tools.hub.receipt(&run, entry) {
                Some(known) => Some(known),
                None => self.tools.store.receipt(run, entry.to_owned()).await?,
            };
            return Err(match known {
                Some(receipt) if receipt.kind == ReceiptKind::Reply => RunError::AlreadySent,
                _ => RunError::NoEntry(entry.to_owned()),
            });
        }
        match change {
            QueueChange::Cancel => {
                let before = self.queue.clone();
                let held = self.queue.remove(entry).ok_or(RunError::AlreadySent)?;
                self.save_queue_or(before).await?;
                let receipt = failed(held.receipt, &format!("Taken out of the queue ({by})."));
                self.publish_receipts(vec![receipt.clone()]);
                Ok(receipt)
            }
            QueueChange::Edit(edit) => self.edit_queue(entry, edit).await,
        }
    }

    async fn edit_queue(&mut self, entry: &str, edit: QueueEdit) -> Result<Receipt, RunError> {
        let plan = edit.text.as_deref().map(|text| self.provider.reply(text)).transpose()?;
        let (epoch, now) = (self.epoch.clone(), edit.when == Some(SendWhen::Now));
        let unchanged = self.queue.clone();
        if let Some(before) = &edit.before
            && !self.queue.move_before(entry, before.as_deref())
        {
            return Err(RunError::NoEntry(before.clone().unwrap_or_default()));
        }
        let held = self.queue.get_mut(entry).ok_or(RunError::AlreadySent)?;
        if let (Some(text), Some(plan)) = (edit.text, plan) {
            (held.text, held.plan) = (text, plan);
        }
        held.when = edit.when.unwrap_or(held.when);
        if now {
            // A person looked and says: here, and now.
            match held.cause {
                HoldCause::Epoch => held.epoch = Some(epoch),
                HoldCause::Doubt => held.in_doubt = false,
                HoldCause::Draft => held.force = true,
                _ => {}
            }
        }
        let receipt = held.receipt.clone();
        self.save_queue_or(unchanged).await?;
        Ok(receipt)
    }

    /// What cannot be written down is not done.
    async fn save_queue_or(&mut self, before: Queue) -> Result<(), RunError> {
        let saved = self.save_queue().await;
        if saved.is_err() {
            self.queue = before;
        }
        Ok(saved?)
    }
}
