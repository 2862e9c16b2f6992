//! Names of branches and commits, as git takes them.

use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::git::{Git, entries, failure};

/// A longer name makes no file name in every file system.
const LONGEST: usize = 200;

/// The branch that a folder is on; `None` outside of git and on no branch.
pub async fn current_branch(git: &Git, dir: &Path) -> Option<String> {
    // Not its short form: that is `heads/x` where a tag is called `x` too.
    let asked = git.line(dir, ["symbolic-ref", "--quiet", "HEAD"]).await.ok().flatten()?;
    asked.strip_prefix("refs/heads/").map(Into::into)
}

/// Refuses what git would not take as a branch, or take for something else.
pub(super) async fn check_name(git: &Git, dir: &Path, name: &str) -> Result<(), WorkspaceError> {
    let bad = || WorkspaceError::BadBranch(name.into());
    if name.is_empty() || name.len() > LONGEST || is_odd(name) {
        return Err(bad());
    }
    // It also takes `@{-1}`, and answers with another branch's name.
    let taken = git.line(dir, ["check-ref-format", "--branch", name]).await?;
    if taken.as_deref() == Some(name) { Ok(()) } else { Err(bad()) }
}

/// The commit that a base names.
pub(super) async fn commit(git: &Git, dir: &Path, base: &str) -> Result<String, WorkspaceError> {
    let unknown = || WorkspaceError::UnknownBase(format!("`{base}`"));
    if base.is_empty() || base.len() > LONGEST || is_odd(base) {
        return Err(unknown());
    }
    let commit = format!("{base}^{{commit}}");
    let found = git.line(dir, ["rev-parse", "--verify", "--quiet", &commit]).await?;
    found.ok_or_else(unknown)
}

/// An option, or nothing that anybody would type.
fn is_odd(name: &str) -> bool {
    name.starts_with('-') || name.chars().any(char::is_control)
}

/// The commit at the end of a branch, if the branch exists.
pub(super) async fn tip(
    git: &Git,
    dir: &Path,
    branch: &str,
) -> Result<Option<String>, WorkspaceError> {
    let name = full(branch);
    git.line(dir, ["rev-parse", "--verify", "--quiet", &name]).await
}

pub(super) fn full(branch: &str) -> String {
    format!("refs/heads/{branch}")
}

/// One worktree, as git lists it.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) path: PathBuf,
    pub(super) branch: Option<String>,
    pub(super) locked: Option<String>,
}

pub(super) async fn worktrees(git: &Git, dir: &Path) -> Result<Vec<Listed>, WorkspaceError> {
    let output = git.ask(dir, ["worktree", "list", "--porcelain", "-z"]).await?;
    if !output.status.success() {
        return Err(failure("list the worktrees", &output));
    }
    let mut listed: Vec<Listed> = Vec::new();
    for line in entries(&output) {
        let (name, value) = line.split_once(' ').unwrap_or((&line, ""));
        match (name, listed.last_mut()) {
            ("worktree", _) => listed.push(Listed { path: value.into(), ..Listed::default() }),
            ("branch", Some(last)) => {
                last.branch = value.strip_prefix("refs/heads/").map(Into::into);
            }
            ("locked", Some(last)) => last.locked = Some(value.into()),
            _ => {}
        }
    }
    Ok(listed)
}
