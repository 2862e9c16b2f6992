//! Notices that the process of a pane ended, and how.
//!
//! Each watched pane has one task that sleeps on a pidfd: exact, at once, and
//! independent of tmux. tmux then says how the process ended. Debian's tmux 3.3
//! loses most notices of dead children until another child of it ends, so we
//! give it one: a job that does nothing.
//!
//! A pane can also vanish while its process lives on, because someone killed the
//! pane and the process ignores the hangup. tmux announces closed windows, and
//! after every lost connection we look again.

use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tmux_interface::RunShell;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::select;
use tokio::sync::broadcast;
use tokio::time::{sleep, timeout};
use tracing::debug;

use super::control::News;
use super::error::TerminalError;
use super::process::child_handle;
use super::quote::Line;
use super::status::{Exit, Pane, PaneStatus, ServerEpoch};
use super::{Inner, TerminalEvent};

/// How long tmux may take to learn what the kernel told us already.
const VERDICT_LIMIT: Duration = Duration::from_secs(10);
const VERDICT_TRIES: u64 = 40;
const LONGEST_WAIT: u64 = 25;
/// How long a process may take to end after its pane was taken away.
const HANGUP_GRACE: Duration = Duration::from_secs(1);

/// A handle on the process of a pane, ready for waiting.
pub(super) type Handle = Arc<AsyncFd<OwnedFd>>;

type Key = (ServerEpoch, String);

/// Which panes are watched. `None` stands for a process that was gone already.
#[derive(Debug, Default)]
pub(super) struct Watches(Mutex<HashMap<Key, Option<Handle>>>);

impl Watches {
    fn table(&self) -> MutexGuard<'_, HashMap<Key, Option<Handle>>> {
        // The table is whole between any two statements, so a panic elsewhere spoils nothing.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// False if the pane is watched already.
    fn add(&self, pane: &Pane, handle: Option<Handle>) -> bool {
        let mut table = self.table();
        let key = (pane.server, pane.id.clone());
        if table.contains_key(&key) {
            return false;
        }
        table.insert(key, handle);
        true
    }

    fn remove(&self, pane: &Pane) {
        self.table().remove(&(pane.server, pane.id.clone()));
    }

    pub(super) fn handle(&self, pane: &Pane) -> Option<Handle> {
        self.table().get(&(pane.server, pane.id.clone())).cloned().flatten()
    }
}

/// A handle on the living process of a pane that tmux just described.
pub(super) fn open(pane: &Pane) -> Result<Option<Handle>, TerminalError> {
    let Some(handle) = child_handle(pane.pid, pane.server.pid) else {
        return Ok(None);
    };
    watchable(handle).map(Some)
}

/// A handle that tells when its process ends.
pub(super) fn watchable(handle: OwnedFd) -> Result<Handle, TerminalError> {
    #[expect(
        deprecated,
        reason = "the safe one; an OwnedFd keeps the promise that it cannot check"
    )]
    let ready = AsyncFd::with_interest(handle, Interest::READABLE);
    let ready = ready.map_err(|source| TerminalError::io("watch a process", source))?;
    Ok(Arc::new(ready))
}

impl Inner {
    /// Starts the watch. Call it only for a pane that tmux just described.
    pub(super) fn start_watch(self: &Arc<Self>, pane: &Pane) -> Result<(), TerminalError> {
        let handle = open(pane)?;
        if !self.watches.add(pane, handle.clone()) {
            return Ok(());
        }
        let watch = Watch { inner: Arc::downgrade(self), pane: pane.clone() };
        let news = self.control.news();
        let stop = self.stop.clone();
        tokio::spawn(async move {
            select! {
                () = stop.cancelled() => {}
                () = watch.run(handle, news) => {}
            }
        });
        Ok(())
    }

    /// Makes tmux collect its dead children.
    async fn kick(&self) -> Result<(), TerminalError> {
        let kick = RunShell::new().background().shell_command(":").build();
        self.control.ask(vec![Line::new(&kick)]).await.map(drop)
    }

    /// How the process of `pane` ended, as soon as tmux knows. Call it once it has ended.
    pub(super) async fn verdict(&self, pane: &Pane) -> Exit {
        let asking = async {
            for attempt in 0..VERDICT_TRIES {
                let kicked = self.kick().await;
                match self.status(pane).await {
                    Ok(PaneStatus {
                        dead: Some(exit @ (Exit::Code(_) | Exit::Signal(_))), ..
                    }) => {
                        return exit;
                    }
                    Ok(_) | Err(TerminalError::ControlLost | TerminalError::Timeout(_)) => {}
                    Err(_) => return Exit::Unknown, // Nobody is left who could know.
                }
                debug!(pane.id, attempt, ?kicked, "tmux does not know yet how the process ended");
                sleep(Duration::from_millis((attempt + 1).min(LONGEST_WAIT))).await;
            }
            Exit::Unknown
        };
        timeout(VERDICT_LIMIT, asking).await.unwrap_or(Exit::Unknown)
    }
}

struct Watch {
    inner: Weak<Inner>,
    pane: Pane,
}

impl Watch {
    async fn run(self, handle: Option<Handle>, mut news: broadcast::Receiver<News>) {
        if let Some(handle) = handle {
            self.wait(&handle, &mut news).await;
        }
        let Some(inner) = self.inner.upgrade() else {
            return;
        };
        let exit = inner.verdict(&self.pane).await;
        inner.watches.remove(&self.pane);
        let events = inner.events.clone();
        drop(inner); // A slow reader of events must not keep the terminal open.
        events.send(TerminalEvent::Exited { pane: self.pane, exit }).await.ok(); // Nobody listens.
    }

    /// Returns when the process ended, or its pane is gone.
    async fn wait(&self, handle: &Handle, news: &mut broadcast::Receiver<News>) {
        loop {
            let news = select! {
                _ = handle.readable() => return,
                news = news.recv() => news,
            };
            let closed = match news {
                Ok(News::WindowClosed(window)) => window == self.pane.window,
                Ok(News::LookAgain) | Err(broadcast::error::RecvError::Lagged(_)) => true,
                Err(broadcast::error::RecvError::Closed) => {
                    handle.readable().await.map(drop).ok(); // The process still tells.
                    return;
                }
            };
            if closed && self.pane_is_gone().await {
                timeout(HANGUP_GRACE, handle.readable()).await.map(drop).ok(); // Ended or not.
                return;
            }
        }
    }

    async fn pane_is_gone(&self) -> bool {
        let Some(inner) = self.inner.upgrade() else {
            return false;
        };
        // An answer from another server, or none, says nothing about the process:
        // it may have outlived its server, and then its own end is the news.
        matches!(inner.status(&self.pane).await, Err(TerminalError::NoTarget))
    }
}
