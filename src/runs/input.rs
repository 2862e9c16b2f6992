//! What can happen to a run. Closed: whatever an actor does begins with one of these.

use tokio::sync::oneshot;

use crate::schema::{self, Receipt};
use crate::signals::Asker;
use crate::terminal::{self, Pane};

use super::error::RunError;
use super::sending::{NewReply, QueueChange};

/// Something that happened to a run.
pub(super) enum Input {
    Reply {
        new: NewReply,
        by: String,
        done: Answer<Receipt>,
    },
    /// A person changes what is held.
    Queue {
        entry: String,
        change: QueueChange,
        by: String,
        done: Answer<Receipt>,
    },
    Interrupt {
        by: String,
        done: Answer<Receipt>,
    },
    Rename {
        title: String,
        done: Answer<()>,
    },
    Stop {
        force: bool,
        done: Answer<()>,
    },
    Signal {
        payload: Vec<u8>,
        late: bool,
    },
    /// A hook process asks, and waits.
    Asked {
        payload: Vec<u8>,
        asker: Asker,
    },
    AskerGone {
        id: u64,
    },
    Answer {
        dialog_id: String,
        answers: Vec<schema::Answer>,
        client_id: Option<String>,
        by: String,
        done: Answer<Receipt>,
    },
    Exited(Pane, terminal::Exit),
    ServerGone,
}

pub(super) type Answer<T> = oneshot::Sender<Result<T, RunError>>;
