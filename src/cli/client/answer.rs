//! `seamux answer`.

use std::fmt::Write as _;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};

use super::super::ui::{Advice, plain, print};
use super::talk::follow;
use super::{Server, ServerArgs, find_run, id, text};

#[derive(Args)]
pub(in crate::cli) struct AnswerArgs {
    /// Its id, the beginning of it, or its title
    run: String,
    /// One for each question: the numbers or labels of options (`2`, `1,3`, `Blue`), and own words after `=`
    #[arg(value_name = "ANSWER", conflicts_with = "discuss")]
    answers: Vec<String>,
    /// Which of several open dialogs
    #[arg(long, value_name = "ID")]
    dialog: Option<String>,
    /// Instead of an answer, talk about it first and say this
    #[arg(long, value_name = "WORDS")]
    discuss: Option<String>,
    /// Wait until the CLI has recorded it
    #[arg(long)]
    wait: bool,
    /// Print the receipt, or what is asked, as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub(super) fn answer(args: &AnswerArgs) -> anyhow::Result<()> {
    let server = Server::find(&args.server)?;
    let run = find_run(&server, &args.run)?;
    let page = server.get(&format!("/runs/{}/messages?limit=1", id(&run)))?;
    let dialogs = page["pending_dialogs"].as_array().cloned().unwrap_or_default();
    if args.answers.is_empty() && args.discuss.is_none() {
        return match args.json {
            true => print(&format!("{}\n", json!({ "pending_dialogs": dialogs }))),
            false => print(&dialogs.iter().map(shown).collect::<Vec<_>>().join("\n")),
        };
    }
    let dialog = choose(&dialogs, args.dialog.as_deref())?;
    let mut body = json!({ "dialog_id": id(dialog) });
    match &args.discuss {
        Some(words) => body["discuss"] = json!(words),
        None => body["answers"] = json!(answers(dialog, &args.answers)?),
    }
    let receipt = server.post(&format!("/runs/{}/answer", id(&run)), &body)?;
    follow(&server, id(&run), receipt, args.wait, args.json)
}

/// The dialog with its options numbered as an answer names them.
fn shown(dialog: &Value) -> String {
    let mut out = format!("{} ({}, {})\n", text(dialog, "title"), text(dialog, "kind"), id(dialog));
    if !text(dialog, "body").is_empty() {
        _ = writeln!(out, "\n{}\n", printable(text(dialog, "body")));
    }
    for question in list(dialog, "questions") {
        let many = if question["multi_select"] == true { " (several)" } else { "" };
        _ = writeln!(out, "{}{many}", plain(text(question, "text"), 400));
        for (option, number) in list(question, "options").iter().zip(1..) {
            let words = format!("{} {}", text(option, "label"), text(option, "description"));
            _ = writeln!(out, "  {number}  {}", plain(&words, 200));
        }
        if question["free_text"] == true {
            _ = writeln!(out, "  =  your own words");
        }
    }
    if dialog["answerable"] != true {
        out.push_str("It can only be answered in the terminal: seamux attach\n");
    }
    out
}

fn list<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value[field].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Of several lines, without what would move the cursor.
fn printable(text: &str) -> String {
    text.chars().filter(|it| *it == '\n' || !it.is_control()).collect()
}

fn choose<'v>(dialogs: &'v [Value], wanted: Option<&str>) -> anyhow::Result<&'v Value> {
    let ids: Vec<_> = dialogs.iter().map(id).collect();
    match (dialogs, wanted) {
        ([], _) => bail!(Advice::new("the run asks nothing", "`seamux ls` shows who waits")),
        (_, Some(wanted)) => dialogs.iter().find(|it| id(it) == wanted).ok_or_else(|| {
            let what = format!("no dialog `{wanted}` is open");
            Advice::new(what, format!("open are {}", ids.join(", "))).into()
        }),
        ([one], None) => Ok(one),
        _ => {
            let next = format!("choose with --dialog one of {}", ids.join(", "));
            bail!(Advice::new("the run asks more than one thing", next))
        }
    }
}

fn answers(dialog: &Value, given: &[String]) -> anyhow::Result<Vec<Value>> {
    let questions = list(dialog, "questions");
    if questions.len() != given.len() {
        let what = format!("{} questions are asked, and {} answered", questions.len(), given.len());
        bail!(Advice::new(what, "give one answer for each; without any, this command shows them"));
    }
    questions.iter().zip(given).map(|(question, given)| one(question, given)).collect()
}

fn one(question: &Value, given: &str) -> anyhow::Result<Value> {
    let (choices, words) = match given.split_once('=') {
        Some((choices, words)) => (choices, Some(words)),
        None => (given, None),
    };
    let options = list(question, "options");
    // A label may have a comma in it.
    let selected = match place(options, choices) {
        Some(place) => vec![place],
        None => {
            let parts = choices.split(',').map(str::trim).filter(|it| !it.is_empty());
            let places = parts.map(|part| {
                place(options, part).ok_or_else(|| {
                    let what = format!("`{part}` is no option of: {}", text(question, "text"));
                    anyhow::Error::new(Advice::new(what, "give its number or its label"))
                })
            });
            places.collect::<Result<_, _>>()?
        }
    };
    let mut answer = json!({ "selected": selected });
    if let Some(words) = words {
        answer["other_text"] = json!(words);
    }
    Ok(answer)
}

fn place(options: &[Value], given: &str) -> Option<usize> {
    let given = given.trim();
    let is = |it: &Value| text(it, "label").eq_ignore_ascii_case(given);
    let number = given.parse::<usize>().ok().filter(|it| (1..=options.len()).contains(it));
    options.iter().position(is).or_else(|| Some(number? - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Value {
        json!({ "text": "Which?", "multi_select": true, "free_text": true, "options": [
            { "label": "Red", "description": "warm" }, { "label": "Blue, light" }, { "label": "3" } ] })
    }

    #[test]
    fn an_answer_names_options_by_number_or_label_and_adds_words() {
        let said = |given: &str| one(&question(), given).map(|it| it.to_string());
        for (given, meant) in [
            ("1", r#"{"selected":[0]}"#),
            ("1,2", r#"{"selected":[0,1]}"#),
            ("red", r#"{"selected":[0]}"#),
            ("Blue, light", r#"{"selected":[1]}"#),
            ("=my own = words", r#"{"other_text":"my own = words","selected":[]}"#),
            ("2=and", r#"{"other_text":"and","selected":[1]}"#),
            ("3", r#"{"selected":[2]}"#),
        ] {
            assert_eq!(said(given).expect(given), meant);
        }
        assert!(said("4").is_err() && said("green").is_err() && said("0").is_err());
    }

    #[test]
    fn what_is_asked_is_shown_with_the_numbers_that_answer_it() {
        let dialog = json!({ "id": "d", "kind": "question", "title": "Colour", "body": "",
            "answerable": true, "questions": [question()] });
        insta::assert_snapshot!(shown(&dialog), @r"
        Colour (question, d)
        Which? (several)
          1  Red warm
          2  Blue, light
          3  3
          =  your own words
        ");
    }
}
