//! Questions and plans: the calls that wait for a person, and how they ended.

use crate::schema::{Channel, Dialog, DialogKind, Outcome, Question, QuestionOption};

use super::super::asking::{TALK_FIRST, THEY_SAID};
use super::loose::Shape;
use super::record::{AskedOption, AskedQuestion, Input, NativeResult};

/// The kind of dialog that a tool opens, if it opens one.
pub(super) fn kind(tool: &str) -> Option<DialogKind> {
    match tool {
        "AskUserQuestion" => Some(DialogKind::Question),
        "ExitPlanMode" => Some(DialogKind::Plan),
        _ => None,
    }
}

/// The dialog as the transcript tells it. A live door may know more and answer it.
pub(super) fn dialog(id: &str, kind: DialogKind, input: &Input<'_>, plan: Option<&str>) -> Dialog {
    let (questions, body) = if kind == DialogKind::Plan {
        // The call may carry no plan: it then stands in the file that was written.
        let body = input.plan.words().or(plan).unwrap_or_default();
        (Vec::new(), body.to_owned())
    } else {
        let asked = input.questions.many().iter();
        (asked.filter_map(Shape::one).map(question).collect(), String::new())
    };
    Dialog {
        id: id.to_owned(),
        kind,
        title: title(kind, &questions),
        body,
        questions: if questions.is_empty() { vec![bare_question(kind)] } else { questions },
        answerable: false,
        can_discuss: false,
        channel: Channel::None,
        outcome: None,
    }
}

fn title(kind: DialogKind, questions: &[Question]) -> String {
    match (kind, questions) {
        (DialogKind::Plan, _) => "Plan".to_owned(),
        (_, []) => "Question".to_owned(),
        (_, [only]) => only.text.clone(),
        (_, several) => format!("{} questions", several.len()),
    }
}

fn question(asked: &AskedQuestion<'_>) -> Question {
    let options = asked.options.many().iter();
    Question {
        header: asked.header.text().unwrap_or_default().to_owned(),
        text: asked.question.text().unwrap_or_default().to_owned(),
        options: options.filter_map(option).collect(),
        multi_select: asked.multi_select.is_true(),
        free_text: true,
    }
}

fn option(asked: &Shape<'_, AskedOption<'_>>) -> Option<QuestionOption> {
    let (label, description, preview) = match asked {
        Shape::One(it) => (it.label.text()?, it.description.text(), it.preview.words()),
        _ => (asked.text()?, None, None),
    };
    Some(QuestionOption {
        label: label.to_owned(),
        description: description.unwrap_or_default().to_owned(),
        preview: preview.map(str::to_owned),
    })
}

fn bare_question(kind: DialogKind) -> Question {
    Question {
        header: String::new(),
        text: match kind {
            DialogKind::Plan => "Go ahead with this plan?".to_owned(),
            DialogKind::Question | DialogKind::Approval => String::new(),
        },
        options: Vec::new(),
        multi_select: false,
        free_text: kind == DialogKind::Question,
    }
}

/// How a call ended that may have been a dialog.
pub(super) struct Ending<'r> {
    /// Its dialog and the text that was shown, if the call is known.
    pub(super) known: Option<&'r (DialogKind, String)>,
    pub(super) failed: bool,
    /// What a person said while declining, or why the call failed.
    pub(super) words: Option<&'r str>,
    pub(super) result: Option<&'r NativeResult<'r>>,
}

/// The outcome, if the call was a dialog or could have been one.
///
/// A call that the mapper has not seen could be one when it failed: a declined
/// question and a declined command read the same.
pub(super) fn outcome(ending: &Ending<'_>, seen: bool) -> Option<Outcome> {
    if seen && ending.known.is_none() {
        return None;
    }
    if ending.failed {
        let is_question = ending.known.is_some_and(|it| it.0 == DialogKind::Question);
        let talk = ending.words.and_then(talk_first).filter(|_| is_question);
        return Some(Outcome {
            accepted: false,
            discussed: talk.is_some(),
            answers: Vec::new(),
            detail: talk.unwrap_or_else(|| ending.words.map(first_paragraph)),
        });
    }
    let shown = ending.known.map_or("", |it| it.1.as_str());
    let result = ending.result;
    let is_question = ending.known.is_some_and(|it| it.0 == DialogKind::Question)
        || result.is_some_and(|it| matches!(it.questions, Shape::Many(_)));
    match result {
        Some(result) if is_question => Some(answered(result, ending.words)),
        Some(result) if is_plan(result) || ending.known.is_some() => Some(Outcome {
            accepted: true,
            discussed: false,
            answers: Vec::new(),
            detail: result
                .plan
                .words()
                .filter(|plan| plan.trim() != shown.trim())
                .map(str::to_owned),
        }),
        None if ending.known.is_some() => Some(Outcome {
            accepted: ending.words.is_none_or(|it| !it.starts_with(UNANSWERED)),
            discussed: false,
            answers: Vec::new(),
            detail: ending.words.map(str::to_owned),
        }),
        _ => None,
    }
}

fn is_plan(result: &NativeResult<'_>) -> bool {
    result.is_agent.is_flag() || result.plan.text().is_some()
}

const UNANSWERED: &str = "The user did not answer";

fn answered(result: &NativeResult<'_>, words: Option<&str>) -> Outcome {
    let asked: Vec<_> = result.questions.many().iter().filter_map(Shape::one).collect();
    let all: Vec<_> = result
        .answers
        .iter()
        .filter_map(|(question, answer)| Some((question.clone(), answer_text(answer)?)))
        .collect();
    // Whoever answered may have sent the answers to other questions along.
    let is_asked = |question: &str| asked.iter().any(|it| it.question.text() == Some(question));
    let answers = if all.iter().any(|it| is_asked(&it.0)) {
        all.into_iter().filter(|it| is_asked(&it.0)).collect()
    } else {
        all
    };
    let notes: Vec<_> = result
        .annotations
        .iter()
        .filter_map(|(question, note)| Some((question, note.one()?.notes.words()?)))
        .map(|(question, notes)| format!("{question} {notes}"))
        .collect();
    let accepted = !answers.is_empty();
    let detail = if accepted {
        (!notes.is_empty()).then(|| notes.join("\n"))
    } else {
        words.map(first_paragraph)
    };
    Outcome { accepted, discussed: false, answers, detail }
}

/// One answer. Several choices are one text or a list of texts, by version.
fn answer_text<T>(answer: &Shape<'_, T>) -> Option<String> {
    let text = match answer {
        Shape::Many(list) => {
            let parts: Vec<_> = list.iter().filter_map(Shape::text).collect();
            parts.join(", ")
        }
        _ => answer.text()?.to_owned(),
    };
    // The line breaks of pasted words are recorded as the terminal sends them.
    let text = text.replace('\r', "\n");
    (!text.trim().is_empty()).then_some(text)
}

/// Where a person asks back or does not answer at all, the CLI adds orders to the
/// model.
fn first_paragraph(words: &str) -> String {
    if words.starts_with(ASKS_BACK) {
        return ASKS_BACK.to_owned();
    }
    // The question answered itself after an idle time.
    match words.strip_prefix(NO_RESPONSE).and_then(|it| it.split_once(' ')) {
        Some((time, _)) => format!("Not answered by you: the CLI went on by itself after {time}."),
        None => words.to_owned(),
    }
}

/// What there is to say about a question that a person wants to talk about first, if
/// this is one: chosen in the terminal, or said through the door, perhaps with words.
fn talk_first(words: &str) -> Option<Option<String>> {
    if words.starts_with(ASKS_BACK) {
        return Some(Some(ASKS_BACK.to_owned()));
    }
    let told = words.strip_prefix(TALK_FIRST)?;
    Some(told.strip_prefix(THEY_SAID).map(str::to_owned))
}

const ASKS_BACK: &str = "The user wants to clarify these questions.";
const NO_RESPONSE: &str = "No response after ";
