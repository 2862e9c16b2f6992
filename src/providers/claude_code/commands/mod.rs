//! The catalogue of slash commands.
//!
//! Three sources: the CLI's own answer (what it came with, in its own words), a table
//! (what each does to the terminal, and what the answer leaves out), and the files of a
//! person, a project and plugins. [`files`] reads the latter as the CLI does.

mod answer;
mod builtin;
mod files;
mod text;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::schema::{CommandSource, CommandSpec};
use crate::seam::{AgentHome, CommandAsk, CommandCatalog, CommandFolder, CommandsFound};

use super::ClaudeCode;
use answer::Answered;
pub(super) use builtin::opens_screen;
use builtin::{Builtin, Effect};

/// A text of the CLI's own can be a page long.
const LONGEST_DESCRIPTION: usize = 300;

impl CommandCatalog for ClaudeCode {
    fn ask(&self) -> Option<CommandAsk> {
        Some(answer::ASK)
    }

    fn is_answer(&self, stdout: &[u8]) -> bool {
        answer::read(stdout).is_some()
    }

    fn indexes(&self, home: &AgentHome, folders: &[PathBuf]) -> Vec<PathBuf> {
        files::indexes(home, folders)
    }

    fn folders(
        &self,
        home: &AgentHome,
        folders: &[PathBuf],
        indexes: &[(PathBuf, String)],
    ) -> Vec<CommandFolder> {
        files::folders(home, folders, indexes)
    }

    fn is_command_file(&self, folder: &CommandFolder, relative: &Path) -> bool {
        files::is_command_file(folder, relative)
    }

    fn commands(&self, found: &CommandsFound) -> Vec<CommandSpec> {
        let version = found.version.as_deref();
        let answer = found.answer.as_deref().and_then(answer::read);
        let mut all = files::commands(&found.files, version);
        all.extend(builtins(version, answer.as_deref()));
        let mut seen = HashSet::new();
        all.retain(|it| seen.insert(it.name.clone()));
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.iter_mut().for_each(|it| shorten(&mut it.description));
        all
    }
}

fn builtins(version: Option<&str>, answer: Option<&[Answered]>) -> Vec<CommandSpec> {
    let said = |name: &str| answer.and_then(|all| all.iter().find(|it| it.name == name));
    let mut all = Vec::new();
    let mut known = HashSet::new();
    for it in builtin::of_version(version) {
        known.insert(it.name);
        let said = said(it.name);
        // A prompt is in the answer, if there is an answer and the CLI has it.
        let has_gone = answer.is_some() && said.is_none() && it.effect == Effect::Prompt;
        if it.effect != Effect::Unlisted && !has_gone {
            all.push(spec(it, said));
        }
    }
    let unknown = answer.unwrap_or_default().iter().filter(|it| !known.contains(it.name.as_str()));
    all.extend(unknown.filter(|it| !it.name.starts_with('_')).map(untried));
    all
}

fn spec(it: &Builtin, said: Option<&Answered>) -> CommandSpec {
    let chat_safe = matches!(it.effect, Effect::Prompt | Effect::Turn | Effect::Returns);
    let hint = match it.effect {
        Effect::Screen => "It opens a screen that only the terminal can answer: run it there.",
        _ => "It is made for the terminal: run it there.",
    };
    let own = said.filter(|_| it.effect == Effect::Prompt);
    CommandSpec {
        name: it.name.into(),
        description: own.map_or(it.description, |it| &it.description).into(),
        arg_hint: own.map_or(it.arg_hint, |it| it.arg_hint.as_deref()).map(Into::into),
        source: CommandSource::Builtin,
        role: it.role,
        chat_safe,
        hint: (!chat_safe).then(|| hint.into()),
    }
}

/// One that this CLI has and that stands in no table: nobody knows what it does.
fn untried(it: &Answered) -> CommandSpec {
    CommandSpec {
        name: it.name.clone(),
        description: it.description.clone(),
        arg_hint: it.arg_hint.clone(),
        source: CommandSource::Builtin,
        role: None,
        chat_safe: false,
        hint: Some("Nobody has tried it from the chat yet: run it in the terminal.".into()),
    }
}

fn shorten(text: &mut String) {
    let clean: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    *text = clean.chars().filter(|it| !it.is_control()).collect();
    if let Some((end, _)) = text.char_indices().nth(LONGEST_DESCRIPTION) {
        text.truncate(end);
        text.push('…');
    }
}

#[cfg(test)]
mod tests;
