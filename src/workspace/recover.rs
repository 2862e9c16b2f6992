//! What a start finds: worktrees that were being made when seamux was killed.
//!
//! No agent has ever been in such a folder. Still, only what can be shown to be
//! git's own work is taken away: files that are equal to those of the commit.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};
use tracing::warn;

use super::branch::worktrees;
use super::create::Worktree;
use super::error::WorkspaceError;
use super::git::{Git, entries, failure};
use super::remove::{Parked, Removal, is_listed, parked, remove, remove_branch};
use super::seeding::Seeds;

/// What git may take to end and to clean up after itself.
const END: Duration = Duration::from_secs(5);

/// What was found where a worktree was being made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing is left of it.
    Cleared,
    Parked(Parked),
}

/// Takes away what is left of a worktree that no run has. One that was made whole
/// is treated like any other: something may have been done in it.
pub async fn recover(git: &Git, worktree: &Worktree, seeds: &Seeds, was_made: bool) -> Found {
    let path = worktree.path.clone();
    let ended = tokio::task::spawn_blocking(move || end_makers(&path)).await;
    if !matches!(ended, Ok(true)) {
        let why = "a git that made it does not end".to_owned();
        return Found::Parked(parked(worktree, vec![why]));
    }
    match remove(git, worktree, seeds).await {
        Removal::Removed { .. } => Found::Cleared,
        Removal::Parked(parked) if was_made => Found::Parked(parked),
        // It may look changed because half of it is missing.
        Removal::Parked(parked) => match clear(git, worktree).await {
            Ok(true) => Found::Cleared,
            Ok(false) => Found::Parked(parked),
            Err(error) => {
                warn!(%error, "A half-made worktree could not be looked at");
                Found::Parked(parked)
            }
        },
    }
}

/// After a `git worktree add` that failed.
pub(super) async fn clear_half_made(git: &Git, worktree: &Worktree) {
    match clear(git, worktree).await {
        Ok(true) => {}
        Ok(false) => warn!(path = %worktree.path.display(), "A half-made worktree was left"),
        Err(error) => warn!(%error, "A half-made worktree could not be taken away"),
    }
}

/// Whether nothing of it is left.
async fn clear(git: &Git, worktree: &Worktree) -> Result<bool, WorkspaceError> {
    let path = &worktree.path;
    if path.symlink_metadata().is_ok() {
        let Some(files) = files_of_git(git, worktree).await? else { return Ok(false) };
        let path = path.clone();
        let emptied = tokio::task::spawn_blocking(move || empty(&path, &files)).await;
        if !matches!(emptied, Ok(true)) {
            return Ok(false);
        }
    }
    let repository = &worktree.repository;
    if is_listed(git, worktree).await? {
        let folder = worktree.path.as_os_str();
        let listed = worktrees(git, repository).await?;
        let is_it = |it: &&super::branch::Listed| it.path.file_name() == worktree.path.file_name();
        if listed.iter().find(is_it).is_some_and(|it| it.locked.is_some()) {
            // git locks what it is making. Nobody else could have: the name is ours alone.
            git.work(repository, ["worktree".as_ref(), "unlock".as_ref(), "--".as_ref(), folder])
                .await?;
        }
        let gone = git
            .work(repository, ["worktree".as_ref(), "remove".as_ref(), "--".as_ref(), folder])
            .await?;
        if !gone.status.success() {
            return Err(failure("forget the worktree", &gone));
        }
    }
    remove_branch(git, worktree).await?;
    Ok(true)
}

/// The files in the folder, if each of them is as the commit has it; `None` if
/// anything else is there.
async fn files_of_git(
    git: &Git,
    worktree: &Worktree,
) -> Result<Option<Vec<PathBuf>>, WorkspaceError> {
    let path = &worktree.path;
    if is_bare_of_files(path) {
        return Ok(Some(Vec::new()));
    }
    // An index of our own: the one of the worktree may be half written.
    let index = path.with_extension("index");
    let aside = git.with("GIT_INDEX_FILE", &index);
    let look = async {
        let read = aside.ask(path, ["read-tree", &worktree.start]).await?;
        if !read.status.success() {
            return Err(failure("read the commit", &read));
        }
        let args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
        let status = aside.ask(path, args.into_iter().chain(["--ignored=traditional"])).await?;
        if !status.status.success() {
            return Err(failure("look at the worktree", &status));
        }
        let mut missing = HashSet::new();
        for entry in entries(&status) {
            match entry.strip_prefix(" D ") {
                Some(file) => missing.insert(file.to_owned()),
                None => return Ok(None),
            };
        }
        let listed = aside.ask(path, ["ls-files", "-z"]).await?;
        let there = entries(&listed).filter(|it| !missing.contains(it)).map(PathBuf::from);
        Ok(Some(there.collect()))
    };
    let found = look.await;
    std::fs::remove_file(&index).ok(); // It may not have been made.
    found
}

/// Nothing but the file that makes a folder a worktree.
fn is_bare_of_files(path: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(path) else { return false };
    entries.all(|it| it.is_ok_and(|it| it.file_name() == ".git"))
}

/// Removes these files and the folders that are empty then. Anything else stays,
/// and so does the folder.
fn empty(path: &Path, files: &[PathBuf]) -> bool {
    let mut folders: Vec<PathBuf> = Vec::new();
    for file in files {
        std::fs::remove_file(path.join(file)).ok();
        folders.extend(file.ancestors().skip(1).map(|it| path.join(it)));
    }
    folders.sort_by_key(|it| std::cmp::Reverse(it.components().count()));
    folders.dedup();
    for folder in folders.iter().filter(|it| *it != path) {
        std::fs::remove_dir(folder).ok();
    }
    if is_bare_of_files(path) {
        std::fs::remove_file(path.join(".git")).ok();
    }
    std::fs::remove_dir(path).is_ok()
}

/// Ends a git that was making exactly this folder, with what it started there. It
/// was our child, and goes on when we are killed. Says whether none is left.
fn end_makers(path: &Path) -> bool {
    for signal in [Signal::TERM, Signal::KILL] {
        let deadline = Instant::now() + END;
        for pid in makers(path) {
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else { continue };
            // It leads a group of its own, with its hooks and filters.
            if kill_process_group(pid, signal).is_err() {
                kill_process(pid, signal).ok(); // It may have ended by itself.
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).ok();
            poll(&mut [PollFd::new(&process, PollFlags::IN)], left.as_ref()).ok();
        }
    }
    makers(path).is_empty()
}

/// Each git whose arguments name this very folder.
fn makers(path: &Path) -> Vec<Pid> {
    use std::os::unix::ffi::OsStrExt;
    let own = std::process::id();
    let mut found = Vec::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|it| it.parse::<u32>().ok()) else {
            continue;
        };
        let arguments = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let mut arguments = arguments.split(|byte| *byte == 0);
        let is_git = arguments.next().is_some_and(|it| it.ends_with(b"git"));
        let names_it = is_git && arguments.any(|it| it == path.as_os_str().as_bytes());
        if names_it && pid != own {
            found.extend(Pid::from_raw(pid.cast_signed()));
        }
    }
    found
}
