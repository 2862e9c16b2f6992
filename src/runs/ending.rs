//! How a run ends: what its process still recorded is read, and nothing of it is
//! open any more.
//!
//! What a process said in its terminal before it ended too early is quoted, for
//! the person who has to find out what is wrong, and no more: no state, message or
//! dialog follows from it (docs/adr/0004).

use tracing::{debug, info};

use crate::schema::{Exit, Receipt};
use crate::terminal;

use super::actor::Actor;
use super::now;
use super::outbox::failed;
use super::typing::exit_of;
use super::view::{Over, shorten};

/// So many lines of the screen are quoted.
const LINES: usize = 4;

/// A longer quote is cut.
const LONGEST: usize = 400;

impl Actor {
    /// The process is gone. What it still recorded is read first.
    pub(super) async fn finish(&mut self, exit: terminal::Exit) {
        self.read_transcript();
        while self.more_to_read {
            self.read_transcript();
        }
        self.finish_reading().await;
        self.ended = true;
        self.facts.ended = true;
        self.tail.clear();
        self.answering.all_settled();
        self.startup_proven();
        self.leave_outside();
        self.row.ended_at = Some(now());
        self.row.exit = Some(Exit { detail: self.last_words(&exit).await, ..exit_of(&exit) });
        self.tools.hub.update(&self.row.id, |board| board.end_open(&Over::Everything));
        const ENDED: &str = "The run ended before this was recorded.";
        let held = self.queue.take_all().into_iter().map(|it| failed(it, ENDED));
        let mut unproven: Vec<Receipt> = held.chain(self.outbox.fail_all(ENDED)).collect();
        unproven.extend(self.answering.fail_all(ENDED));
        self.publish_receipts(unproven);
        self.save_row().await;
        if let Err(error) = self.tools.terminal.kill(&self.pane).await {
            debug!(%error, "The ended pane could not be removed");
        }
        info!(run.exit = ?exit, "The process ended");
    }

    /// The last lines in the terminal, if the process failed before it was ready.
    async fn last_words(&self, exit: &terminal::Exit) -> Option<String> {
        // Then a person's own pane shows their shell.
        let is_theirs = self.pane.guest.is_some();
        if is_theirs
            || self.ready
            || matches!(exit, terminal::Exit::Code(0) | terminal::Exit::Unknown)
        {
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
