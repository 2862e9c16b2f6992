//! Carries out what the outbox decides: one step, one tmux command.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{debug, info, warn};

use crate::schema::{Exit, HoldCause};
use crate::seam::{Activity, Composer, Key, SeamError, Step};
use crate::terminal::{self, TerminalError};

use super::actor::Actor;
use super::error::RunError;
use super::holding::STILL_EMPTY;
use super::outbox::{Fenced, Submitted};

/// What was said before is looked for behind a text up to this length.
const LONGEST_BEFORE: usize = 16 * 1024;

const TALLEST_SCREEN: usize = 60;

/// A composer that was cleared shows it in this time.
const CLEARED: Duration = Duration::from_secs(2);

/// How long a draft that showed may be gone from the screen while that stands still.
const STILL_DRAWN: Duration = Duration::from_secs(2);

impl Actor {
    /// What keeps a text from being typed at this moment, whatever it is.
    pub(super) fn obstacle(&self) -> Option<(HoldCause, &'static str)> {
        const DIALOG: (HoldCause, &str) = (
            HoldCause::Dialog,
            "A dialog is open in the terminal. It is sent when that is answered.",
        );
        match self.facts.registry {
            Some(Activity::Waiting) => Some(DIALOG),
            _ if self.facts.pending_dialogs() > 0 || self.facts.live_dialogs > 0 => Some(DIALOG),
            _ if self.answering.clears_by(Instant::now()).is_some() => Some(DIALOG),
            _ if self.answering.owes_words() => Some(DIALOG),
            _ if !self.ready || self.first_prompt_due => {
                Some((HoldCause::Starting, "Waiting for the CLI to start."))
            }
            _ => None,
        }
    }

    pub(super) async fn type_on(&mut self) {
        self.outbox.start_urgent(Instant::now());
        self.start_next().await;
        while let Some(step) = self.outbox.next_step(Instant::now()) {
            if let Err(error) = self.carry_out(step).await {
                warn!(recipe.name = self.outbox.typing_name(), %error, "A step could not be done");
                self.drop_typing(&error).await;
            }
        }
        if let Some(receipt) = self.outbox.finish_typing(Instant::now()) {
            debug!(receipt.id = receipt.id, "Typed");
            self.note_typed(&receipt);
            self.publish_receipts(vec![receipt]);
        }
    }

    /// A reply of which nothing was typed is held again; anything else failed.
    async fn drop_typing(&mut self, error: &RunError) {
        let refused = matches!(
            error,
            RunError::Terminal(TerminalError::Refused(_)) | RunError::Seam(SeamError::Refused(_))
        );
        if refused && let Some(held) = self.outbox.take_back() {
            self.hold_again(held).await;
            return;
        }
        let failed = self.outbox.fail_typing(&format!("Not sent: {error}."));
        self.publish_receipts(failed.into_iter().collect());
    }

    async fn carry_out(&mut self, step: Step) -> Result<(), RunError> {
        match step {
            Step::Paste(text) => {
                let pasted = self.tools.terminal.paste(&self.pane, &text).await;
                self.typed_something(pasted)
            }
            Step::Press(key) => {
                // Keys before the text make room for it, and are no part of it.
                Ok(self.tools.terminal.press(&self.pane, terminal_key(key)).await?)
            }
            Step::AwaitRead { limit } => {
                let unread = self.tools.terminal.unread_input(&self.pane).unwrap_or(0);
                let why = "the agent does not read what is typed; look at the terminal";
                let again = Step::AwaitRead { limit };
                if unread == 0 && self.obstacle().is_some_and(|it| it.0 == HoldCause::Dialog) {
                    // What comes next would go into the dialog.
                    self.outbox.wait_behind(again, Instant::now());
                    return Ok(());
                }
                let waits = unread == 0
                    || self.outbox.look_again(again, unread.to_string(), limit, Instant::now());
                waits.then_some(()).ok_or_else(|| refused(why))
            }
            Step::AwaitDraft { draft, limit } => {
                let screen = self.tools.terminal.capture(&self.pane).await?;
                let shows = self.provider.holds_draft(&screen, &draft);
                let shows = shows.filter(|shows| !shows || self.has_read_all());
                let before_left =
                    shows == Some(false) && self.stands_before_what_was_left(&screen, &draft);
                let again = Step::AwaitDraft { draft, limit };
                let now = Instant::now();
                if shows == Some(true) {
                    return Ok(());
                }
                if shows.is_none() && self.obstacle().is_some() {
                    self.outbox.wait_behind(again, now);
                    return Ok(());
                }
                if before_left {
                    self.delete_behind().await?;
                }
                // Of a text that repeats itself the screen looks the same while it is read.
                let screen =
                    if self.has_read_all() { screen } else { format!("still reads at {now:?}") };
                let why = "the text did not show alone in the composer, so it was not submitted; look at the terminal";
                self.outbox
                    .look_again(again, screen, limit, now)
                    .then_some(())
                    .ok_or_else(|| refused(why))
            }
            Step::AwaitEmpty { limit } => {
                let screen = self.tools.terminal.capture_styled(&self.pane).await?;
                let why = "the composer did not become empty, so nothing was typed into it";
                let is_empty = self.provider.composer(&screen) == Some(Composer::Empty);
                let again = Step::AwaitEmpty { limit };
                (is_empty || self.outbox.look_again(again, screen, limit, Instant::now()))
                    .then_some(())
                    .ok_or_else(|| refused(why))
            }
            Step::Fence { draft, pressed, away, back, limit } => {
                self.pass_fence(draft, pressed, (away, back), limit).await
            }
            Step::Submit { key, draft } => self.submit(key, draft).await,
            Step::Settle(_) => Ok(()),
        }
    }

    /// What tmux refused is not in the terminal; anything else may be.
    fn typed_something(&mut self, done: Result<(), TerminalError>) -> Result<(), RunError> {
        if !matches!(done, Err(TerminalError::Refused(_))) {
            self.outbox.begun();
        }
        Ok(done?)
    }

    /// Gone through step by step: the cursor moves away, and back.
    async fn pass_fence(
        &mut self,
        draft: String,
        pressed: usize,
        keys: (Key, Key),
        limit: Duration,
    ) -> Result<(), RunError> {
        let screen = self.tools.terminal.capture_styled(&self.pane).await?;
        let caret = self.provider.caret(&screen, &draft);
        let is_gone = caret.is_none() && self.provider.composer(&screen) == Some(Composer::Empty);
        let key = match self.outbox.fence_seen(caret, pressed, &draft, Instant::now()) {
            Fenced::Passed => return Ok(()),
            Fenced::Go => Some(keys.0),
            Fenced::Return => Some(keys.1),
            Fenced::Wait => None,
        };
        if let Some(key) = key {
            self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
        }
        let again = Step::Fence { draft, pressed, away: keys.0, back: keys.1, limit };
        // However much else changes on the screen, it takes no longer.
        let waits = self.outbox.look_again(again, String::new(), limit, Instant::now());
        (waits && !is_gone)
            .then_some(())
            .ok_or_else(|| refused("the draft does not stand in the composer any more"))
    }

    /// Presses the key, and on no screen but the one with the draft: on a
    /// dialog that came up meanwhile it would be an answer.
    async fn submit(&mut self, key: Key, draft: String) -> Result<(), RunError> {
        let screen = self.tools.terminal.capture(&self.pane).await?;
        match self.provider.holds_draft(&screen, &draft) {
            Some(true) => {
                self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
                self.outbox.submitted(key, draft);
                Ok(())
            }
            // It stands behind a dialog, and goes out after that.
            None if self.obstacle().is_some() => {
                self.outbox.wait_behind(Step::Submit { key, draft }, Instant::now());
                Ok(())
            }
            // A draft that repeats itself has shown before all of it was drawn.
            _ => {
                let again = Step::Submit { key, draft };
                self.outbox
                    .look_again(again, screen, STILL_DRAWN, Instant::now())
                    .then_some(())
                    .ok_or_else(|| {
                        refused("something else came up in the terminal, so it was not submitted")
                    })
            }
        }
    }

    /// Presses the key again if the very draft that it should submit still
    /// stands in the composer, and no dialog could take the key instead.
    pub(super) async fn look_after_submit(&mut self) {
        let now = Instant::now();
        while let Some((draft, pressed)) = self.outbox.look_due(now) {
            let screen = self.tools.terminal.capture(&self.pane).await.unwrap_or_default();
            if self.facts.registry == Some(Activity::Waiting) || self.outbox.is_typing() {
                self.outbox.looked(Submitted::Unclear, now);
                continue;
            }
            let seen = if self.provider.holds_draft(&screen, &draft) == Some(true) {
                self.submit_again(&draft, pressed)
            } else if let Some((done, before)) = self.half_typed(&screen) {
                info!(steps.done = done, "A reply of before stands half in the composer; going on");
                self.outbox.go_on(done, before, now);
                continue;
            } else {
                self.is_submitted().await
            };
            self.outbox.looked(seen, now);
        }
    }

    fn submit_again(&mut self, draft: &str, pressed: usize) -> Submitted {
        if !self.has_read_all() {
            return Submitted::Unclear;
        }
        debug!("The draft still stands in the composer; submitting again");
        self.outbox.play(self.provider.submit_again(draft, pressed), None);
        Submitted::Again
    }

    async fn is_submitted(&self) -> Submitted {
        let screen = self.tools.terminal.capture_styled(&self.pane).await;
        match screen.ok().and_then(|it| self.provider.composer(&it)) {
            Some(Composer::Empty) => Submitted::Gone,
            _ => Submitted::Unclear,
        }
    }

    /// Nothing of what was typed still waits for the CLI to read it.
    fn has_read_all(&self) -> bool {
        self.tools.terminal.unread_input(&self.pane).is_none_or(|bytes| bytes == 0)
    }

    /// How many steps of an interrupted reply were done, if the composer shows just
    /// that. Where several beginnings of it look the same, as with lines that are empty,
    /// it is begun anew in a composer that is cleared.
    fn half_typed(&self, screen: &str) -> Option<(usize, Vec<Step>)> {
        let held = self.outbox.interrupted()?;
        if self.tools.terminal.unread_input(&self.pane) != Some(0) {
            return None;
        }
        let mut text = String::new();
        let steps = held.plan.recipe.steps.iter().enumerate();
        let mut fitting = Vec::new();
        for (at, step) in steps {
            let Step::Paste(piece) = step else { continue };
            text.push_str(piece);
            if self.provider.holds_draft(screen, &text) == Some(true) {
                fitting.push((at + 1, text.clone()));
            }
        }
        match fitting.as_slice() {
            [] => None,
            [(done, _)] => Some((*done, Vec::new())),
            [.., (_, longest)] => {
                let mut before = self.provider.clear(longest).steps;
                before.extend([Step::Settle(STILL_EMPTY), Step::AwaitEmpty { limit: CLEARED }]);
                Some((0, before))
            }
        }
    }

    /// Behind our text the composer shows the end of what was said before: the
    /// CLI put it back while the text was pasted.
    fn stands_before_what_was_left(&self, screen: &str, draft: &str) -> bool {
        let Some((left, _)) = self.outbox.left_behind() else { return false };
        if draft.len() > LONGEST_BEFORE {
            return false;
        }
        // No more lines than a screen could show: this is asked at each look.
        let breaks = left.rmatch_indices('\n').take(TALLEST_SCREEN);
        let ends = breaks.flat_map(|(at, _)| [&left[at..], &left[at + 1..]]);
        ends.chain([left])
            .any(|end| self.provider.holds_draft(screen, &format!("{draft}{end}")) == Some(true))
    }

    async fn delete_behind(&mut self) -> Result<(), RunError> {
        let Some(key) = self.provider.delete_behind() else { return Ok(()) };
        info!("What was said before stands behind the draft again; deleting it");
        Ok(self.tools.terminal.press(&self.pane, terminal_key(key)).await?)
    }
}

fn refused(why: &str) -> RunError {
    SeamError::Refused(why.into()).into()
}

pub(super) fn exit_of(exit: &terminal::Exit) -> Exit {
    match exit {
        terminal::Exit::Code(code) => Exit { code: Some(*code), ..Exit::default() },
        terminal::Exit::Signal(signal) => {
            Exit { signal: Some(signal.to_string()), ..Exit::default() }
        }
        terminal::Exit::Unknown => Exit::default(),
    }
}

pub(super) fn terminal_key(key: Key) -> terminal::Key {
    match key {
        Key::Enter => terminal::Key::Enter,
        Key::Escape => terminal::Key::Escape,
        Key::Tab => terminal::Key::Tab,
        Key::BackTab => terminal::Key::BTab,
        Key::Up => terminal::Key::Up,
        Key::Down => terminal::Key::Down,
        Key::Left => terminal::Key::Left,
        Key::Right => terminal::Key::Right,
        Key::Space => terminal::Key::Space,
        Key::ControlU => terminal::Key::CtrlU,
        Key::ControlK => terminal::Key::CtrlK,
        Key::ControlL => terminal::Key::CtrlL,
        Key::ControlA => terminal::Key::CtrlA,
        Key::ControlE => terminal::Key::CtrlE,
        Key::ControlS => terminal::Key::CtrlS,
        Key::Char(character) => terminal::Key::Char(character),
    }
}
