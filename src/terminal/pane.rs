//! Looking at a pane, writing to it, and ending it.
//!
//! Every write is one line of tmux: a guard, and the write if the guard holds.
//! A bare paste into a dead pane kills the whole server of tmux 3.3, and a paste
//! in copy mode loses its brackets, so that each line would be submitted.

use std::time::Duration;

use rustix::process::{Signal, pidfd_send_signal};
use tmux_interface::{
    CapturePane, CopyMode, DeleteBuffer, DisplayMessage, KillSession, ListPanes, PasteBuffer,
    SetBuffer,
};
use tokio::time::timeout;

use super::death::{Handle, open};
use super::error::{Refusal, TerminalError};
use super::guard::{Guard, PASSED, refusal};
use super::key::Key;
use super::process::unread_input;
use super::protocol::Block;
use super::quote::Line;
use super::status::{Exit, Pane, PaneStatus, Report, STAMP, format};
use super::{Inner, Terminal};

/// Longer texts would keep the server busy for everyone.
const LONGEST_PASTE: usize = 1 << 20;
/// How long a process may take to end after its terminal was taken away.
const HANGUP_GRACE: Duration = Duration::from_secs(2);

/// What can be sent to the process of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PaneSignal {
    Hangup,
    Interrupt,
    Terminate,
    Kill,
}

impl Terminal {
    /// All panes that carry a stamp, whoever started them, dead ones too. None if there
    /// is certainly no server.
    pub async fn panes(&self) -> Result<Vec<PaneStatus>, TerminalError> {
        let stamped = format!("#{{!=:#{{{STAMP}}},}}");
        let list = ListPanes::new().all().format(format()).filter(stamped).build();
        let blocks = match self.inner.control.look(Line::new(&list)).await {
            Err(TerminalError::NoServer { .. }) => return Ok(Vec::new()),
            looked => looked?,
        };
        let text = whole(&blocks)?.text();
        let reports = text.lines().filter_map(Report::parse);
        let mut panes: Vec<_> = reports.filter_map(|report| report.status).collect();
        for status in &mut panes {
            self.inner.complete(status).await;
        }
        Ok(panes)
    }

    /// Watches a pane that `panes` found. A dead one yields its event too.
    pub async fn watch(&self, pane: &Pane) -> Result<(), TerminalError> {
        if let Some(guest) = pane.guest {
            return self.inner.watch_guest(pane, guest);
        }
        self.inner.status(pane).await?;
        self.inner.start_watch(pane)
    }

    /// How the pane is now.
    pub async fn probe(&self, pane: &Pane) -> Result<PaneStatus, TerminalError> {
        let mut status = self.inner.status(pane).await?;
        self.inner.complete(&mut status).await;
        Ok(status)
    }

    /// Pastes the text as one bracketed paste.
    ///
    /// `Ok` means that tmux took it, not that the process read it. Copy mode is
    /// left first if nobody is attached.
    pub async fn paste(&self, pane: &Pane, text: &str) -> Result<(), TerminalError> {
        let control = |c: &char| c.is_control() && !matches!(c, '\t' | '\n');
        if let Some(control) = text.chars().find(control) {
            return Err(TerminalError::Refused(Refusal::ControlCharacter(control.into())));
        }
        if text.is_empty() {
            return Err(TerminalError::Refused(Refusal::Empty));
        }
        if text.len() > LONGEST_PASTE {
            return Err(TerminalError::TooBig { size: text.len(), limit: LONGEST_PASTE });
        }
        let buffer = self.inner.next_buffer();
        let set = SetBuffer::new().buffer_name(&*buffer).build();
        // A text like `-w` is not an option.
        let set = Line::default().then_with(&set, &[b"--", text.as_bytes()]);
        let paste = PasteBuffer::new().bracket_codes().delete().no_replacement();
        let paste = paste.buffer_name(&*buffer).target_pane(&*pane.id).build();
        let delete = DeleteBuffer::new().buffer_name(&*buffer).build();
        // The buffer is deleted on every path, also if we stop listening: by the
        // paste itself, else by the last line, which otherwise fails and may.
        self.write(pane, Some(set), Line::new(&paste), Some(Line::new(&delete))).await
    }

    /// Presses one key. Copy mode is left first if nobody is attached.
    pub async fn press(&self, pane: &Pane, key: Key) -> Result<(), TerminalError> {
        let press = Line::new(&key.command(&pane.id)?);
        self.write(pane, None, press, None).await
    }

    /// The text on the screen, without colours.
    pub async fn capture(&self, pane: &Pane) -> Result<String, TerminalError> {
        self.captured(pane, CapturePane::new()).await
    }

    /// The text on the screen with the escape sequences that colour it.
    pub async fn capture_styled(&self, pane: &Pane) -> Result<String, TerminalError> {
        self.captured(pane, CapturePane::new().escape_sequences()).await
    }

    /// How much of what was typed the process has not read yet; `None` if nobody
    /// can say.
    pub fn unread_input(&self, pane: &Pane) -> Option<u64> {
        unread_input(pane.process())
    }

    async fn captured(
        &self,
        pane: &Pane,
        capture: CapturePane<'_>,
    ) -> Result<String, TerminalError> {
        let capture = capture.stdout().target_pane(&*pane.id).build();
        let line = Guard::Ours.line(pane, Line::new(&capture));
        let blocks = self.inner.control.look(line).await?;
        passed(pane, &blocks)?;
        let screen = blocks.len().checked_sub(2).and_then(|index| blocks.get(index));
        Ok(screen.map(Block::text).unwrap_or_default())
    }

    /// Ends the session of the pane. Afterwards its process is gone, by force if it
    /// ignores the hangup. It is no error if all that is gone already.
    pub async fn kill(&self, pane: &Pane) -> Result<(), TerminalError> {
        if pane.guest.is_some() {
            return self.leave(pane).await; // The pane is a person's, and so is its session.
        }
        // Take hold of the process while its pane still proves whose it is.
        let handle = match self.handle(pane).await {
            Ok(handle) => handle,
            Err(TerminalError::NoTarget | TerminalError::NoServer { .. }) => return Ok(()),
            Err(TerminalError::Refused(Refusal::Epoch)) => return Ok(()),
            Err(error) => return Err(error),
        };
        let kill = KillSession::new().target_session(&*pane.session).build();
        let line = Guard::Ours.line(pane, Line::new(&kill));
        let killed = match self.inner.control.ask(vec![line]).await {
            Ok(blocks) => passed(pane, &blocks),
            Err(error) => Err(error),
        };
        match killed {
            Ok(()) | Err(TerminalError::NoTarget | TerminalError::NoServer { .. }) => {}
            Err(TerminalError::Refused(Refusal::Epoch)) => {}
            Err(error) => return Err(error),
        }
        let Some(handle) = handle else { return Ok(()) };
        if timeout(HANGUP_GRACE, handle.readable()).await.is_err() {
            send(&handle, Signal::KILL)?;
        }
        Ok(())
    }

    /// Sends a signal to the process that was started in the pane, and to no other.
    pub async fn signal(&self, pane: &Pane, signal: PaneSignal) -> Result<(), TerminalError> {
        let handle = self.handle(pane).await?.ok_or(TerminalError::Refused(Refusal::Dead))?;
        send(
            &handle,
            match signal {
                PaneSignal::Hangup => Signal::HUP,
                PaneSignal::Interrupt => Signal::INT,
                PaneSignal::Terminate => Signal::TERM,
                PaneSignal::Kill => Signal::KILL,
            },
        )
    }

    async fn handle(&self, pane: &Pane) -> Result<Option<Handle>, TerminalError> {
        if let Some(guest) = pane.guest {
            return guest.handle();
        }
        if let Some(handle) = self.inner.watches.handle(pane) {
            return Ok(Some(handle));
        }
        let status = self.inner.status(pane).await?;
        if status.dead.is_some() { Ok(None) } else { open(pane) }
    }

    /// `before` and `after` run whatever the guard says. `after` has one command.
    async fn write(
        &self,
        pane: &Pane,
        before: Option<Line>,
        line: Line,
        after: Option<Line>,
    ) -> Result<(), TerminalError> {
        let name = self.in_front(pane).await?;
        let guarded = Guard::Writable.line_in_front(pane, line, name.as_deref());
        let lines: Vec<Line> = before.into_iter().chain([guarded]).chain(after.clone()).collect();
        let attempt = async || {
            let mut blocks = self.inner.control.ask(lines.clone()).await?;
            if after.is_some() {
                blocks.pop(); // It may fail.
            }
            passed(pane, &blocks)
        };
        match attempt().await {
            Err(TerminalError::Refused(Refusal::Mode)) => {
                self.leave_mode(pane).await?;
                attempt().await
            }
            outcome => outcome,
        }
    }

    /// Leaves copy mode, but not under the eyes of someone.
    async fn leave_mode(&self, pane: &Pane) -> Result<(), TerminalError> {
        if self.inner.status(pane).await?.attached > 0 {
            return Err(TerminalError::Refused(Refusal::Mode));
        }
        let leave = CopyMode::new().cancel().target_pane(&*pane.id).build();
        let line = Guard::Ours.line(pane, Line::new(&leave));
        passed(pane, &self.inner.control.ask(vec![line]).await?)
    }
}

impl Inner {
    /// One question, without waiting for what tmux does not know yet.
    pub(super) async fn status(&self, pane: &Pane) -> Result<PaneStatus, TerminalError> {
        let report = DisplayMessage::new().print().target_pane(&*pane.id).message(format()).build();
        let blocks = self.control.look(Line::new(&report)).await?;
        let text = whole(&blocks)?.text();
        let report = Report::parse(&text).ok_or(TerminalError::Tmux(text))?;
        report.about(pane)
    }

    /// Adds what tmux cannot say at once.
    async fn complete(&self, status: &mut PaneStatus) {
        if status.dead == Some(Exit::Unknown) {
            status.dead = Some(self.verdict(&status.pane).await);
        }
        if status.dead.is_none()
            && let Ok(cwd) = std::fs::read_link(format!("/proc/{}/cwd", status.pane.pid))
        {
            status.cwd = cwd;
        }
    }
}

fn send(handle: &Handle, signal: Signal) -> Result<(), TerminalError> {
    match pidfd_send_signal(handle.get_ref(), signal) {
        Err(rustix::io::Errno::SRCH) => Ok(()), // It ended by itself.
        sent => sent.map_err(|error| TerminalError::io("signal a process", error.into())),
    }
}

/// The answer to a line of one command.
fn whole(blocks: &[Block]) -> Result<&Block, TerminalError> {
    let [block] = blocks else {
        return Err(TerminalError::Tmux(format!("{} answers to one question", blocks.len())));
    };
    if block.failed { Err(TerminalError::from_tmux(&block.text())) } else { Ok(block) }
}

/// Whether a guarded line ran to its end.
pub(super) fn passed(pane: &Pane, blocks: &[Block]) -> Result<(), TerminalError> {
    if let Some(failure) = blocks.iter().find(|block| block.failed) {
        return Err(TerminalError::from_tmux(&failure.text()));
    }
    let last = blocks.last().map(Block::text).unwrap_or_default();
    if last == PASSED {
        return Ok(());
    }
    Err(Report::parse(&last).map_or(TerminalError::Tmux(last), |report| refusal(report, pane)))
}
