//! Input rules as stories.

use super::*;

/// What is pasted, joined, and what will be recorded.
fn typed(text: &str) -> (String, String) {
    let plan = reply(text).expect("a reply");
    let pasted = plan
        .recipe
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Paste(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    (pasted, plan.recorded_as)
}

#[test]
fn a_leading_bang_is_text_and_never_a_shell_command() {
    assert_eq!(typed("!rm -rf x"), (" !rm -rf x".into(), " !rm -rf x".into()));
}

#[test]
fn a_backslash_before_enter_does_not_swallow_it() {
    assert_eq!(typed("abc\\"), ("abc\\ ".into(), "abc\\".into()));
}

#[test]
fn a_mention_at_the_end_does_not_open_the_file_menu() {
    assert_eq!(typed("see @src").0, "see @src ");
    assert_eq!(typed("see @src now").0, "see @src now");
}

#[test]
fn escape_sequences_and_invisible_characters_are_taken_out() {
    let (pasted, _) = typed("a\u{1b}[201~b\u{202e}c\u{200b}d\u{7}");
    assert_eq!(pasted, "a[201~bcd");
}

#[test]
fn joiners_inside_emoji_stay() {
    assert_eq!(typed("👩‍💻 ❤️").0, "👩‍💻 ❤️");
}

#[test]
fn windows_and_old_mac_line_ends_are_one_line_break_each() {
    assert_eq!(typed("a\r\nb\rc").0, "a\nb\nc");
}

#[test]
fn tabs_are_the_four_spaces_that_the_cli_makes_of_them() {
    assert_eq!(typed("a\tb").0, "a    b");
}

#[test]
fn a_combining_accent_is_composed_as_the_cli_records_it() {
    assert_eq!(typed("e\u{301}").1, "\u{e9}");
}

#[test]
fn no_piece_of_a_long_text_is_large_enough_to_be_collapsed() {
    let text = "line with some words\n".repeat(500) + &"x".repeat(5_000);
    let plan = reply(&text).expect("a reply");
    let mut whole = String::new();
    for step in &plan.recipe.steps {
        if let Step::Paste(piece) = step {
            assert!(piece.chars().count() <= CHUNK_CHARS);
            assert!(piece.matches('\n').count() <= CHUNK_BREAKS);
            whole += piece;
        }
    }
    assert_eq!(whole, text);
}

#[test]
fn enter_is_the_last_step_and_stands_there_once() {
    let plan = reply("hello").expect("a reply");
    let enter = Step::Submit { key: Key::Enter, draft: "hello".into() };
    assert_eq!(plan.recipe.steps.last(), Some(&enter));
    let keys =
        plan.recipe.steps.iter().filter(|it| matches!(it, Step::Press(_) | Step::Submit { .. }));
    assert_eq!(keys.count(), 1);
}

#[test]
fn a_path_is_text_and_a_command_is_a_command() {
    assert_eq!(typed("/tmp/foo is a path").0, "/tmp/foo is a path");
    assert_eq!(typed("/clear").0, "/clear ");
    let error = reply("/model").expect_err("an overlay");
    assert!(error.to_string().contains("run it there"), "{error}");
}

#[test]
fn nothing_to_say_and_too_much_are_refused_with_a_reason() {
    assert_eq!(reply(" \n\u{200b} "), Err(SeamError::Empty));
    let error = reply(&"x".repeat(600 * 1024)).expect_err("too long");
    assert!(error.to_string().contains("put it in a file"), "{error}");
}

#[test]
fn an_interrupt_is_pressed_only_while_something_runs() {
    assert!(interrupt(Activity::Busy).is_ok());
    for activity in [Activity::Idle, Activity::Starting, Activity::Waiting] {
        assert!(matches!(interrupt(activity), Err(SeamError::Refused(_))));
    }
}

#[test]
fn no_more_is_typed_at_once_than_a_terminal_holds() {
    for text in ["words and words\n".repeat(2_000), "漢字 ".repeat(5_000), "x".repeat(100_000)] {
        let plan = reply(&text).expect("a reply");
        let (mut burst, mut waits) = (0, 0);
        for step in &plan.recipe.steps {
            match step {
                Step::Paste(piece) => burst += piece.len() + "\x1b[200~\x1b[201~".len(),
                Step::AwaitRead { .. } => (burst, waits) = (0, waits + 1),
                _ => {}
            }
            assert!(burst < 4_096, "{burst} bytes after {waits} waits");
        }
        assert!(waits >= text.len() / 4_096, "{waits}");
    }
    let short = reply(&"word ".repeat(400)).expect("a reply");
    assert!(!short.recipe.steps.iter().any(|it| matches!(it, Step::AwaitRead { .. })));
}
