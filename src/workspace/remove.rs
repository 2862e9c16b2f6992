//! Removes a worktree, or says why it stays.

use std::path::{Path, PathBuf};

use super::branch::{full, tip, worktrees};
use super::create::Worktree;
use super::error::WorkspaceError;
use super::git::{Git, failure};
use super::seeding::Seeds;
use super::unsaved::reasons;

/// What became of a worktree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// It is gone, with its branch if that was ours and had no commit of its own.
    Removed {
        branch_too: bool,
    },
    Parked(Parked),
}

/// It stays where it is, with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parked {
    pub path: PathBuf,
    pub reasons: Vec<String>,
    /// How a person removes it once nothing in it matters any more.
    pub by_hand: String,
}

impl Parked {
    /// It stays for a reason that the caller knows.
    pub fn because(worktree: &Worktree, reason: String) -> Self {
        parked(worktree, vec![reason])
    }
}

/// Removes it if nothing in it would be lost. What can't be looked at stays.
pub async fn remove(git: &Git, worktree: &Worktree, seeds: &Seeds) -> Removal {
    match try_to_remove(git, worktree, seeds).await {
        Ok(removal) => removal,
        Err(error) => Removal::Parked(parked(worktree, vec![error.to_string()])),
    }
}

async fn try_to_remove(
    git: &Git,
    worktree: &Worktree,
    seeds: &Seeds,
) -> Result<Removal, WorkspaceError> {
    if worktree.path.symlink_metadata().is_err() {
        return forget(git, worktree).await;
    }
    if !is_ours(git, worktree).await? {
        let why = "it is not the worktree that was made there".to_owned();
        return Ok(Removal::Parked(parked(worktree, vec![why])));
    }
    let mut why = reasons(git, worktree).await?;
    why.extend(seeds.changed(&worktree.path));
    if !why.is_empty() {
        return Ok(Removal::Parked(parked(worktree, why)));
    }
    // git looks once more by itself, and refuses if something came in between.
    let gone = git
        .work(
            &worktree.repository,
            ["worktree", "remove", "--"].map(Path::new).into_iter().chain([&*worktree.path]),
        )
        .await?;
    if !gone.status.success() {
        let error = failure("remove the worktree", &gone);
        return Ok(Removal::Parked(parked(worktree, vec![error.to_string()])));
    }
    let branch_too = remove_branch(git, worktree).await?;
    tidy_parent(worktree);
    Ok(Removal::Removed { branch_too })
}

/// Its folder is gone. What git still knows of it would keep its branch from being
/// used again.
async fn forget(git: &Git, worktree: &Worktree) -> Result<Removal, WorkspaceError> {
    if worktree.repository.is_dir() && is_listed(git, worktree).await? {
        let args = ["worktree", "remove", "--"].map(Path::new);
        let gone =
            git.work(&worktree.repository, args.into_iter().chain([&*worktree.path])).await?;
        if !gone.status.success() {
            let error = failure("forget the worktree", &gone);
            return Ok(Removal::Parked(parked(worktree, vec![error.to_string()])));
        }
    }
    let branch_too = remove_branch(git, worktree).await.unwrap_or(false);
    tidy_parent(worktree);
    Ok(Removal::Removed { branch_too })
}

/// Only if we made it, and only while it stands where it began.
pub(super) async fn remove_branch(git: &Git, worktree: &Worktree) -> Result<bool, WorkspaceError> {
    let Worktree { repository, branch, start, makes_branch, .. } = worktree;
    if !makes_branch || tip(git, repository, branch).await?.as_ref() != Some(start) {
        return Ok(false);
    }
    let in_use =
        worktrees(git, repository).await?.iter().any(|it| it.branch.as_ref() == Some(branch));
    if in_use {
        return Ok(false);
    }
    // With what it should be: a commit that comes in this moment is kept.
    let name = full(branch);
    let gone = git.work(repository, ["update-ref", "-d", &name, start]).await?;
    Ok(gone.status.success())
}

/// Whether the folder is the worktree of that repository that git knows there.
async fn is_ours(git: &Git, worktree: &Worktree) -> Result<bool, WorkspaceError> {
    let is_folder = worktree.path.symlink_metadata().is_ok_and(|it| it.is_dir());
    Ok(is_folder && is_listed(git, worktree).await?)
}

pub(super) async fn is_listed(git: &Git, worktree: &Worktree) -> Result<bool, WorkspaceError> {
    let listed = worktrees(git, &worktree.repository).await?;
    let real = real(&worktree.path);
    Ok(listed.iter().any(|it| it.path == worktree.path || it.path == real))
}

/// git writes down where a folder really is; the folder itself may be gone.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = std::fs::canonicalize(path) {
        return real;
    }
    let parent = path.parent().and_then(|it| std::fs::canonicalize(it).ok());
    match (parent, path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

/// The folder of the repository, if this was its last worktree.
fn tidy_parent(worktree: &Worktree) {
    if let Some(parent) = worktree.path.parent() {
        std::fs::remove_dir(parent).ok(); // It stays while something is in it.
    }
}

pub(super) fn parked(worktree: &Worktree, reasons: Vec<String>) -> Parked {
    let (repository, path) = (quoted(&worktree.repository), quoted(&worktree.path));
    Parked {
        path: worktree.path.clone(),
        reasons,
        by_hand: format!("git -C {repository} worktree remove {path}"),
    }
}

/// For a shell.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if text.chars().all(is_plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
