//! A model that takes no more prompts: a usage limit is reached, or nobody is logged in.
//!
//! What waits for the end of the turn is then kept, since each would only be answered
//! with the same error. What a person sends now is sent: they may know better.

use crate::schema::HoldCause;
use crate::seam::{Block, BlockCause};

use super::actor::Actor;

const USAGE_LIMIT: &str = "usage_limit";
const LOGGED_OUT: &str = "logged_out";

const HINT: &str =
    "Replies for after the turn are kept until a turn succeeds; what you send now is sent at once.";

impl Actor {
    pub(super) fn block(&mut self, block: &Block) {
        let (code, what) = match block.cause {
            BlockCause::UsageLimit => (USAGE_LIMIT, "The usage limit is reached"),
            BlockCause::LoggedOut => (LOGGED_OUT, "The CLI is not logged in"),
        };
        let words: String = block.words.trim().chars().take(300).collect();
        let message =
            if words.is_empty() { format!("{what}.") } else { format!("{what}: {words}") };
        self.unblock();
        self.blocked = Some(block.cause);
        self.warn(code, &message, Some(HINT));
    }

    /// The model answers.
    pub(super) fn unblock(&mut self) {
        if self.blocked.take().is_some() {
            self.warnings.retain(|it| it.code != USAGE_LIMIT && it.code != LOGGED_OUT);
        }
    }
}

/// What a reply waits for that is meant for after the turn.
pub(super) fn wait(cause: BlockCause) -> (HoldCause, &'static str) {
    let reason = match cause {
        BlockCause::UsageLimit => {
            "The usage limit is reached. It is sent after the next turn that succeeds; or send it now."
        }
        BlockCause::LoggedOut => {
            "The CLI is not logged in. It is sent after the next turn that succeeds; or send it now."
        }
    };
    (HoldCause::Blocked, reason)
}
