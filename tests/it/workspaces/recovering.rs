//! What is left of a worktree that was being made when everything was killed.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use seamux::workspace::{Found, Worktree, recover};

use super::{Rig, commit, git, wait};

/// A git that stands still in the middle of writing the files.
struct Stuck {
    worktree: Worktree,
    git: Child,
}

impl Drop for Stuck {
    fn drop(&mut self) {
        self.git.kill().ok();
        self.git.wait().ok();
        // The filter of a git that was killed alone goes on.
        let group = format!("-{}", self.git.id());
        Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status().ok();
    }
}

fn until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !done() {
        assert!(Instant::now() < deadline, "waited in vain for: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn stuck(rig: &Rig) -> Stuck {
    let (repo, started) = (rig.repo(), rig.dir.path().join("started"));
    fs::write(repo.join(".gitattributes"), "stop.txt filter=stop\n").unwrap();
    git(&repo, &["add", "."]);
    commit(&repo, "stop.txt");
    commit(&repo, "zz.txt");
    let pipe = rig.dir.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let smudge = format!("touch {} && cat {}", started.display(), pipe.display());
    git(&repo, &["config", "filter.stop.smudge", &smudge]);
    let worktree = rig.plan("x", None).unwrap().worktree;
    fs::create_dir_all(worktree.path.parent().unwrap()).unwrap();
    // As the server does it, and not as its child: that one is dead.
    let child = Command::new("git")
        .args(["worktree", "add", "--no-track", "-b", "x", "--"])
        .arg(&worktree.path)
        .arg(&worktree.start)
        .current_dir(&repo)
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("the checkout", || started.exists());
    Stuck { worktree, git: child }
}

fn recovered(rig: &Rig, worktree: &Worktree) -> Found {
    wait(recover(&rig.git, worktree, &rig.seeds, false))
}

fn nothing_is_left(rig: &Rig, worktree: &Worktree) {
    assert!(!worktree.path.exists());
    assert_eq!(rig.branches(), "main");
    assert_eq!(git(&rig.repo(), &["worktree", "list"]).lines().count(), 1);
    let left: Vec<PathBuf> = fs::read_dir(rig.repo().join(".git/worktrees"))
        .map(|it| it.map(|it| it.unwrap().path()).collect())
        .unwrap_or_default();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_git_that_goes_on_is_ended_and_what_it_made_is_gone() {
    let rig = Rig::new();
    let mut stuck = stuck(&rig);
    assert_eq!(recovered(&rig, &stuck.worktree), Found::Cleared);
    assert!(!stuck.git.wait().unwrap().success(), "it was ended");
    nothing_is_left(&rig, &stuck.worktree);
}

#[test]
fn half_a_checkout_of_a_git_that_was_killed_is_gone() {
    let rig = Rig::new();
    let mut stuck = stuck(&rig);
    stuck.git.kill().unwrap();
    stuck.git.wait().unwrap();
    assert!(stuck.worktree.path.join("a.txt").exists(), "half of it is there");
    assert!(!stuck.worktree.path.join("zz.txt").exists());
    assert_eq!(recovered(&rig, &stuck.worktree), Found::Cleared);
    nothing_is_left(&rig, &stuck.worktree);
}

#[test]
fn half_a_checkout_with_anything_else_in_it_is_kept() {
    let rig = Rig::new();
    let mut stuck = stuck(&rig);
    stuck.git.kill().unwrap();
    stuck.git.wait().unwrap();
    fs::write(stuck.worktree.path.join("mine.txt"), "x").unwrap();
    assert!(matches!(recovered(&rig, &stuck.worktree), Found::Parked(_)));
    assert!(stuck.worktree.path.join("mine.txt").exists());
    assert!(stuck.worktree.path.join("a.txt").exists());
    fs::remove_file(stuck.worktree.path.join("mine.txt")).unwrap();
    fs::write(stuck.worktree.path.join("a.txt"), "changed").unwrap();
    assert!(matches!(recovered(&rig, &stuck.worktree), Found::Parked(_)));
    assert_eq!(fs::read_to_string(stuck.worktree.path.join("a.txt")).unwrap(), "changed");
}

#[test]
fn a_whole_one_that_no_run_has_goes_and_one_that_was_never_begun_is_no_harm() {
    let rig = Rig::new();
    let made = rig.make("x");
    assert_eq!(recovered(&rig, &made), Found::Cleared);
    nothing_is_left(&rig, &made);
    let planned = rig.plan("y", None).unwrap().worktree;
    assert_eq!(recovered(&rig, &planned), Found::Cleared);
    // One in which something was done is not half-made, whatever it looks like.
    let used = rig.make("y");
    git(&used.path, &["commit", "-q", "--allow-empty", "-m", "a thought"]);
    let kept = wait(recover(&rig.git, &used, &rig.seeds, true));
    assert!(matches!(kept, Found::Parked(_)), "{kept:?}");
    git(&used.path, &["reset", "-q", "--hard", "main"]);
    assert_eq!(wait(recover(&rig.git, &used, &rig.seeds, true)), Found::Cleared);
    // Only the branch was made.
    git(&rig.repo(), &["branch", "y"]);
    assert_eq!(recovered(&rig, &planned), Found::Cleared);
    nothing_is_left(&rig, &planned);
}
