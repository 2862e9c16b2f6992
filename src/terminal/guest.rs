//! A process that a person started in a pane of their own.
//!
//! The pane, its window and its server are theirs: nothing is resized, stamped or
//! ended, and no client of ours stays. What is typed must reach that very process
//! and not the shell that it was started from. So it has to be alive and in the
//! foreground of its terminal, and tmux has to say so too in the moment in which it
//! writes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use tmux_interface::{DisplayMessage, SetOption};
use tokio::select;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::attach::Place;
use super::calls::Calls;
use super::control::Control;
use super::death::{Handle, Watches, watchable};
use super::error::{Refusal, TerminalError};
use super::guard::{Guard, NOW};
use super::pane::passed;
use super::process::{handle, stat};
use super::protocol::Block;
use super::quote::Line;
use super::status::{Exit, Pane, Process};
use super::{Inner, Terminal, TerminalEvent};

impl Process {
    pub fn is_alive(self) -> bool {
        stat(self.pid).is_some_and(|it| it.started == self.began)
    }

    /// `None` if it is gone.
    pub(super) fn handle(self) -> Result<Option<Handle>, TerminalError> {
        // Open first and look then, as for a child.
        let Some(handle) = handle(self.pid).filter(|_| self.is_alive()) else { return Ok(None) };
        watchable(handle).map(Some)
    }
}

impl Terminal {
    /// The way to the server of a person, for panes with a guest. `events` takes
    /// the end of those that are watched.
    pub fn of_guests(socket: PathBuf, events: &Self) -> Self {
        let control = Control::by_calls(Calls { socket: socket.clone() });
        events.beside(control, Place::theirs(socket))
    }

    /// For a process that runs in no tmux: it can be watched and asked to end.
    pub fn nowhere(events: &Self) -> Self {
        events.beside(Control::to_nowhere(), Place::theirs(PathBuf::new()))
    }

    /// Whether there is a terminal at all.
    pub fn reaches(&self) -> bool {
        self.inner.control.reaches()
    }

    fn beside(&self, control: Control, attach: Place) -> Self {
        let stop = CancellationToken::new();
        let buffers = format!("{}guest-", self.inner.next_buffer());
        Self {
            inner: Arc::new(Inner {
                control,
                watches: Watches::default(),
                events: self.inner.events.clone(),
                attach,
                path: self.inner.path.clone(),
                buffers,
                next_buffer: AtomicU64::new(0),
                _stop_on_drop: stop.clone().drop_guard(),
                stop,
                actor: Mutex::new(None),
            }),
        }
    }

    /// Proves that the pane is still there, and gives it the clock of the guard: a
    /// note that nothing in tmux but our own checks reads.
    pub async fn visit(&self, pane: &Pane) -> Result<(), TerminalError> {
        let clock = SetOption::new().pane().target_pane(&*pane.id).option(NOW).value("%s").build();
        self.note(pane, Line::new(&clock)).await
    }

    /// Takes that note back.
    pub(super) async fn leave(&self, pane: &Pane) -> Result<(), TerminalError> {
        if !self.reaches() {
            return Ok(());
        }
        let clock = SetOption::new().pane().unset().target_pane(&*pane.id).option(NOW).build();
        match self.note(pane, Line::new(&clock)).await {
            Err(TerminalError::NoTarget | TerminalError::NoServer { .. }) => Ok(()),
            left => left,
        }
    }

    async fn note(&self, pane: &Pane, line: Line) -> Result<(), TerminalError> {
        passed(pane, &self.inner.control.ask(vec![Guard::Ours.line(pane, line)]).await?)
    }

    /// Refuses unless the guest is who would read what is typed now. Answers with
    /// its name for the guard, if that says more than its shell's.
    pub(super) async fn in_front(&self, pane: &Pane) -> Result<Option<String>, TerminalError> {
        let Some(guest) = pane.guest else { return Ok(None) };
        let ask = DisplayMessage::new().print().target_pane(&*pane.id);
        let ask = ask.message("#{pane_current_command}").build();
        let blocks = self.inner.control.look(Line::new(&ask)).await?;
        let name = blocks.last().filter(|it| !it.failed).map(Block::text).unwrap_or_default();
        // Only now: the name is then of a moment in which it had the terminal, or
        // this tells that it has not.
        match stat(guest.pid).filter(|it| it.started == guest.began) {
            None => Err(TerminalError::Refused(Refusal::Dead)),
            Some(it) if !it.in_front => Err(TerminalError::Refused(Refusal::Background)),
            Some(_) => Ok(Some(name).filter(|it| is_plain(it))),
        }
    }
}

/// Fit to stand in a format.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && name.bytes().all(plain)
}

impl Inner {
    /// Tells once when the guest is gone. It is no child of ours or of tmux's, so
    /// nobody can say how it ended.
    pub(super) fn watch_guest(
        self: &Arc<Self>,
        pane: &Pane,
        guest: Process,
    ) -> Result<(), TerminalError> {
        let handle = guest.handle()?;
        let (events, stop, pane) = (self.events.clone(), self.stop.clone(), pane.clone());
        tokio::spawn(async move {
            select! {
                () = stop.cancelled() => {}
                () = gone(handle, pane, events) => {}
            }
        });
        Ok(())
    }
}

async fn gone(handle: Option<Handle>, pane: Pane, events: mpsc::Sender<TerminalEvent>) {
    if let Some(handle) = handle {
        handle.readable().await.map(drop).ok(); // Ended, or never to be known.
    }
    events.send(TerminalEvent::Exited { pane, exit: Exit::Unknown }).await.ok(); // Nobody listens.
}

#[cfg(test)]
mod tests {
    use super::super::process::began;
    use super::*;

    #[test]
    fn a_number_that_was_used_again_is_another_process() {
        let pid = std::process::id();
        let began = began(pid).unwrap();
        let pid = i32::try_from(pid).unwrap();
        assert!(Process { pid, began }.is_alive());
        assert!(!Process { pid, began: began + 1 }.is_alive());
    }

    #[test]
    fn a_name_that_means_something_in_a_format_is_not_compared() {
        assert!(is_plain("claude"));
        for name in ["", "a,b", "#{pid}", "a b", "}"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
