//! What is made, and what is refused in clear words.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use seamux::workspace::{Git, Wanted, WorkspaceError, plan};

use super::{Rig, commit, git, wait};

fn told(error: &WorkspaceError) -> String {
    format!("{} {:?}: {error}", error.code(), error.field().unwrap_or("-"))
}

fn refusal(rig: &Rig, branch: &str, base: Option<&str>) -> String {
    let told = told(&rig.plan(branch, base).unwrap_err());
    assert!(!rig.dir.path().join("state").exists(), "nothing is written before it can work");
    told.replace(rig.dir.path().to_str().unwrap(), "DIR")
}

#[test]
fn a_new_branch_begins_at_the_commit_of_the_folder_or_at_its_base() {
    let rig = Rig::new();
    let first = git(&rig.repo(), &["rev-parse", "HEAD"]);
    commit(&rig.repo(), "second.txt");
    let made = rig.make("fix/login");
    assert_eq!(git(&made.path, &["branch", "--show-current"]), "fix/login");
    assert!(made.path.join("second.txt").is_file());
    let name = made.path.strip_prefix(rig.dir.path()).unwrap().to_str().unwrap();
    assert!(
        name.starts_with("state/worktrees/shop-") && name.ends_with("/fix-login-r-1"),
        "{name}"
    );

    let plan = rig.plan("old", Some("HEAD~1")).unwrap();
    assert_eq!(plan.worktree.start, first);
    rig.create(&plan.worktree).unwrap();
    assert!(!plan.worktree.path.join("second.txt").exists());
    assert_eq!(rig.status(), "");
}

#[test]
fn a_branch_that_exists_is_checked_out_as_it_is() {
    let rig = Rig::new();
    git(&rig.repo(), &["switch", "-q", "-c", "feature"]);
    commit(&rig.repo(), "feature.txt");
    git(&rig.repo(), &["switch", "-q", "main"]);
    git(&rig.repo(), &["tag", "feature", "main"]); // Of the same name, on purpose.
    let made = rig.make("feature");
    assert!(!made.makes_branch);
    assert!(made.path.join("feature.txt").is_file());
    assert_eq!(git(&made.path, &["branch", "--show-current"]), "feature");
}

#[test]
fn a_folder_inside_of_the_repository_is_the_same_folder_in_the_worktree() {
    let rig = Rig::new();
    let plan = rig.plan_in(&rig.repo().join("sub"), "x", None).unwrap();
    assert_eq!(plan.cwd, plan.worktree.path.join("sub"));
    rig.create(&plan.worktree).unwrap();
    assert!(plan.cwd.join("b.txt").is_file());
    // And from within a worktree it is one of the same repository.
    let inner = rig.plan_in(&plan.cwd, "y", None).unwrap();
    assert_eq!(inner.worktree.repository, plan.worktree.repository);

    fs::create_dir(rig.repo().join("new")).unwrap();
    let error = rig.plan_in(&rig.repo().join("new"), "z", Some("main")).unwrap_err();
    assert_eq!(told(&error), r#"folder_missing "cwd": there is no folder new in main"#);
}

#[test]
fn a_bare_repository_has_worktrees_too() {
    let rig = Rig::new();
    git(rig.dir.path(), &["clone", "-q", "--bare", "shop", "shop.git"]);
    let plan = rig.plan_in(&rig.dir.path().join("shop.git"), "x", None).unwrap();
    rig.create(&plan.worktree).unwrap();
    assert!(plan.cwd.join("a.txt").is_file());
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_written() {
    let rig = Rig::new();
    git(&rig.repo(), &["branch", "taken"]);
    let names = ["", "-b", "--force", "a b", "a..b", "@{-1}", "HEAD", "x.lock", "a\nb", "/x"];
    for name in names {
        let told = refusal(&rig, name, None);
        assert!(told.starts_with(r#"bad_branch "worktree.branch""#), "{name:?}: {told}");
    }
    for base in ["nowhere", "--all", "-h", "main:a.txt", "HEAD~9"] {
        let told = refusal(&rig, "x", Some(base));
        assert!(told.starts_with(r#"unknown_base "worktree.base""#), "{base:?}: {told}");
    }
    insta::assert_snapshot!(
        [refusal(&rig, "main", None), refusal(&rig, "taken", Some("main"))].join("\n"),
        @r#"
    branch_elsewhere "worktree.branch": the branch main is checked out in DIR/shop
    branch_exists "worktree.base": the branch taken exists already, so it cannot begin at another base
    "#
    );
    let outside = rig.plan_in(rig.dir.path(), "x", None).unwrap_err();
    assert!(told(&outside).starts_with(r#"not_a_repository "cwd""#), "{outside}");
    let empty = rig.dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    git(&empty, &["init", "-q"]);
    assert!(matches!(rig.plan_in(&empty, "x", None), Err(WorkspaceError::NoCommit)));
}

#[test]
fn without_git_it_says_so() {
    let rig = Rig::new();
    let none = Git::new(&[("PATH".into(), "/nowhere".into())]);
    let wanted = Wanted { cwd: rig.repo(), branch: "x".into(), base: None };
    let error = wait(plan(&none, Path::new("/nowhere"), "r", &wanted)).unwrap_err();
    assert_eq!(told(&error), r#"git_missing "-": git is not installed on this machine"#);
}

/// A hook that a person has set up runs as it would by hand.
fn hook(rig: &Rig, script: &str) {
    let hook = rig.repo().join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_hooks_of_the_repository_run_and_one_that_fails_leaves_nothing_behind() {
    let rig = Rig::new();
    hook(&rig, "pwd > ../ran");
    let made = rig.make("good");
    let ran = fs::read_to_string(made.path.parent().unwrap().join("ran")).unwrap();
    assert_eq!(Path::new(ran.trim()), made.path);

    hook(&rig, "echo no luck >&2; exit 3");
    let plan = rig.plan("bad", None).unwrap();
    let error = rig.create(&plan.worktree).unwrap_err();
    assert_eq!(error.code(), "git_failed");
    assert!(error.to_string().ends_with("no luck"), "{error}");
    assert!(!plan.worktree.path.exists());
    assert_eq!(rig.branches(), "good main");
    assert!(!git(&rig.repo(), &["worktree", "list"]).contains("bad"));
}

#[test]
fn a_branch_below_another_one_is_a_clear_error_and_leaves_nothing_behind() {
    let rig = Rig::new();
    let plan = rig.plan("main/x", None).unwrap();
    let error = rig.create(&plan.worktree).unwrap_err();
    assert!(error.to_string().contains("main"), "{error}");
    assert!(!plan.worktree.path.exists());
    assert_eq!(rig.branches(), "main");
}
