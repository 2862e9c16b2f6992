//! What proves that a typed text arrived, and what says that it did not.

use std::time::Duration;

use tokio::time::Instant;

use crate::schema::{Position, Receipt, ReceiptStatus};

use super::{Late, Outbox, Typed, failed};

const NOT_RECORDED: &str =
    "The CLI did not record this message. Look at the terminal before you send it again.";

/// Once it had gone, somebody may have brought it back later than this.
const LEFT_BEHIND: Duration = Duration::from_secs(60);

/// What was said last. The CLI may show it for longer than it takes to record it.
pub(super) struct Said {
    text: String,
    at: Instant,
    /// The composer was seen without it.
    has_gone: bool,
}

impl Said {
    fn now(text: String) -> Self {
        Self { text, at: Instant::now(), has_gone: false }
    }
}

impl Outbox {
    /// The CLI recorded a person's text: the receipt that this proves.
    pub(in crate::runs) fn recorded(&mut self, text: &str, position: Position) -> Option<Receipt> {
        let proves = |it: &Typed| {
            same_text(&it.recorded_as, text) && it.after.is_none_or(|after| position >= after)
        };
        let at = self.typed.iter().position(proves)?;
        let typed = self.typed.remove(at);
        self.left = typed.submitted.map(|(_, draft)| Said::now(draft));
        let mut receipt = typed.receipt;
        receipt.status = ReceiptStatus::Recorded;
        receipt.detail = None;
        receipt.position = Some(position);
        Some(receipt)
    }

    /// What was said a moment ago, and how long ago. A CLI shows it in its composer
    /// for a while after it was recorded, and sometimes longer; it is nobody's draft.
    pub(in crate::runs) fn left_behind(&self) -> Option<(&str, Duration)> {
        self.left_behind_at(Instant::now())
    }

    pub(super) fn left_behind_at(&self, now: Instant) -> Option<(&str, Duration)> {
        let said = self.left.as_ref()?;
        let age = now.saturating_duration_since(said.at);
        (!said.has_gone || age < LEFT_BEHIND).then_some((said.text.as_str(), age))
    }

    /// The composer is empty.
    pub(in crate::runs) fn nothing_is_left(&mut self) {
        self.left.iter_mut().for_each(|it| it.has_gone = true);
    }

    /// Somebody said this, here or at the terminal.
    pub(in crate::runs) fn was_said(&mut self, text: &str) {
        self.left = Some(Said::now(text.to_owned()));
    }

    /// Positions of another conversation say nothing about this one.
    pub(in crate::runs) fn new_epoch(&mut self) {
        self.typed.iter_mut().for_each(|it| it.after = None);
        self.typing.iter_mut().for_each(|it| it.after = None);
    }

    /// The CLI put a person's text into its own queue.
    pub(in crate::runs) fn queued_by_cli(&mut self, text: &str) -> Option<Receipt> {
        let typed = self.typed.iter_mut().find(|it| same_text(&it.recorded_as, text))?;
        typed.deadline = None;
        typed.look = None;
        typed.receipt.status = ReceiptStatus::Queued;
        typed.receipt.detail = Some("The CLI holds it until it can be read.".into());
        Some(typed.receipt.clone())
    }

    /// The CLI gave a text back from its own queue: it was not said.
    pub(in crate::runs) fn returned_by_cli(&mut self, text: &str) -> Option<Receipt> {
        let at = self.typed.iter().position(|it| same_text(&it.recorded_as, text))?;
        let receipt = self.typed.remove(at).receipt;
        Some(failed(receipt, "The CLI gave it back: it stands in its composer, or nowhere."))
    }

    /// What was not proven in time.
    pub(in crate::runs) fn overdue(&mut self, now: Instant) -> Vec<Late> {
        let (late, in_time) = std::mem::take(&mut self.typed)
            .into_iter()
            .partition(|it: &Typed| it.deadline.is_some_and(|deadline| deadline <= now));
        self.typed = in_time;
        late.into_iter()
            .map(|it| Late {
                receipt: failed(it.receipt, NOT_RECORDED),
                interrupted: it.interrupted,
            })
            .collect()
    }
}

/// The CLI trims the end of a text; nothing else may differ.
fn same_text(expected: &str, recorded: &str) -> bool {
    expected.trim_end() == recorded.trim_end()
}
