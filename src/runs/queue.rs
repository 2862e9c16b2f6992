//! The held replies of a run: one queue for all devices. Pure.
//!
//! Each entry goes out once, in its order, and only when nothing speaks against
//! it. What waits for a person (another conversation, a doubt) stands aside and
//! lets the others pass; a command of the CLI lets nothing pass, since it may
//! change what the rest is said to.

use crate::schema::{HoldCause, QueuedReply, Receipt, ReceiptStatus, SendWhen};
use crate::seam::{BlockCause, ReplyPlan};
use crate::store::{Phase, ReplyRow};

use super::blocked;

/// A reply that waits for the CLI to be able to take it.
#[derive(Clone)]
pub(super) struct Held {
    pub receipt: Receipt,
    pub text: String,
    pub plan: ReplyPlan,
    pub when: SendWhen,
    /// Sent also over a person's draft, which is set aside.
    pub force: bool,
    /// The conversation that it is meant for, if that matters.
    pub epoch: Option<String>,
    pub cause: HoldCause,
    /// It may have been sent in another life of ours.
    pub in_doubt: bool,
}

impl Held {
    /// As the database keeps it.
    pub(super) fn row(&self, phase: Phase, process: &str) -> ReplyRow {
        ReplyRow {
            id: self.receipt.id.clone(),
            when: self.when,
            force: self.force,
            epoch: self.epoch.clone(),
            phase,
            process: process.to_owned(),
            after: None,
        }
    }
}

/// What speaks for and against sending, at one moment.
pub(super) struct Moment<'a> {
    /// Nothing may be typed at all.
    pub obstacle: Option<Wait>,
    pub at_rest: bool,
    /// Nothing is being typed, and nothing typed may still stand in the composer.
    pub is_free: bool,
    /// Everything that was typed is proven.
    pub is_quiet: bool,
    /// A person's draft stands in the composer, and whether it can be set aside.
    pub draft: Option<bool>,
    /// The model would only answer with an error.
    pub blocked: Option<BlockCause>,
    pub epoch: &'a str,
}

/// A change that a person makes to the queue.
#[derive(Clone, Debug, Default)]
pub struct QueueEdit {
    pub text: Option<String>,
    pub when: Option<SendWhen>,
    /// Before which entry it goes; `Some(None)` is the end.
    pub before: Option<Option<String>>,
}

#[derive(Clone, Default)]
pub(super) struct Queue(Vec<Held>);

type Wait = (HoldCause, &'static str);

impl Queue {
    pub(super) fn push(&mut self, held: Held) {
        self.0.push(held);
    }

    /// Back at its old place, the front: it was not sent.
    pub(super) fn put_back(&mut self, held: Held) {
        self.0.insert(0, held);
    }

    /// Back at its old place, since it could not be written down. The receipt, if that says something new.
    pub(super) fn put_back_unsaved(&mut self, mut held: Held) -> Option<Receipt> {
        held.cause = HoldCause::Storage;
        held.receipt.status = ReceiptStatus::Queued;
        let before = held.receipt.detail.replace(UNSAVED.to_owned());
        let receipt = (before.as_deref() != Some(UNSAVED)).then(|| held.receipt.clone());
        self.put_back(held);
        receipt
    }

    /// Whether a command is among them, so that what is said next may be said
    /// in another conversation.
    pub(super) fn has_command(&self) -> bool {
        self.0.iter().any(|it| it.plan.is_command)
    }

    pub(super) fn published(&self) -> Vec<QueuedReply> {
        self.0
            .iter()
            .map(|held| QueuedReply {
                id: held.receipt.id.clone(),
                text: held.text.clone(),
                when: held.when,
                cause: held.cause,
                reason: held.receipt.detail.clone().unwrap_or_default(),
                by: held.receipt.by.clone(),
                at: held.receipt.at.clone(),
            })
            .collect()
    }

    /// All of them as the database keeps them, in their order.
    pub(super) fn rows(&self, process: &str) -> Vec<(ReplyRow, String)> {
        self.0.iter().map(|it| (it.row(Phase::Held, process), it.text.clone())).collect()
    }

    pub(super) fn first(&self) -> Option<&Held> {
        self.0.first()
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Held> {
        self.0.iter_mut().find(|it| it.receipt.id == id)
    }

    pub(super) fn remove(&mut self, id: &str) -> Option<Held> {
        let at = self.0.iter().position(|it| it.receipt.id == id)?;
        Some(self.0.remove(at))
    }

    /// False if there is no such place.
    pub(super) fn move_before(&mut self, id: &str, before: Option<&str>) -> bool {
        let place = |queue: &Self, id: &str| queue.0.iter().position(|it| it.receipt.id == id);
        if before == Some(id) || before.is_some_and(|it| place(self, it).is_none()) {
            return false;
        }
        let Some(held) = self.remove(id) else { return false };
        let at = before.and_then(|it| place(self, it)).unwrap_or(self.0.len());
        self.0.insert(at, held);
        true
    }

    /// The entry that may go out now.
    pub(super) fn next(&self, moment: &Moment<'_>) -> Option<&Held> {
        let waits = self.weigh(moment);
        self.0.iter().zip(waits).find(|(_, wait)| wait.is_none()).map(|(held, _)| held)
    }

    /// Says of each why it waits. The receipts of which that changed.
    pub(super) fn explain(&mut self, moment: &Moment<'_>) -> Vec<Receipt> {
        let waits: Vec<_> = self.weigh(moment);
        let mut changed = Vec::new();
        for (held, wait) in self.0.iter_mut().zip(waits) {
            let Some((cause, reason)) = wait else { continue };
            held.cause = cause;
            if held.receipt.detail.as_deref() != Some(reason) {
                held.receipt.status = ReceiptStatus::Queued;
                held.receipt.detail = Some(reason.to_owned());
                changed.push(held.receipt.clone());
            }
        }
        changed
    }

    /// Why each entry waits; at most one does not.
    fn weigh(&self, moment: &Moment<'_>) -> Vec<Option<Wait>> {
        let (mut taken, mut behind_command) = (false, false);
        let mut weigh = |held: &Held| {
            if held.in_doubt {
                return Some((HoldCause::Doubt, IN_DOUBT));
            }
            if held.epoch.as_deref().is_some_and(|it| it != moment.epoch) {
                return Some((HoldCause::Epoch, OTHER_EPOCH));
            }
            let wait = match moment.obstacle {
                Some(obstacle) => Some(obstacle),
                None if behind_command => Some((HoldCause::Order, BEHIND_COMMAND)),
                None => wait_of(held, moment),
            };
            behind_command |= held.plan.is_command;
            match wait {
                None if taken => Some((HoldCause::Order, ONE_BY_ONE)),
                None => {
                    taken = true;
                    None
                }
                wait => wait,
            }
        };
        self.0.iter().map(&mut weigh).collect()
    }

    pub(super) fn take_all(&mut self) -> Vec<Receipt> {
        std::mem::take(&mut self.0).into_iter().map(|it| it.receipt).collect()
    }
}

/// Why this one waits, whatever stands before it.
fn wait_of(held: &Held, moment: &Moment<'_>) -> Option<Wait> {
    let is_done = moment.at_rest && moment.is_quiet && moment.is_free;
    if held.plan.is_command && !is_done {
        return Some((HoldCause::Turn, COMMAND));
    }
    if held.when == SendWhen::AfterTurn && !is_done {
        return Some((HoldCause::Turn, AFTER_TURN));
    }
    if held.when == SendWhen::AfterTurn
        && !held.plan.is_command
        && let Some(cause) = moment.blocked
    {
        return Some(blocked::wait(cause));
    }
    if !moment.is_free {
        return Some((HoldCause::Order, ONE_BY_ONE));
    }
    match moment.draft {
        Some(false) if held.force => Some((HoldCause::Draft, DRAFT_STAYS)),
        Some(_) if !held.force => Some((HoldCause::Draft, DRAFT)),
        _ => None,
    }
}

const UNSAVED: &str =
    "It cannot be written down now: the disk is full, or broken. It is sent when that is over.";
const ONE_BY_ONE: &str = "It is sent when what was sent before it is done.";
const BEHIND_COMMAND: &str = "It is sent after the command before it.";
const COMMAND: &str = "A command is sent when the agent is at rest.";
const AFTER_TURN: &str = "It is sent when the agent is at rest.";
const DRAFT: &str = "Somebody's draft stands in the terminal. It is sent when that is gone; or send it anyway, and the draft comes back afterwards.";
const DRAFT_STAYS: &str =
    "Somebody's draft stands in the terminal and can't be set aside. It is sent when that is gone.";
const OTHER_EPOCH: &str =
    "It was meant for the conversation before this one. Send it here, or take it out of the queue.";
const IN_DOUBT: &str = "seamux stopped while this was being typed, and the agent has no record of it. Look at the terminal, then send it or take it out of the queue.";

#[cfg(test)]
mod tests;
