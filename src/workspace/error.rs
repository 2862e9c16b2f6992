//! Why a worktree could not be made or looked at.

use std::io;
use std::path::PathBuf;

use crate::seam::Blame;

/// Messages have no capital and no full stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    #[error("{} is in no git repository", .0.display())]
    NoRepository(PathBuf),
    #[error("git does not trust {}: it belongs to somebody else", .0.display())]
    Foreign(PathBuf),
    #[error("`{0}` cannot name a branch")]
    BadBranch(String),
    #[error("the branch {branch} is checked out in {}", place.display())]
    BranchElsewhere { branch: String, place: PathBuf },
    #[error("the branch {0} exists already, so it cannot begin at another base")]
    BranchExists(String),
    #[error("{0} names no commit of this repository")]
    UnknownBase(String),
    #[error("the repository has no commit yet")]
    NoCommit,
    #[error("there is no folder {folder} in {base}")]
    NoFolder { folder: String, base: String },
    #[error("git is not installed on this machine")]
    GitMissing,
    #[error("the disk is full")]
    DiskFull,
    #[error("git did not end within {0} seconds")]
    TimedOut(u64),
    #[error("git could not {doing}: {words}")]
    Git { doing: &'static str, words: String },
    #[error("could not {doing}")]
    Io {
        doing: String,
        #[source]
        source: io::Error,
    },
}

impl WorkspaceError {
    pub fn is_full(&self) -> bool {
        matches!(self, Self::DiskFull)
    }

    pub(super) fn io(doing: impl Into<String>, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Io { doing: doing.into(), source },
        }
    }

    /// The stable code of the API.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoRepository(_) => "not_a_repository",
            Self::Foreign(_) => "repository_not_trusted",
            Self::BadBranch(_) => "bad_branch",
            Self::BranchElsewhere { .. } => "branch_elsewhere",
            Self::BranchExists(_) => "branch_exists",
            Self::UnknownBase(_) | Self::NoCommit => "unknown_base",
            Self::NoFolder { .. } => "folder_missing",
            Self::GitMissing => "git_missing",
            Self::DiskFull => "disk_full",
            Self::TimedOut(_) | Self::Git { .. } => "git_failed",
            Self::Io { .. } => "io",
        }
    }

    pub fn blame(&self) -> Blame {
        match self {
            Self::NoRepository(_)
            | Self::Foreign(_)
            | Self::BadBranch(_)
            | Self::UnknownBase(_)
            | Self::NoCommit
            | Self::NoFolder { .. } => Blame::Caller,
            Self::BranchElsewhere { .. } | Self::BranchExists(_) | Self::GitMissing => Blame::Race,
            Self::DiskFull | Self::TimedOut(_) | Self::Git { .. } | Self::Io { .. } => {
                Blame::System
            }
        }
    }

    /// Which field of the request is meant, if one is.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::NoRepository(_) | Self::Foreign(_) | Self::NoFolder { .. } => Some("cwd"),
            Self::BadBranch(_) | Self::BranchElsewhere { .. } => Some("worktree.branch"),
            Self::BranchExists(_) | Self::UnknownBase(_) | Self::NoCommit => Some("worktree.base"),
            _ => None,
        }
    }

    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoRepository(_) => "name a folder in a repository, or leave `worktree` out",
            Self::Foreign(_) => {
                "git config --global --add safe.directory FOLDER says it is all right"
            }
            Self::BadBranch(_) => "use letters, digits, dashes and slashes, like fix/login",
            Self::BranchElsewhere { .. } => {
                "start the run in that folder, or choose another branch"
            }
            Self::BranchExists(_) => {
                "leave `base` out to go on with that branch, or choose another name"
            }
            Self::UnknownBase(_) => "name a branch, a tag or a commit; fetch it first if it is new",
            Self::NoCommit => "make a first commit",
            Self::NoFolder { .. } => "name the top folder of the repository, or another base",
            Self::GitMissing => "install git, then try again",
            Self::DiskFull => "make room, then try again",
            Self::TimedOut(_) => "a hook or a filter of the repository may wait for something",
            Self::Git { .. } | Self::Io { .. } => return None,
        };
        Some(hint.into())
    }
}
