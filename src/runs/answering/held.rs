//! What waits for an answer, by all who tell of it, and what was answered and is
//! not proven. Values alone; the actor does the rest.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

use super::talk::ToSay;
use crate::runs::keyed::{DOOR_GRACE, Keyed};
use crate::runs::outbox::{self, RECORD_LIMIT};
use crate::runs::wall::{came_before_ms, epoch_millis};
use crate::schema::{Dialog, Receipt, Response};
use crate::seam::RegistryEntry;
use crate::signals::Asker;

/// A dialog that was answered is off the screen in this time.
const CLEARING: Duration = Duration::from_secs(3);

/// Calls whose dialog may still come.
pub(super) const MARKS_KEPT: usize = 64;

/// What waits at the door, and what was answered and is not proven.
#[derive(Default)]
pub(in crate::runs) struct Answering {
    pub(super) raised: Vec<Raised>,
    /// Calls that began, by the mark that their dialog will carry.
    marks: VecDeque<(u64, String)>,
    pub(super) answered: Vec<Answered>,
    /// Proven, and their words are still to be sent.
    pub(super) to_say: Vec<ToSay>,
    /// Dialogs that a person could see here.
    pub(super) seen: VecDeque<String>,
    /// Those whose hook went while they were open in the terminal.
    orphans: Vec<Dialog>,
    waiting: Option<Waiting>,
    /// What the CLI asks before it starts.
    pub(in crate::runs) startup: Option<Dialog>,
    /// The last answer was given up while a key of it had had no effect yet. It may
    /// still have one, and that would be taken for the effect of the next key.
    pub(in crate::runs) has_loose_key: bool,
    /// The answer that is being typed.
    pub(in crate::runs) keyed: Option<Keyed>,
}

pub(super) struct Raised {
    pub(super) dialog: Dialog,
    pub(super) payload: Vec<u8>,
    pub(super) asker: Asker,
    /// In milliseconds since 1970.
    pub(super) at: u64,
}

/// The terminal waits for somebody.
struct Waiting {
    /// Since when, by our clock, and as the CLI says.
    at: Instant,
    since: Option<u64>,
    what: String,
    own_screen: bool,
}

pub(in crate::runs) struct Answered {
    /// Until when the terminal may still be on its way from the dialog back to
    /// the composer, where a text would be lost.
    clears_by: Instant,
    pub(super) receipt: Receipt,
    pub(super) dialog: Dialog,
    pub(super) response: Response,
    pub(in crate::runs) is_startup: bool,
    /// By when the answer has to be taken, and when it was handed over,
    /// in milliseconds since 1970.
    proof: Option<(Instant, u64)>,
}

impl Answered {
    pub(in crate::runs) fn new(receipt: Receipt, dialog: Dialog, response: Response) -> Self {
        let at = Instant::now();
        Self {
            clears_by: at + CLEARING,
            receipt,
            dialog,
            response,
            is_startup: false,
            proof: Some((at + RECORD_LIMIT, epoch_millis())),
        }
    }
}

impl Answering {
    pub(in crate::runs) fn dialogs(&self) -> Vec<Dialog> {
        self.raised.iter().map(|it| it.dialog.clone()).collect()
    }

    /// When the last dialog that was answered is off the screen for certain, if
    /// that is not proven yet.
    pub(in crate::runs) fn clears_by(&self, now: Instant) -> Option<Instant> {
        self.answered.iter().map(|it| it.clears_by).filter(|at| *at > now).max()
    }

    /// When to look here again.
    pub(in crate::runs) fn wake_at(&self, now: Instant) -> Option<Instant> {
        let grace = self.waiting.as_ref().map(|it| it.at + DOOR_GRACE).filter(|at| *at > now);
        let proofs = self.answered.iter().filter_map(|it| it.proof).map(|it| it.0);
        let keyed = self.keyed.as_ref().map(|it| it.due);
        let clears_by = self.clears_by(now);
        proofs.chain(grace).chain(keyed).chain(clears_by).min()
    }

    /// The terminal waits for somebody, or it does not.
    pub(in crate::runs) fn waits(&mut self, entry: Option<&RegistryEntry>) {
        let known = self.waiting.take();
        let Some(entry) = entry else {
            self.orphans.clear();
            return;
        };
        let known = known.filter(|it| it.since == entry.since).map(|it| it.at);
        self.waiting = Some(Waiting {
            at: known.unwrap_or_else(Instant::now),
            since: entry.since,
            what: entry.waiting_for.clone().unwrap_or_else(|| "an answer".into()),
            own_screen: entry.own_screen,
        });
    }

    /// The terminal waits, and no hook of a dialog is on its way any more.
    pub(in crate::runs) fn waits_for_keys(&self) -> bool {
        let waiting = self.waiting.as_ref();
        waiting.is_some_and(|it| !it.own_screen && it.at.elapsed() >= DOOR_GRACE)
    }

    /// A menu or the like, under which no dialog of a call can wait.
    pub(in crate::runs) fn shows_own_screen(&self) -> bool {
        self.waiting.as_ref().is_some_and(|it| it.own_screen)
    }

    /// What it waits for was answered here, and is not off the screen yet.
    pub(in crate::runs) fn waits_for_the_answered(&self) -> bool {
        let since = self.waiting.as_ref().and_then(|it| it.since);
        let given = self.answered.iter().filter_map(|it| it.proof).map(|it| it.1);
        since.is_some_and(|since| given.max().is_some_and(|given| !came_before_ms(given, since)))
    }

    /// It waits at the door, or did, or before the start.
    pub(in crate::runs) fn lists(&self, dialog: &str) -> bool {
        let startup = self.startup.iter().chain(&self.orphans);
        self.has(dialog) || startup.into_iter().any(|it| it.id == dialog)
    }

    /// What the terminal waits for, once a dialog would have told by itself.
    pub(in crate::runs) fn unexplained(&self) -> Option<String> {
        let waiting = self.waiting.as_ref();
        let late = waiting.filter(|it| it.own_screen || it.at.elapsed() >= DOOR_GRACE);
        late.map(|it| it.what.clone())
    }

    pub(in crate::runs) fn orphans(&self) -> Vec<Dialog> {
        self.orphans.clone()
    }

    /// It was answered here, and that is not proven yet.
    pub(in crate::runs) fn is_answered(&self, dialog: &str) -> bool {
        self.answered.iter().any(|it| it.dialog.id == dialog)
    }

    pub(in crate::runs) fn answered(&mut self, answered: Answered) {
        self.answered.push(answered);
    }

    /// Answers that were handed over long ago, while the dialog still waits. One that
    /// is not waited for any more was taken, and its call may run for long.
    pub(in crate::runs) fn unproven(&mut self, now: Instant, waits: bool) -> Vec<Receipt> {
        let since = self.waiting.as_ref().filter(|_| waits).and_then(|it| it.since);
        let mut failed = Vec::new();
        self.answered.retain_mut(|it| {
            let Some((_, given_at)) = it.proof.filter(|it| it.0 <= now) else { return true };
            it.proof = None;
            let still = it.is_startup
                || waits && since.is_none_or(|since| !came_before_ms(given_at, since));
            if still {
                failed.push(it.receipt.clone());
            }
            !still
        });
        failed
    }

    /// Answers to what the CLI asked before it started: no call proves them.
    pub(in crate::runs) fn take_startup_answers(&mut self) -> Vec<Receipt> {
        self.answered.extract_if(.., |it| it.is_startup).map(|it| it.receipt).collect()
    }

    /// The process is gone: nothing more will be proven.
    pub(in crate::runs) fn fail_all(&mut self, why: &str) -> Vec<Receipt> {
        let keyed = self.keyed.take().map(|it| it.receipt);
        let answered = std::mem::take(&mut self.answered).into_iter().map(|it| it.receipt);
        let unsaid = std::mem::take(&mut self.to_say).into_iter().map(|it| it.receipt);
        answered.chain(unsaid).chain(keyed).map(|it| outbox::failed(it, why)).collect()
    }

    pub(in crate::runs) fn has(&self, dialog: &str) -> bool {
        self.raised.iter().any(|it| it.dialog.id == dialog)
    }

    pub(in crate::runs) fn began(&mut self, call: Option<&str>, mark: u64) {
        if let Some(call) = call {
            self.marks.push_back((mark, call.to_owned()));
            if self.marks.len() > MARKS_KEPT {
                self.marks.pop_front();
            }
        }
    }

    pub(super) fn call_of(&mut self, mark: u64) -> Option<String> {
        let at = self.marks.iter().position(|(it, _)| *it == mark)?;
        self.marks.remove(at).map(|(_, call)| call)
    }

    /// The call ended, so nobody needs an answer to it any more.
    pub(in crate::runs) fn settled(&mut self, call: &str) {
        self.raised.retain(|it| it.dialog.id != call);
        self.orphans.retain(|it| it.id != call);
    }

    pub(in crate::runs) fn gone(&mut self, asker: u64) {
        let gone = self.raised.extract_if(.., |it| it.asker.id == asker);
        self.orphans.extend(gone.map(|it| it.dialog));
    }

    /// The process waits for nobody any more.
    pub(in crate::runs) fn all_settled(&mut self) {
        self.raised.clear();
        self.orphans.clear();
    }

    /// It has come to rest at this time, so nothing from before waits.
    pub(in crate::runs) fn settled_before(&mut self, since: Option<u64>) {
        self.raised.retain(|it| since.is_some_and(|since| !came_before_ms(it.at, since)));
    }

    /// The terminal stopped waiting at this time: its one dialog was answered
    /// there. One that came afterwards is another.
    pub(in crate::runs) fn left_waiting(&mut self, since: Option<u64>) {
        if let [only] = self.raised.as_slice()
            && since.is_none_or(|since| came_before_ms(only.at, since))
        {
            self.raised.clear();
        }
    }
}
