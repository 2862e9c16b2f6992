//! What a process said in its terminal before it ended too early.
//!
//! A quote for the person who has to find out what is wrong, and no more: no
//! state, message or dialog follows from it (docs/adr/0004).

use crate::terminal;

use super::actor::Actor;
use super::view::shorten;

/// So many lines of the screen are quoted.
const LINES: usize = 4;

/// A longer quote is cut.
const LONGEST: usize = 400;

impl Actor {
    /// The last lines in the terminal, if the process failed before it was ready.
    pub(super) async fn last_words(&self, exit: &terminal::Exit) -> Option<String> {
        if self.ready || matches!(exit, terminal::Exit::Code(0) | terminal::Exit::Unknown) {
            return None;
        }
        let screen = self.tools.terminal.capture(&self.pane).await.ok()?;
        quote(&screen)
    }
}

fn quote(screen: &str) -> Option<String> {
    let lines: Vec<_> =
        screen.lines().map(str::trim).filter(|it| it.chars().any(char::is_alphanumeric)).collect();
    let last = lines.len().saturating_sub(LINES);
    let quote = lines[last..].join("\n");
    (!quote.is_empty()).then(|| shorten(&quote, LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_with_words_are_quoted() {
        let screen = "one\n\n────\n  two  \nthree\nfour\nfive\n\n\n";
        assert_eq!(quote(screen).as_deref(), Some("two\nthree\nfour\nfive"));
        assert_eq!(quote("\n ── \n"), None);
        assert_eq!(quote(&"x".repeat(1000)).map(|it| it.chars().count()), Some(LONGEST));
    }
}
