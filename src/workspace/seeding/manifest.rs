//! What was written into one folder, on disk before it is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::error::WorkspaceError;
use super::super::short_hash;
use super::Seeds;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) workspace: PathBuf,
    /// The runs that work with these seeds.
    pub(super) users: BTreeSet<String>,
    /// Each file, and what we wrote or are about to write there, as hashes.
    pub(super) files: BTreeMap<String, BTreeSet<String>>,
    /// Folders that were made for them.
    pub(super) folders: BTreeSet<String>,
    /// Further patterns to hide.
    pub(super) exclude: BTreeSet<String>,
    /// Where git reads what to hide; none outside of git.
    pub(super) exclude_file: Option<PathBuf>,
    /// The folder as seen from the top of its worktree.
    pub(super) prefix: String,
}

impl Manifest {
    /// Whether this very content is of our making.
    pub(super) fn wrote(&self, file: &str, hash: &str) -> bool {
        self.files.get(file).is_some_and(|it| it.contains(hash))
    }

    /// It was not written after all.
    pub(super) fn retract(&mut self, file: &str, hash: &str) {
        let Some(known) = self.files.get_mut(file) else { return };
        known.remove(hash);
        if known.is_empty() {
            self.files.remove(file);
        }
    }
}

pub(super) fn hash(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Seeds {
    fn path(&self, workspace: &Path) -> PathBuf {
        let hash = hash(workspace.as_os_str().as_bytes());
        self.dir.join(format!("{}.json", &hash[..16]))
    }

    /// Tells the lines of this state folder from those of another one.
    pub(super) fn mark(&self) -> String {
        short_hash(self.dir.as_os_str().as_bytes())
    }

    pub(super) fn manifest(&self, workspace: &Path) -> Result<Manifest, WorkspaceError> {
        let known = read(&self.path(workspace))?.filter(|it| it.workspace == workspace);
        Ok(known.unwrap_or_else(|| Manifest { workspace: workspace.into(), ..Manifest::default() }))
    }

    /// All of them. One that can't be read is an error: its files would be forgotten.
    pub(super) fn manifests(&self) -> Result<Vec<Manifest>, WorkspaceError> {
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(WorkspaceError::io("read the manifests of seeds", error)),
        };
        let paths = entries.flatten().map(|it| it.path());
        let paths = paths.filter(|it| it.extension().is_some_and(|it| it == "json"));
        paths.filter_map(|it| read(&it).transpose()).collect()
    }

    pub(super) fn save(&self, manifest: &Manifest) -> Result<(), WorkspaceError> {
        let path = self.path(&manifest.workspace);
        let write = || {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
            replace(&path, &serde_json::to_vec(manifest)?, 0o600)
        };
        write().map_err(|error| WorkspaceError::io("write the manifest of seeds", error))
    }

    pub(super) fn forget(&self, manifest: &Manifest) -> Result<(), WorkspaceError> {
        match fs::remove_file(self.path(&manifest.workspace)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(WorkspaceError::io("remove the manifest of seeds", error))
            }
            _ => Ok(()),
        }
    }
}

fn read(path: &Path) -> Result<Option<Manifest>, WorkspaceError> {
    let doing = || format!("read {}", path.display());
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| WorkspaceError::io(doing(), error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(WorkspaceError::io(doing(), error)),
    }
}

/// Either the old contents or the new ones.
pub(super) fn replace(path: &Path, contents: &[u8], mode: u32) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}", uuid::Uuid::new_v4().simple()));
    let draft = PathBuf::from(draft);
    let write = || {
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&draft)?;
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().inspect_err(|_| {
        fs::remove_file(&draft).ok(); // It may not have been made.
    })
}
