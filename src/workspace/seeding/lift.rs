//! Takes seeds away again: exactly what was written, and only as it was written.

use std::fs::File;
use std::io;
use std::path::Path;

use tracing::warn;

use super::super::error::WorkspaceError;
use super::super::git::Git;
use super::manifest::Manifest;
use super::place::{self, There};
use super::{Seeds, tracked};

impl Seeds {
    /// Seeded files below this folder that somebody changed: work that git does not
    /// show, and a reason to keep the folder.
    pub fn changed(&self, folder: &Path) -> Option<String> {
        let manifests = match self.manifests() {
            Ok(manifests) => manifests,
            Err(error) => return Some(format!("what was seeded in it is not known: {error}")),
        };
        let mut changed: Vec<String> = Vec::new();
        for manifest in manifests.iter().filter(|it| it.workspace.starts_with(folder)) {
            let Ok(root) = File::open(&manifest.workspace) else { continue };
            let is_other = |file: &&String| match place::look(&root, file) {
                There::Nothing => false,
                There::File(hash) => !manifest.wrote(file, &hash),
                There::InTheWay => true,
            };
            changed.extend(manifest.files.keys().filter(is_other).cloned());
        }
        let names = changed.join(", ");
        (!changed.is_empty()).then(|| format!("seeded files in it were changed: {names}"))
    }

    /// A run does not need its seeds any more. They go with the last run of a folder.
    pub async fn lift(&self, git: &Git, run: &str) -> Result<(), WorkspaceError> {
        let _turn = self.turn.lock().await;
        for mut manifest in self.manifests()? {
            if !manifest.users.remove(run) {
                continue;
            }
            if manifest.users.is_empty() {
                self.take_all(git, &manifest).await?;
            } else {
                self.save(&manifest)?;
            }
        }
        Ok(())
    }

    async fn take_all(&self, git: &Git, manifest: &Manifest) -> Result<(), WorkspaceError> {
        // Somebody may have made one of them a part of the repository.
        let around = match manifest.workspace.is_dir() {
            true => tracked::surroundings(git, &manifest.workspace).await?,
            false => None,
        };
        let is_tracked = |file: &str| around.as_ref().is_some_and(|it| it.tracks(file));
        match File::open(&manifest.workspace) {
            Ok(root) => {
                for file in manifest.files.keys().filter(|it| !is_tracked(it)) {
                    if !place::take(&root, file, manifest) {
                        let place = manifest.workspace.join(file);
                        warn!(path = %place.display(), "A seeded file was changed and stays");
                    }
                }
                for folder in manifest.folders.iter().rev() {
                    place::take_folder(&root, folder);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(WorkspaceError::io("open the seeded folder", error)),
        }
        self.forget(manifest)?;
        // The repository may be gone as well.
        match &manifest.exclude_file {
            Some(file) if file.parent().is_some_and(Path::is_dir) => self.write_excludes(file),
            _ => Ok(()),
        }
    }
}
