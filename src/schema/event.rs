//! What the event stream carries.

use serde::{Deserialize, Serialize};

use super::dialog::Dialog;
use super::message::Message;
use super::queue::QueuedReply;
use super::receipt::Receipt;
use super::run::{Run, StreamingTail};

/// One change, with the revision that wrote it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    pub revision: u64,
    pub change: Change,
}

/// The name on the wire is in [`Change::name`]; the fields are its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Change {
    Run {
        run: Box<Run>,
    },
    Message {
        run_id: String,
        epoch: String,
        message: Box<Message>,
    },
    Receipt {
        run_id: String,
        receipt: Receipt,
    },
    Dialogs {
        run_id: String,
        pending_dialogs: Vec<Dialog>,
    },
    Queue {
        run_id: String,
        queued: Vec<QueuedReply>,
    },
    /// `tail` is null when the transcript has caught up with the stream.
    Tail {
        run_id: String,
        epoch: String,
        tail: Option<StreamingTail>,
    },
    Epoch {
        run_id: String,
        epoch: String,
    },
    Removed {
        id: String,
    },
    /// Somebody signed its CLI in or out.
    Auth {
        provider: String,
    },
    /// More changed in this run than can be told one by one: its conversation
    /// has to be read anew.
    Resync {
        run: String,
    },
}

impl Change {
    /// The event name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Run { .. } => "run.changed",
            Self::Removed { .. } => "run.removed",
            Self::Message { .. } => "message.upsert",
            Self::Dialogs { .. } => "dialog.changed",
            Self::Queue { .. } => "queue.changed",
            Self::Epoch { .. } => "epoch.changed",
            Self::Receipt { .. } => "receipt",
            Self::Tail { .. } => "tail.changed",
            Self::Auth { .. } => "provider.auth.changed",
            Self::Resync { .. } => "resync",
        }
    }
}
