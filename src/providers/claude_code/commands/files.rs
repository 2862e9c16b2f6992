//! Where a person's own commands, skills and plugins lie, and how they are named.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::schema::{CommandSource, CommandSpec};
use crate::seam::{AgentHome, CommandFile, CommandFolder, CommandLayout};

use super::super::spawn::config_dir;
use super::builtin::is_newer_than;
use super::text::Front;

const SKILL: &str = "SKILL.md";

/// Commands may lie in folders of folders.
const DEPTH: usize = 6;

/// Up to this version a skill of a plugin goes by the name that it gives itself.
const BARE_PLUGIN_SKILLS: &str = "2.1.198";

pub(super) fn indexes(home: &AgentHome, folders: &[PathBuf]) -> Vec<PathBuf> {
    let config = config_dir(home);
    let mut files =
        vec![config.join("plugins/installed_plugins.json"), config.join("settings.json")];
    for folder in folders.iter().take(1) {
        files.push(folder.join(".claude/settings.json"));
        files.push(folder.join(".claude/settings.local.json"));
    }
    files
}

/// The first of two equal names wins, as in the CLI's own list.
pub(super) fn folders(
    home: &AgentHome,
    folders: &[PathBuf],
    indexes: &[(PathBuf, String)],
) -> Vec<CommandFolder> {
    use CommandLayout::{Files, Folders};
    let config = config_dir(home);
    let mut found = Vec::new();
    for (name, layout) in [("skills", Folders), ("commands", Files)] {
        found.push(folder(config.join(name), layout, CommandSource::User, None));
        for above in folders {
            let path = above.join(".claude").join(name);
            found.push(folder(path, layout, CommandSource::Project, None));
        }
    }
    for (plugin, path) in plugins(indexes) {
        for (name, layout) in [("commands", Files), ("skills", Folders)] {
            let plugin = Some(plugin.clone());
            found.push(folder(path.join(name), layout, CommandSource::Plugin, plugin));
        }
    }
    found
}

fn folder(
    path: PathBuf,
    layout: CommandLayout,
    source: CommandSource,
    plugin: Option<String>,
) -> CommandFolder {
    let depth = match layout {
        CommandLayout::Files => DEPTH,
        CommandLayout::Folders => 1,
    };
    CommandFolder { path, layout, source, plugin, depth }
}

/// The plugins that are installed and switched on, by name and folder.
fn plugins(indexes: &[(PathBuf, String)]) -> Vec<(String, PathBuf)> {
    let read = |text: &String| serde_json::from_str::<Value>(text).unwrap_or_default();
    let Some((_, installed)) =
        indexes.iter().find(|(path, _)| path.ends_with("installed_plugins.json"))
    else {
        return Vec::new();
    };
    // A setting nearer to the run wins, and those are read later.
    let mut on = serde_json::Map::new();
    for (_, text) in indexes.iter().filter(|(path, _)| !path.ends_with("installed_plugins.json")) {
        if let Some(Value::Object(more)) = read(text).get_mut("enabledPlugins") {
            on.append(more);
        }
    }
    let installed = read(installed);
    let all = installed["plugins"].as_object().into_iter().flatten();
    let enabled = all.filter(|(id, _)| on.get(*id) == Some(&Value::Bool(true)));
    enabled
        .filter_map(|(id, entries)| {
            let path = entries[0]["installPath"].as_str()?;
            let (name, _) = id.split_once('@').unwrap_or((id, ""));
            Some((name.to_owned(), PathBuf::from(path)))
        })
        .collect()
}

pub(super) fn is_command_file(folder: &CommandFolder, relative: &Path) -> bool {
    match folder.layout {
        CommandLayout::Files => relative.extension().is_some_and(|it| it == "md"),
        CommandLayout::Folders => relative.components().count() == 2 && relative.ends_with(SKILL),
    }
}

/// The commands of these files, in their order.
pub(super) fn commands(files: &[CommandFile], version: Option<&str>) -> Vec<CommandSpec> {
    let is_hidden = |file: &&CommandFile| has_skill_beside(files, file);
    files.iter().filter(|it| !is_hidden(it)).filter_map(|it| command(it, version)).collect()
}

/// A `SKILL.md` among commands makes its whole folder one command.
fn has_skill_beside(files: &[CommandFile], file: &CommandFile) -> bool {
    let folder = file.relative.parent();
    file.folder.layout == CommandLayout::Files
        && !file.relative.ends_with(SKILL)
        && files.iter().any(|it| {
            it.folder == file.folder
                && it.relative.ends_with(SKILL)
                && it.relative.parent() == folder
        })
}

fn command(file: &CommandFile, version: Option<&str>) -> Option<CommandSpec> {
    let front = Front::read(&file.text);
    let name = name(file, &front, version)?;
    let is_typed = !name.is_empty() && !name.contains(char::is_whitespace);
    if !is_typed || !front.is_for_people() {
        return None;
    }
    Some(CommandSpec {
        name,
        description: front.description().unwrap_or("A command without a text").to_owned(),
        arg_hint: front.arg_hint(),
        source: file.folder.source,
        role: None,
        chat_safe: true,
        hint: None,
    })
}

fn name(file: &CommandFile, front: &Front, version: Option<&str>) -> Option<String> {
    let is_skill = file.relative.ends_with(SKILL);
    let path = if is_skill { file.relative.parent()? } else { &file.relative.with_extension("") };
    let words: Vec<&str> = path.iter().filter_map(|it| it.to_str()).collect();
    let mut name = words.join(":");
    let mut is_bare = file.folder.plugin.is_none();
    if file.folder.layout == CommandLayout::Folders
        && let Some(own) = front.get("name")
    {
        own.clone_into(&mut name);
        is_bare |= !is_newer_than(version, BARE_PLUGIN_SKILLS);
    }
    match &file.folder.plugin {
        Some(plugin) if !is_bare => Some(format!("{plugin}:{name}")),
        _ => Some(name),
    }
}
