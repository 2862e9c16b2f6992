//! What git knows of the folder that is seeded.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::super::error::WorkspaceError;
use super::super::git::{Git, entries, failure, path_of};

/// A folder in a git worktree.
pub(super) struct Surroundings {
    /// Where git reads what to leave out, besides what the repository tracks.
    pub(super) exclude_file: PathBuf,
    /// The folder as seen from the top of the worktree, with a slash at its end.
    pub(super) prefix: String,
    tracked: HashSet<String>,
}

impl Surroundings {
    /// Whether the repository tracks this file, or something in the place of one of
    /// its folders: a link or a repository in the repository.
    pub(super) fn tracks(&self, file: &str) -> bool {
        Path::new(file)
            .ancestors()
            .any(|it| it.to_str().is_some_and(|it| self.tracked.contains(it)))
    }
}

/// `None` outside of git.
pub(super) async fn surroundings(
    git: &Git,
    dir: &Path,
) -> Result<Option<Surroundings>, WorkspaceError> {
    let inside = git.ask(dir, ["rev-parse", "--is-inside-work-tree"]).await?;
    if !inside.status.success() {
        let words = String::from_utf8_lossy(&inside.stderr);
        // Another "no" may come from a repository that could not be opened.
        return match words.contains("not a git repository") {
            true => Ok(None),
            false => Err(failure("look at the folder", &inside)),
        };
    }
    if inside.stdout.trim_ascii() != b"true" {
        return Ok(None);
    }
    // Asked for the file itself, git would answer with where a link leads.
    let common = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
    let common = git.line(dir, common).await?.unwrap_or_default();
    let prefix = git.line(dir, ["rev-parse", "--show-prefix"]).await?.unwrap_or_default();
    let listed = git.ask(dir, ["ls-files", "-z"]).await?;
    if !listed.status.success() || common.is_empty() {
        return Err(failure("list what the repository tracks", &listed));
    }
    let tracked = entries(&listed).collect();
    Ok(Some(Surroundings { exclude_file: path_of(&common).join("info/exclude"), prefix, tracked }))
}

/// Those of the files that git would not show as new.
pub(super) async fn hidden(
    git: &Git,
    dir: &Path,
    files: &[&str],
) -> Result<BTreeSet<String>, WorkspaceError> {
    if files.is_empty() {
        return Ok(BTreeSet::new());
    }
    let names = files.join("\0").into_bytes();
    let found = git.ask_about(dir, ["check-ignore", "-z", "--stdin"], names).await?;
    match found.status.code() {
        Some(0 | 1) => Ok(entries(&found).collect()),
        _ => Err(failure("look what it leaves out", &found)),
    }
}
