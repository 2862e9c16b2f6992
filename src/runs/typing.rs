//! Carries out what the outbox decides: one step, one tmux command.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{debug, warn};

use crate::schema::Exit;
use crate::seam::{Activity, Key, SeamError, Step};
use crate::terminal;

use super::actor::Actor;
use super::error::RunError;

const DIALOG_OPEN: &str = "A dialog is open in the terminal. It is sent when that is answered.";
const NO_COMPOSER: &str = "The terminal shows something else than its composer.";

/// While a reply waits for the composer to show, one look in this time.
const COMPOSER_LOOK: Duration = Duration::from_millis(400);

impl Actor {
    /// Why a reply can't be typed at this moment.
    fn obstacle(&self) -> Option<&'static str> {
        match self.facts.registry {
            Some(Activity::Waiting) => Some(DIALOG_OPEN),
            _ if self.facts.pending_dialogs() > 0 || self.facts.live_dialogs > 0 => {
                Some(DIALOG_OPEN)
            }
            _ if self.answering.clears_by(Instant::now()).is_some() => Some(DIALOG_OPEN),
            _ if !self.ready || self.first_prompt_due => Some("Waiting for the CLI to start."),
            _ => None,
        }
    }

    pub(super) async fn type_on(&mut self) {
        let now = Instant::now();
        self.outbox.start_urgent(now);
        match self.obstacle() {
            Some(reason) => {
                let changed = self.outbox.explain(reason);
                self.publish_receipts(changed);
            }
            None => self.start_next(now).await,
        }
        while let Some(step) = self.outbox.next_step(Instant::now()) {
            if let Err(error) = self.carry_out(step).await {
                warn!(recipe.name = self.outbox.typing_name(), %error, "A step could not be done");
                let failed = self.outbox.fail_typing(&format!("Not sent: {error}."));
                self.publish_receipts(failed.into_iter().collect());
            }
        }
        if let Some(receipt) = self.outbox.finish_typing(Instant::now()) {
            debug!(receipt.id = receipt.id, "Typed");
            self.publish_receipts(vec![receipt]);
        }
    }

    /// Goes on once the draft shows.
    async fn await_draft(&mut self, draft: String, limit: Duration) -> Result<(), RunError> {
        let screen = self.tools.terminal.capture(&self.pane).await?;
        if self.provider.holds_draft(&screen, &draft) == Some(true)
            || self.outbox.wait_for_draft(draft, limit, Instant::now())
        {
            return Ok(());
        }
        let why = "the text did not show alone in the composer, so it was not submitted; look at the terminal";
        Err(SeamError::Refused(why.into()).into())
    }

    /// Presses the key, and on no screen but the one with the draft: on a
    /// dialog that came up meanwhile it would be an answer.
    async fn submit(&mut self, key: Key, draft: String) -> Result<(), RunError> {
        let screen = self.tools.terminal.capture(&self.pane).await?;
        if self.provider.holds_draft(&screen, &draft) != Some(true) {
            let why = "something else came up in the terminal, so it was not submitted";
            return Err(SeamError::Refused(why.into()).into());
        }
        self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
        self.outbox.submitted(key, draft);
        Ok(())
    }

    /// Presses the key again if the very draft that it should submit still
    /// stands in the composer, and no dialog could take the key instead.
    pub(super) async fn look_after_submit(&mut self) {
        let now = Instant::now();
        while let Some((key, draft)) = self.outbox.look_due(now) {
            let stands = self.facts.registry != Some(Activity::Waiting)
                && match self.tools.terminal.capture(&self.pane).await {
                    Ok(screen) => self.provider.holds_draft(&screen, &draft) == Some(true),
                    Err(_) => false,
                };
            let again =
                stands && self.tools.terminal.press(&self.pane, terminal_key(key)).await.is_ok();
            if again {
                debug!("The draft still stood in the composer; submitted again");
            }
            self.outbox.looked(again, now);
        }
    }

    /// Begins with the next held reply, if the terminal shows a composer.
    async fn start_next(&mut self, now: Instant) {
        self.composer_look = None;
        let idle = self.facts.registry.is_none_or(|it| it == Activity::Idle);
        let reason = if !self.outbox.may_start(idle) {
            "It is sent when the agent is idle and what was sent before is done."
        } else if self.shows_composer().await {
            self.outbox.start_next(now);
            return;
        } else {
            self.composer_look = Some(now + COMPOSER_LOOK);
            NO_COMPOSER
        };
        let changed = self.outbox.explain(reason);
        self.publish_receipts(changed);
    }

    /// A paste anywhere else would go into a dialog.
    async fn shows_composer(&self) -> bool {
        match self.tools.terminal.capture(&self.pane).await {
            Ok(screen) => self.provider.holds_draft(&screen, "").is_some(),
            Err(error) => {
                debug!(%error, "The screen could not be read");
                false
            }
        }
    }

    async fn carry_out(&mut self, step: Step) -> Result<(), RunError> {
        match step {
            Step::Paste(text) => self.tools.terminal.paste(&self.pane, &text).await?,
            Step::Press(key) => self.tools.terminal.press(&self.pane, terminal_key(key)).await?,
            Step::AwaitDraft { draft, limit } => self.await_draft(draft, limit).await?,
            Step::Submit { key, draft } => self.submit(key, draft).await?,
            Step::Settle(_) => {}
        }
        Ok(())
    }
}

pub(super) fn exit_of(exit: &terminal::Exit) -> Exit {
    match exit {
        terminal::Exit::Code(code) => Exit { code: Some(*code), signal: None },
        terminal::Exit::Signal(signal) => Exit { code: None, signal: Some(signal.to_string()) },
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
        Key::Char(character) => terminal::Key::Char(character),
    }
}
