//! What is removed, and everything that keeps a worktree where it is.

use std::fs;
use std::path::Path;

use seamux::workspace::Removal;

use super::{Rig, commit, git};

#[test]
fn a_worktree_without_work_goes_and_takes_its_own_branch_along() {
    let rig = Rig::new();
    let made = rig.make("x");
    assert_eq!(rig.remove(&made), Removal::Removed { branch_too: true });
    assert!(!made.path.exists() && !made.path.parent().unwrap().exists());
    assert_eq!(rig.branches(), "main");
    assert_eq!(git(&rig.repo(), &["worktree", "list"]).lines().count(), 1);
    assert_eq!(rig.remove(&made), Removal::Removed { branch_too: false }, "twice is no harm");
}

#[test]
fn a_branch_that_was_there_before_stays() {
    let rig = Rig::new();
    git(&rig.repo(), &["branch", "old"]);
    let made = rig.make("old");
    assert_eq!(rig.remove(&made), Removal::Removed { branch_too: false });
    assert_eq!(rig.branches(), "main old");
}

#[test]
fn ignored_files_are_no_work() {
    let rig = Rig::new();
    fs::write(rig.repo().join(".gitignore"), "target\n").unwrap();
    git(&rig.repo(), &["add", "."]);
    git(&rig.repo(), &["commit", "-q", "-m", "ignore"]);
    let made = rig.make("x");
    fs::create_dir(made.path.join("target")).unwrap();
    fs::write(made.path.join("target/out"), "built").unwrap();
    assert!(matches!(rig.remove(&made), Removal::Removed { .. }));
}

type Work = fn(&Path);

#[test]
fn each_kind_of_unsaved_work_keeps_it() {
    let kinds: [(&str, Work); 8] = [
        ("changes that are not committed: a.txt", |at| fs::write(at.join("a.txt"), "x").unwrap()),
        ("changes that are not committed: a.txt", |at| fs::remove_file(at.join("a.txt")).unwrap()),
        ("changes that are not committed: new/n.txt", |at| {
            fs::create_dir(at.join("new")).unwrap();
            fs::write(at.join("new/n.txt"), "x").unwrap();
        }),
        ("changes that are not committed: s.txt", |at| {
            fs::write(at.join("s.txt"), "x").unwrap();
            git(at, &["add", "s.txt"]);
            fs::remove_file(at.join("s.txt")).unwrap();
        }),
        ("1 commit is on no other branch and not pushed", |at| commit(at, "c.txt")),
        ("2 commits are on no other branch", |at| {
            // On no branch at all.
            git(at, &["switch", "-q", "--detach"]);
            commit(at, "c.txt");
            commit(at, "d.txt");
        }),
        ("stashed change(s) were made on its branch", |at| {
            fs::write(at.join("a.txt"), "x").unwrap();
            git(at, &["stash"]);
        }),
        ("somebody locked it: mine", |at| {
            git(at, &["worktree", "lock", "--reason", "mine", "."]);
        }),
    ];
    for (reason, work) in kinds {
        let rig = Rig::new();
        let made = rig.make("x");
        work(&made.path);
        let why = rig.parked(&made);
        assert!(why.contains(reason), "{why}");
        assert!(rig.branches().contains('x'));
    }
}

#[test]
fn settings_and_marks_that_hide_work_from_a_person_do_not_hide_it_here() {
    let rig = Rig::new();
    git(&rig.repo(), &["config", "status.showUntrackedFiles", "no"]);
    let made = rig.make("x");
    fs::write(made.path.join("n.txt"), "x").unwrap();
    assert!(rig.parked(&made).contains("n.txt"));
    fs::remove_file(made.path.join("n.txt")).unwrap();
    for mark in ["assume-unchanged", "skip-worktree"] {
        git(&made.path, &["update-index", &format!("--{mark}"), "a.txt"]);
        fs::write(made.path.join("a.txt"), "hidden work").unwrap();
        assert_eq!(git(&made.path, &["status", "--porcelain"]), "", "git shows nothing");
        assert!(rig.parked(&made).contains("told not to look at files of it: a.txt"), "{mark}");
        git(&made.path, &["update-index", &format!("--no-{mark}"), "a.txt"]);
    }
}

#[test]
fn what_git_is_in_the_middle_of_keeps_it() {
    let rig = Rig::new();
    git(&rig.repo(), &["switch", "-q", "-c", "other"]);
    fs::write(rig.repo().join("a.txt"), "theirs").unwrap();
    git(&rig.repo(), &["commit", "-q", "-am", "theirs"]);
    git(&rig.repo(), &["switch", "-q", "main"]);
    let made = rig.make("x");
    git(&made.path, &["bisect", "start"]);
    assert!(rig.parked(&made).contains("a bisect is in progress"));
    git(&made.path, &["bisect", "reset"]);
    git(&made.path, &["merge", "-q", "--no-ff", "--no-commit", "other"]);
    assert!(rig.parked(&made).contains("a merge is in progress"));
    git(&made.path, &["merge", "--abort"]);
    assert!(matches!(rig.remove(&made), Removal::Removed { .. }));
}

#[test]
fn pushed_and_merged_commits_are_saved_but_a_branch_with_commits_stays() {
    let rig = Rig::new();
    git(rig.dir.path(), &["clone", "-q", "--bare", "shop", "remote.git"]);
    git(&rig.repo(), &["remote", "add", "origin", "../remote.git"]);
    let made = rig.make("x");
    commit(&made.path, "c.txt");
    assert!(rig.parked(&made).contains("not pushed"));
    git(&made.path, &["push", "-q", rig.dir.path().join("remote.git").to_str().unwrap(), "x"]);
    assert!(rig.parked(&made).contains("not pushed"), "no remote branch of ours knows it");
    git(
        &rig.repo(),
        &[
            "fetch",
            "-q",
            rig.dir.path().join("remote.git").to_str().unwrap(),
            "x:refs/remotes/origin/x",
        ],
    );
    assert_eq!(rig.remove(&made), Removal::Removed { branch_too: false });
    assert_eq!(rig.branches(), "main x");
}

#[test]
fn a_folder_that_somebody_put_in_its_place_is_left_alone() {
    let rig = Rig::new();
    let made = rig.make("x");
    git(&rig.repo(), &["worktree", "remove", made.path.to_str().unwrap()]);
    fs::create_dir_all(&made.path).unwrap();
    fs::write(made.path.join("mine"), "x").unwrap();
    assert!(rig.parked(&made).contains("not the worktree that was made there"));
    assert!(made.path.join("mine").exists());
}

#[test]
fn a_folder_that_a_person_removed_is_forgotten_by_git_as_well() {
    let rig = Rig::new();
    let made = rig.make("x");
    fs::remove_dir_all(&made.path).unwrap();
    assert_eq!(rig.remove(&made), Removal::Removed { branch_too: true });
    assert_eq!(git(&rig.repo(), &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn what_it_says_to_do_by_hand_works_once_the_work_is_saved() {
    let rig = Rig::new();
    let made = rig.make("x");
    fs::write(made.path.join("n.txt"), "x").unwrap();
    let Removal::Parked(parked) = rig.remove(&made) else { panic!("it was removed") };
    fs::remove_file(made.path.join("n.txt")).unwrap();
    let by_hand = std::process::Command::new("sh").args(["-c", &parked.by_hand]).status().unwrap();
    assert!(by_hand.success() && !made.path.exists(), "{}", parked.by_hand);
}
