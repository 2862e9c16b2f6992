//! Messages: the entries of a conversation.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::dialog::Dialog;
use super::position::Position;

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Message {
    pub position: Position,
    pub kind: MessageKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// RFC 3339 in UTC, as the CLI recorded it. Absent if the record had none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Images and files that a person added. What they hold is not here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Of a prompt: the permission mode in which it was said. Where it differs from
    /// the one before, the mode was changed between the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
    /// The text is the model's thinking, not its answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thinking: bool,
    /// A stable code of what went wrong, when the text reports a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolCall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog: Option<Dialog>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
    /// The subagent that the message belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Groups the blocks of one answer of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// A person went back to before this message: the conversation goes on
    /// without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub abandoned: bool,
    /// A body was cut for the wire; read this message alone to get it whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The revision of the run's view that wrote this form of the message.
    #[serde(default)]
    pub revision: u64,
}

impl Message {
    /// Shown in a debug view alone: a conversation of nothing else is empty.
    pub fn is_hidden(&self) -> bool {
        let event = self.lifecycle.as_ref().map(|it| it.event);
        matches!(event, Some(LifecycleEvent::Hidden | LifecycleEvent::Unknown))
    }

    /// A message with nothing but its place and kind.
    pub fn new(position: Position, kind: MessageKind) -> Self {
        Self {
            position,
            kind,
            role: None,
            time: None,
            text: None,
            attachments: Vec::new(),
            permission_mode: None,
            thinking: false,
            error: None,
            tool: None,
            dialog: None,
            lifecycle: None,
            agent: None,
            turn: None,
            abandoned: false,
            cut: false,
            revision: 0,
        }
    }

    pub fn text(position: Position, role: Role, text: impl Into<String>) -> Self {
        Self { role: Some(role), text: Some(text.into()), ..Self::new(position, MessageKind::Text) }
    }

    pub fn tool(position: Position, tool: ToolCall) -> Self {
        Self {
            role: Some(Role::Assistant),
            tool: Some(tool),
            ..Self::new(position, MessageKind::Tool)
        }
    }

    pub fn lifecycle(position: Position, event: LifecycleEvent, detail: Option<String>) -> Self {
        Self {
            lifecycle: Some(Lifecycle { event, detail }),
            ..Self::new(position, MessageKind::Lifecycle)
        }
    }
}

/// An image or a file beside a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Attachment {
    pub kind: AttachmentKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// How large it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttachmentKind {
    Image,
    File,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    Text,
    Tool,
    Dialog,
    Lifecycle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    User,
    Assistant,
}

/// One call of a tool, with its result once there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolCall {
    pub call_id: String,
    /// The CLI's own name of the tool.
    pub name: String,
    /// One line for people, without markup.
    pub title: String,
    pub input: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    pub status: ToolStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<ToolView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    Running,
    Ok,
    Error,
    Cancelled,
}

/// What a tool did, in words that hold for every provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToolView {
    /// A unified diff of one file.
    Diff {
        path: String,
        diff: String,
    },
    Command {
        command: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        background: bool,
    },
    Write {
        path: String,
        content: String,
    },
    Read {
        path: String,
    },
    Todo {
        items: Vec<TodoItem>,
    },
    Search {
        query: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
    Subagent {
        description: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        agent: Option<String>,
    },
    Mcp {
        server: String,
        tool: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TodoItem {
    pub text: String,
    /// `pending`, `in_progress` or `completed`; other words are passed on.
    pub status: String,
}

/// Something that happened to the conversation itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lifecycle {
    pub event: LifecycleEvent,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LifecycleEvent {
    Started,
    Cleared,
    Resumed,
    Compacted,
    Interrupted,
    ModelChanged,
    ModeChanged,
    ApiError,
    /// A slash command and what it printed.
    CommandOutput,
    Warning,
    /// A notice of the CLI that needs no action.
    Notice,
    /// What the CLI told the model beside the chat: for a debug view alone.
    Hidden,
    /// A record without a known meaning: kept, counted, shown in a debug view.
    Unknown,
}
