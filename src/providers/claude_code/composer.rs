//! Finds the composer on a screen, for the check before Enter.
//!
//! The composer stands between the last two rules of the screen and begins
//! with its prompt sign.

/// Prompt signs: a message, and a shell command.
const SIGNS: &[char] = &['❯', '>', '!'];

/// A shorter row of dashes may stand in somebody's text.
const SHORTEST_RULE: usize = 20;

/// How much of the draft's end is looked for. A long draft scrolls.
const COMPARED: usize = 60;

pub(super) fn holds_draft(screen: &str, draft: &str) -> Option<bool> {
    let lines: Vec<&str> = screen.lines().collect();
    let below = lines.iter().rposition(|line| is_rule(line))?;
    // A draft taller than the screen has pushed the rule above it out of sight.
    let above = lines[..below].iter().rposition(|line| is_rule(line)).map_or(0, |at| at + 1);
    let composer = &lines[above..below];
    // Lines wrap where the screen ends, so white space says nothing.
    let shown: String = composer.concat().chars().filter(|c| !c.is_whitespace()).collect();
    let wanted: String = draft.chars().filter(|c| !c.is_whitespace()).collect();
    if let Some(typed) = shown.strip_prefix(SIGNS) {
        // All of it, since a person may have begun a draft of their own.
        // Behind a command stands a hint at its arguments.
        let command = draft.starts_with('/') && typed.starts_with(&wanted);
        return Some(!wanted.is_empty() && (typed == wanted || command));
    }
    let end = wanted.char_indices().rev().nth(COMPARED - 1).map_or(0, |(at, _)| at);
    (!wanted.is_empty() && shown.ends_with(&wanted[end..])).then_some(true)
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('─') && line.chars().filter(|c| *c == '─').count() >= SHORTEST_RULE
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "────────────────────────────────────────";

    fn screen(composer: &str) -> String {
        format!("❯ said before\n\n● An answer\n\n{RULE}\n{composer}\n{RULE}\n  ? for shortcuts\n\n")
    }

    #[test]
    fn a_draft_is_seen_in_the_composer_and_not_in_what_was_said_before() {
        assert_eq!(holds_draft(&screen("❯ safe tool"), "safe tool"), Some(true));
        assert_eq!(holds_draft(&screen("❯ "), "said before"), Some(false));
        assert_eq!(
            holds_draft(&screen("❯ Press up to edit queued messages"), "safe tool"),
            Some(false)
        );
    }

    #[test]
    fn a_draft_behind_a_persons_own_words_is_not_ours_to_submit() {
        assert_eq!(holds_draft(&screen("❯ and thensafe tool"), "safe tool"), Some(false));
        assert_eq!(holds_draft(&screen("❯ safe tool"), "tool"), Some(false));
    }

    #[test]
    fn a_wrapped_draft_is_the_same_draft() {
        let long = "some words that go on and on ".repeat(5);
        let lines = ["  some words that go on and on"; 4].join("\n");
        let wrapped = screen(&format!("❯ some words that go on and on\n{lines}"));
        assert_eq!(holds_draft(&wrapped, &long), Some(true));
    }

    #[test]
    fn a_draft_taller_than_the_screen_is_seen_by_its_end() {
        let lines: Vec<String> = (0..50).map(|n| format!("line {n} of many")).collect();
        let screen = format!("  {}\n{RULE}\n\n", lines[10..].join("\n  "));
        assert_eq!(holds_draft(&screen, &lines.join("\n")), Some(true));
        assert_eq!(holds_draft(&screen, "another text"), None);
    }

    #[test]
    fn a_command_is_seen_in_front_of_the_hint_at_its_arguments() {
        assert_eq!(holds_draft(&screen("❯ /clear  [name]"), "/clear "), Some(true));
        assert_eq!(holds_draft(&screen("❯ /cle"), "/clear "), Some(false));
    }

    #[test]
    fn a_screen_without_a_composer_says_nothing() {
        assert_eq!(holds_draft("Do you trust this folder?\n❯ 1. Yes\n", "yes"), None);
        let picker = format!("{RULE}\n ☐ Colour\n\nWhich?\n{RULE}\n");
        assert_eq!(holds_draft(&picker, "red"), None);
    }
}
