//! The row on which a person says that they want to talk about a question.

use serde_json::json;

use crate::seam::{DialogKeys, Key, Seen, Spot};

use super::{
    ClaudeCode, DOWN, NO, VERSIONS, YES, all, bash, by_keys, check, colour, option, question,
    screen, told, toppings,
};

#[test]
fn the_row_to_talk_about_it_is_found_below_every_kind_of_question() {
    let spot = [(Spot::Discuss, DOWN)];
    check("ask-one", &colour(&["Red", "Blue", "Green"]), &spot);
    check("ask-one-words", &colour(&["Red", "Blue", "Green"]), &spot);
    for screen in ["ask-all-first", "ask-all-several", "ask-all-previews", "ask-all-onward"] {
        check(screen, &all(), &spot);
    }
    check("ask-one", &colour(&["Red", "Blue"]), &[(Spot::Discuss, NO)]);
    check("bash", &bash("ls"), &[(Spot::Discuss, NO)]);
    let asked = colour(&["Red", "Blue", "Green"]);
    let sees = |screen: &str| ClaudeCode::new().sees(screen, &asked, &Spot::Discuss);
    for version in VERSIONS {
        let below = screen(version, "ask-one").replace("❯ 1.", "  1.").replace("  5.", "❯ 5.");
        assert_eq!(sees(&below), YES);
        // The same words in the field above it are a person's.
        let typed = screen(version, "ask-one-words").replace("my \"own\" words", "Chat about this");
        assert_eq!(sees(&typed), DOWN);
        assert_eq!(
            told(&all(), json!({ "discuss": "why?" }), "2.1.198"),
            "go to Discuss\ncommit Enter on Discuss"
        );
    }
}

/// Seen when the row was never reached: two rows have a cursor, and only the lower
/// one is where the next key goes.
#[test]
fn a_row_that_keeps_its_cursor_is_not_where_it_stands() {
    let mut layout = question("Which layout?", false, &["Stack", "Row"]);
    layout["options"][0]["preview"] = json!("+---+");
    let layout = by_keys("AskUserQuestion", &json!({ "questions": [layout] }), &[]);
    for (name, dialog) in [("ask-several-discuss", toppings()), ("ask-previews-discuss", layout)] {
        let up = Seen::Nearer(Key::Up);
        check(name, &dialog, &[(Spot::Discuss, YES), (option(0, 1), up)]);
        for version in VERSIONS {
            let shown = ClaudeCode::new().shown(&screen(version, name), &dialog);
            assert!(!shown.is_empty(), "{name} of {version}: a key's effect is seen");
        }
    }
}
