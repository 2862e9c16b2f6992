//! Carries out what the outbox decides: one step, one tmux command.

use tokio::time::Instant;
use tracing::{debug, warn};

use crate::schema::Exit;
use crate::seam::{Activity, Step};
use crate::terminal;

use super::actor::Actor;
use super::error::RunError;

impl Actor {
    /// Why a reply can't be typed at this moment.
    fn obstacle(&self) -> Option<&'static str> {
        match self.facts.registry {
            Some(Activity::Waiting) => {
                Some("A dialog is open in the terminal. It is sent when that is answered.")
            }
            _ if !self.ready => Some("Waiting for the CLI to start."),
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
            None => {
                let idle = self.facts.registry.is_none_or(|it| it == Activity::Idle);
                if !self.outbox.start_next(idle, now) {
                    let changed = self.outbox.explain("Commands wait until the agent is idle.");
                    self.publish_receipts(changed);
                }
            }
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

    async fn carry_out(&self, step: Step) -> Result<(), RunError> {
        match step {
            Step::Paste(text) => self.tools.terminal.paste(&self.pane, &text).await?,
            Step::Press(key) => self.tools.terminal.press(&self.pane, terminal_key(key)).await?,
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

fn terminal_key(key: crate::seam::Key) -> terminal::Key {
    use crate::seam::Key;
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
