//! What the CLI recorded of an answer, and who gave it.

use tracing::warn;

use crate::schema::{
    Answer, Dialog, DialogKind, Door, Question, Receipt, ReceiptKind, ReceiptStatus, Response,
    ToolStatus,
};
use crate::seam::ToolOutcome;
use crate::store::AnswerRow;

use super::held::MARKS_KEPT;
use super::{Actor, Answered, Answering, now, outbox};

/// Who answers at the terminal itself.
const TERMINAL: &str = "terminal";

const ASKED_AGAIN: &str =
    "seamux stopped before the agent had this answer. The dialog is open again.";

impl Answering {
    pub(super) fn note_seen(&mut self, dialog: &str) {
        self.seen.push_back(dialog.to_owned());
        if self.seen.len() > MARKS_KEPT {
            self.seen.pop_front();
        }
    }

    fn take_answered(&mut self, dialog: &str) -> Option<Answered> {
        let at = self.answered.iter().position(|it| it.dialog.id == dialog)?;
        Some(self.answered.remove(at))
    }

    /// Whether it was seen here; it is not any more.
    fn take_seen(&mut self, dialog: &str) -> bool {
        let at = self.seen.iter().position(|it| it == dialog);
        at.is_some_and(|at| self.seen.remove(at).is_some())
    }
}

impl Actor {
    /// Compares what was answered with what the CLI recorded.
    pub(in crate::runs) fn prove_answer(&mut self, outcome: &ToolOutcome) {
        let call = &outcome.call_id;
        self.answering.settled(call);
        let seen = self.answering.take_seen(call);
        let Some(answered) = self.answering.take_answered(call) else {
            if seen {
                self.note_answer_of_terminal(outcome);
            }
            return;
        };
        let Answered { mut receipt, dialog, response, .. } = answered;
        match difference(&dialog, &response, outcome) {
            None => {
                // Words that follow are held first: a crash in between must not lose them.
                let Some(proven) = self.answering.keep_words(receipt, &response) else { return };
                receipt = proven;
                receipt.status = ReceiptStatus::Recorded;
                let broken_off = outcome.status == ToolStatus::Cancelled;
                receipt.detail = (broken_off && is_allowed(&dialog, &response))
                    .then(|| "It was allowed here, and the call was broken off.".into());
            }
            Some(difference) => {
                warn!(dialog.id = dialog.id, "The CLI recorded another answer than was given");
                receipt.status = ReceiptStatus::Failed;
                receipt.detail = Some(difference.clone());
                self.warn("answer_differs", &difference, Some("Look at the terminal."));
            }
        }
        self.publish_proof(receipt, call);
    }

    /// The CLI took the decision about a call. That the call failed or was broken
    /// off afterwards is no contradiction.
    pub(in crate::runs) fn prove_decision(&mut self, call: &str, allowed: bool) {
        let decided = |it: &Answered| {
            it.dialog.id == call
                && it.dialog.kind == DialogKind::Approval
                && is_allowed(&it.dialog, &it.response) == allowed
        };
        let Some(at) = self.answering.answered.iter().position(decided) else { return };
        let mut receipt = self.answering.answered.remove(at).receipt;
        self.answering.take_seen(call);
        receipt.status = ReceiptStatus::Recorded;
        self.publish_proof(receipt, call);
    }

    /// A dialog that waits at the door again did not get its answer.
    pub(super) fn asked_again(&mut self, dialog: &str) {
        if let Some(lost) = self.answering.take_answered(dialog) {
            self.publish_receipts(vec![outbox::failed(lost.receipt, ASKED_AGAIN)]);
        }
    }

    /// Answers that another life of ours handed over, or was about to.
    pub(in crate::runs) fn recover_answers(&mut self, answers: Vec<(Receipt, AnswerRow)>) {
        for (receipt, row) in answers {
            let dialog = serde_json::from_str(&row.dialog);
            match (dialog, serde_json::from_str(&row.answers)) {
                (Ok(dialog), Ok(response)) => {
                    self.answering.answered(Answered::new(receipt, dialog, response));
                }
                _ => self.publish_receipts(vec![outbox::failed(receipt, ASKED_AGAIN)]),
            }
        }
    }

    /// Somebody at the terminal was first.
    fn note_answer_of_terminal(&mut self, outcome: &ToolOutcome) {
        let mut receipt = outbox::receipt(ReceiptKind::Answer, TERMINAL, now(), None);
        receipt.door = Door::Terminal;
        receipt.status = ReceiptStatus::Recorded;
        receipt.dialog_id = Some(outcome.call_id.clone());
        self.publish_proof(receipt, &outcome.call_id);
    }

    pub(super) fn publish_proof(&mut self, mut receipt: Receipt, call: &str) {
        receipt.position = self.tools.hub.position_of_call(&self.row.id, call);
        receipt.epoch = Some(self.epoch.clone());
        self.publish_receipts(vec![receipt]);
    }
}

/// Of a plan or an approval: it was let through. The last option denies.
fn is_allowed(dialog: &Dialog, response: &Response) -> bool {
    let Response::Answers(answers) = response else { return false };
    let last = dialog.questions.first().map_or(0, |it| it.options.len().saturating_sub(1));
    let chosen = answers.first().and_then(|it| it.selected.first());
    chosen.is_some_and(|at| *at < last)
}

/// What differs between an answer and its record, in words that show both.
pub(super) fn difference(
    dialog: &Dialog,
    response: &Response,
    outcome: &ToolOutcome,
) -> Option<String> {
    let Response::Answers(answers) = response else { return not_discussed(outcome) };
    let recorded = outcome.dialog.as_ref().filter(|_| dialog.kind == DialogKind::Question);
    let Some(recorded) = recorded else {
        // A plan or an approval: it was let through, or it was not.
        let allowed = is_allowed(dialog, response);
        // What was allowed may fail or be broken off all the same.
        let through = outcome.status == ToolStatus::Ok
            || (dialog.kind == DialogKind::Approval && outcome.status != ToolStatus::Running);
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

/// Somebody answered or declined at the terminal instead.
fn not_discussed(outcome: &ToolOutcome) -> Option<String> {
    let recorded = outcome.dialog.as_ref();
    if recorded.is_some_and(|it| it.discussed) {
        return None;
    }
    let answers = recorded.map(|it| it.answers.iter().map(|it| it.1.as_str()).collect::<Vec<_>>());
    let found = match answers {
        Some(answers) if !answers.is_empty() => answers.join("; "),
        _ if outcome.status == ToolStatus::Ok => "no answer".to_owned(),
        _ => "it was declined".to_owned(),
    };
    Some(format!("Here somebody wanted to talk about it first. Recorded by the CLI: {found}."))
}

fn spoken(question: &Question, answer: &Answer) -> String {
    let labels = answer.selected.iter().filter_map(|at| question.options.get(*at));
    let words = answer.other_text.iter().filter(|it| !it.trim().is_empty()).cloned();
    labels.map(|it| it.label.clone()).chain(words).collect::<Vec<_>>().join(", ")
}

/// Versions differ in white space and in quotes around a choice with a comma, with a
/// sign before those that are its own.
fn plain(answer: &str) -> String {
    answer.chars().filter(|c| !c.is_whitespace() && !['"', '\\'].contains(c)).collect()
}
