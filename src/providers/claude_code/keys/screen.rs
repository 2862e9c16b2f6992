//! Finds the rows of a dialog on a screen, for the check before a key.
//!
//! Lines wrap where the terminal ends, so texts are compared without white
//! space, and without the signs that the CLI draws around them.

/// A shorter row of dashes may stand in somebody's text.
const SHORTEST_RULE: usize = 20;

/// What stands below the rows. What follows belongs to no row.
const FOOTERS: &[&str] = &["Enter to ", "Esc to ", "ctrl+", "shift+tab ", "↑ ", "↓ "];

/// The row below each question that gives no answer to it.
pub(super) const DISCUSS: &str = "Chat about this";

/// Rows without a number.
const UNNUMBERED: &[&str] = &["Submit", "Next", DISCUSS];

/// One row of a list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) has_cursor: bool,
    pub(super) number: Option<usize>,
    /// For lists in which several rows can be marked.
    pub(super) marked: Option<bool>,
    /// With all lines below it, squashed.
    pub(super) text: String,
}

/// A text without white space, and without what is drawn or rendered away.
pub(super) fn squash(text: &str) -> String {
    text.chars().filter(|c| !is_drawn(*c)).collect()
}

fn is_drawn(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{2500}'
                ..='\u{259f}'
                    | '❯'
                    | '☐'
                    | '☒'
                    | '✔'
                    | '●'
                    | '↑'
                    | '↓'
                    | '['
                    | ']'
                    | '`'
                    | '*'
                    | '_'
                    | '#'
                    | '"'
                    | '\''
                    | '‘'
                    | '’'
                    | '“'
                    | '”'
                    | '✂'
        )
}

/// The last line on which a paragraph with just this text begins, and the lines
/// below that paragraph.
pub(super) fn below<'s>(lines: &'s [&'s str], text: &str) -> Option<(usize, &'s [&'s str])> {
    let wanted = squash(text);
    if wanted.is_empty() {
        return None;
    }
    let mut starts = (0..lines.len()).rev();
    starts.find_map(|at| Some((at, &lines[at + height(&lines[at..], &wanted)?..])))
}

/// How many of these lines a squashed text fills, if they begin with it.
fn height(lines: &[&str], wanted: &str) -> Option<usize> {
    let mut rest = wanted;
    for (at, line) in lines.iter().enumerate() {
        rest = rest.strip_prefix(squash(line).as_str())?;
        if rest.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

/// The lines of the dialog: below the last rule that spans the screen.
pub(super) fn below_rule<'s>(lines: &'s [&'s str]) -> &'s [&'s str] {
    let at = lines.iter().rposition(|line| is_rule(line)).map_or(0, |at| at + 1);
    &lines[at..]
}

pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('─') && line.chars().filter(|c| *c == '─').count() >= SHORTEST_RULE
}

/// Whether the lowest thing on the screen is a dialog, whatever it asks.
pub(super) fn ends_in_dialog(lines: &[&str]) -> bool {
    let lines = lines.iter().rev().filter(|line| !line.trim().is_empty());
    let mut lowest = lines.take(LOWEST);
    lowest.any(|line| ENDS.iter().any(|it| line.contains(it)))
}

/// The footers of dialogs, and the rows of one that has none.
const ENDS: &[&str] =
    &["Enter to select", "Esc to cancel", "ctrl+g to ", DISCUSS, "2. Cancel", "(esc)"];

/// A footer wraps in a narrow terminal.
const LOWEST: usize = 5;

/// The rows of the list in these lines. With `beside`, something is drawn to
/// the right of the list.
pub(super) fn rows(lines: &[&str], beside: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut open = false;
    for line in lines {
        let line = if beside { left_part(line) } else { line };
        let (has_cursor, text) = cursor(line);
        let next = rows.iter().rev().find_map(|it| it.number).unwrap_or(0) + 1;
        if is_rule(line) {
            open = false;
        } else if let Some(text) = numbered(text, next) {
            let (marked, text) = mark(text);
            let text = squash(text);
            rows.push(Row { has_cursor, number: Some(next), marked, text });
            open = true;
        } else if next > 1 && UNNUMBERED.contains(&text.trim()) {
            rows.push(Row { has_cursor, text: squash(text), ..Row::default() });
            open = false;
        } else if FOOTERS.iter().any(|it| text.starts_with(it)) {
            open = false;
        } else if open && let Some(row) = rows.last_mut() {
            row.text += &squash(text);
        }
    }
    rows
}

pub(super) fn cursor(line: &str) -> (bool, &str) {
    let line = line.trim_start();
    let (has_cursor, line) = match line.strip_prefix('❯') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    // A list that scrolls shows with an arrow where it goes on.
    let scrolled = line.strip_prefix(['↑', '↓']).map(str::trim_start);
    let is_row =
        |it: &&str| it.starts_with(|c: char| c.is_ascii_digit()) && !it.contains("more lines");
    (has_cursor, scrolled.filter(is_row).unwrap_or(line))
}

fn numbered(text: &str, number: usize) -> Option<&str> {
    text.strip_prefix(&number.to_string())?.strip_prefix('.')
}

fn mark(text: &str) -> (Option<bool>, &str) {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix("[ ]") {
        return (Some(false), rest);
    }
    text.strip_prefix("[✔]").map_or((None, text), |rest| (Some(true), rest))
}

fn left_part(line: &str) -> &str {
    line.find(['┌', '│', '├', '└']).map_or(line, |at| &line[..at])
}
