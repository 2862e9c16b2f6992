//! Finds everything in a worktree that would be lost, or that somebody is in the
//! middle of. What can't be looked at counts as something.

use std::path::{Path, PathBuf};

use super::branch::{current_branch, full, tip};
use super::create::Worktree;
use super::error::WorkspaceError;
use super::git::{Git, entries, failure, path_of};

/// What git keeps in a worktree's folder of its own while it is in the middle of something.
const IN_PROGRESS: &[(&str, &str)] = &[
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a cherry-pick or revert"),
    ("BISECT_LOG", "a bisect"),
];

/// So many files are named; of the rest only the number.
const NAMED: usize = 3;

/// Why this worktree has to stay, in words for people. Empty if nothing in it would be lost.
pub(super) async fn reasons(git: &Git, worktree: &Worktree) -> Result<Vec<String>, WorkspaceError> {
    let mut reasons = Vec::new();
    let dir = &worktree.path;
    reasons.extend(changes(git, dir).await?);
    reasons.extend(hidden_changes(git, dir).await?);
    reasons.extend(in_progress(git, dir).await?);
    reasons.extend(own_commits(git, worktree).await?);
    reasons.extend(stashes(git, worktree).await?);
    Ok(reasons)
}

/// Changed and new files, whatever the settings of a person hide from themselves.
async fn changes(git: &Git, dir: &Path) -> Result<Option<String>, WorkspaceError> {
    let args =
        ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignored=no"];
    let status = git.ask(dir, args.into_iter().chain(["--ignore-submodules=none"])).await?;
    if !status.status.success() {
        return Err(failure("look at the worktree", &status));
    }
    let files: Vec<String> =
        entries(&status).map(|it| it.get(3..).unwrap_or_default().to_owned()).collect();
    Ok(named(&files).map(|it| format!("it has changes that are not committed: {it}")))
}

/// A file can be marked so that git does not look whether it changed.
async fn hidden_changes(git: &Git, dir: &Path) -> Result<Option<String>, WorkspaceError> {
    let listed = git.ask(dir, ["ls-files", "-v", "-z"]).await?;
    let is_marked = |entry: &String| {
        let (mark, file) = (entry.chars().next().unwrap_or('H'), entry.get(2..).unwrap_or(""));
        // What a sparse checkout leaves out is marked too, and is not there.
        mark.is_ascii_lowercase() || (mark == 'S' && dir.join(file).symlink_metadata().is_ok())
    };
    let files: Vec<String> = entries(&listed)
        .filter(is_marked)
        .map(|it| it.get(2..).unwrap_or_default().to_owned())
        .collect();
    Ok(named(&files).map(|it| format!("git was told not to look at files of it: {it}")))
}

async fn in_progress(git: &Git, dir: &Path) -> Result<Vec<String>, WorkspaceError> {
    let own = git_dir(git, dir).await?;
    let mut reasons: Vec<String> = IN_PROGRESS
        .iter()
        .filter(|(name, _)| own.join(name).symlink_metadata().is_ok())
        .map(|(_, what)| format!("{what} is in progress in it"))
        .collect();
    reasons.dedup();
    if let Ok(why) = std::fs::read_to_string(own.join("locked")) {
        let why = why.trim();
        reasons.push(match why.is_empty() {
            true => "somebody locked it".into(),
            false => format!("somebody locked it: {why}"),
        });
    }
    Ok(reasons)
}

/// The folder that git keeps for this worktree alone.
pub(super) async fn git_dir(git: &Git, dir: &Path) -> Result<PathBuf, WorkspaceError> {
    let output = git.ask(dir, ["rev-parse", "--absolute-git-dir"]).await?;
    if !output.status.success() {
        return Err(failure("look at the worktree", &output));
    }
    Ok(path_of(String::from_utf8_lossy(&output.stdout).trim_end_matches('\n')))
}

/// Commits that are on no other branch and on no remote.
async fn own_commits(git: &Git, worktree: &Worktree) -> Result<Option<String>, WorkspaceError> {
    let dir = &worktree.path;
    let on = current_branch(git, dir).await;
    let mut args = ["rev-list", "--count", "HEAD"].map(String::from).to_vec();
    if tip(git, dir, &worktree.branch).await?.is_some() {
        args.push(full(&worktree.branch));
    }
    args.extend(["--not".into(), format!("--exclude={}", worktree.branch)]);
    args.extend(on.filter(|it| *it != worktree.branch).map(|it| format!("--exclude={it}")));
    args.extend(["--branches".into(), "--remotes".into()]);
    if worktree.makes_branch {
        args.push(worktree.start.clone()); // It was there before.
    }
    let found = git.ask(dir, args.into_iter().chain(["--".into()])).await?;
    if !found.status.success() {
        return Err(failure("look for commits", &found));
    }
    let count = String::from_utf8_lossy(&found.stdout).trim().to_owned();
    let commits = if count == "1" { "1 commit is".into() } else { format!("{count} commits are") };
    Ok((count != "0").then(|| format!("{commits} on no other branch and not pushed")))
}

/// Stashes are of the whole repository, but each names the branch that it was made on.
async fn stashes(git: &Git, worktree: &Worktree) -> Result<Option<String>, WorkspaceError> {
    let dir = &worktree.path;
    let listed = git.ask(dir, ["stash", "list", "-z", "--format=%gs"]).await?;
    let on = current_branch(git, dir).await.unwrap_or_else(|| "(no branch)".into());
    let is_ours = |message: &String| {
        [&worktree.branch, &on].into_iter().any(|branch| {
            let made = message.strip_prefix("WIP on ").or(message.strip_prefix("On "));
            made.and_then(|it| it.strip_prefix(branch.as_str()))
                .is_some_and(|it| it.starts_with(": "))
        })
    };
    let count = entries(&listed).filter(is_ours).count();
    Ok((count > 0).then(|| format!("{count} stashed change(s) were made on its branch")))
}

fn named(files: &[String]) -> Option<String> {
    if files.is_empty() {
        return None;
    }
    let names = files.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = files.len().saturating_sub(NAMED);
    Some(if more > 0 { format!("{names} and {more} more") } else { names })
}
