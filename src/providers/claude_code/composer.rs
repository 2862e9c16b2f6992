//! Finds the composer on a screen, for the checks before keys.
//!
//! The composer stands between the last two rules of the screen and begins
//! with its prompt sign. What it shows by itself (an example, a hint at the
//! queue) is drawn dim; what a person typed is not.

use unicode_normalization::char::is_combining_mark;

use crate::seam::{Caret, Composer};

use super::cells::{Cell, cells};

/// Prompt signs of a message.
const SIGNS: &[char] = &['❯', '>'];

/// And of a shell command.
const SHELL_SIGN: char = '!';

/// Around the number of the lines that are not shown, without white space.
const CUT: (&str, &str) = ("[...Truncatedtext", "...]");

/// A shorter row of dashes may stand in somebody's text.
const SHORTEST_RULE: usize = 20;

/// How much of the draft's end is looked for. A long draft scrolls.
const COMPARED: usize = 60;

pub(super) fn holds_draft(screen: &str, draft: &str) -> Option<bool> {
    let lines: Vec<&str> = screen.lines().collect();
    let (above, below) = rules(&lines)?;
    let composer = &lines[above..below];
    let words = visible(draft, false);
    let (wanted, pictures) =
        if words.is_empty() { (visible(draft, true), true) } else { (words, false) };
    let shown = visible(&composer.concat(), pictures);
    if let Some(typed) = shown.strip_prefix(SIGNS) {
        // All of it, since a person may have begun a draft of their own.
        // Behind a command stands a hint at its arguments.
        let command = draft.starts_with('/') && typed.starts_with(&wanted);
        let same = typed == wanted || command || is_same_cut(typed, &wanted);
        return Some(!wanted.is_empty() && same);
    }
    if above > 0 && shown.starts_with(SHELL_SIGN) {
        return Some(false);
    }
    let end = wanted.char_indices().rev().nth(COMPARED - 1).map_or(0, |(at, _)| at);
    (!wanted.is_empty() && shown.ends_with(&wanted[end..])).then_some(true)
}

/// What can be compared. Lines wrap where the screen ends, so white space says
/// nothing. And a terminal may drop what joins two characters or stands on one,
/// and one of two pictures that are joined: pictures count only where there is
/// nothing else.
fn visible(text: &str, pictures: bool) -> String {
    let is_shown = |c: &char| match c {
        '\u{200c}' | '\u{200d}' => false,
        '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => pictures || SIGNS.contains(c),
        c => !c.is_whitespace() && !is_combining_mark(*c),
    };
    text.chars().filter(is_shown).collect()
}

/// Of a very long draft the CLI shows the beginning, a mark and the end.
fn is_same_cut(typed: &str, wanted: &str) -> bool {
    let Some((beginning, rest)) = typed.split_once(CUT.0) else { return false };
    let Some((mark, end)) = rest.split_once(CUT.1) else { return false };
    let is_mark = mark.chars().all(|c| c.is_ascii_digit() || "#+lines".contains(c));
    let cut = wanted.strip_prefix(beginning).and_then(|it| it.strip_suffix(end));
    is_mark && cut.is_some_and(|it| !it.is_empty())
}

/// What stands in the composer of a screen with its colours.
pub(super) fn composer(screen: &str) -> Option<Composer> {
    let styled = cells(screen);
    let lines: Vec<String> =
        styled.iter().map(|line| line.iter().map(|it| it.char).collect()).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (above, below) = rules(&lines)?;
    let shown = styled[above..below].concat();
    let mut shown = shown.iter().filter(|it| !it.char.is_whitespace());
    let sign = shown.next()?;
    let footer = lines[below..].concat().to_lowercase();
    if sign.char == SHELL_SIGN && above > 0 {
        // Whatever is typed now runs as a command.
        return Some(Composer::Draft { can_be_set_aside: false });
    }
    if !SIGNS.contains(&sign.char) {
        return None;
    }
    let shown: Vec<&Cell> = shown.collect();
    let typed: Vec<usize> = (0..shown.len()).filter(|at| !shown[*at].dim).collect();
    let is_empty = match typed[..] {
        [] => true,
        // The cursor on the first letter of what the CLI shows by itself.
        [at] => shown[at].inverse && shown.get(at + 1).is_some_and(|it| it.dim),
        _ => false,
    };
    if is_empty {
        return Some(Composer::Empty);
    }
    // There is room for one: a second would replace the first.
    Some(Composer::Draft { can_be_set_aside: !footer.contains("stashed") })
}

/// Where the cursor stands in the draft, if the composer shows just that. The
/// CLI draws it itself, as a cell in inverse.
pub(super) fn caret(screen: &str, draft: &str) -> Option<Caret> {
    let styled = cells(screen);
    let lines: Vec<String> =
        styled.iter().map(|line| line.iter().map(|it| it.char).collect()).collect();
    if holds_draft(&lines.join("\n"), draft) != Some(true) {
        return None;
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (above, below) = rules(&lines)?;
    let at = |row: usize| styled[row].iter().rposition(|it| it.inverse);
    let (row, column) = (above..below).rev().find_map(|row| Some((row, at(row)?)))?;
    let is_blank = |row: &usize| styled[*row].iter().all(|it| it.char.is_whitespace());
    let breaks = (above..=row).rev().take_while(is_blank).count();
    Some(Caret { line: below - row, column, breaks })
}

/// The composer's lines.
fn rules(lines: &[&str]) -> Option<(usize, usize)> {
    let below = lines.iter().rposition(|line| is_rule(line))?;
    // A draft taller than the screen has pushed the rule above it out of sight.
    let above = lines[..below].iter().rposition(|line| is_rule(line)).map_or(0, |at| at + 1);
    Some((above, below))
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
    fn a_character_that_the_terminal_took_apart_is_the_same_character() {
        let shown = screen("❯ 👩‍💻👩💻 and cafe");
        assert_eq!(holds_draft(&shown, "👩‍💻👩‍💻 and cafe\u{301}"), Some(true));
        assert_eq!(holds_draft(&screen("❯ 💻 and"), "👩‍💻 and"), Some(true));
        assert_eq!(holds_draft(&screen("❯ 👍"), "👍"), Some(true));
        assert_eq!(holds_draft(&screen("❯ "), "👍"), Some(false));
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
    fn a_draft_that_is_cut_in_its_middle_is_seen_by_both_ends() {
        let shown = screen("❯ the first words [...Truncated\n  text #1 +383 lines...]and the last");
        let draft = |end| format!("the first words {}and the {end}", "many more\n".repeat(383));
        assert_eq!(holds_draft(&shown, &draft("last")), Some(true));
        assert_eq!(holds_draft(&shown, &draft("end")), Some(false));
        assert_eq!(holds_draft(&shown, "the first words and the last"), Some(false));
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
    fn the_cursor_is_seen_in_the_draft_and_in_no_other() {
        let shown = screen("❯ one two\n  \u{1b}[7mt\u{1b}[0mhree");
        let at = |draft| caret(&shown, draft);
        assert_eq!(at("one two\nthree"), Some(Caret { line: 1, column: 2, breaks: 0 }));
        assert_eq!(at("one two"), None);
        // An Enter that became a line break leaves it on a line of its own.
        let broken = screen("❯ one\n  \u{1b}[7m \u{1b}[0m");
        assert_eq!(caret(&broken, "one"), Some(Caret { line: 1, column: 2, breaks: 1 }));
        assert_eq!(caret(&screen("❯ one"), "one"), None);
        let at_the_end = screen("❯ one\u{1b}[7m");
        assert_eq!(caret(&at_the_end, "one"), Some(Caret { line: 1, column: 5, breaks: 0 }));
    }

    const EMPTY: &str = "\u{1b}[39m❯ \u{1b}[7m \u{1b}[0m";
    const HINT: &str = "\u{1b}[38;5;246m❯ \u{1b}[7m\u{1b}[39mP\u{1b}[0;2mress up to edit\u{1b}[0m";

    #[test]
    fn what_the_cli_shows_by_itself_is_no_draft() {
        assert_eq!(composer(&screen(EMPTY)), Some(Composer::Empty));
        assert_eq!(composer(&screen(HINT)), Some(Composer::Empty));
    }

    #[test]
    fn what_a_person_typed_is_a_draft_wherever_the_cursor_stands() {
        let draft = Some(Composer::Draft { can_be_set_aside: true });
        for typed in ["❯ x\u{1b}[7m \u{1b}[0m", "❯ \u{1b}[7mx\u{1b}[0m", "❯ \u{1b}[7ma\u{1b}[0mbc"]
        {
            assert_eq!(composer(&screen(typed)), draft, "{typed}");
        }
    }

    #[test]
    fn a_second_draft_would_replace_the_one_that_was_set_aside() {
        let footer = format!("{}  › stashed\n", screen("❯ more words"));
        assert_eq!(composer(&footer), Some(Composer::Draft { can_be_set_aside: false }));
    }

    #[test]
    fn a_text_would_run_in_shell_mode_so_nothing_is_typed_there() {
        let shell = screen("! \u{1b}[7m \u{1b}[0m");
        assert_eq!(composer(&shell), Some(Composer::Draft { can_be_set_aside: false }));
        assert_eq!(holds_draft(&screen("! ls"), "ls"), Some(false));
    }

    #[test]
    fn a_screen_without_a_composer_says_nothing() {
        assert_eq!(holds_draft("Do you trust this folder?\n❯ 1. Yes\n", "yes"), None);
        let picker = format!("{RULE}\n ☐ Colour\n\nWhich?\n{RULE}\n");
        assert_eq!(holds_draft(&picker, "red"), None);
        assert_eq!(composer(&picker), None);
    }
}
