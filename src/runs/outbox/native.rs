//! Texts that the CLI took and holds in its own queue.

use tokio::time::Instant;

use crate::schema::ReceiptStatus;

use super::{Outbox, RECORD_LIMIT, Typed};

impl Outbox {
    /// The CLI is idle, so it holds nothing back any more: what it took has to be in
    /// its record soon, or was dropped. Not every version says that it drops something.
    pub(in crate::runs) fn cli_rests(&mut self, now: Instant) {
        for typed in self.typed.iter_mut().filter(|it| it.deadline.is_none()) {
            typed.deadline = Some(now + RECORD_LIMIT);
        }
    }

    /// It works again, on one of those texts perhaps: the others wait on.
    pub(in crate::runs) fn cli_works(&mut self) {
        let held = |it: &&mut Typed| it.receipt.status == ReceiptStatus::Queued;
        for typed in self.typed.iter_mut().filter(held) {
            typed.deadline = None;
        }
    }
}
