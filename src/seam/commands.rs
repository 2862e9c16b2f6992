//! The slash commands of a CLI: where they are found, and what they are.

use std::path::{Path, PathBuf};

use crate::schema::{CommandSource, CommandSpec};

use super::AgentHome;

/// Lists what a person can type in the CLI.
///
/// # Contract
///
/// - **Pure**, like the rest of the seam: the caller runs, walks and reads.
/// - **Harmless.** What [`CommandCatalog::ask`] starts sees an empty home and an empty
///   folder, so it runs no hook, no server and no code of anybody.
/// - **Conservative.** A command that nobody has tried is listed, but is not
///   [`CommandSpec::chat_safe`].
/// - **As the CLI does.** Of two commands with one name, the one that the CLI would run
///   is listed.
pub trait CommandCatalog: Send + Sync {
    /// How the CLI itself lists the commands that it came with, if it can.
    fn ask(&self) -> Option<CommandAsk>;

    /// Whether this output holds the whole answer.
    fn is_answer(&self, stdout: &[u8]) -> bool;

    /// Files to read before [`CommandCatalog::folders`] can tell.
    fn indexes(&self, home: &AgentHome, folders: &[PathBuf]) -> Vec<PathBuf>;

    /// Where commands of a person's own lie, the winner of two equal names first.
    ///
    /// `folders` are the run's folder and those above it that belong to the same work,
    /// nearest first; `indexes` are what was asked for, as far as it could be read.
    fn folders(
        &self,
        home: &AgentHome,
        folders: &[PathBuf],
        indexes: &[(PathBuf, String)],
    ) -> Vec<CommandFolder>;

    /// All commands, each name once.
    fn commands(&self, found: &CommandsFound) -> Vec<CommandSpec>;

    /// Which file of a folder may be a command, seen from that folder.
    fn is_command_file(&self, folder: &CommandFolder, relative: &Path) -> bool;
}

/// A process to start in an empty home.
#[derive(Clone, Copy, Debug)]
pub struct CommandAsk {
    pub args: &'static [&'static str],
    pub env: &'static [(&'static str, &'static str)],
    pub stdin: &'static str,
}

/// A folder that holds commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandFolder {
    pub path: PathBuf,
    pub layout: CommandLayout,
    pub source: CommandSource,
    /// The plugin that it belongs to.
    pub plugin: Option<String>,
    /// How many folders deep a command may lie.
    pub depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandLayout {
    /// One file is one command, named by its path.
    Files,
    /// One folder is one command.
    Folders,
}

/// What the caller found.
#[derive(Clone, Debug, Default)]
pub struct CommandsFound {
    /// The version that the run has, if it is known.
    pub version: Option<String>,
    /// What the CLI said when it was asked.
    pub answer: Option<Vec<u8>>,
    /// In the order of the folders.
    pub files: Vec<CommandFile>,
}

/// One file of a folder, with the beginning of its text.
#[derive(Clone, Debug)]
pub struct CommandFile {
    pub folder: CommandFolder,
    pub relative: PathBuf,
    pub text: String,
}
