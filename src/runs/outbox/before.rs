//! Replies that another life of ours began to type.

use tokio::time::Instant;

use crate::schema::Position;
use crate::seam::Step;

use super::{Outbox, Typed, submitting};
use crate::runs::queue::Held;

impl Outbox {
    /// A reply of another life of ours, of which we know only that it was being
    /// typed (`interrupted`) or that it was typed. Its draft is submitted if it
    /// still stands in the composer, and its record is waited for.
    pub(in crate::runs) fn resume(
        &mut self,
        held: Held,
        after: Option<Position>,
        interrupted: bool,
        now: Instant,
    ) {
        let submit = held.plan.recipe.steps.iter().rev().find_map(|step| match step {
            Step::Submit { key, draft } => Some((*key, draft.clone())),
            _ => None,
        });
        self.typed.push(Typed {
            receipt: held.receipt.clone(),
            after,
            recorded_as: held.plan.recorded_as.clone(),
            is_command: held.plan.is_command,
            look: Some(now + submitting::first_look()),
            deadline: Some(now + submitting::record_limit(submit.as_ref())),
            submitted: submit,
            presses: 1,
            looks: 0,
            interrupted: interrupted.then_some(held),
        });
    }

    /// The reply that was being typed when we stopped, while nobody has looked
    /// what of it stands in the composer.
    pub(in crate::runs) fn interrupted(&self) -> Option<&Held> {
        self.typed.iter().filter(|it| it.look.is_some()).find_map(|it| it.interrupted.as_ref())
    }

    /// So many steps of the interrupted reply were done; the others are now, and
    /// before them what clears the composer if it is not known how many.
    pub(in crate::runs) fn go_on(&mut self, done: usize, before: Vec<Step>, now: Instant) {
        let at = self.typed.iter().position(|it| it.look.is_some() && it.interrupted.is_some());
        let Some(typed) = at.map(|at| self.typed.remove(at)) else { return };
        if let Some(held) = typed.interrupted {
            self.start(held, Vec::new(), typed.after, now);
            if let Some(typing) = &mut self.typing {
                typing.steps.drain(..done);
                before.into_iter().rev().for_each(|step| typing.steps.push_front(step));
                typing.is_begun = done > 0;
            }
        }
    }
}
