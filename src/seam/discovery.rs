//! Conversations that nobody told us of.

use std::path::{Path, PathBuf};

use super::AgentHome;

/// Lists what a CLI has recorded, whoever started it.
///
/// Which of them are live, [`super::LiveSignals::registry`] tells.
///
/// # Contract
///
/// - **Pure**, like the rest of the seam: the caller walks the folders and reads.
/// - **Little.** A sketch comes from the two ends of a record, however long it is.
/// - **Whole conversations alone.** What a subagent said, and a record in which
///   nobody has spoken yet, is none.
pub trait SessionDiscovery: Send + Sync {
    /// Where the records lie.
    fn records(&self, home: &AgentHome) -> RecordsPlace;

    /// Which conversation a file of that place records; `None` if it is something else.
    fn native_id(&self, path: &Path) -> Option<String>;

    /// What the conversation is about, from the first and the last bytes of its
    /// record. Either may cut a record in two; they are the same bytes if the record
    /// is short. `None` if nobody spoke.
    fn sketch(&self, head: &[u8], tail: &[u8]) -> Option<Sketch>;
}

/// Where the records of conversations lie.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordsPlace {
    /// One growing file each, in the folders directly below `root`.
    Folders { root: PathBuf, suffix: &'static str },
}

/// A conversation in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch {
    /// The name that a person or the CLI gave it, else what was said first.
    pub title: Option<String>,
    pub cwd: Option<PathBuf>,
    pub branch: Option<String>,
    /// What was said or done last.
    pub last_line: Option<String>,
}
