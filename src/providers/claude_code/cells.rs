//! A screen with its colours, cell by cell.

/// One character and how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub char: char,
    pub dim: bool,
    pub inverse: bool,
}

/// The lines of a screen that was captured with its escape sequences. How a
/// line ends is how the next one begins.
pub(super) fn cells(screen: &str) -> Vec<Vec<Cell>> {
    let mut lines = vec![Vec::new()];
    let (mut dim, mut inverse) = (false, false);
    let mut rest = screen;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '\n' => {
                // Blanks at the end are left out, and a cursor there is one.
                if inverse && let Some(line) = lines.last_mut() {
                    line.push(Cell { char: ' ', dim, inverse });
                }
                lines.push(Vec::new());
            }
            '\u{1b}' => {
                let (end, numbers) = escape(rest);
                rest = &rest[end..];
                style(numbers, &mut dim, &mut inverse);
            }
            _ if char.is_control() => {}
            _ => {
                if let Some(line) = lines.last_mut() {
                    line.push(Cell { char, dim, inverse });
                }
            }
        }
    }
    lines
}

/// How long a sequence is behind its escape, and what it says of the style.
fn escape(rest: &str) -> (usize, &str) {
    if let Some(body) = rest.strip_prefix('[') {
        let end = body.find(|c: char| ('@'..='~').contains(&c)).unwrap_or(body.len());
        let numbers = if body[end..].starts_with('m') { &body[..end] } else { "x" };
        return ((end + 2).min(rest.len()), numbers);
    }
    if rest.starts_with(']') {
        // A link. It ends with a bell, or with another escape and a backslash.
        let end = rest.find(['\u{7}', '\u{1b}']).unwrap_or(rest.len());
        let last = if rest[end..].starts_with("\u{1b}\\") { 2 } else { 1 };
        return ((end + last).min(rest.len()), "x");
    }
    (rest.chars().next().map_or(0, char::len_utf8), "x")
}

fn style(numbers: &str, dim: &mut bool, inverse: &mut bool) {
    let mut numbers = numbers.split(';');
    while let Some(number) = numbers.next() {
        match number {
            "" | "0" => (*dim, *inverse) = (false, false),
            "2" => *dim = true,
            "22" => *dim = false,
            "7" => *inverse = true,
            "27" => *inverse = false,
            // A colour: one of a palette, or three parts.
            "38" | "48" | "58" => {
                let parts = if numbers.next() == Some("5") { 1 } else { 3 };
                numbers.by_ref().take(parts).for_each(drop);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(screen: &str) -> Vec<String> {
        let draw = |it: &Cell| match (it.dim, it.inverse) {
            (false, false) => it.char.to_string(),
            (true, _) => format!("({})", it.char),
            (false, true) => format!("<{}>", it.char),
        };
        cells(screen).iter().map(|line| line.iter().map(draw).collect()).collect()
    }

    #[test]
    fn styles_go_on_over_the_end_of_a_line_and_end_with_a_reset() {
        assert_eq!(drawn("a\u{1b}[2mb\nc\u{1b}[0md"), ["a(b)", "(c)d"]);
        assert_eq!(drawn("\u{1b}[7mP\u{1b}[0;2mr\u{1b}[22ms"), ["<P>(r)s"]);
        assert_eq!(drawn("\u{1b}[2mx\u{1b}[my"), ["(x)y"]);
    }

    #[test]
    fn the_parts_of_a_colour_are_no_styles() {
        assert_eq!(drawn("\u{1b}[38;5;2ma\u{1b}[48;2;7;2;7mb"), ["ab"]);
    }

    #[test]
    fn other_sequences_and_broken_ones_are_passed_over() {
        assert_eq!(drawn("a\u{1b}]8;;http://x\u{1b}\\b\u{1b}]0;t\u{7}c\u{1b}[2Kd"), ["abcd"]);
        for broken in [
            "\u{1b}",
            "\u{1b}[",
            "\u{1b}[2",
            "\u{1b}]8;",
            "\u{1b}é",
            "\u{1b}]x\u{1b}",
            "\u{1b}]\u{1b}é",
        ] {
            assert!(drawn(broken).concat().len() <= 2, "{broken:?}");
        }
    }
}
