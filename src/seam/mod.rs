//! The contract between seamux and a family of agent CLI.
//!
//! Read [`AgentProvider`] first. Everything here is a value or a pure function
//! over values; the layers above do the doing. A provider names files, argument
//! vectors and keys, and never opens, runs or presses them.
//!
//! # What is deliberately absent
//!
//! - **A `clear` method.** The command whose role is `clear` is sent like any reply.
//! - **A screen.** No state, message or dialog comes from what a terminal shows;
//!   [`AgentProvider::composer`], [`AgentProvider::holds_draft`] and
//!   [`DialogKeys::sees`] are safety checks before keys and no more.
//! - **A state.** A provider reports facts; `runs` folds them into the state.

mod auth;
mod commands;
mod descriptor;
mod discovery;
mod error;
mod keys;
mod mapping;
mod prepare;
mod recipe;
mod seed;
mod signal;

pub use auth::{AuthFlow, LoginSeen, Standing};
pub use commands::{
    CommandAsk, CommandCatalog, CommandFile, CommandFolder, CommandLayout, CommandsFound,
};
pub use descriptor::{Descriptor, Probe};
pub use discovery::{RecordsPlace, SessionDiscovery, Sketch};
pub use error::{Blame, SeamError};
pub use keys::{DialogKeys, DialogRecipe, DialogStep, Seen, Spot};
pub use mapping::{
    Block, BlockCause, Fact, Mapped, Outline, PromptMark, Record, RecordMapper, ToolOutcome,
};
pub use prepare::{
    AgentHome, FilePut, HookDoor, Launch, Prepared, SpawnSpec, StartupCheck, TranscriptQuery,
};
pub use recipe::{Caret, Composer, Key, Recipe, ReplyPlan, Step};
pub use seed::SeedLayout;
pub use signal::{Activity, RegistryEntry, RegistryPlace, Signal, SignalKind, StartReason};

use std::path::{Path, PathBuf};

use crate::schema::{Response, Warning};

/// One family of agent CLI.
///
/// # Contract
///
/// - **Pure and total.** Equal arguments give equal answers: no I/O, no clock,
///   no hidden state. No input makes a method panic; a record or signal that
///   nobody has seen before has a value that says so.
/// - **A new identity for a cleared conversation.** A provider gives a
///   conversation a new identity whenever its context is cleared; one whose CLI
///   clears in place makes up a new epoch.
/// - **No `clear` method.** The command whose role is `clear` is sent like any reply.
/// - **A reply while working is legal and best effort.** A CLI that drops input
///   in the middle of a turn returns [`SeamError::Busy`], which the page can show.
/// - **An interrupt is checked for hazards.** Its recipe can neither end the
///   process nor discard work, and it is refused ([`SeamError::Refused`]) when
///   idle if its keys would do harm then.
/// - **`ended` is derived from the process** and the run's outcome, never from
///   the transcript: no record says that a process is gone.
/// - **Every coupling is pinned.** A new one comes with a pin in `compat/`, a
///   fixture and a live test, and may not weaken those of another provider.
///
/// Errors that cross the seam are [`SeamError`], so that nothing above it has to
/// import a provider.
pub trait AgentProvider: Send + Sync {
    /// Who this is and what a person may choose. Constant for a build.
    fn descriptor(&self) -> &Descriptor;

    /// How to find the CLI and ask its version. The caller runs it.
    fn probe(&self) -> Probe;

    /// Reads the answer to [`Probe::args`], or `None` if it is not this CLI's.
    fn version(&self, stdout: &str) -> Option<String>;

    /// Everything needed to start the CLI, down to the argument vector.
    ///
    /// Secrets stand in files or in the environment of the answer, never in
    /// its `argv`: an argument vector is readable by everyone on the machine.
    fn prepare(&self, spec: &SpawnSpec) -> Result<Prepared, SeamError>;

    /// Where the record of this conversation is, for when no signal told.
    ///
    /// It must name one conversation exactly. "The newest file" is not an
    /// answer: two runs in one folder would show each other's words.
    fn locate_transcript(&self, home: &AgentHome, native_id: &str) -> TranscriptQuery;

    /// A fresh mapper for one epoch.
    fn mapper(&self) -> Box<dyn RecordMapper>;

    /// What a record has to do with others, or `None` if only mapping all of
    /// them can tell: old pages are then mapped by reading everything. Asked of
    /// every record of a long transcript, so it should cost less than mapping.
    fn outline(&self, _record: Record<'_>) -> Option<Outline> {
        None
    }

    /// How to hand a text to the CLI.
    ///
    /// `Err` names what cannot be sent and why; it never alters the meaning of
    /// a text in silence.
    fn reply(&self, text: &str) -> Result<ReplyPlan, SeamError>;

    /// Whether this draft stands in the composer that the screen shows; `None`
    /// if the screen shows no composer.
    ///
    /// A safety check right before (and after) the key that submits. No fact for
    /// the chat comes from it.
    fn holds_draft(&self, screen: &str, draft: &str) -> Option<bool>;

    /// What stands in the composer of a screen that was captured with its escape
    /// sequences; `None` if it shows no composer. What the CLI shows there by
    /// itself, like an example, is no draft. A safety check before a text is
    /// typed, as [`AgentProvider::holds_draft`] is one before it is submitted.
    fn composer(&self, screen: &str) -> Option<Composer>;

    /// Where the cursor stands in this draft on such a screen; `None` if the
    /// composer shows anything else.
    fn caret(&self, screen: &str, draft: &str) -> Option<Caret>;

    /// How to submit a draft whose key may have been lost. A draft that was
    /// submitted meanwhile must not be followed by a key that submits: what
    /// stands in the composer then may be somebody's own.
    fn submit_again(&self, draft: &str, pressed: usize) -> Recipe;

    /// How to take a person's draft out of the composer so that it comes back
    /// after the next reply, if this CLI can do that.
    fn set_aside(&self) -> Option<Recipe> {
        None
    }

    /// The key that deletes what stands behind the cursor, if this CLI has one:
    /// presses of it, one by one, leave what was typed just now alone in the
    /// composer.
    fn delete_behind(&self) -> Option<Key> {
        None
    }

    /// How to end the turn and keep the process.
    fn interrupt(&self, activity: Activity) -> Result<Recipe, SeamError>;

    /// How to delete a draft that stands in the composer, wherever the cursor is.
    fn clear(&self, draft: &str) -> Recipe;

    /// How to take a prompt out of the composer again, for a CLI that puts it
    /// back there when it is interrupted before its first word.
    fn withdraw(&self, text: &str) -> Recipe;

    /// Whether both name the same model, and `known` says more of it than the
    /// record does, such as the size of its context window.
    fn names_more(&self, _known: &str, _recorded: &str) -> bool {
        false
    }

    /// The size of a model's context window, if its name tells.
    fn context_limit(&self, _model: &str) -> Option<u64> {
        None
    }

    /// What of a person's environment says where this CLI keeps its things.
    /// Everything else that names the CLI is left behind: a variable of an
    /// outer session has kept an inner one from writing its transcript.
    fn home_env(&self, get: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)>;

    /// The key for the model that this home gives to the CLI, if it gives one.
    fn api_key(&self, _home: &AgentHome) -> Option<String> {
        None
    }

    /// The variable that such a key is given in, if this CLI takes one.
    fn api_key_variable(&self) -> Option<&'static str> {
        None
    }

    /// The environment that makes the CLI talk to a scripted model at this
    /// address and to nobody else, for the demo and for tests.
    fn scripted_env(&self, model_url: &str) -> Vec<(String, String)>;

    /// The live door, if this CLI has one. Without it a run is not scraped: a
    /// blocked CLI then reads `needs_input`, with the attach command.
    fn live(&self) -> Option<&dyn LiveSignals> {
        None
    }

    /// Keys for dialogs, for when the door is shut.
    fn dialog_keys(&self) -> Option<&dyn DialogKeys> {
        None
    }

    /// The conversations that the CLI has on this machine, if it keeps them where
    /// they can be listed.
    fn sessions(&self) -> Option<&dyn SessionDiscovery> {
        None
    }

    /// Signing in and out, if the CLI has commands for it.
    fn auth(&self) -> Option<&dyn AuthFlow> {
        None
    }

    /// The slash commands of the CLI, if it has any.
    fn commands(&self) -> Option<&dyn CommandCatalog> {
        None
    }

    /// The conversations of subagents, if this CLI records them apart.
    fn subagents(&self) -> Option<&dyn SubagentReader> {
        None
    }
}

/// Where notes about subagents are kept: one file for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentNotes {
    pub dir: PathBuf,
    /// How the names of the notes end.
    pub suffix: &'static str,
}

/// Which call started an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentNote {
    pub agent: String,
    pub call_id: String,
}

/// Reads what a subagent said and did, where the CLI records it apart.
pub trait SubagentReader: Send + Sync {
    /// Where the record of one agent is. `agent` is the id that a
    /// [`crate::schema::ToolView::Subagent`] of this conversation names, or what
    /// somebody made up: `None` if it cannot be one.
    fn locate(&self, home: &AgentHome, native_id: &str, agent: &str) -> Option<TranscriptQuery>;

    /// Where the CLI notes, as it starts them, which call started which agent of the
    /// conversation that is recorded here. `None` if it does not.
    fn notes(&self, _transcript: &Path) -> Option<AgentNotes> {
        None
    }

    /// Reads one of those notes; `None` for a file that is something else or half
    /// written.
    fn note(&self, _path: &Path, _bytes: &[u8]) -> Option<AgentNote> {
        None
    }

    /// A fresh mapper for that record, which takes the agent for the one that speaks.
    fn mapper(&self) -> Box<dyn RecordMapper>;
}

/// The live door of a CLI: what it tells us by itself, as it happens.
pub trait LiveSignals: Send + Sync {
    /// Reads one payload of the door. Never fails: what is unknown is
    /// [`SignalKind::Unknown`], what is not even JSON is `None`.
    fn signal(&self, payload: &[u8]) -> Option<Signal>;

    /// The mark that the signals of such a call carry.
    fn mark(&self, tool: &str, input: &serde_json::Value) -> u64;

    /// What to tell the waiting sender of a [`SignalKind::DialogRaised`] so that
    /// the CLI takes these answers, one for each question of the dialog, or that
    /// a person wants to talk about it first.
    ///
    /// The whole answer is checked first; `Err` names what is wrong with it.
    fn decide(&self, payload: &[u8], response: &Response) -> Result<Vec<u8>, SeamError>;

    /// Where the CLI keeps its list of live processes, if it does.
    fn registry(&self, home: &AgentHome) -> Option<RegistryPlace>;

    /// Reads one entry of that list; `None` for a file that is something else
    /// or half written.
    fn registry_entry(&self, bytes: &[u8]) -> Option<RegistryEntry>;

    /// What to tell a person when the CLI started but its door stayed silent.
    ///
    /// `check` holds what the files of [`AgentProvider::prepare`]'s answer
    /// `startup_checks` contained.
    fn silent_start(&self, check: &StartupCheck) -> Warning;
}
