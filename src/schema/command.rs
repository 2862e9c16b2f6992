//! Slash commands of a CLI.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One command that a person can type in the CLI.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CommandSpec {
    /// As it is typed, without the slash.
    pub name: String,
    pub description: String,
    /// What may be typed behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arg_hint: Option<String>,
    pub source: CommandSource,
    /// What it does to the conversation, if that is one of the things that every CLI has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<CommandRole>,
    /// It can be sent like any reply: it does not leave the terminal in a screen that
    /// only keys can leave.
    pub chat_safe: bool,
    /// What to do instead, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Where a command comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandSource {
    /// The CLI came with it.
    Builtin,
    /// The folder of the run, or one above it.
    Project,
    /// The person's own, in every folder.
    User,
    Plugin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandRole {
    /// Begins a new conversation in the same process.
    Clear,
    /// Makes room in the context.
    Compact,
    /// Shows what fills the context.
    Context,
    /// Lets the agent plan before it does anything.
    Plan,
    Model,
    Login,
    Logout,
    /// Ends the CLI.
    Exit,
}
