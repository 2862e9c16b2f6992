//! From native records to changes of the view.

use crate::schema::{ContextUsage, Message, Outcome, Position, ToolStatus, ToolView};

/// One native record.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Its place: the byte offset, or whatever the provider's store orders by.
    pub at: u64,
    /// Its bytes, without the line end.
    pub bytes: &'a [u8],
}

/// Maps the records of one epoch, in the order in which they stand.
///
/// # Contract
///
/// - **Total.** Any bytes are legal; what is not understood becomes an
///   `unknown` lifecycle message at its own position. One bad record costs
///   exactly that record.
/// - **Neutral records cost little.** A record known to say nothing for a
///   reader yields nothing.
/// - **Local.** A result names its call by id and does not need the call to
///   have been mapped by the same mapper: a page may begin between the two.
///   Records that stand in no [`Outline`] of each other can be left out: a fresh
///   mapper that gets the others, in their order, gives equal messages.
pub trait RecordMapper: Send + Sync {
    fn map(&mut self, record: Record<'_>) -> Mapped;
}

/// What one record has to do with others of its epoch, so that a page can be
/// mapped from it and those few, wherever they stand.
///
/// # Contract
///
/// - **Rather too much.** A tie or a thread too many costs a little time. One
///   that is missing makes a page differ from what a whole reading gives.
/// - **Exact where it cuts.** `renews` is set only if nothing that stood on the
///   thread before can show in the messages of this record or of later ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Shared by a call and all its results, as hashes of whatever names the call.
    pub ties: Vec<u64>,
    /// One bit for each thread that the record reads or goes on: something that
    /// one record says and later ones build on, such as a text that is edited.
    pub threads: u8,
    /// The bits of those threads that begin anew in this record.
    pub renews: u8,
}

/// What one record means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapped {
    pub messages: Vec<Message>,
    pub facts: Vec<Fact>,
}

/// What a record says beside its messages.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A tool call ended; belongs to the message with that call.
    ToolEnded(Box<ToolOutcome>),
    /// The CLI took a decision of ours about a call, however the call ended then.
    Decided {
        call_id: String,
        allowed: bool,
    },
    /// A person's prompt stands in the record.
    Prompt(PromptMark),
    /// The model has written the last word of its turn.
    TurnEnded,
    /// The model takes no more prompts for now; comes after the turn's end.
    Blocked(Block),
    /// The turn was broken off by a person, or by a hook of theirs.
    Interrupted,
    /// The model or its tools are at work: the turn goes on after this record.
    TurnGoesOn,
    /// The CLI holds a prompt in its own queue.
    CliQueued {
        text: String,
    },
    /// The CLI gave a queued prompt back, so it was not said: to the composer, or
    /// to nowhere. `None` if the record leaves out which one it was.
    CliReturned {
        text: Option<String>,
    },
    /// The messages from `from` up to, but not with, `to` are off the main line:
    /// a person went back to before them, and what comes next goes on from there.
    Abandoned {
        from: Position,
        to: Position,
    },
    /// Work that outlives the turn and whose end the CLI will react to: the turn's
    /// end is not the run's rest. A process that is merely left running is none.
    BackgroundStarted {
        id: String,
        /// When it began, as the CLI recorded it.
        time: Option<String>,
    },
    /// Background work ended. The id may be one that was never told.
    BackgroundEnded {
        id: String,
    },
    Usage(ContextUsage),
    Title(String),
    Model(String),
    PermissionMode(String),
    Branch(String),
    /// A record of a type that no rule names. The type, for counting.
    UnknownRecord(String),
}

/// Why the model takes no prompts, whatever they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub cause: BlockCause,
    /// The CLI's own words: they may tell until when.
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockCause {
    UsageLimit,
    LoggedOut,
}

/// How a tool call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutcome {
    pub call_id: String,
    pub status: ToolStatus,
    pub output: Option<String>,
    /// Replaces the view that the call's input gave, where the result knows more.
    pub view: Option<ToolView>,
    pub ended_at: Option<String>,
    /// For a call that was a dialog. Where the call is not known and its result
    /// could be that of a dialog, this is what it would mean for one; it applies
    /// to a message with a dialog and to no other.
    pub dialog: Option<Outcome>,
}

/// A prompt that the CLI recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptMark {
    pub text: String,
    /// The position of the message that shows it, by block of this record.
    pub block: u32,
}
