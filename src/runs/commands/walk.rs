//! Reads the files that hold commands.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::seam::{AgentProvider, CommandFile, CommandFolder};

use super::super::place::Place;

/// Beyond these somebody keeps other things there.
const MOST_FILES: usize = 2000;
const MOST_FOLDERS: usize = 400;

/// What a command says of itself stands at its beginning.
const BEGINNING: u64 = 16 * 1024;

const LONGEST_INDEX: u64 = 1024 * 1024;

/// What there is to read, found without reading it.
pub(super) struct Walk {
    provider: Arc<dyn AgentProvider>,
    indexes: Vec<PathBuf>,
    folders: Vec<CommandFolder>,
    /// In the order of the folders.
    files: Vec<(usize, PathBuf)>,
    inner: BTreeSet<PathBuf>,
}

impl Walk {
    pub(super) fn begin(place: &Place, cwd: &Path) -> Self {
        let mut walk = Self {
            provider: place.provider.clone(),
            indexes: Vec::new(),
            folders: Vec::new(),
            files: Vec::new(),
            inner: BTreeSet::new(),
        };
        let provider = place.provider.clone();
        let Some(catalogue) = provider.commands() else { return walk };
        let above = of_the_same_work(cwd, &place.home.home);
        walk.indexes = catalogue.indexes(&place.home, &above);
        let read = walk.indexes.iter();
        let read: Vec<_> =
            read.filter_map(|it| Some((it.clone(), beginning(it, LONGEST_INDEX)?))).collect();
        walk.folders = catalogue.folders(&place.home, &above, &read);
        for (at, folder) in walk.folders.clone().into_iter().enumerate() {
            walk.look(at, &folder, Path::new(""), 0);
        }
        walk
    }

    fn look(&mut self, at: usize, folder: &CommandFolder, inside: &Path, depth: usize) {
        let path = folder.path.join(inside);
        let Ok(entries) = std::fs::read_dir(&path) else { return };
        if self.inner.len() >= MOST_FOLDERS {
            return;
        }
        self.inner.insert(path);
        let mut names: Vec<_> = entries.flatten().map(|it| it.file_name()).collect();
        names.sort();
        for name in names {
            let relative = inside.join(name);
            let path = folder.path.join(&relative);
            // Links are followed, as the CLI does; the depth ends a circle.
            if path.is_dir() {
                if depth < folder.depth {
                    self.look(at, folder, &relative, depth + 1);
                }
                continue;
            }
            let catalogue = self.provider.commands();
            let is_one = catalogue.is_some_and(|it| it.is_command_file(folder, &relative));
            if is_one && self.files.len() < MOST_FILES {
                self.files.push((at, relative));
            }
        }
    }

    pub(super) fn files_to_watch(&self) -> Vec<PathBuf> {
        self.indexes.clone()
    }

    /// Those that are there, and those that may come.
    pub(super) fn folders_to_watch(&self) -> Vec<PathBuf> {
        let wanted = self.folders.iter().map(|it| it.path.clone());
        wanted.chain(self.inner.iter().cloned()).collect()
    }

    pub(super) fn read(&self) -> Vec<CommandFile> {
        let files = self.files.iter().filter_map(|(at, relative)| {
            let folder = self.folders[*at].clone();
            let text = beginning(&folder.path.join(relative), BEGINNING)?;
            Some(CommandFile { folder, relative: relative.clone(), text })
        });
        files.collect()
    }
}

/// The folder and those above it, up to the root of its repository, and never the
/// person's home, whose commands are the person's own.
fn of_the_same_work(cwd: &Path, home: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in cwd.ancestors().take_while(|it| *it != home) {
        folders.push(folder.to_owned());
        if folder.join(".git").exists() {
            break;
        }
    }
    folders
}

/// Only of what is a file: a pipe would never end.
fn beginning(path: &Path, limit: u64) -> Option<String> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(limit).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_ends_at_the_repository_and_at_home() {
        let dir = tempfile::tempdir().expect("a folder");
        let inner = dir.path().join("a/b/c");
        std::fs::create_dir_all(&inner).expect("folders");
        std::fs::create_dir(dir.path().join("a/.git")).expect("a folder");
        let of = |home: &Path| of_the_same_work(&inner, home).len();
        assert_eq!(of(Path::new("/home/dev")), 3);
        assert_eq!(of(&dir.path().join("a")), 2);
        assert_eq!(of(&inner), 0);
    }
}
