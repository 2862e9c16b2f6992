//! Dialogs that wait at the live door, and what became of the answers, whatever
//! way they went.
//!
//! The door races the terminal's own dialog. An answer is written down before
//! it is handed over, and it is proven only by the CLI's own record: when that
//! says something else, both are shown.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::schema::{
    Answer, Dialog, DialogKind, Door, Question, Receipt, ReceiptKind, ReceiptStatus, ToolStatus,
};
use crate::seam::{Activity, RegistryEntry, SeamError, SignalKind, ToolOutcome};
use crate::signals::Asker;

use super::actor::Actor;
use super::error::RunError;
use super::keyed::{DOOR_GRACE, Keyed};
use super::now;
use super::outbox::{self, RECORD_LIMIT};
use super::reading::epoch_millis;

/// A dialog that was answered is off the screen in this time.
const CLEARING: Duration = Duration::from_secs(3);

/// Calls whose dialog may still come.
const MARKS_KEPT: usize = 64;

/// What waits at the door, and what was answered and is not proven.
#[derive(Default)]
pub(super) struct Answering {
    raised: Vec<Raised>,
    /// Calls that began, by the mark that their dialog will carry.
    marks: VecDeque<(u64, String)>,
    answered: Vec<Answered>,
    /// Those whose hook went while they were open in the terminal.
    orphans: Vec<Dialog>,
    waiting: Option<Waiting>,
    /// What the CLI asks before it starts.
    pub(super) startup: Option<Dialog>,
    /// The answer that is being typed.
    pub(super) keyed: Option<Keyed>,
}

struct Raised {
    dialog: Dialog,
    payload: Vec<u8>,
    asker: Asker,
    /// In milliseconds since 1970.
    at: u64,
}

/// The terminal waits for somebody.
struct Waiting {
    /// Since when, by our clock, and as the CLI says.
    at: Instant,
    since: Option<u64>,
    what: String,
    own_screen: bool,
}

pub(super) struct Answered {
    /// Until when the terminal may still be on its way from the dialog back to
    /// the composer, where a text would be lost.
    clears_by: Instant,
    receipt: Receipt,
    dialog: Dialog,
    answers: Vec<Answer>,
    pub(super) is_startup: bool,
    /// By when the answer has to be taken, and when it was handed over,
    /// in milliseconds since 1970.
    proof: Option<(Instant, u64)>,
}

impl Answered {
    pub(super) fn new(receipt: Receipt, dialog: Dialog, answers: Vec<Answer>) -> Self {
        let at = Instant::now();
        Self {
            clears_by: at + CLEARING,
            receipt,
            dialog,
            answers,
            is_startup: false,
            proof: Some((at + RECORD_LIMIT, epoch_millis())),
        }
    }
}

impl Answering {
    pub(super) fn dialogs(&self) -> Vec<Dialog> {
        self.raised.iter().map(|it| it.dialog.clone()).collect()
    }

    /// When the last dialog that was answered is off the screen for certain, if
    /// that is not proven yet.
    pub(super) fn clears_by(&self, now: Instant) -> Option<Instant> {
        self.answered.iter().map(|it| it.clears_by).filter(|at| *at > now).max()
    }

    /// When to look here again.
    pub(super) fn wake_at(&self, now: Instant) -> Option<Instant> {
        let grace = self.waiting.as_ref().map(|it| it.at + DOOR_GRACE).filter(|at| *at > now);
        let proofs = self.answered.iter().filter_map(|it| it.proof).map(|it| it.0);
        let keyed = self.keyed.as_ref().map(|it| it.due);
        let clears_by = self.clears_by(now);
        proofs.chain(grace).chain(keyed).chain(clears_by).min()
    }

    /// The terminal waits for somebody, or it does not.
    pub(super) fn waits(&mut self, entry: Option<&RegistryEntry>) {
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
    pub(super) fn waits_for_keys(&self) -> bool {
        let waiting = self.waiting.as_ref();
        waiting.is_some_and(|it| !it.own_screen && it.at.elapsed() >= DOOR_GRACE)
    }

    /// A menu or the like, under which no dialog of a call can wait.
    pub(super) fn shows_own_screen(&self) -> bool {
        self.waiting.as_ref().is_some_and(|it| it.own_screen)
    }

    /// What it waits for was answered here, and is not off the screen yet.
    pub(super) fn waits_for_the_answered(&self) -> bool {
        let since = self.waiting.as_ref().and_then(|it| it.since);
        let given = self.answered.iter().filter_map(|it| it.proof).map(|it| it.1);
        since.is_some_and(|since| given.max().is_some_and(|given| since <= given))
    }

    /// It waits at the door, or did, or before the start.
    pub(super) fn lists(&self, dialog: &str) -> bool {
        let startup = self.startup.iter().chain(&self.orphans);
        self.has(dialog) || startup.into_iter().any(|it| it.id == dialog)
    }

    /// What the terminal waits for, once a dialog would have told by itself.
    pub(super) fn unexplained(&self) -> Option<String> {
        let waiting = self.waiting.as_ref();
        let late = waiting.filter(|it| it.own_screen || it.at.elapsed() >= DOOR_GRACE);
        late.map(|it| it.what.clone())
    }

    pub(super) fn orphans(&self) -> Vec<Dialog> {
        self.orphans.clone()
    }

    /// It was answered here, and that is not proven yet.
    pub(super) fn is_answered(&self, dialog: &str) -> bool {
        self.answered.iter().any(|it| it.dialog.id == dialog)
    }

    pub(super) fn answered(&mut self, answered: Answered) {
        self.answered.push(answered);
    }

    /// Answers that were handed over long ago, while the dialog still waits. One that
    /// is not waited for any more was taken, and its call may run for long.
    pub(super) fn unproven(&mut self, now: Instant, waits: bool) -> Vec<Receipt> {
        let since = self.waiting.as_ref().filter(|_| waits).and_then(|it| it.since);
        let mut failed = Vec::new();
        self.answered.retain_mut(|it| {
            let Some((_, given_at)) = it.proof.filter(|it| it.0 <= now) else { return true };
            it.proof = None;
            let still = it.is_startup || waits && since.is_none_or(|since| since <= given_at);
            if still {
                failed.push(it.receipt.clone());
            }
            !still
        });
        failed
    }

    /// Answers to what the CLI asked before it started: no call proves them.
    pub(super) fn take_startup_answers(&mut self) -> Vec<Receipt> {
        self.answered.extract_if(.., |it| it.is_startup).map(|it| it.receipt).collect()
    }

    /// The process is gone: nothing more will be proven.
    pub(super) fn fail_all(&mut self, why: &str) -> Vec<Receipt> {
        let keyed = self.keyed.take().map(|it| it.receipt);
        let answered = std::mem::take(&mut self.answered).into_iter().map(|it| it.receipt);
        answered.chain(keyed).map(|it| outbox::failed(it, why)).collect()
    }

    pub(super) fn has(&self, dialog: &str) -> bool {
        self.raised.iter().any(|it| it.dialog.id == dialog)
    }

    pub(super) fn began(&mut self, call: Option<&str>, mark: u64) {
        if let Some(call) = call {
            self.marks.push_back((mark, call.to_owned()));
            if self.marks.len() > MARKS_KEPT {
                self.marks.pop_front();
            }
        }
    }

    fn call_of(&mut self, mark: u64) -> Option<String> {
        let at = self.marks.iter().position(|(it, _)| *it == mark)?;
        self.marks.remove(at).map(|(_, call)| call)
    }

    /// The call ended, so nobody needs an answer to it any more.
    pub(super) fn settled(&mut self, call: &str) {
        self.raised.retain(|it| it.dialog.id != call);
        self.orphans.retain(|it| it.id != call);
    }

    pub(super) fn gone(&mut self, asker: u64) {
        let gone = self.raised.extract_if(.., |it| it.asker.id == asker);
        self.orphans.extend(gone.map(|it| it.dialog));
    }

    /// The process waits for nobody any more.
    pub(super) fn all_settled(&mut self) {
        self.raised.clear();
        self.orphans.clear();
    }

    /// It has come to rest at this time, so nothing from before waits.
    pub(super) fn settled_before(&mut self, since: Option<u64>) {
        self.raised.retain(|it| since.is_some_and(|since| it.at >= since));
    }

    /// The terminal stopped waiting at this time: its one dialog was answered
    /// there. One that came afterwards is another.
    pub(super) fn left_waiting(&mut self, since: Option<u64>) {
        if let [only] = self.raised.as_slice()
            && since.is_none_or(|since| only.at < since)
        {
            self.raised.clear();
        }
    }
}

impl Actor {
    pub(super) fn raise(&mut self, payload: Vec<u8>, asker: Asker) {
        let signal = self.provider.live().and_then(|live| live.signal(&payload));
        let Some((SignalKind::DialogRaised { mut dialog, mark }, agent)) =
            signal.map(|it| (it.kind, it.agent))
        else {
            warn!("A hook asks something that is no dialog");
            return;
        };
        let call = self.answering.call_of(mark).or_else(|| self.same_in_transcript(&dialog, mark));
        dialog.id = match call {
            Some(call) => call,
            // Of a subagent, perhaps, whose calls stand elsewhere.
            None if self.facts.registry == Some(Activity::Waiting) => format!("door-{}", asker.id),
            None => {
                info!("A hook asks again what was answered while we were away");
                return; // Dropping the asker tells it so.
            }
        };
        if let Some(agent) = agent {
            dialog.title = format!("{} (subagent {agent})", dialog.title);
        }
        info!(dialog.id = dialog.id, dialog.kind = ?dialog.kind, "A dialog waits at the door");
        self.answering.settled(&dialog.id);
        self.answering.raised.push(Raised { dialog: *dialog, payload, asker, at: epoch_millis() });
        self.read_transcript();
    }

    /// The call that the transcript has for a dialog which is asked again.
    fn same_in_transcript(&self, raised: &Dialog, mark: u64) -> Option<String> {
        let live = self.provider.live()?;
        let texts = |it: &Dialog| -> Vec<String> {
            it.questions.iter().map(|question| question.text.clone()).collect()
        };
        let dialogs = self.tools.hub.open_dialogs(&self.row.id).into_iter().filter(|open| {
            let plan = open.kind == DialogKind::Plan;
            open.kind == raised.kind && (plan || texts(open) == texts(raised))
        });
        let calls = self.tools.hub.running_calls(&self.row.id).into_iter();
        let calls = calls.filter(|call| live.mark(&call.name, &call.input) == mark);
        let mut known = dialogs.map(|it| it.id).chain(calls.map(|it| it.call_id));
        known.find(|id| !self.answering.has(id))
    }

    /// Answers through the door. Everything is checked before the first effect.
    pub(super) async fn answer(
        &mut self,
        dialog_id: &str,
        answers: Vec<Answer>,
        client_id: Option<String>,
        by: &str,
    ) -> Result<Receipt, RunError> {
        if let Some(known) = self.sent_before(client_id.as_deref()).await? {
            return Ok(known);
        }
        let Some(at) = self.answering.raised.iter().position(|it| it.dialog.id == dialog_id) else {
            return self.answer_by_keys(dialog_id, answers, client_id, by).await;
        };
        let live = self.provider.live().ok_or(RunError::Seam(SeamError::NotAnswerable))?;
        let output = live.decide(&self.answering.raised[at].payload, &answers)?;
        let mut receipt = outbox::receipt(ReceiptKind::Answer, by, now(), client_id);
        receipt.door = Door::Live;
        receipt.dialog_id = Some(dialog_id.to_owned());
        self.write_down(&receipt, &self.answering.raised[at].dialog, &answers).await?;
        let Raised { dialog, asker, .. } = self.answering.raised.remove(at);
        if !asker.answer(output) {
            return Err(RunError::NoDialog);
        }
        receipt.status = ReceiptStatus::Typed;
        self.publish_receipts(vec![receipt.clone()]);
        self.answering.answered(Answered::new(receipt.clone(), dialog, answers));
        Ok(receipt)
    }

    pub(super) fn no_such_dialog(&self, dialog_id: &str) -> RunError {
        let open = self.pending_now();
        match open.first() {
            None => RunError::NoDialog,
            Some(_) if open.iter().any(|it| it.id == dialog_id) => {
                RunError::Seam(SeamError::NotAnswerable)
            }
            Some(current) => RunError::DialogChanged { current: Box::new(current.clone()) },
        }
    }

    /// Compares what was answered with what the CLI recorded.
    pub(super) fn prove_answer(&mut self, outcome: &ToolOutcome) {
        self.answering.settled(&outcome.call_id);
        let answered = &mut self.answering.answered;
        let Some(at) = answered.iter().position(|it| it.dialog.id == outcome.call_id) else {
            return;
        };
        let Answered { mut receipt, dialog, answers, .. } = answered.remove(at);
        receipt.position = self.tools.hub.position_of_call(&self.row.id, &outcome.call_id);
        receipt.epoch = Some(self.epoch.clone());
        match difference(&dialog, &answers, outcome) {
            None => receipt.status = ReceiptStatus::Recorded,
            Some(difference) => {
                warn!(dialog.id = dialog.id, "The CLI recorded another answer than was given");
                receipt.status = ReceiptStatus::Failed;
                receipt.detail = Some(difference.clone());
                self.warn("answer_differs", &difference, Some("Look at the terminal."));
            }
        }
        self.publish_receipts(vec![receipt]);
    }
}

/// What differs between an answer and its record, in words that show both.
fn difference(dialog: &Dialog, answers: &[Answer], outcome: &ToolOutcome) -> Option<String> {
    let recorded = outcome.dialog.as_ref().filter(|_| dialog.kind == DialogKind::Question);
    let Some(recorded) = recorded else {
        // A plan or an approval: it was let through, or it was not.
        let last = dialog.questions.first().map_or(0, |it| it.options.len().saturating_sub(1));
        let allowed = answers[0].selected.first().is_some_and(|at| *at < last);
        let through = outcome.status == ToolStatus::Ok
            || (dialog.kind == DialogKind::Approval && outcome.status == ToolStatus::Error);
        let differs = allowed && !through || !allowed && outcome.status == ToolStatus::Ok;
        let given = if allowed { "allowed" } else { "denied" };
        return differs
            .then(|| format!("It was {given} here, and the CLI recorded something else."));
    };
    for (question, answer) in dialog.questions.iter().zip(answers) {
        let given = spoken(question, answer);
        let found = recorded.answers.iter().find(|(text, _)| *text == question.text);
        let found = found.map_or("no answer", |(_, answer)| answer.as_str());
        if plain(found) != plain(&given) {
            return Some(format!("Answered here: {given}. Recorded by the CLI: {found}."));
        }
    }
    None
}

fn spoken(question: &Question, answer: &Answer) -> String {
    let labels = answer.selected.iter().filter_map(|at| question.options.get(*at));
    let words = answer.other_text.iter().filter(|it| !it.trim().is_empty()).cloned();
    labels.map(|it| it.label.clone()).chain(words).collect::<Vec<_>>().join(", ")
}

/// Versions differ in white space and in quotes around a choice with a comma.
fn plain(answer: &str) -> String {
    answer.chars().filter(|c| !c.is_whitespace() && *c != '"').collect()
}

#[cfg(test)]
mod tests;
