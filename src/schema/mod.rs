//! The universal vocabulary: what every layer and the page speak.
//!
//! Serde types and nothing else: no I/O, no clock, no name of any CLI. A value
//! of these types can come from a fixture as well as from a live agent.

mod access;
mod command;
mod dialog;
mod event;
mod message;
mod position;
mod provider;
mod queue;
mod receipt;
mod run;
mod session;

pub use access::{TokenInfo, TokenScope};
pub use command::{CommandRole, CommandSource, CommandSpec};
pub use dialog::{
    Answer, Channel, Dialog, DialogKind, Outcome, Question, QuestionOption, Response,
};
pub use event::Change;
pub use message::{
    Attachment, AttachmentKind, Lifecycle, LifecycleEvent, Message, MessageKind, Role, TodoItem,
    ToolCall, ToolStatus, ToolView,
};
pub use position::{ParsePositionError, Position};
pub use provider::{
    Auth, AuthKind, AuthStatus, Choice, CompatVerdict, Installed, LoginStarted, OpenLink,
    ProviderInfo, RunOption,
};
pub use queue::{HoldCause, QueuedReply, SendWhen};
pub use receipt::{Door, Receipt, ReceiptKind, ReceiptStatus};
pub use run::{
    Attach, ContextUsage, Epoch, Exit, Forgotten, Origin, Run, RunState, StreamingTail,
    TranscriptStatus, Warning, WorktreeLeft,
};
pub use session::{AdoptsAs, Discovered, Session, SessionState};
