//! An interrupt that was asked for and is not proven.

use std::time::Duration;

use tokio::time::Instant;

use crate::schema::Receipt;

use super::Outbox;

/// An agent that is told to stop does so in this time, unless it was told in
/// the moment in which it began with something.
const STOP_LIMIT: Duration = Duration::from_secs(3);

/// A busy machine writes the mark of an interrupt this late.
const MARK_LIMIT: Duration = Duration::from_secs(5);

/// How often the key is pressed.
const PRESSES: usize = 3;

pub(super) struct Interrupting {
    pub(super) receipt: Receipt,
    /// When to look whether it stopped.
    pub(super) look: Instant,
    /// Until when the record may still tell of it.
    mark_by: Instant,
    /// None yet, while an answered dialog is on its way off the screen.
    presses: usize,
}

impl Interrupting {
    pub(super) fn new(receipt: Receipt, now: Instant) -> Self {
        Self { receipt, look: now + STOP_LIMIT, mark_by: now + MARK_LIMIT, presses: 1 }
    }
}

impl Outbox {
    /// For an agent that still stands at a dialog that was just answered.
    pub(in crate::runs) fn hold_interrupt(&mut self, receipt: Receipt, now: Instant) {
        self.interrupt = Some(Interrupting { presses: 0, ..Interrupting::new(receipt, now) });
    }

    /// Whether an interrupt is held, and if so, whether it was held long enough.
    pub(in crate::runs) fn held_interrupt(&self, now: Instant) -> Option<bool> {
        self.interrupt.as_ref().filter(|it| it.presses == 0).map(|it| it.look <= now)
    }

    pub(in crate::runs) fn take_interrupt(&mut self) -> Option<Receipt> {
        self.interrupt.take().map(|it| it.receipt)
    }

    pub(in crate::runs) fn awaited_interrupt(&self) -> Option<&Receipt> {
        self.interrupt.as_ref().map(|it| &it.receipt)
    }

    pub(in crate::runs) fn mark_by(&self, now: Instant) -> Option<Instant> {
        self.interrupt.as_ref().map(|it| it.mark_by).filter(|at| *at > now)
    }

    /// Whether an interrupt should have had its effect by now, and may be tried
    /// once more. It is looked at again later in any case.
    pub(in crate::runs) fn interrupt_due(&mut self, now: Instant) -> Option<bool> {
        let interrupt = self.interrupt.as_mut().filter(|it| it.presses > 0 && it.look <= now)?;
        interrupt.look = now + STOP_LIMIT;
        interrupt.presses += 1;
        Some(interrupt.presses <= PRESSES)
    }
}
