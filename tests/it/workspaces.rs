//! Worktrees and seeds, with the real git in repositories made for each test.

mod making;
mod recovering;
mod removing;
mod seeding;
mod seeding_odd;

use std::path::{Path, PathBuf};
use std::process::Command;

use seamux::workspace::seeding::Seeds;
use seamux::workspace::{self, Git, Plan, Removal, Wanted, WorkspaceError, Worktree};
use tempfile::TempDir;

/// A repository with one commit on `main`, and a state folder.
pub(crate) struct Rig {
    pub(crate) dir: TempDir,
    pub(crate) git: Git,
    pub(crate) seeds: Seeds,
}

/// Runs git as a person would; what it prints.
pub(crate) fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Dev", "-c", "user.email=dev@example.org"])
        .args(args)
        .current_dir(dir)
        .env_clear()
        .envs([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
        .output()
        .unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "git {args:?}: {err}");
    out.trim_end().to_owned()
}

/// A repository with one commit on `main`.
pub(crate) fn repository(at: &Path) {
    std::fs::create_dir_all(at.join("sub")).unwrap();
    git(at, &["init", "-q", "-b", "main"]);
    std::fs::write(at.join("a.txt"), "one\n").unwrap();
    std::fs::write(at.join("sub/b.txt"), "two\n").unwrap();
    git(at, &["add", "."]);
    git(at, &["commit", "-q", "-m", "first"]);
}

pub(crate) fn commit(at: &Path, file: &str) {
    std::fs::write(at.join(file), file).unwrap();
    git(at, &["add", file]);
    git(at, &["commit", "-q", "-m", file]);
}

impl Rig {
    pub(crate) fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("sxw").tempdir().unwrap();
        let env =
            [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", dir.path().to_str().unwrap())];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let rig = Self { git: Git::new(&env), seeds: Seeds::new(&dir.path().join("state")), dir };
        repository(&rig.repo());
        rig
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.dir.path().join("shop")
    }

    pub(crate) fn plan_in(
        &self,
        cwd: &Path,
        branch: &str,
        base: Option<&str>,
    ) -> Result<Plan, WorkspaceError> {
        let wanted = Wanted { cwd: cwd.into(), branch: branch.into(), base: base.map(Into::into) };
        let root = self.dir.path().join("state/worktrees");
        wait(workspace::plan(&self.git, &root, "r-1", &wanted))
    }

    pub(crate) fn plan(&self, branch: &str, base: Option<&str>) -> Result<Plan, WorkspaceError> {
        self.plan_in(&self.repo(), branch, base)
    }

    pub(crate) fn create(&self, worktree: &Worktree) -> Result<(), WorkspaceError> {
        wait(workspace::create(&self.git, worktree))
    }

    pub(crate) fn make(&self, branch: &str) -> Worktree {
        let plan = self.plan(branch, None).unwrap();
        self.create(&plan.worktree).unwrap();
        plan.worktree
    }

    pub(crate) fn remove(&self, worktree: &Worktree) -> Removal {
        wait(workspace::remove(&self.git, worktree, &self.seeds))
    }

    /// Why it was kept.
    pub(crate) fn parked(&self, worktree: &Worktree) -> String {
        match self.remove(worktree) {
            Removal::Parked(parked) => {
                assert!(worktree.path.exists(), "it is still there");
                parked.reasons.join("; ")
            }
            removed => panic!("{removed:?}"),
        }
    }

    pub(crate) fn branches(&self) -> String {
        git(&self.repo(), &["branch", "--format=%(refname:short)"]).replace('\n', " ")
    }

    pub(crate) fn status(&self) -> String {
        git(&self.repo(), &["status", "--porcelain"])
    }
}

/// Waits for something that takes a while.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(future)
}
