//! Branches that a person went back from: their messages stay, marked.

use crate::schema::{Message, Position};

use super::View;

/// The messages from the first position up to, but not with, the second.
pub(super) type Branch = std::ops::Range<Position>;

impl View {
    /// Whether a message at this place is on a branch that was left.
    pub fn is_left(&self, at: Position) -> bool {
        self.left.iter().any(|branch| branch.contains(&at))
    }

    /// Marks a branch as left. Its messages that are not here are marked when
    /// they are read from the record. Each marked message is a change.
    pub fn abandon(&mut self, from: Position, to: Position, mut revision: impl FnMut() -> u64) {
        if from >= to {
            return;
        }
        self.left.push(from..to);
        // In their place: a call of such a branch still gets its result.
        for (at, kept) in self.messages.range_mut(from..to) {
            let message = &mut kept.message;
            if !message.abandoned {
                self.by_revision.remove(&(message.revision, *at));
                message.abandoned = true;
                message.revision = revision();
                self.by_revision.insert((message.revision, *at));
            }
        }
    }
}

/// Marks what was read from the record.
pub(super) fn mark(messages: &mut [Message], left: &[Branch]) {
    for message in messages {
        message.abandoned |= left.iter().any(|branch| branch.contains(&message.position));
    }
}
