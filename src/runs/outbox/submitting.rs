//! Whether the key that submits a draft was taken.
//!
//! A CLI that is still busy with a long text takes Enter for one more line break, and one that
//! starts up swallows it. So the key is pressed again for as long as that very draft is seen to
//! stand in the composer. A composer that shows neither the draft nor nothing at all says nothing:
//! the CLI may be drawing it.

use std::time::Duration;

use tokio::time::Instant;

use crate::seam::Key;

use super::{Outbox, RECORD_LIMIT};

/// How long to wait after the first, second... press. The last goes on.
const LOOKS: [Duration; 4] = [
    Duration::from_millis(500),
    Duration::from_millis(1_000),
    Duration::from_millis(2_000),
    Duration::from_millis(4_000),
];

/// And after a look that said nothing.
const UNCLEAR_LOOK: Duration = Duration::from_millis(500);

/// How many bytes a CLI on a busy machine reads, lays out and draws in a second.
const SLOWEST: u64 = 2_000;

/// What a look at the composer saw of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runs) enum Submitted {
    /// It still stood, and the key was pressed again.
    Again,
    Gone,
    Unclear,
}

pub(super) fn first_look() -> Duration {
    LOOKS[0]
}

/// A text that is not recorded in this time did not arrive.
pub(super) fn record_limit(submitted: Option<&(Key, String)>) -> Duration {
    let bytes = submitted.map_or(0, |(_, draft)| draft.len() as u64);
    RECORD_LIMIT + Duration::from_secs(bytes / SLOWEST)
}

impl Outbox {
    /// A text whose key may have been swallowed, if it is time to look.
    pub(in crate::runs) fn look_due(&mut self, now: Instant) -> Option<(Key, String)> {
        let typed = self.typed.iter_mut().find(|it| it.look.is_some_and(|at| at <= now))?;
        typed.submitted.clone()
    }

    /// What the look saw.
    pub(in crate::runs) fn looked(&mut self, seen: Submitted, now: Instant) {
        let Some(typed) = self.typed.iter_mut().find(|it| it.look.is_some_and(|at| at <= now))
        else {
            return;
        };
        typed.presses += usize::from(seen == Submitted::Again);
        typed.look = match seen {
            Submitted::Again => Some(now + LOOKS[typed.presses.min(LOOKS.len() - 1)]),
            Submitted::Unclear => Some(now + UNCLEAR_LOOK),
            Submitted::Gone => None,
        };
    }
}
