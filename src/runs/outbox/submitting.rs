//! Whether the key that submits a draft was taken.
//!
//! A CLI that is still busy with a long text takes Enter for one more line break, and one that
//! starts up swallows it. So the key is pressed again for as long as that very draft is seen to
//! stand in the composer. A composer that shows neither the draft nor nothing at all says nothing:
//! the CLI may be drawing it.

use std::time::Duration;

use tokio::time::Instant;

use crate::seam::{Caret, Key, Step};

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

/// A longer draft takes the CLI a while. Of one the end may show before all of it is taken in, if it repeats itself.
pub(in crate::runs) const LONG_DRAFT: usize = 4_096;

/// The cursor of a long draft is moved only if it has stood still for so long.
const STILL: Duration = Duration::from_secs(4);

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
    submitted.map_or(RECORD_LIMIT, |(_, draft)| RECORD_LIMIT + reading_time(draft))
}

/// What a look at a draft waits for its length.
pub(super) fn taking_in(step: &Step) -> Duration {
    match step {
        Step::AwaitDraft { draft, .. } | Step::Fence { draft, .. } | Step::Submit { draft, .. } => {
            reading_time(draft)
        }
        _ => Duration::ZERO,
    }
}

fn reading_time(draft: &str) -> Duration {
    Duration::from_secs(draft.len() as u64 / SLOWEST)
}

/// How far the cursor has gone away from where it stood, and back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fence {
    Still { at: Caret, since: Instant },
    Away { from: Caret },
    Back { to: Caret },
}

/// What a fence needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::runs) enum Fenced {
    Go,
    Return,
    Wait,
    Passed,
}

impl Outbox {
    /// Where the cursor was seen, for the fence that is being passed.
    pub(in crate::runs) fn fence_seen(
        &mut self,
        caret: Option<Caret>,
        pressed: usize,
        draft: &str,
        now: Instant,
    ) -> Fenced {
        let (Some(typing), Some(caret)) = (&mut self.typing, caret) else { return Fenced::Wait };
        let is_long = draft.len() > LONG_DRAFT;
        let (fence, next) = match typing.fence {
            None | Some(Fence::Still { .. }) if pressed > 0 && caret.breaks >= pressed => {
                (None, Fenced::Passed)
            }
            Some(Fence::Still { at, since }) if at == caret && now < since + STILL => {
                (typing.fence, Fenced::Wait)
            }
            Some(Fence::Still { at, .. }) if at == caret => {
                (Some(Fence::Away { from: caret }), Fenced::Go)
            }
            None | Some(Fence::Still { .. }) if is_long => {
                (Some(Fence::Still { at: caret, since: now }), Fenced::Wait)
            }
            None | Some(Fence::Still { .. }) => (Some(Fence::Away { from: caret }), Fenced::Go),
            Some(Fence::Away { from }) if caret != from => {
                (Some(Fence::Back { to: from }), Fenced::Return)
            }
            Some(Fence::Back { to }) if caret == to => (None, Fenced::Passed),
            same => (same, Fenced::Wait),
        };
        typing.fence = fence;
        next
    }

    /// A text whose key may have been swallowed, if it is time to look, and how
    /// often the key was pressed.
    pub(in crate::runs) fn look_due(&self, now: Instant) -> Option<(String, usize)> {
        let typed = self.typed.iter().find(|it| it.look.is_some_and(|at| at <= now))?;
        typed.submitted.as_ref().map(|(_, draft)| (draft.clone(), typed.presses))
    }

    /// What the look saw.
    pub(in crate::runs) fn looked(&mut self, seen: Submitted, now: Instant) {
        let Some(typed) = self.typed.iter_mut().find(|it| it.look.is_some_and(|at| at <= now))
        else {
            return;
        };
        typed.looks += usize::from(seen == Submitted::Again);
        typed.look = match seen {
            Submitted::Again => Some(now + LOOKS[typed.looks.min(LOOKS.len() - 1)]),
            Submitted::Unclear => Some(now + UNCLEAR_LOOK),
            Submitted::Gone => None,
        };
    }
}
