//! What the event stream carries.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dialog::Dialog;
use super::message::Message;
use super::queue::QueuedReply;
use super::receipt::Receipt;
use super::run::{Run, StreamingTail};

/// One change. Its name on the wire is in [`Change::name`]; the fields are its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Change {
    #[schema(title = "run.changed")]
    Run { run: Box<Run> },
    #[schema(title = "message.upsert")]
    Message { run_id: String, epoch: String, message: Box<Message> },
    #[schema(title = "receipt")]
    Receipt { run_id: String, receipt: Receipt },
    #[schema(title = "dialog.changed")]
    Dialogs { run_id: String, pending_dialogs: Vec<Dialog> },
    #[schema(title = "queue.changed")]
    Queue { run_id: String, queued: Vec<QueuedReply> },
    /// `tail` is null when the transcript has caught up with the stream.
    #[schema(title = "tail.changed")]
    Tail { run_id: String, epoch: String, tail: Option<StreamingTail> },
    #[schema(title = "epoch.changed")]
    Epoch { run_id: String, epoch: String },
    #[schema(title = "run.removed")]
    Removed { id: String },
    /// Somebody signed its CLI in or out.
    #[schema(title = "provider.auth.changed")]
    Auth { provider: String },
    /// More changed in this run than can be told one by one: its conversation
    /// has to be read anew.
    #[schema(title = "resync")]
    Resync {
        /// Not there: every conversation and every list.
        #[schema(required = false)]
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
