//! An interrupt that was asked for and is not proven.

use std::time::Duration;

use tokio::time::Instant;

use crate::schema::Receipt;

use super::Outbox;

/// An agent that is told to stop does so in this time, unless it was told in
/// the moment in which it began with something.
const STOP_LIMIT: Duration = Duration::from_secs(3);

/// How often the key is pressed.
const PRESSES: usize = 3;

pub(super) struct Interrupting {
    pub(super) receipt: Receipt,
    /// When to look whether it stopped.
    pub(super) look: Instant,
    presses: usize,
}

impl Interrupting {
    pub(super) fn new(receipt: Receipt, now: Instant) -> Self {
        Self { receipt, look: now + STOP_LIMIT, presses: 1 }
    }
}

impl Outbox {
    pub(in crate::runs) fn take_interrupt(&mut self) -> Option<Receipt> {
        self.interrupt.take().map(|it| it.receipt)
    }

    pub(in crate::runs) fn awaited_interrupt(&self) -> Option<&Receipt> {
        self.interrupt.as_ref().map(|it| &it.receipt)
    }

    /// Whether an interrupt should have had its effect by now, and may be tried
    /// once more. It is looked at again later in any case.
    pub(in crate::runs) fn interrupt_due(&mut self, now: Instant) -> Option<bool> {
        let interrupt = self.interrupt.as_mut().filter(|it| it.look <= now)?;
        interrupt.look = now + STOP_LIMIT;
        interrupt.presses += 1;
        Some(interrupt.presses <= PRESSES)
    }
}
