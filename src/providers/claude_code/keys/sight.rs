//! Whether a screen shows a dialog, and where its cursor stands.

use crate::schema::{Dialog, DialogKind, Question};
use crate::seam::{Key, Seen, Spot};

use super::super::asking;
use super::screen::{DISCUSS, Row, below, below_rule, ends_in_dialog, rows, squash};
use super::startup;

/// Of a plan, this much is looked for. The CLI renders its markup.
const COMPARED: usize = 40;

pub(super) fn sees(screen: &str, dialog: &Dialog, spot: &Spot) -> Seen {
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    if let Some(startup) = startup::find(dialog) {
        let Spot::Option { option, .. } = spot else { return Seen::No };
        return startup.sees(&lines, *option).unwrap_or(Seen::No);
    }
    let seen = match dialog.kind {
        DialogKind::Question => question(&lines, &dialog.questions, spot),
        DialogKind::Plan => plan(&lines, dialog, spot),
        DialogKind::Approval => approval(&lines, dialog, spot),
    };
    match seen {
        Some(Seen::No) | None if ends_in_dialog(&lines) => Seen::Cut,
        seen => seen.unwrap_or(Seen::No),
    }
}

/// Where the cursor stands, what is marked and what is written, and nothing that
/// is drawn around it: hints change a moment later than the row that they are
/// about, and would be taken for the effect of the next key.
pub(super) fn shown(screen: &str, dialog: &Dialog) -> String {
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    let seen = match dialog.kind {
        _ if startup::find(dialog).is_some() => {
            startup::find(dialog).map(|it| (0, "", it.rows(&lines)))
        }
        DialogKind::Question => {
            let asked = dialog.questions.iter().filter_map(|it| {
                asked(&lines, it).map(|(line, rows)| (line, it.text.as_str(), rows))
            });
            let review = below(&lines, REVIEW).map(|it| (it.0, REVIEW, rows(it.1, false)));
            asked.chain(review).max_by_key(|it| it.0)
        }
        DialogKind::Plan => below(&lines, PLAN_ASKS).map(|it| (it.0, "", rows(it.1, false))),
        DialogKind::Approval => permission(&lines).map(|it| (0, "", rows(it.1, false))),
    };
    let Some((_, asks, rows)) = seen else { return String::new() };
    // While a cursor moves there may be none of it, or two.
    let is_drawn = rows.iter().filter(|it| it.has_cursor).count() == 1;
    if is_drawn { format!("{asks} {rows:?}") } else { String::new() }
}

const REVIEW: &str = "Review your answers";
const PLAN_ASKS: &str =
    "Claude has written up a plan and is ready to execute. Would you like to proceed?";

/// `None` if something that has to be there is not.
fn question(lines: &[&str], questions: &[Question], spot: &Spot) -> Option<Seen> {
    let at = match spot {
        Spot::Review { answers } => return review(lines, questions, answers),
        Spot::Option { question, .. }
        | Spot::Marked { question, .. }
        | Spot::Field { question, .. }
        | Spot::Words { question, .. }
        | Spot::Onward { question } => Some(*question),
        Spot::Discuss => None,
    };
    let shown = (questions.iter().enumerate())
        .filter_map(|(at, it)| asked(lines, it).map(|(line, rows)| (line, at, rows)));
    let (_, current, rows) = shown.max_by_key(|(line, ..)| *line)?;
    let options = questions.get(current)?.options.len();
    if let Some(at) = at.filter(|it| *it != current) {
        // In a field, these keys move within the text.
        let in_list = rows.iter().any(|it| it.has_cursor && it.number <= Some(options));
        let sideways = if at < current { Key::Left } else { Key::Right };
        return Some(Seen::Nearer(if in_list { sideways } else { Key::Up }));
    }
    let field = options + 1;
    let numbered = |number| rows.iter().position(|it| it.number == Some(number));
    Some(match spot {
        Spot::Option { option, .. } => toward(&rows, numbered(option + 1)?),
        Spot::Marked { option, marked, .. } => {
            let row = numbered(option + 1)?;
            match toward(&rows, row) {
                _ if rows[row].marked? == *marked => Seen::Yes,
                Seen::Yes => Seen::Nearer(Key::Space),
                seen => seen,
            }
        }
        Spot::Field { .. } => {
            let row = numbered(field)?;
            let is_empty = ["Typesomething", "Typesomething."].contains(&rows[row].text.as_str());
            if is_empty { toward(&rows, row) } else { Seen::No }
        }
        Spot::Words { words, .. } => holds(&rows, numbered(field)?, words),
        Spot::Onward { .. } => {
            toward(&rows, rows.iter().position(|it| it.text == "Submit" || it.text == "Next")?)
        }
        Spot::Discuss => {
            // Beside previews it has no number. Somebody may have typed the same words.
            let is_number = |it: Option<usize>| it.is_none_or(|it| it == field + 1);
            let is = |it: &Row| it.text == squash(DISCUSS) && is_number(it.number);
            toward(&rows, rows.iter().rposition(is)?)
        }
        Spot::Review { .. } => Seen::No,
    })
}

/// Where a question stands, if it is there with all its options.
fn asked(lines: &[&str], question: &Question) -> Option<(usize, Vec<Row>)> {
    let (line, below) = below(lines, &question.text)?;
    let mut rows = rows(below, has_previews(question));
    // Some rows keep their cursor while it stands on the row below all of them.
    if let [.., above, talk] = rows.as_mut_slice()
        && talk.has_cursor
        && talk.text == squash(DISCUSS)
    {
        above.has_cursor = false;
    }
    let options = (1..).zip(&question.options);
    let mut missing = options.filter(|(number, option)| {
        let row = rows.iter().find(|it| it.number == Some(*number));
        row.is_none_or(|it| !it.text.starts_with(&squash(&option.label)))
    });
    missing.next().is_none().then_some((line, rows))
}

pub(super) fn has_previews(question: &Question) -> bool {
    !question.multi_select && question.options.iter().any(|it| it.preview.is_some())
}

fn review(lines: &[&str], questions: &[Question], answers: &[String]) -> Option<Seen> {
    let (_, below) = below(lines, REVIEW)?;
    let given = questions.iter().zip(answers);
    let expected: String =
        given.map(|(question, answer)| squash(&format!("{}→{answer}", question.text))).collect();
    // Newer versions put quotes around a choice of several, and a sign before each of its own.
    let plain = |it: &str| it.replace('\\', "");
    if !plain(&squash(&below.concat())).starts_with(&plain(&expected)) {
        return None;
    }
    let rows = rows(below, false);
    Some(toward(&rows, rows.iter().position(|it| it.text == "Submitanswers")?))
}

fn plan(lines: &[&str], dialog: &Dialog, spot: &Spot) -> Option<Seen> {
    let (_, plan) = below(lines, "Here is Claude's plan:")?;
    let (_, below) = below(plan, PLAN_ASKS)?;
    let first = dialog.body.lines().map(squash).find(|it| !it.is_empty()).unwrap_or_default();
    let first: String = first.chars().take(COMPARED).collect();
    if !squash(&plan.concat()).starts_with(&first) {
        return None;
    }
    let rows = rows(below, false);
    let row = |text: &str| rows.iter().position(|it| it.text == squash(text));
    Some(match spot {
        Spot::Option { option, .. } => toward(&rows, row(PLAN_ROWS.get(*option)?)?),
        Spot::Field { .. } => toward(&rows, row(PLAN_FIELD)?),
        Spot::Words { words, .. } => holds(&rows, 2, words),
        Spot::Marked { .. } | Spot::Onward { .. } | Spot::Discuss | Spot::Review { .. } => Seen::No,
    })
}

/// The rows that mean our options of a plan, in our order. Both belong to a
/// CLI that was told to have no automatic mode.
const PLAN_ROWS: &[&str] = &["Yes, manually approve edits", "Yes, auto-accept edits"];
const PLAN_FIELD: &str = "Tell Claude what to change";

/// The lines of a permission, and those of its list.
fn permission<'s>(lines: &'s [&'s str]) -> Option<(&'s [&'s str], &'s [&'s str])> {
    let lines = below_rule(lines);
    let asks = lines.iter().rposition(|line| line.trim_start().starts_with("Do you want to "))?;
    Some((lines, &lines[asks..]))
}

fn approval(lines: &[&str], dialog: &Dialog, spot: &Spot) -> Option<Seen> {
    let (lines, list) = permission(lines)?;
    let all = squash(&lines.concat());
    let subject = asking::subject(dialog);
    if subject.is_empty() || !subject.iter().all(|it| all.contains(&squash(it))) {
        return None;
    }
    let rows = rows(list, false);
    let options = &dialog.questions.first()?.options;
    let last = options.len().checked_sub(1)?;
    let row = |is: &dyn Fn(&str) -> bool| rows.iter().position(|it| is(&it.text));
    let begin = |option: usize| if option == last { "No," } else { "Yes," };
    Some(match spot {
        Spot::Option { option: 0, .. } => toward(&rows, row(&|it| it == "Yes")?),
        Spot::Option { option, .. } if *option == last => {
            toward(&rows, row(&|it| it == "No" || it.starts_with("No,") && it.ends_with("(esc)"))?)
        }
        Spot::Option { option, .. } => {
            let words = asking::rule_words(&options.get(*option)?.label)?;
            let words: Vec<String> = words.iter().map(|it| squash(it)).collect();
            let is =
                |it: &str| it.starts_with("Yes,") && words.iter().all(|word| it.contains(word));
            toward(&rows, row(&is)?)
        }
        Spot::Field { beside, .. } => {
            let begin = format!("{}andtell", begin((*beside)?));
            toward(&rows, row(&|it| it.starts_with(&begin))?)
        }
        Spot::Words { beside, words, .. } => {
            let words = format!("{}{words}", begin((*beside)?));
            let row = row(&|it| it == squash(&words))?;
            if rows[row].has_cursor { Seen::Yes } else { Seen::No }
        }
        Spot::Marked { .. } | Spot::Onward { .. } | Spot::Discuss | Spot::Review { .. } => Seen::No,
    })
}

/// The field on this row holds the words, and the cursor is in it.
fn holds(rows: &[Row], at: usize, words: &str) -> Seen {
    let row = rows.get(at).filter(|it| it.has_cursor && it.text == squash(words));
    if row.is_some() { Seen::Yes } else { Seen::No }
}

pub(super) fn toward(rows: &[Row], target: usize) -> Seen {
    let mut cursors = rows.iter().enumerate().filter(|(_, it)| it.has_cursor).map(|it| it.0);
    match (cursors.next(), cursors.next()) {
        (Some(at), None) if at == target => Seen::Yes,
        (Some(at), None) if at < target => Seen::Nearer(Key::Down),
        (Some(_), None) => Seen::Nearer(Key::Up),
        // It is just being drawn.
        (Some(_), Some(_)) | (None, _) => Seen::No,
    }
}
