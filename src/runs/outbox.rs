//! What is on its way into a terminal, and what was typed and is not recorded
//! yet. Decides; the actor does the typing.
//!
//! One thing is typed at a time. A text is pasted once and never again. Enter is pressed again only
//! while that very text is seen to stand in the composer, since a CLI that is
//! busy starting up swallows keys; and the next text waits until it is gone.

mod native;

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use crate::schema::{Door, Position, Receipt, ReceiptKind, ReceiptStatus};
use crate::seam::{Key, Recipe, Step};

use interrupt::Interrupting;
use proof::Said;
use submitting::Fence;
pub(super) use submitting::{Fenced, LONG_DRAFT, Submitted};

use super::queue::Held;

/// A typed text that the CLI did not record in this time did not arrive.
pub(super) const RECORD_LIMIT: Duration = Duration::from_secs(20);

/// How often to look for a draft that should show.
const DRAFT_LOOK: Duration = Duration::from_millis(60);

/// How many times as long as a short one a long draft may take.
const LONG_TEXT: u32 = 12;

/// And while a dialog stands in front of the composer.
const SLOW_LOOK: Duration = Duration::from_millis(400);

/// A recipe that is being carried out.
struct Typing {
    receipt: Option<Receipt>,
    /// The reply that it types.
    held: Option<Held>,
    /// Something of it may be in the terminal.
    is_begun: bool,
    /// Its record stands here or behind.
    after: Option<Position>,
    /// For the log.
    name: &'static str,
    steps: VecDeque<Step>,
    recorded_as: Option<String>,
    /// Until when the draft has to show: on a screen that does not change, and at
    /// all.
    draft_limit: Option<(Instant, Instant)>,
    /// The step that comes next has been looked at in vain before.
    is_again: bool,
    screen: String,
    fence: Option<Fence>,
    /// The key that was pressed to submit, and the draft that it submits.
    submitted: Option<(Key, String)>,
}

/// Typed, and not proven yet.
struct Typed {
    receipt: Receipt,
    /// What to hold again if there is no trace of it: seamux stopped while it
    /// was being typed.
    interrupted: Option<Held>,
    after: Option<Position>,
    recorded_as: String,
    is_command: bool,
    submitted: Option<(Key, String)>,
    /// How often that key was pressed.
    presses: usize,
    looks: usize,
    /// When to look whether the draft is gone from the composer.
    look: Option<Instant>,
    /// `None` once the CLI said that it holds the text in its own queue.
    deadline: Option<Instant>,
}

/// A text whose proof did not come in time.
pub(super) struct Late {
    pub receipt: Receipt,
    /// Set if it is not certain that it was typed at all.
    pub interrupted: Option<Held>,
}

#[derive(Default)]
pub(super) struct Outbox {
    urgent: VecDeque<Typing>,
    typing: Option<Typing>,
    due: Option<Instant>,
    typed: Vec<Typed>,
    /// The draft that was proven last, and when.
    left: Option<Said>,
    /// A person asked to break the turn off, and it is not proven yet.
    interrupt: Option<Interrupting>,
}

impl Outbox {
    /// Nothing is being typed, and nothing typed may still stand in the composer.
    pub(super) fn is_free(&self) -> bool {
        self.typing.is_none() && !self.typed.iter().any(|it| it.look.is_some())
    }

    /// Everything that was typed is proven.
    pub(super) fn is_quiet(&self) -> bool {
        self.typing.is_none() && self.typed.is_empty()
    }

    /// A command was typed, and its record has not come.
    pub(super) fn awaits_command(&self) -> bool {
        let typing = self.typing.as_ref().and_then(|it| it.held.as_ref());
        typing.is_some_and(|it| it.plan.is_command) || self.typed.iter().any(|it| it.is_command)
    }

    /// Takes a reply into work, after other steps.
    pub(super) fn start(
        &mut self,
        held: Held,
        before: Vec<Step>,
        after: Option<Position>,
        now: Instant,
    ) {
        self.typing = Some(Typing {
            receipt: Some(held.receipt.clone()),
            is_begun: false,
            after,
            name: held.plan.recipe.name,
            steps: before.into_iter().chain(held.plan.recipe.steps.clone()).collect(),
            recorded_as: Some(held.plan.recorded_as.clone()),
            draft_limit: None,
            is_again: false,
            screen: String::new(),
            fence: None,
            submitted: None,
            held: Some(held),
        });
        self.due = Some(now);
    }

    /// Carries out a recipe that has no text to be recorded, as soon as nothing
    /// else is being typed.
    pub(super) fn play(&mut self, recipe: Recipe, receipt: Option<Receipt>) {
        self.urgent.push_back(Typing {
            receipt,
            held: None,
            is_begun: false,
            after: None,
            name: recipe.name,
            steps: recipe.steps.into(),
            recorded_as: None,
            draft_limit: None,
            is_again: false,
            screen: String::new(),
            fence: None,
            submitted: None,
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
        let typing = self.typing.as_mut()?;
        if !std::mem::take(&mut typing.is_again) {
            typing.draft_limit = None; // Each step has its own time.
        }
        match typing.steps.pop_front()? {
            Step::Settle(time) => {
                self.due = Some(now + time);
                self.next_step(now)
            }
            step => Some(step),
        }
    }

    /// What this step waits for does not show yet: it comes again. False if it
    /// waited enough, counted from the last change of the screen: a CLI that
    /// still takes in a long text is at work. A clock on the screen may change
    /// for ever, so there is an end to that too.
    pub(super) fn look_again(
        &mut self,
        step: Step,
        screen: String,
        limit: Duration,
        now: Instant,
    ) -> bool {
        let Some(typing) = &mut self.typing else { return false };
        let (mut until, last) = *typing
            .draft_limit
            .get_or_insert((now + limit, now + limit * LONG_TEXT + submitting::taking_in(&step)));
        if typing.screen != screen {
            typing.screen = screen;
            until = (now + limit).min(last);
            typing.draft_limit = Some((until, last));
        }
        if now < until {
            typing.steps.push_front(step);
            typing.is_again = true;
            self.due = Some(now + DRAFT_LOOK);
        }
        now < until
    }

    /// Something stands in front of the composer, for as long as it likes.
    pub(super) fn wait_behind(&mut self, step: Step, now: Instant) {
        if let Some(typing) = &mut self.typing {
            typing.draft_limit = None;
            typing.steps.push_front(step);
            self.due = Some(now + SLOW_LOOK);
        }
    }

    pub(super) fn submitted(&mut self, key: Key, draft: String) {
        let Some(typing) = &mut self.typing else { return };
        let same = |it: &&mut Typed| it.submitted.as_ref().is_some_and(|it| it.1 == draft);
        if typing.held.is_some() {
            typing.submitted = Some((key, draft));
        } else if let Some(typed) = self.typed.iter_mut().rfind(same) {
            typed.presses += 1;
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
                interrupted: None,
                after: typing.after,
                is_command: typing.held.is_some_and(|it| it.plan.is_command),
                recorded_as,
                look: typing.submitted.is_some().then(|| now + submitting::first_look()),
                deadline: Some(now + submitting::record_limit(typing.submitted.as_ref())),
                submitted: typing.submitted,
                presses: 1,
                looks: 0,
            }),
            None if receipt.kind == ReceiptKind::Interrupt => {
                self.interrupt = Some(Interrupting::new(receipt.clone(), now));
            }
            None => {}
        }
        Some(receipt)
    }

    pub(super) fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    pub(super) fn typing_name(&self) -> &'static str {
        self.typing.as_ref().map_or("nothing", |it| it.name)
    }

    /// Gives the reply back of which nothing is in the terminal yet.
    pub(super) fn take_back(&mut self) -> Option<Held> {
        let typing = self.typing.take_if(|it| !it.is_begun && it.held.is_some())?;
        self.due = None;
        typing.held
    }

    /// Something of it is in the terminal, or may be.
    pub(super) fn begun(&mut self) {
        self.typing.iter_mut().for_each(|it| it.is_begun = true);
    }

    /// A step could not be done: the recipe's receipt, now failed.
    pub(super) fn fail_typing(&mut self, why: &str) -> Option<Receipt> {
        self.due = None;
        let mut receipt = self.typing.take()?.receipt?;
        receipt.status = ReceiptStatus::Failed;
        receipt.detail = Some(why.to_owned());
        Some(receipt)
    }

    /// When to look here again.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        let proofs = self.typed.iter().flat_map(|it| [it.deadline, it.look]).flatten();
        let interrupt = self.interrupt.as_ref().map(|it| it.look);
        proofs.chain(self.due).chain(interrupt).min()
    }

    /// The process is gone: everything that is not proven has failed.
    pub(super) fn fail_all(&mut self, why: &str) -> Vec<Receipt> {
        let urgent = std::mem::take(&mut self.urgent);
        let typing = self.typing.take().into_iter().chain(urgent).filter_map(|it| it.receipt);
        let typed = std::mem::take(&mut self.typed).into_iter().map(|it| it.receipt);
        let interrupt = self.interrupt.take().map(|it| it.receipt);
        self.due = None;
        typing.chain(typed).chain(interrupt).map(|it| failed(it, why)).collect()
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
        epoch: None,
        dialog_id: None,
        client_id,
        by: by.to_owned(),
        at,
    }
}

pub(super) fn failed(mut receipt: Receipt, why: &str) -> Receipt {
    receipt.status = ReceiptStatus::Failed;
    receipt.detail = Some(why.to_owned());
    receipt
}

mod before;
mod interrupt;
mod proof;
mod submitting;
#[cfg(test)]
mod tests;
