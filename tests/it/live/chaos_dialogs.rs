//! Random dialogs, answered at random through the door and by keys, or put off to
//! talk about them: the CLI's record shows what was chosen, every time.
//!
//! `SEAMUX_CHAOS_DIALOGS=1000` and `SEAMUX_CHAOS_KEYS=150` make it long,
//! `SEAMUX_CHAOS_SEED` repeats a run.

use std::fmt::Write;

use serde_json::{Value, json};

use super::dice::{Dice, setting};
use super::keys;
use crate::house::House;

/// What a picker could take for a key, a row of its own, or two answers.
const LABELS: &[&str] = &[
    "Red",
    "1",
    "2. Two",
    "10",
    "Red, green",
    "\"Quoted\"",
    "it's",
    "漢字と仮名",
    "👩‍💻 dev",
    "naïve é",
    "Yes",
    "No",
    "Next",
    "Chat about this",
    "Cancel",
    "a & b <c>",
    "`code` $HOME",
    "--flag",
    "\\",
    "[ ] box",
    "a label that is so long that it has to wrap on any terminal which is not very wide, and then some more",
    "~/.config",
    "50% off; now",
];

const WORDS: &[&str] =
    &["Which", "colour", "of", "the", "漢字", "4", "(or", "not)", "\"so\"", "it's", "🎨", "a,b"];

fn question(dice: &mut Dice, number: usize, at: usize) -> Value {
    let mut text = format!("D{number}.{at}");
    for _ in 0..*dice.pick(&[2, 4, 8, 30]) {
        text.push(' ');
        text.push_str(dice.pick::<&str>(WORDS));
    }
    text.push('?');
    let multi = dice.roll(3) == 0;
    let previews = !multi && dice.roll(5) == 0;
    let mut labels: Vec<&str> = Vec::new();
    let wanted = 2 + dice.roll(3) as usize;
    while labels.len() < wanted {
        let label = *dice.pick(LABELS);
        // Beside a preview, a label that wraps hides where the cursor stands: by
        // keys such a dialog is given up, with the reason.
        let wraps = previews && label.len() > 20;
        if !wraps && !labels.contains(&label) {
            labels.push(label);
        }
    }
    let options: Vec<Value> = labels
        .iter()
        .map(|label| {
            let mut option = json!({ "label": label, "description": format!("About {label}") });
            if previews {
                option["preview"] = json!(format!("+---+\n| {label} |\n+---+"));
            }
            option
        })
        .collect();
    json!({ "question": text, "header": format!("H{at}"), "multiSelect": multi, "options": options })
}

/// An answer, and what the record should say.
fn choice(dice: &mut Dice, question: &Value, words: bool) -> (Value, String) {
    let options = question["options"].as_array().unwrap();
    let has_previews = options[0]["preview"].is_string();
    let other = (words && !has_previews && dice.roll(4) == 0)
        .then(|| format!("own words {}", dice.roll(1_000)));
    let mut selected: Vec<usize> = Vec::new();
    if question["multiSelect"] == true {
        selected = (0..options.len()).filter(|_| dice.roll(2) == 0).collect();
    }
    if selected.is_empty() && other.is_none() {
        selected.push(dice.roll(options.len() as u64) as usize);
    }
    let labels = selected.iter().map(|at| options[*at]["label"].as_str().unwrap().to_owned());
    let expected = labels.chain(other.clone()).collect::<Vec<_>>().join(", ");
    let mut answer = json!({ "selected": selected });
    if let Some(other) = other {
        answer["other_text"] = json!(other);
    }
    (answer, expected)
}

/// Versions differ in quotes around a choice with a comma, and in white space.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !['"', '\\'].contains(c)).collect()
}

/// JSON that no terminal changes.
fn ascii(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").unwrap();
            }
        }
    }
    out
}

/// Asks, answers and compares; what was wrong, if anything.
fn one(house: &mut House, dice: &mut Dice, number: usize, channel: &str) -> Option<String> {
    let count = *dice.pick(&[1, 1, 1, 2, 3, 4]);
    let questions: Vec<Value> = (0..count).map(|at| question(dice, number, at)).collect();
    let picked: Vec<_> = questions.iter().map(|it| choice(dice, it, true)).collect();
    house.reply(&format!("ask this: {}", ascii(&json!({ "questions": questions }))));
    let first = questions[0]["question"].as_str().unwrap();
    let waits = |it: &crate::house::Conversation| {
        let dialog = &it.page["pending_dialogs"][0];
        dialog["channel"] == channel && dialog["questions"][0]["text"] == first
    };
    house.until("the dialog", waits);
    if dice.roll(12) == 0 {
        house.kill_server();
        house.start_again();
    }
    let dialog = house.until("the dialog", waits).page["pending_dialogs"][0].clone();
    let answers: Vec<&Value> = picked.iter().map(|it| &it.0).collect();
    let discuss = dice.roll(6) == 0;
    let body = if discuss {
        json!({ "dialog_id": dialog["id"], "discuss": "" })
    } else {
        json!({ "dialog_id": dialog["id"], "answers": answers })
    };
    let sent = house.post(&house.run_path("/answer"), &body);
    if sent.status != 202 {
        return Some(format!("{number}: {} for {body}", sent.body));
    }
    let receipt = sent.body["id"].as_str().unwrap().to_owned();
    let end = house.until("the record", |it| {
        let status = &it.receipt(&receipt)["status"];
        status == "failed" || status == "recorded" && it.state() == "needs_input"
    });
    if end.receipt(&receipt)["status"] == "failed" {
        let shown = (house.screen(), house.log());
        return Some(format!("{number}: {}\n{}\n{}", end.receipt(&receipt), shown.0, shown.1));
    }
    let message = end.messages().iter().find(|it| it["dialog"]["id"] == dialog["id"]).unwrap();
    let outcome = &message["dialog"]["outcome"];
    if discuss {
        let wrong = outcome["discussed"] != true;
        return wrong.then(|| format!("{number}: {outcome} instead of a talk"));
    }
    let recorded = outcome["answers"].as_array().unwrap();
    for (question, (_, expected)) in questions.iter().zip(&picked) {
        let answer = recorded.iter().find(|it| it[0] == question["question"]);
        let answer = answer.and_then(|it| it[1].as_str()).unwrap_or("nothing");
        if plain(answer) != plain(expected) {
            return Some(format!("{number}: {answer:?} instead of {expected:?} for {question}"));
        }
    }
    None
}

#[expect(clippy::print_stdout, reason = "a seed that nobody sees can't be played again")]
fn play(mut house: House, channel: &str, setting_name: &str, default: u64) {
    let seed = setting("SEAMUX_CHAOS_SEED", u64::from(std::process::id()));
    let dialogs = setting(setting_name, default) as usize;
    println!("SEAMUX_CHAOS_SEED={seed} {setting_name}={dialogs}");
    let mut dice = Dice(seed);
    let wrong: Vec<String> =
        (0..dialogs).filter_map(|number| one(&mut house, &mut dice, number, channel)).collect();
    println!("{dialogs} dialogs, {channel}, wrong: {}", wrong.len());
    assert!(wrong.is_empty(), "seed {seed}\n{}", wrong.join("\n"));
}

#[test]
fn random_dialogs_are_answered_through_the_door_as_they_were_chosen() {
    play(House::demo(), "live", "SEAMUX_CHAOS_DIALOGS", 8);
}

#[test]
fn random_dialogs_are_answered_by_keys_as_they_were_chosen() {
    play(keys::by_keys(), "keys", "SEAMUX_CHAOS_KEYS", 3);
}
