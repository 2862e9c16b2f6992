//! Which keys, and where they may be pressed.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use serde_json::{Value, json};

use crate::schema::{Dialog, Response};
use crate::seam::{DialogKeys, DialogStep, Key, SeamError, Seen, Spot};

use super::super::asking::dialog;
use super::{ClaudeCode, recipes};

mod discuss;

const VERSIONS: [&str; 2] = ["2.1.198", "2.1.332"];

fn by_keys(tool: &str, input: &Value, suggestions: &[Value]) -> Dialog {
    ClaudeCode::new().by_keys(dialog(tool, input, suggestions))
}

fn question(text: &str, several: bool, labels: &[&str]) -> Value {
    let options: Vec<Value> = labels.iter().map(|it| json!({ "label": it })).collect();
    json!({ "question": text, "header": "H", "multiSelect": several, "options": options })
}

fn colour(labels: &[&str]) -> Dialog {
    by_keys(
        "AskUserQuestion",
        &json!({ "questions": [question("Which colour?", false, labels)] }),
        &[],
    )
}

fn toppings() -> Dialog {
    let asked = question("Which toppings?", true, &["Ham", "Olives", "Corn"]);
    by_keys("AskUserQuestion", &json!({ "questions": [asked] }), &[])
}

fn all() -> Dialog {
    let mut layout = question("Which layout?", false, &["Stack", "Row"]);
    layout["options"][0]["preview"] = json!("+---+");
    by_keys(
        "AskUserQuestion",
        &json!({ "questions": [
        question("Which colour?", false, &["Red", "Blue"]),
        question("Which toppings?", true, &["Ham", "Olives", "Corn"]),
        layout,
        question("Which size, `S` or **L**?", false, &["Small", "Large, really", "漢字 & \"quotes\""]),
    ] }),
        &[],
    )
}

fn plan(first: &str) -> Dialog {
    by_keys("ExitPlanMode", &json!({ "plan": format!("# {first}\n\n1. Add a greeting.") }), &[])
}

fn bash(command: &str) -> Dialog {
    by_keys("Bash", &json!({ "command": command }), &[])
}

fn sees(version: &str, name: &str, dialog: &Dialog, spot: &Spot) -> Seen {
    ClaudeCode::new().sees(&screen(version, name), dialog, spot)
}

fn screen(version: &str, name: &str) -> String {
    let path =
        format!("{}/fixtures/claude-code/screens/{version}/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn option(question: usize, option: usize) -> Spot {
    Spot::Option { question, option }
}

fn field(question: usize, beside: Option<usize>) -> Spot {
    Spot::Field { question, beside }
}

fn words(question: usize, beside: Option<usize>, words: &str) -> Spot {
    Spot::Words { question, beside, words: words.into() }
}

/// The same on every version.
fn check(screen: &str, dialog: &Dialog, spots: &[(Spot, Seen)]) {
    for version in VERSIONS {
        for (spot, seen) in spots {
            // With more room it would be the same dialog, or still another one.
            let found = match sees(version, screen, dialog, spot) {
                Seen::Cut => NO,
                seen => seen,
            };
            assert_eq!(found, *seen, "{screen} of {version} at {spot:?}");
        }
    }
}

const YES: Seen = Seen::Yes;
const NO: Seen = Seen::No;
const UP: Seen = Seen::Nearer(Key::Up);
const DOWN: Seen = Seen::Nearer(Key::Down);

#[test]
fn the_cursor_is_found_on_the_rows_of_a_question() {
    let asked = colour(&["Red", "Blue", "Green"]);
    check("ask-one", &asked, &[(option(0, 0), YES), (option(0, 2), DOWN), (field(0, None), DOWN)]);
    check("ask-one-second-row", &asked, &[(option(0, 0), UP), (option(0, 1), YES)]);
    let said = [(words(0, None, "my \"own\" words"), YES), (words(0, None, "my own word"), NO)];
    check("ask-one-words", &asked, &said);
    // A person's words stand there: nothing is added to them.
    check("ask-one-words", &asked, &[(field(0, None), NO), (option(0, 1), UP)]);
}

/// Two Downs were once under way when Enter came: the hint below the field had
/// been taken for the effect of the second one.
#[test]
fn only_a_row_tells_that_a_key_had_its_effect() {
    let asked = colour(&["Red", "Blue", "Green"]);
    for version in VERSIONS {
        let first = screen(version, "ask-one");
        let shown = |screen: &str| ClaudeCode::new().shown(screen, &asked);
        assert!(!shown(&first).is_empty());
        assert_eq!(
            shown(&first),
            shown(&first.replace("Enter to select", "ctrl+g to edit · Enter"))
        );
        assert_ne!(shown(&first), shown(&screen(version, "ask-one-second-row")));
        assert_eq!(shown(&first.replace('❯', " ")), "", "the cursor is on its way");
        assert_eq!(shown(&first.replace("  2. Blue", "❯ 2. Blue")), "", "it is in two places");
    }
}

#[test]
fn another_question_is_never_taken_for_the_expected_one() {
    for other in [
        colour(&["Red", "Blue"]),
        colour(&["Red", "Green", "Blue"]),
        colour(&["Rot", "Blau", "Grün"]),
    ] {
        let seen = [(option(0, 0), if other.questions[0].options.len() == 2 { YES } else { NO })];
        check("ask-one", &other, &seen);
    }
    for (screen, asked) in [
        ("ask-one", toppings()),
        ("ask-one", plan("Greet the reader")),
        ("ask-one", bash("ls -la > demo-listing.txt")),
        ("plan", colour(&["Red", "Blue", "Green"])),
        ("plan", plan("Another plan")),
        ("bash", bash("ls -la > other-listing.txt")),
        ("write", bash("ls -la > demo-listing.txt")),
    ] {
        check(screen, &asked, &[(option(0, 0), NO), (field(0, Some(0)), NO)]);
    }
}

#[test]
fn several_questions_are_walked_through_and_reviewed() {
    let all = all();
    let marked = |option, marked| Spot::Marked { question: 1, option, marked };
    let onward = Spot::Onward { question: 1 };
    check(
        "ask-all-first",
        &all,
        &[(option(0, 0), YES), (onward.clone(), Seen::Nearer(Key::Right))],
    );
    check(
        "ask-all-several",
        &all,
        &[
            (option(0, 0), Seen::Nearer(Key::Left)),
            (option(2, 0), Seen::Nearer(Key::Right)),
            (marked(0, true), Seen::Nearer(Key::Space)),
            (marked(0, false), YES),
            (marked(2, true), DOWN),
            (onward.clone(), DOWN),
        ],
    );
    check(
        "ask-all-several-words",
        &all,
        &[
            (words(1, None, "anchovy"), YES),
            (marked(0, true), YES),
            (marked(0, false), UP),
            (onward.clone(), DOWN),
            // In the field, the keys for the other questions move within the words.
            (option(0, 0), UP),
        ],
    );
    check("ask-all-onward", &all, &[(onward, YES)]);
    check(
        "ask-all-previews",
        &all,
        &[(option(2, 0), YES), (option(2, 1), DOWN), (field(2, None), NO)],
    );
    let review = |answers: &[&str]| Spot::Review {
        answers: answers.iter().map(|it| (*it).into()).collect(),
    };
    check(
        "ask-all-review",
        &all,
        &[
            (review(&["Blue", "Ham, anchovy", "Stack", "Small"]), YES),
            (review(&["Blue", "Ham", "Stack", "Small"]), NO),
            (review(&["Red", "Ham, anchovy", "Stack", "Small"]), NO),
        ],
    );
    // As newer versions show a choice of several that has quotes of its own.
    let quoted = screen("2.1.332", "ask-all-review").replace("Ham, anch", r#""\"Ham\"", anch"#);
    let said = review(&["Blue", "\"Ham\", anchovy", "Stack", "Small"]);
    assert_eq!(ClaudeCode::new().sees(&quoted, &all, &said), YES);
}

#[test]
fn a_question_that_is_cut_off_is_not_seen() {
    let marked = Spot::Marked { question: 0, option: 0, marked: true };
    for version in VERSIONS {
        assert_eq!(sees(version, "ask-several-40x15", &toppings(), &marked), Seen::Cut);
    }
    // Nothing is drawn yet: no reason to disturb anybody.
    let screen = "● I have one question.\n\n✻ Thinking…\n";
    assert_eq!(ClaudeCode::new().sees(screen, &toppings(), &marked), NO);
}

#[test]
fn the_rows_of_a_plan_are_found_by_their_words() {
    let plan = plan("Greet the reader");
    check("plan", &plan, &[(option(0, 0), DOWN), (option(0, 1), YES), (field(0, None), DOWN)]);
    check("plan-field", &plan, &[(field(0, None), YES), (option(0, 0), UP)]);
    check(
        "plan-words",
        &plan,
        &[(words(0, None, "smaller steps"), YES), (words(0, None, "steps"), NO)],
    );
}

#[test]
fn the_rows_of_an_approval_are_found_by_their_words() {
    let bash = bash("ls -la > demo-listing.txt");
    check("bash", &bash, &[(option(0, 0), YES), (option(0, 1), DOWN), (field(0, Some(1)), NO)]);
    check("bash-no", &bash, &[(option(0, 0), UP), (option(0, 1), YES)]);
    check("bash-no-field", &bash, &[(field(0, Some(1)), YES), (field(0, Some(0)), NO)]);
    let said =
        [(words(0, Some(1), "use du instead"), YES), (words(0, Some(0), "use du instead"), NO)];
    check("bash-no-words", &bash, &said);
    let file = |name: &str| json!({ "file_path": format!("/home/dev/workspace/{name}"), "content": "one\ntwo\n" });
    check("write", &by_keys("Write", &file("live-written.txt"), &[]), &[(option(0, 0), YES)]);
    check("write", &by_keys("Write", &file("other.txt"), &[]), &[(option(0, 0), NO)]);
    let page = |url: &str| by_keys("WebFetch", &json!({ "url": url, "prompt": "p" }), &[]);
    check(
        "fetch",
        &page("http://example.invalid/page"),
        &[(option(0, 0), YES), (option(0, 1), DOWN)],
    );
    check("fetch", &page("http://example.invalid/other"), &[(option(0, 0), NO)]);
}

#[test]
fn a_suggestion_is_found_by_what_it_allows() {
    let folder = |name: &str| {
        let suggestion =
            json!({ "type": "addDirectories", "directories": [name], "destination": "session" });
        by_keys("Bash", &json!({ "command": "ls -la > demo-listing.txt" }), &[suggestion])
    };
    check("bash", &folder("/home/dev/workspace"), &[(option(0, 1), DOWN), (option(0, 2), DOWN)]);
    check("bash", &folder("/home/dev/other"), &[(option(0, 1), NO), (option(0, 2), DOWN)]);
    let edits = json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" });
    let file = json!({ "file_path": "/home/dev/workspace/live-written.txt", "content": "one\n" });
    check(
        "write",
        &by_keys("Write", &file, &[edits]),
        &[(option(0, 1), DOWN), (option(0, 2), DOWN)],
    );
    let host = json!({ "type": "addRules", "rules": [{ "toolName": "WebFetch", "ruleContent": "domain:example.invalid" }] });
    let page = json!({ "url": "http://example.invalid/page", "prompt": "p" });
    check("fetch", &by_keys("WebFetch", &page, &[host]), &[(option(0, 1), DOWN)]);
}

fn answers(value: Value) -> Response {
    serde_json::from_value(value).unwrap()
}

fn told(dialog: &Dialog, given: Value, version: &str) -> String {
    let recipe = recipes::recipe(dialog, &answers(given), Some(version)).unwrap();
    let line = |step: &DialogStep| match step {
        DialogStep::Settle(time) => format!("wait {} ms", time.as_millis()),
        DialogStep::Reach(spot) => format!("go to {spot:?}"),
        DialogStep::Press { key, on } => format!("press {key:?} on {on:?}"),
        DialogStep::Paste { texts, .. } => format!("paste {texts:?}"),
        DialogStep::Commit { key, on } => format!("commit {key:?} on {on:?}"),
    };
    recipe.steps.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_recipe_reads_like_what_a_person_does() {
    insta::assert_snapshot!(told(&colour(&["Red", "Blue"]), json!([{ "selected": [1] }]), "2.1.332"), @r#"
    wait 350 ms
    go to Option { question: 0, option: 1 }
    commit Enter on Option { question: 0, option: 1 }
    "#);
    insta::assert_snapshot!(told(&toppings(), json!([{ "selected": [2], "other_text": "Egg" }]), "2.1.198"), @r#"
    go to Marked { question: 0, option: 0, marked: false }
    go to Marked { question: 0, option: 1, marked: false }
    go to Marked { question: 0, option: 2, marked: true }
    go to Field { question: 0, beside: None }
    paste ["Egg"]
    go to Words { question: 0, beside: None, words: "Egg" }
    go to Onward { question: 0 }
    press Enter on Onward { question: 0 }
    go to Review { answers: ["Corn, Egg"] }
    commit Enter on Review { answers: ["Corn, Egg"] }
    "#);
    insta::assert_snapshot!(told(&bash("ls"), json!([{ "selected": [1], "other_text": "du" }]), "2.1.198"), @r#"
    go to Option { question: 0, option: 1 }
    press Tab on Option { question: 0, option: 1 }
    go to Field { question: 0, beside: Some(1) }
    paste ["du"]
    go to Words { question: 0, beside: Some(1), words: "du" }
    commit Enter on Words { question: 0, beside: Some(1), words: "du" }
    "#);
}

#[test]
fn one_key_commits_and_it_is_the_last() {
    let cases = [
        (colour(&["Red", "Blue"]), json!([{ "selected": [1] }])),
        (colour(&["Red", "Blue"]), json!([{ "other_text": "teal" }])),
        (toppings(), json!([{ "selected": [0, 2] }])),
        (
            all(),
            json!([{ "selected": [1] }, { "other_text": "Egg" }, { "selected": [0] }, { "selected": [2] }]),
        ),
        (plan("P"), json!([{ "selected": [0] }])),
        (plan("P"), json!([{ "selected": [2] }])),
        (bash("ls"), json!([{ "selected": [0] }])),
        (bash("ls"), json!([{ "other_text": "no" }])),
        (all(), json!({ "discuss": "why?" })),
    ];
    for (dialog, given) in cases {
        for version in VERSIONS {
            let recipe = recipes::recipe(&dialog, &answers(given.clone()), Some(version)).unwrap();
            let commits = |it: &DialogStep| matches!(it, DialogStep::Commit { .. });
            let at: Vec<usize> =
                (0..).zip(&recipe.steps).filter(|it| commits(it.1)).map(|it| it.0).collect();
            assert_eq!(at, [recipe.steps.len() - 1], "{given}");
            assert!(recipe.verified_on.contains(&version));
        }
    }
}

#[test]
fn what_the_terminal_cannot_take_is_refused_before_a_key() {
    let page = by_keys("WebFetch", &json!({ "url": "http://a.b/", "prompt": "p" }), &[]);
    let odd = json!({ "type": "newThing" });
    let suggested = by_keys("Bash", &json!({ "command": "ls" }), &[odd]);
    for (dialog, given) in [
        (&colour(&["Red", "Blue"]), json!([{ "selected": [0], "other_text": "and more" }])),
        (&colour(&["Red", "Blue"]), json!([{ "selected": [2] }])),
        (&colour(&["Red", "Blue"]), json!([])),
        (&colour(&["Red", "Blue"]), json!([{ "other_text": "x".repeat(5_000) }])),
        (
            &all(),
            json!([{ "selected": [1] }, { "selected": [0] }, { "other_text": "x" }, { "selected": [2] }]),
        ),
        (&plan("P"), json!([{ "selected": [0], "other_text": "but slowly" }])),
        (&page, json!([{ "selected": [1], "other_text": "no" }])),
        (&suggested, json!([{ "selected": [1] }])),
        (&plan("P"), json!({ "discuss": "why?" })),
    ] {
        let refused = recipes::recipe(dialog, &answers(given.clone()), Some("2.1.332"));
        assert!(
            matches!(refused, Err(SeamError::Invalid { field: "answers" | "discuss", .. })),
            "{given}: {refused:?}"
        );
    }
}
