//! Runs programs in tmux and types into them. Only this module knows that tmux exists.
//!
//! # Theory of operation
//!
//! tmux keeps the agents alive when we are not. We hold one connection to its
//! server, a `tmux -C` child, and say everything over it: a question costs a
//! fraction of a millisecond, and no argument of ours stands in a process list.
//!
//! ```text
//! Terminal ──▶ control ──▶ actor ──▶ link ──▶ tmux -C ──▶ server ──▶ panes
//!     ▲            │ news                                            │
//!     │            ▼                                                 │
//!     └─ events ── death (one watch for each pane) ◀── pidfd ────────┘
//! ```
//!
//! - `server` decides which server it is, and never starts a second one.
//! - `client` starts it, `link` is one connection, `protocol` reads it, `quote` writes it.
//! - `control` waits for answers, `actor` puts requests in order and finds the way back
//!   after a loss.
//! - `status` has the words for panes, `guard` is the check before each write.
//! - `spawn`, `pane` and `key` are what a caller can do; `attach` is what a person can.
//! - `room` makes a screen higher for a look, and tells whether the process reads.
//! - `death` tells how a process ended, soon after it did.
//! - `servers` finds the pane of a process that a person started, `guest` writes to such
//!   a pane, and `calls` talks to its server, which is not ours.
//!
//! Nothing is polled. A pidfd announces each death, tmux announces closed windows,
//! and the timers are limits of waiting and one heartbeat for a silent connection.
//! A write that tmux comes to after its caller gave up is refused by its guard.
//!
//! # What is deliberately absent
//!
//! - No retry of a write. `ControlLost` and `Timeout` leave it in doubt, and the
//!   caller has other witnesses.
//! - No names or indexes as targets. Ids are exact, and together with the life of
//!   the server ([`ServerEpoch`]) they never come to mean another pane.
//! - No output of agents. Our connection sits in a session of its own, so tmux
//!   sends us none; who wants a screen asks with [`Terminal::capture`].

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a panic is how a test fails"))]

mod actor;
mod attach;
mod calls;
mod checkup;
mod client;
mod control;
mod death;
mod error;
mod guard;
mod guest;
mod key;
mod link;
mod pane;
mod process;
mod protocol;
mod quote;
mod room;
mod server;
mod servers;
mod spawn;
mod status;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};

pub use attach::AttachCommand;
pub use checkup::{Checkup, checkup};
pub use error::{Refusal, TerminalError};
pub use key::Key;
pub use pane::PaneSignal;
pub use process::began as process_began;
pub use servers::{FoundPane, Servers, Whereabouts};
pub use spawn::PaneSpec;
pub use status::{Exit, Pane, PaneStatus, Process, ServerEpoch};

use control::Control;
use death::Watches;
use server::Server;

const WAITING_EVENTS: usize = 256;

/// Which server, and what its panes inherit.
#[derive(Clone, Debug)]
pub struct TerminalConfig {
    /// `tmux -L NAME`.
    pub socket_name: String,
    /// Ours alone (mode 0700). Holds the configuration and the record of the server.
    pub runtime_dir: PathBuf,
    /// The whole environment of the server, and of every pane: PATH, HOME, LANG and so on.
    pub env: Vec<(String, String)>,
}

/// News that nobody asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TerminalEvent {
    /// The process of a watched pane ended, or its pane was taken away from it.
    /// Comes once for each watch.
    Exited { pane: Pane, exit: Exit },
    /// The connection broke, or the server stands still. `Reconnected` or `ServerGone` follows.
    ControlLost,
    /// The connection is back. All panes may have changed meanwhile.
    Reconnected,
    /// The server is gone, and with it all panes. The next spawn starts a new one.
    ServerGone,
}

/// A handle to the tmux server. Cheap to clone; the connection closes with the last one.
#[derive(Clone, Debug)]
pub struct Terminal {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    control: Control,
    watches: Watches,
    events: mpsc::Sender<TerminalEvent>,
    attach: attach::Place,
    /// PATH as the server has it.
    path: String,
    buffers: String,
    next_buffer: AtomicU64,
    stop: CancellationToken,
    actor: Mutex<Option<JoinHandle<()>>>,
    _stop_on_drop: DropGuard,
}

impl Terminal {
    /// Connects, and starts the server if there is none.
    ///
    /// Nothing is watched yet; see [`Terminal::panes`] and [`Terminal::watch`].
    pub async fn open(
        config: TerminalConfig,
    ) -> Result<(Self, mpsc::Receiver<TerminalEvent>), TerminalError> {
        static INSTANCES: AtomicU64 = AtomicU64::new(0);
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        let buffers = format!("seamux-{}-{instance}-", std::process::id());
        let server = Server::new(config)?;
        let attach = attach::Place::of(&server);
        let path = server.path();
        let stop = CancellationToken::new();
        let (events, news) = mpsc::channel(WAITING_EVENTS);
        let opened = Control::open(server, buffers.clone(), events.clone(), stop.clone());
        let (control, actor) = opened.await?;
        let inner = Inner {
            control,
            watches: Watches::default(),
            events,
            attach,
            path,
            buffers,
            next_buffer: AtomicU64::new(0),
            _stop_on_drop: stop.clone().drop_guard(),
            stop,
            actor: Mutex::new(Some(actor)),
        };
        Ok((Self { inner: Arc::new(inner) }, news))
    }

    /// How a person gets to the pane.
    pub fn attach(&self, pane: &Pane) -> AttachCommand {
        self.inner.attach.command(pane)
    }

    /// Closes the connection, for all clones. The panes live on.
    pub async fn shutdown(self) {
        self.inner.stop.cancel();
        let actor = self.inner.actor.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(actor) = actor {
            actor.await.ok(); // It ended; how is in the log.
        }
    }
}

impl Inner {
    /// A name that no other paste has, and that tells whose it is if it is left behind.
    fn next_buffer(&self) -> String {
        let number = self.next_buffer.fetch_add(1, Ordering::Relaxed);
        format!("{}{number}", self.buffers)
    }
}
