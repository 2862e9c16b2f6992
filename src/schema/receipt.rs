//! Receipts: the life of one reply, answer or interrupt.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::position::Position;

/// Proof of what became of one thing that a person sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    pub id: String,
    pub kind: ReceiptKind,
    pub status: ReceiptStatus,
    pub door: Door,
    /// Why it is queued or failed, in a sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The message that proves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The conversation that the message stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epoch: Option<String>,
    /// What an answer answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog_id: Option<String>,
    /// The sender's own id for it: the same one twice is one reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    pub by: String,
    pub at: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptKind {
    Reply,
    Answer,
    Interrupt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptStatus {
    Accepted,
    Queued,
    Typed,
    Recorded,
    Failed,
}

impl ReceiptStatus {
    /// Nothing more will happen to it.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Recorded | Self::Failed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Door {
    Live,
    Keys,
    /// A person at the terminal itself.
    Terminal,
}
