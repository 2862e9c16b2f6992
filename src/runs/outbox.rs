//! What is on its way into a terminal, and what was typed and is not recorded
//! yet. Decides; the actor does the typing.
//!
//! One thing is typed at a time. A reply that can't go now is held with its
//! reason. Enter is pressed once for one text and never again: a text that was
//! typed and is not recorded in time is reported, not repeated.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::schema::{Door, Position, QueuedReply, Receipt, ReceiptKind, ReceiptStatus};
use crate::seam::{Recipe, ReplyPlan, Step};

/// A typed text that the CLI did not record in this time did not arrive.
pub(super) const RECORD_LIMIT: Duration = Duration::from_secs(20);

/// A reply that waits for the CLI to be able to take it.
pub(super) struct Held {
    pub receipt: Receipt,
    pub text: String,
    pub plan: ReplyPlan,
    /// It is typed only while the CLI is idle (slash commands).
    pub when_idle: bool,
}

/// A recipe that is being carried out.
struct Typing {
    receipt: Option<Receipt>,
    /// For the log.
    name: &'static str,
    steps: VecDeque<Step>,
    recorded_as: Option<String>,
}

/// Typed, and not proven yet.
struct Typed {
    receipt: Receipt,
    recorded_as: String,
    /// `None` once the CLI said that it holds the text in its own queue.
    deadline: Option<Instant>,
}

#[derive(Default)]
pub(super) struct Outbox {
    held: VecDeque<Held>,
    urgent: VecDeque<Typing>,
    typing: Option<Typing>,
    due: Option<Instant>,
    typed: Vec<Typed>,
    /// A person asked to break the turn off, and it is not proven yet.
    interrupt: Option<Receipt>,
}

impl Outbox {
    pub(super) fn hold(&mut self, held: Held) {
        self.held.push_back(held);
    }

    pub(super) fn queued(&self) -> Vec<QueuedReply> {
        self.held
            .iter()
            .map(|held| QueuedReply {
                id: held.receipt.id.clone(),
                text: held.text.clone(),
                reason: held.receipt.detail.clone().unwrap_or_default(),
                by: held.receipt.by.clone(),
                at: held.receipt.at.clone(),
            })
            .collect()
    }

    /// Says why held replies wait. The receipts whose reason changed.
    pub(super) fn explain(&mut self, reason: &str) -> Vec<Receipt> {
        let mut changed = Vec::new();
        for held in &mut self.held {
            if held.receipt.detail.as_deref() != Some(reason) {
                held.receipt.status = ReceiptStatus::Queued;
                held.receipt.detail = Some(reason.to_owned());
                changed.push(held.receipt.clone());
            }
        }
        changed
    }

    /// Takes the next held reply into work, if nothing is being typed.
    pub(super) fn start_next(&mut self, idle: bool, now: Instant) -> bool {
        if self.typing.is_some() || self.held.front().is_none_or(|it| it.when_idle && !idle) {
            return false;
        }
        let Some(held) = self.held.pop_front() else {
            return false;
        };
        self.typing = Some(Typing {
            receipt: Some(held.receipt),
            name: held.plan.recipe.name,
            steps: held.plan.recipe.steps.into(),
            recorded_as: Some(held.plan.recorded_as),
        });
        self.due = Some(now);
        true
    }

    /// Carries out a recipe that has no text to be recorded, as soon as nothing
    /// else is being typed.
    pub(super) fn play(&mut self, recipe: Recipe, receipt: Option<Receipt>) {
        self.urgent.push_back(Typing {
            receipt,
            name: recipe.name,
            steps: recipe.steps.into(),
            recorded_as: None,
        });
    }

    pub(super) fn start_urgent(&mut self, now: Instant) {
        if self.typing.is_none()
            && let Some(next) = self.urgent.pop_front()
        {
            self.typing = Some(next);
            self.due = Some(now);
        }
    }

    /// The next step to do now, if one is due.
    pub(super) fn next_step(&mut self, now: Instant) -> Option<Step> {
        if self.due.is_none_or(|due| now < due) {
            return None;
        }
        match self.typing.as_mut()?.steps.pop_front()? {
            Step::Settle(time) => {
                self.due = Some(now + time);
                self.next_step(now)
            }
            step => Some(step),
        }
    }

    /// All steps are done: the recipe's receipt, now typed.
    pub(super) fn finish_typing(&mut self, now: Instant) -> Option<Receipt> {
        if self.typing.as_ref().is_none_or(|it| !it.steps.is_empty()) {
            return None;
        }
        let typing = self.typing.take()?;
        self.due = None;
        let mut receipt = typing.receipt?;
        receipt.status = ReceiptStatus::Typed;
        receipt.detail = None;
        match typing.recorded_as {
            Some(recorded_as) => self.typed.push(Typed {
                receipt: receipt.clone(),
                recorded_as,
                deadline: Some(now + RECORD_LIMIT),
            }),
            None if receipt.kind == ReceiptKind::Interrupt => {
                self.interrupt = Some(receipt.clone());
            }
            None => {}
        }
        Some(receipt)
    }

    pub(super) fn typing_name(&self) -> &'static str {
        self.typing.as_ref().map_or("nothing", |it| it.name)
    }

    /// A step could not be done: the recipe's receipt, now failed.
    pub(super) fn fail_typing(&mut self, why: &str) -> Option<Receipt> {
        self.due = None;
        let mut receipt = self.typing.take()?.receipt?;
        receipt.status = ReceiptStatus::Failed;
        receipt.detail = Some(why.to_owned());
        Some(receipt)
    }

    /// The CLI recorded a person's text: the receipt that this proves.
    pub(super) fn recorded(&mut self, text: &str, position: Position) -> Option<Receipt> {
        let at = self.typed.iter().position(|it| same_text(&it.recorded_as, text))?;
        let mut receipt = self.typed.remove(at).receipt;
        receipt.status = ReceiptStatus::Recorded;
        receipt.detail = None;
        receipt.position = Some(position);
        Some(receipt)
    }

    /// The CLI put a person's text into its own queue.
    pub(super) fn queued_by_cli(&mut self, text: &str) -> Option<Receipt> {
        let typed = self.typed.iter_mut().find(|it| same_text(&it.recorded_as, text))?;
        typed.deadline = None;
        typed.receipt.status = ReceiptStatus::Queued;
        typed.receipt.detail = Some("The CLI holds it until it can be read.".into());
        Some(typed.receipt.clone())
    }

    pub(super) fn take_interrupt(&mut self) -> Option<Receipt> {
        self.interrupt.take()
    }

    pub(super) fn awaits_interrupt(&self) -> bool {
        self.interrupt.is_some()
    }

    /// Receipts whose proof did not come in time.
    pub(super) fn overdue(&mut self, now: Instant) -> Vec<Receipt> {
        let (late, in_time) = std::mem::take(&mut self.typed)
            .into_iter()
            .partition(|it: &Typed| it.deadline.is_some_and(|deadline| deadline <= now));
        self.typed = in_time;
        late.into_iter()
            .map(|it| {
                failed(it.receipt, "The CLI did not record this message. Look at the terminal before you send it again.")
            })
            .collect()
    }

    /// When to look here again.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        let proofs = self.typed.iter().filter_map(|it| it.deadline);
        proofs.chain(self.due).min()
    }

    /// The process is gone: everything that is not proven has failed.
    pub(super) fn fail_all(&mut self, why: &str) -> Vec<Receipt> {
        let held = std::mem::take(&mut self.held).into_iter().map(|it| it.receipt);
        let urgent = std::mem::take(&mut self.urgent);
        let typing = self.typing.take().into_iter().chain(urgent).filter_map(|it| it.receipt);
        let typed = std::mem::take(&mut self.typed).into_iter().map(|it| it.receipt);
        let interrupt = self.interrupt.take();
        self.due = None;
        held.chain(typing).chain(typed).chain(interrupt).map(|it| failed(it, why)).collect()
    }
}

pub(super) fn receipt(
    kind: ReceiptKind,
    by: &str,
    at: String,
    client_id: Option<String>,
) -> Receipt {
    Receipt {
        id: format!("rc-{}", uuid::Uuid::now_v7().simple()),
        kind,
        status: ReceiptStatus::Accepted,
        door: Door::Keys,
        detail: None,
        position: None,
        client_id,
        by: by.to_owned(),
        at,
    }
}

fn failed(mut receipt: Receipt, why: &str) -> Receipt {
    receipt.status = ReceiptStatus::Failed;
    receipt.detail = Some(why.to_owned());
    receipt
}

/// The CLI trims the end of a text; nothing else may differ.
fn same_text(expected: &str, recorded: &str) -> bool {
    expected.trim_end() == recorded.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seam::Key;

    fn held(text: &str) -> Held {
        let recipe = Recipe {
            name: "reply",
            steps: vec![
                Step::Paste(text.into()),
                Step::Settle(Duration::from_millis(50)),
                Step::Press(Key::Enter),
            ],
        };
        Held {
            receipt: receipt(ReceiptKind::Reply, "test", "now".into(), None),
            text: text.into(),
            plan: ReplyPlan { recipe, recorded_as: text.into() },
            when_idle: false,
        }
    }

    /// Plays all steps; how often Enter was pressed.
    fn type_it(outbox: &mut Outbox, mut now: Instant) -> usize {
        assert!(outbox.start_next(true, now));
        let mut enters = 0;
        while outbox.finish_typing(now).is_none() {
            match outbox.next_step(now) {
                Some(step) => enters += usize::from(step == Step::Press(Key::Enter)),
                None => now += Duration::from_millis(10),
            }
        }
        enters
    }

    #[test]
    fn enter_waits_until_the_text_has_settled_and_is_pressed_once() {
        let (mut outbox, now) = (Outbox::default(), Instant::now());
        outbox.hold(held("hello"));
        assert!(outbox.start_next(true, now));
        assert_eq!(outbox.next_step(now), Some(Step::Paste("hello".into())));
        assert_eq!(outbox.next_step(now), None, "the text settles");
        let later = now + Duration::from_millis(50);
        assert_eq!(outbox.next_step(later), Some(Step::Press(Key::Enter)));
        assert_eq!(outbox.finish_typing(later).map(|it| it.status), Some(ReceiptStatus::Typed));
        assert_eq!(outbox.next_step(later), None);
    }

    #[test]
    fn two_equal_texts_are_proven_one_by_one_and_in_order() {
        let (mut outbox, now) = (Outbox::default(), Instant::now());
        outbox.hold(held("yes"));
        outbox.hold(held("yes"));
        let ids: Vec<_> = outbox.queued().into_iter().map(|it| it.id).collect();
        assert_eq!(type_it(&mut outbox, now) + type_it(&mut outbox, now), 2);
        assert!(outbox.recorded("no", Position::new(1, 0)).is_none());
        let first = outbox.recorded("yes", Position::new(2, 0)).expect("proven");
        let second = outbox.recorded("yes", Position::new(3, 0)).expect("proven");
        assert_eq!(vec![first.id, second.id], ids);
        assert!(outbox.recorded("yes", Position::new(4, 0)).is_none());
    }

    #[test]
    fn a_text_that_was_not_recorded_fails_and_is_not_typed_again() {
        let (mut outbox, now) = (Outbox::default(), Instant::now());
        outbox.hold(held("hello"));
        type_it(&mut outbox, now);
        assert!(outbox.overdue(now).is_empty());
        let late = outbox.overdue(now + RECORD_LIMIT + Duration::from_secs(1));
        assert_eq!(late.first().map(|it| it.status), Some(ReceiptStatus::Failed));
        assert!(!outbox.start_next(true, now) && outbox.wake_at().is_none());
    }

    #[test]
    fn a_text_in_the_queue_of_the_cli_may_take_its_time() {
        let (mut outbox, now) = (Outbox::default(), Instant::now());
        outbox.hold(held("hello"));
        type_it(&mut outbox, now);
        let queued = outbox.queued_by_cli("hello").expect("queued");
        assert_eq!(queued.status, ReceiptStatus::Queued);
        assert!(outbox.overdue(now + Duration::from_secs(9_000)).is_empty());
        assert!(outbox.recorded("hello", Position::new(9, 0)).is_some());
    }

    #[test]
    fn a_command_waits_for_an_idle_cli() {
        let (mut outbox, now) = (Outbox::default(), Instant::now());
        outbox.hold(Held { when_idle: true, ..held("/clear") });
        assert!(!outbox.start_next(false, now));
        assert!(outbox.start_next(true, now));
    }

    #[test]
    fn the_end_of_the_process_fails_what_is_not_proven() {
        let (mut outbox, now) = (Outbox::default(), Instant::now());
        outbox.hold(held("one"));
        type_it(&mut outbox, now);
        outbox.hold(held("two"));
        let failed = outbox.fail_all("the run ended");
        assert_eq!(failed.len(), 2);
        assert!(outbox.queued().is_empty() && outbox.wake_at().is_none());
    }
}
