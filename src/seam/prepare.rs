//! What a start needs, as values.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;

/// The home that a CLI lives in.
///
/// The person's own for real work; a private one for the demo and for tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentHome {
    pub home: PathBuf,
    /// The whole environment of the CLI: nothing else is inherited.
    pub env: Vec<(String, String)>,
    /// What the person configured for this provider. It may hold secrets, so it
    /// reaches the CLI by a file that only its owner can read.
    pub configured: Vec<(String, String)>,
    /// A home that is ours alone, so that the provider may write the CLI's own
    /// configuration there. Never true for a person's home.
    pub private: bool,
}

impl AgentHome {
    pub fn env(&self, name: &str) -> Option<&str> {
        self.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// What a person asked for, with what seamux adds.
#[derive(Clone, Debug)]
pub struct SpawnSpec {
    pub program: PathBuf,
    pub version: Option<String>,
    /// An existing folder, absolute, links resolved.
    pub cwd: PathBuf,
    pub home: AgentHome,
    pub launch: Launch,
    pub prompt: Option<String>,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub permission_mode: Option<String>,
    /// What was chosen of the descriptor's options.
    pub options: BTreeMap<String, String>,
    pub door: HookDoor,
    /// A folder of ours for this run's files (0700).
    pub run_dir: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launch {
    /// A new conversation. The id is a proposal for CLIs that let us choose.
    New { native_id: String },
    /// The same native conversation again.
    Resume { native_id: String },
}

/// Where the CLI's signals should go.
#[derive(Clone, Debug)]
pub struct HookDoor {
    /// The command that takes one signal on its standard input.
    pub command: Vec<OsString>,
    /// The loopback address that takes signals by HTTP, if it is open.
    pub url: Option<String>,
    /// To be sent verbatim as the `Authorization` header with each of those.
    pub authorization: String,
}

/// How to start the CLI.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub argv: Vec<OsString>,
    pub env: Vec<(String, String)>,
    /// To be written before the start, in this order.
    pub files: Vec<FilePut>,
    /// The identity of the conversation, if it is known before the start.
    pub native_id: Option<String>,
    /// A first message that could not go into the argument vector and has to
    /// be sent as a reply once the CLI is ready.
    pub deferred_prompt: Option<String>,
    /// Files to read when the CLI starts but its live door stays silent.
    pub startup_checks: Vec<PathBuf>,
}

/// One file to write before the start.
#[derive(Clone, Debug, PartialEq)]
pub enum FilePut {
    /// The whole file, readable by its owner only.
    Whole { path: PathBuf, contents: String },
    /// Members to set in a JSON object that may exist; all others are kept.
    /// Objects merge member by member.
    MergeJson { path: PathBuf, members: Value },
}

/// What [`Prepared::startup_checks`] held.
#[derive(Clone, Debug, Default)]
pub struct StartupCheck {
    pub cwd: PathBuf,
    /// Path and contents; a file that is missing or unreadable has `None`.
    pub files: Vec<(PathBuf, Option<String>)>,
    pub permission_mode: Option<String>,
    /// The key that the CLI was given for its model, if it was given one.
    pub api_key: Option<String>,
}

/// Names one transcript exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranscriptQuery {
    /// A growing file of this name in `root` or in a folder directly below it. The
    /// name may lead through further folders.
    File { root: PathBuf, name: String },
}
