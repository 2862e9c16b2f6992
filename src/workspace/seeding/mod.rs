//! Seeds a folder with a person's instructions, skills and prompts, in the places
//! that the provider's CLI reads.
//!
//! What the repository tracks is never written, and neither is a file that somebody
//! else made or changed. git does not show what was seeded: each file is named in
//! the repository's `info/exclude` before it is written. A manifest in the state
//! folder says what was written, and exactly that is removed again.

mod exclude;
mod lift;
mod manifest;
mod place;
mod source;
mod tracked;

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Mutex;

use crate::seam::SeedLayout;

use super::error::WorkspaceError;
use super::git::Git;
use manifest::{Manifest, hash};
use place::There;
use source::SeedFile;
use tracked::Surroundings;

/// All seeds of one state folder. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Seeds {
    dir: PathBuf,
    /// One at a time: several folders may share one `info/exclude`.
    turn: Arc<Mutex<()>>,
}

/// What to seed, and where.
#[derive(Clone, Debug)]
pub struct Planting {
    /// The person's folder: `context.md`, `skills/NAME/`, `prompts/NAME.md`.
    pub source: PathBuf,
    pub layout: SeedLayout,
    /// The folder that the CLI works in.
    pub workspace: PathBuf,
    /// For whom. The seeds go when the last one of a folder goes.
    pub run: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planted {
    /// Files that stand there now as the seed has them.
    pub files: Vec<String>,
    /// What was not written, and why, in words for people.
    pub skipped: Vec<String>,
}

impl Seeds {
    pub fn new(state_dir: &Path) -> Self {
        Self { dir: state_dir.join("seeds"), turn: Arc::default() }
    }

    /// Writes what is not there yet, and renews what we wrote before.
    pub async fn plant(&self, git: &Git, job: &Planting) -> Result<Planted, WorkspaceError> {
        let _turn = self.turn.lock().await;
        let around = tracked::surroundings(git, &job.workspace).await?;
        let read = source::read(&job.source, &job.layout)?;
        let mut planted = Planted { skipped: read.skipped, ..Planted::default() };
        let before = self.manifest(&job.workspace)?;
        let mut manifest = before.clone();
        manifest.users.insert(job.run.clone());
        let root = File::open(&job.workspace)
            .map_err(|error| WorkspaceError::io("open the folder to seed", error))?;
        let mut todo = Vec::new();
        for file in read.files {
            match decide(&root, &file, &manifest, around.as_ref()) {
                Decision::Write => todo.push(file),
                Decision::Done => planted.files.push(file.path),
                Decision::Skip(why) => planted.skipped.push(format!("{}: {why}", file.path)),
            }
        }
        // Written down before anything is done, so that a start after a crash knows it.
        for file in &todo {
            manifest.files.entry(file.path.clone()).or_default().insert(hash(&file.contents));
        }
        let patterns = job.layout.exclude.iter().map(|it| (*it).to_owned());
        manifest.exclude.extend(patterns);
        if let Some(around) = &around {
            manifest.exclude_file = Some(around.exclude_file.clone());
            manifest.prefix.clone_from(&around.prefix);
        }
        self.save(&manifest)?;
        if let Some(around) = &around {
            let hidden = self.hide(git, around, &mut manifest, &mut todo, &mut planted).await;
            if hidden.is_err() {
                // Nothing was written, so nothing may be removed later.
                if before.users.is_empty() {
                    self.forget(&before)?;
                } else {
                    self.save(&before)?;
                }
                return hidden.map(|()| planted);
            }
        }
        for file in todo {
            match place::put(&root, &file, &manifest) {
                Ok(made) => {
                    manifest.folders.extend(made);
                    manifest
                        .files
                        .insert(file.path.clone(), BTreeSet::from([hash(&file.contents)]));
                    planted.files.push(file.path);
                }
                Err(why) => {
                    manifest.retract(&file.path, &hash(&file.contents));
                    planted.skipped.push(format!("{}: {why}", file.path));
                }
            }
        }
        self.save(&manifest)?;
        planted.files.sort();
        Ok(planted)
    }

    /// Names the files where git leaves them out, and takes those back that a
    /// pattern of the repository would show all the same.
    async fn hide(
        &self,
        git: &Git,
        around: &Surroundings,
        manifest: &mut Manifest,
        todo: &mut Vec<SeedFile>,
        planted: &mut Planted,
    ) -> Result<(), WorkspaceError> {
        self.write_excludes(&around.exclude_file)?;
        let names: Vec<&str> = todo.iter().map(|it| it.path.as_str()).collect();
        let hidden = tracked::hidden(git, &manifest.workspace, &names).await?;
        let shown: Vec<SeedFile> = todo.extract_if(.., |it| !hidden.contains(&it.path)).collect();
        for file in &shown {
            let why = "git would show it, because a pattern of the repository says so";
            planted.skipped.push(format!("{}: {why}", file.path));
            manifest.retract(&file.path, &hash(&file.contents));
        }
        if !shown.is_empty() {
            self.save(manifest)?;
            self.write_excludes(&around.exclude_file)?;
        }
        Ok(())
    }
}

enum Decision {
    Write,
    Done,
    Skip(&'static str),
}

fn decide(
    root: &File,
    file: &SeedFile,
    manifest: &Manifest,
    around: Option<&Surroundings>,
) -> Decision {
    if around.is_some_and(|it| it.tracks(&file.path)) {
        return Decision::Skip("the repository tracks it");
    }
    let new = hash(&file.contents);
    match place::look(root, &file.path) {
        There::Nothing => Decision::Write,
        There::InTheWay => Decision::Skip("a link or something else is in its way"),
        There::File(old) if old == new => Decision::Done,
        // Outside of git nobody could bring back what was there.
        There::File(old) if around.is_some() && manifest.wrote(&file.path, &old) => Decision::Write,
        There::File(_) => Decision::Skip("another file is there, and it is left alone"),
    }
}
