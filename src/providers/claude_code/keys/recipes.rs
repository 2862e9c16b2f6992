//! Which keys give an answer.
//!
//! Rows are reached by looking, and never by counting: their numbers differ from
//! version to version, and the cursor stands where a person left it.

use crate::schema::{Answer, Dialog, DialogKind, Question, Response};
use crate::seam::{DialogRecipe, DialogStep, Key, SeamError, Spot};

use super::super::{asking, input};
use super::sight::has_previews;
use super::startup;
use super::versions::{VERIFIED, ways};

/// A field of a dialog is no place for more.
const LONGEST_WORDS: usize = 4_000;

pub(super) fn recipe(
    dialog: &Dialog,
    response: &Response,
    version: Option<&str>,
) -> Result<DialogRecipe, SeamError> {
    if !dialog.answerable {
        return Err(SeamError::NotAnswerable);
    }
    let (name, steps) = match response {
        Response::Discuss { .. } => ("discuss", discuss(dialog)?),
        Response::Answers(answers) => {
            asking::check(&dialog.questions, answers)?;
            match dialog.kind {
                _ if startup::find(dialog).is_some() => ("startup", startup(&answers[0])?),
                DialogKind::Question => ("question", question(&dialog.questions, answers)?),
                DialogKind::Plan => ("plan", plan(&answers[0])?),
                DialogKind::Approval => ("approval", approval(dialog, &answers[0])?),
            }
        }
    };
    let guard = ways(version).guard;
    let settle = (!guard.is_zero()).then_some(DialogStep::Settle(guard));
    let steps = settle.into_iter().chain(steps).collect();
    Ok(DialogRecipe { name, verified_on: VERIFIED, steps })
}

/// The row stands below each of the questions, so it does not matter which is shown.
fn discuss(dialog: &Dialog) -> Result<Vec<DialogStep>, SeamError> {
    asking::check_discussable(dialog)?;
    Ok(vec![DialogStep::Reach(Spot::Discuss), commit(Key::Enter, Spot::Discuss)])
}

fn question(questions: &[Question], answers: &[Answer]) -> Result<Vec<DialogStep>, SeamError> {
    let is_lone = matches!(questions, [only] if !only.multi_select);
    let mut steps = Vec::new();
    let mut spoken = Vec::new();
    for (at, (question, answer)) in questions.iter().zip(answers).enumerate() {
        let words = words(answer)?;
        if question.multi_select {
            several(&mut steps, at, question, answer, words.as_deref());
        } else {
            let last = one(&mut steps, at, question, answer, words.as_deref())?;
            // A lone question is answered by this key, others lead to a review.
            let press = if is_lone { commit } else { press };
            steps.push(press(Key::Enter, last));
        }
        let labels = answer.selected.iter().map(|it| question.options[*it].label.clone());
        spoken.push(labels.chain(words).collect::<Vec<_>>().join(", "));
    }
    if !is_lone {
        let review = Spot::Review { answers: spoken };
        steps.push(DialogStep::Reach(review.clone()));
        steps.push(commit(Key::Enter, review));
    }
    Ok(steps)
}

/// One option, or words: the spot on which Enter says so.
fn one(
    steps: &mut Vec<DialogStep>,
    question: usize,
    asked: &Question,
    answer: &Answer,
    words: Option<&str>,
) -> Result<Spot, SeamError> {
    match (answer.selected.first(), words) {
        (Some(option), None) => {
            let spot = Spot::Option { question, option: *option };
            steps.push(DialogStep::Reach(spot.clone()));
            Ok(spot)
        }
        (None, Some(_)) if has_previews(asked) => {
            invalid("the terminal takes no words for a question with previews; choose an option")
        }
        (None, Some(words)) => Ok(say(steps, question, None, words)),
        _ => invalid("the terminal takes an option or words for this question, not both"),
    }
}

fn several(
    steps: &mut Vec<DialogStep>,
    question: usize,
    asked: &Question,
    answer: &Answer,
    words: Option<&str>,
) {
    for option in 0..asked.options.len() {
        let marked = answer.selected.contains(&option);
        steps.push(DialogStep::Reach(Spot::Marked { question, option, marked }));
    }
    if let Some(words) = words {
        say(steps, question, None, words);
    }
    // Not by Enter in the field, which would take the words back.
    let onward = Spot::Onward { question };
    steps.push(DialogStep::Reach(onward.clone()));
    steps.push(press(Key::Enter, onward));
}

fn plan(answer: &Answer) -> Result<Vec<DialogStep>, SeamError> {
    let words = words(answer)?;
    match answer.selected.first() {
        Some(option) if *option < asking::KEEP_PLANNING => {
            if words.is_some() {
                return invalid("the terminal takes no words with an approval");
            }
            Ok(choose(*option))
        }
        _ => {
            let mut steps = Vec::new();
            let words = words.unwrap_or_else(|| "Keep planning.".into());
            let spot = say(&mut steps, 0, None, &words);
            steps.push(commit(Key::Enter, spot));
            Ok(steps)
        }
    }
}

fn startup(answer: &Answer) -> Result<Vec<DialogStep>, SeamError> {
    match (answer.selected.first(), words(answer)?) {
        (Some(option), None) => Ok(choose(*option)),
        _ => invalid("choose one of the options; the terminal takes no words here"),
    }
}

fn approval(dialog: &Dialog, answer: &Answer) -> Result<Vec<DialogStep>, SeamError> {
    let options = &dialog.questions[0].options;
    let last = options.len().saturating_sub(1);
    let option = answer.selected.first().copied().unwrap_or(last);
    let Some(words) = words(answer)? else {
        if option != 0 && option != last && asking::rule_words(&options[option].label).is_none() {
            return invalid("only the terminal itself can allow it like that");
        }
        return Ok(choose(option));
    };
    if option != 0 && option != last || !asking::takes_words(dialog) {
        return invalid("the terminal takes no words with this");
    }
    let spot = Spot::Option { question: 0, option };
    // Tab opens the field beside the row.
    let mut steps = vec![DialogStep::Reach(spot.clone()), press(Key::Tab, spot)];
    let spot = say(&mut steps, 0, Some(option), &words);
    steps.push(commit(Key::Enter, spot));
    Ok(steps)
}

fn choose(option: usize) -> Vec<DialogStep> {
    let spot = Spot::Option { question: 0, option };
    vec![DialogStep::Reach(spot.clone()), commit(Key::Enter, spot)]
}

/// Puts words into a field that is empty: the spot at which they stand there.
fn say(steps: &mut Vec<DialogStep>, question: usize, beside: Option<usize>, words: &str) -> Spot {
    let field = Spot::Field { question, beside };
    steps.push(DialogStep::Reach(field.clone()));
    steps.push(DialogStep::Paste { texts: input::chunks(words), on: field });
    let spot = Spot::Words { question, beside, words: words.to_owned() };
    steps.push(DialogStep::Reach(spot.clone()));
    spot
}

/// The person's words as a terminal takes them.
fn words(answer: &Answer) -> Result<Option<String>, SeamError> {
    let words = answer.other_text.as_deref().map(input::clean).filter(|it| !it.trim().is_empty());
    match words {
        Some(words) if words.chars().count() > LONGEST_WORDS => invalid(&format!(
            "the words are too long for the terminal; it takes {LONGEST_WORDS} characters"
        )),
        words => Ok(words),
    }
}

fn press(key: Key, on: Spot) -> DialogStep {
    DialogStep::Press { key, on }
}

fn commit(key: Key, on: Spot) -> DialogStep {
    DialogStep::Commit { key, on }
}

fn invalid<T>(detail: &str) -> Result<T, SeamError> {
    Err(SeamError::Invalid { field: "answers", detail: detail.to_owned() })
}
