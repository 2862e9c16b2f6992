//! Replies that are held, and why.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A reply that seamux holds until the CLI can take it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueuedReply {
    /// The id of its receipt.
    pub id: String,
    pub text: String,
    pub when: SendWhen,
    pub cause: HoldCause,
    /// Why it is held, in a sentence for people.
    pub reason: String,
    pub by: String,
    pub at: String,
}

/// When a reply is handed to the CLI, by its sender's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SendWhen {
    /// As soon as the CLI can take it, also in the middle of a turn.
    #[default]
    Now,
    /// Once the agent is at rest.
    AfterTurn,
}

/// What a held reply waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HoldCause {
    /// What was sent before it.
    #[default]
    Order,
    /// The CLI to come up.
    Starting,
    /// The answer to a dialog.
    Dialog,
    /// The end of the turn.
    Turn,
    /// A turn that succeeds: a usage limit is reached, or the CLI is not logged in.
    Blocked,
    /// The terminal to show its composer.
    Screen,
    /// A person's draft to leave the composer. `force` sends it anyway.
    Draft,
    /// Room on the disk: what is about to be typed is written down first.
    Storage,
    /// A person: it was meant for another conversation than the one that is open.
    Epoch,
    /// A person: it is not certain that it was not sent already.
    Doubt,
}
