//! Makes a worktree: everything that can be wrong is found before anything is
//! written, and what went wrong half-way is taken away again.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::branch::{check_name, commit, current_branch, full, tip, worktrees};
use super::error::WorkspaceError;
use super::git::{Git, failure, path_of};
use super::recover::clear_half_made;
use super::{short_hash, slug};

/// What a person asks for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// A folder of the repository.
    pub cwd: PathBuf,
    pub branch: String,
    pub base: Option<String>,
}

/// A worktree of ours. It is written down before git makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    /// The folder that all worktrees of the repository share.
    pub repository: PathBuf,
    pub path: PathBuf,
    pub branch: String,
    /// The commit that it began at.
    pub start: String,
    /// The branch is made together with it.
    pub makes_branch: bool,
}

/// A worktree that can be made.
#[derive(Clone, Debug)]
pub struct Plan {
    pub worktree: Worktree,
    /// Where the run works in it: the same place that was asked for.
    pub cwd: PathBuf,
}

/// Looks whether it can be made, and says how. `root` is the folder of all our
/// worktrees; `id` tells this one apart.
pub async fn plan(
    git: &Git,
    root: &Path,
    id: &str,
    wanted: &Wanted,
) -> Result<Plan, WorkspaceError> {
    let Wanted { cwd, branch, base } = wanted;
    let repository = repository(git, cwd).await?;
    check_name(git, cwd, branch).await?;
    let existing = tip(git, cwd, branch).await?;
    let start = match (&existing, base) {
        (Some(_), Some(_)) => return Err(WorkspaceError::BranchExists(branch.clone())),
        (Some(tip), None) => tip.clone(),
        (None, Some(base)) => commit(git, cwd, base).await?,
        (None, None) => commit(git, cwd, "HEAD").await.map_err(|error| match error {
            WorkspaceError::UnknownBase(_) => WorkspaceError::NoCommit,
            error => error,
        })?,
    };
    let listed = worktrees(git, cwd).await?;
    let holder = listed.into_iter().find(|it| it.branch.as_ref() == Some(branch));
    if let Some(holder) = holder {
        return Err(WorkspaceError::BranchElsewhere { branch: branch.clone(), place: holder.path });
    }
    let inside = git.line(cwd, ["rev-parse", "--show-prefix"]).await?.unwrap_or_default();
    let folder = inside.trim_end_matches('/');
    if !folder.is_empty() {
        let kind = git.line(cwd, ["cat-file", "-t", &format!("{start}:{folder}")]).await?;
        if kind.as_deref() != Some("tree") {
            let base = base.clone().unwrap_or_else(|| branch.clone());
            return Err(WorkspaceError::NoFolder { folder: folder.into(), base });
        }
    }
    let name = format!("{}-{}", repository_name(&repository), hash_of(&repository));
    let path = root.join(name).join(format!("{}-{id}", slug(branch)));
    Ok(Plan {
        cwd: if folder.is_empty() { path.clone() } else { path.join(folder) },
        worktree: Worktree {
            repository,
            path,
            branch: branch.clone(),
            start,
            makes_branch: existing.is_none(),
        },
    })
}

/// Makes it. If that fails, what git left half-made is taken away.
pub async fn create(git: &Git, worktree: &Worktree) -> Result<(), WorkspaceError> {
    let Worktree { repository, branch, start, makes_branch, .. } = worktree;
    if *makes_branch {
        // Only if nobody else made it meanwhile: from here on it is known to be ours.
        let name = full(branch);
        let made = git.work(repository, ["update-ref", &name, start, ""]).await?;
        if !made.status.success() {
            return Err(failure("make the branch", &made));
        }
    }
    let made = add(git, worktree).await;
    if made.is_err() {
        clear_half_made(git, worktree).await;
    }
    made
}

async fn add(git: &Git, worktree: &Worktree) -> Result<(), WorkspaceError> {
    let Worktree { repository, path, branch, .. } = worktree;
    let parent = path.parent().unwrap_or(path);
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(|error| {
        WorkspaceError::io(format!("make the folder {}", parent.display()), error)
    })?;
    let args =
        ["worktree".as_ref(), "add".as_ref(), "--".as_ref(), path.as_os_str(), branch.as_ref()];
    let output = git.work(repository, args).await?;
    if !output.status.success() {
        return Err(failure("make the worktree", &output));
    }
    // A tag of the same name would have been checked out without any branch.
    let on = current_branch(git, path).await;
    if on.as_deref() != Some(branch) {
        let words = format!("the new folder is not on {branch}");
        return Err(WorkspaceError::Git { doing: "make the worktree", words });
    }
    Ok(())
}

/// The folder that all worktrees of a repository share.
pub(super) async fn repository(git: &Git, cwd: &Path) -> Result<PathBuf, WorkspaceError> {
    let output = git.ask(cwd, ["rev-parse", "--path-format=absolute", "--git-common-dir"]).await?;
    if output.status.success() {
        let line = String::from_utf8_lossy(&output.stdout);
        let path = path_of(line.trim_end_matches('\n'));
        return std::fs::canonicalize(&path)
            .map_err(|error| WorkspaceError::io(format!("open {}", path.display()), error));
    }
    let words = String::from_utf8_lossy(&output.stderr);
    if words.contains("not a git repository") {
        return Err(WorkspaceError::NoRepository(cwd.into()));
    }
    if words.contains("dubious ownership") {
        return Err(WorkspaceError::Foreign(cwd.into()));
    }
    Err(failure("open the repository", &output))
}

fn repository_name(repository: &Path) -> String {
    let own = repository.file_name().unwrap_or_default().to_string_lossy();
    let name = if own == ".git" {
        repository.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy()
    } else {
        own.strip_suffix(".git").map(|it| it.to_owned().into()).unwrap_or(own)
    };
    slug(&name)
}

fn hash_of(repository: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    short_hash(repository.as_os_str().as_bytes())
}
