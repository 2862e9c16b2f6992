//! Seeding for each provider, as a tree that a person can read.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use seamux::providers::claude_code::ClaudeCode;
use seamux::seam::{AgentProvider, SeedLayout};
use seamux::workspace::seeding::{Planted, Planting};
use seamux::workspace::{Removal, WorkspaceError};

use super::{Rig, git, wait};

/// The person's seed folder.
pub(super) fn source(rig: &Rig) -> PathBuf {
    let at = rig.dir.path().join("seed");
    for (name, text) in [
        ("context.md", "# How we work\n\nToken: sk-ant-api03-0123456789abcdef\n"),
        ("skills/review/SKILL.md", "---\nname: review\ndescription: Reviews\n---\nLook twice.\n"),
        ("skills/review/scripts/check.sh", "#!/bin/sh\ntrue\n"),
        ("prompts/greet.md", "Say hello to $ARGUMENTS.\n"),
        ("prompts/git/tidy.md", "Tidy up.\n"),
        ("notes.txt", "Belongs nowhere.\n"),
    ] {
        let path = at.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    use std::os::unix::fs::PermissionsExt;
    let script = at.join("skills/review/scripts/check.sh");
    fs::set_permissions(script, fs::Permissions::from_mode(0o755)).unwrap();
    at
}

pub(super) fn layout() -> SeedLayout {
    ClaudeCode::new().descriptor().seed.unwrap()
}

pub(super) fn plant_for(rig: &Rig, workspace: &Path, run: &str) -> Result<Planted, WorkspaceError> {
    let job = Planting {
        source: rig.dir.path().join("seed"),
        layout: layout(),
        workspace: workspace.into(),
        run: run.into(),
    };
    wait(rig.seeds.plant(&rig.git, &job))
}

pub(super) fn plant(rig: &Rig, workspace: &Path) -> Planted {
    plant_for(rig, workspace, "r-1").unwrap()
}

pub(super) fn lift(rig: &Rig, run: &str) {
    wait(rig.seeds.lift(&rig.git, run)).unwrap();
}

/// Each file with its rights and its words.
pub(super) fn tree(at: &Path) -> String {
    fn walk(root: &Path, at: &Path, into: &mut String) {
        use std::os::unix::fs::PermissionsExt;
        let mut paths: Vec<_> = fs::read_dir(at).unwrap().map(|it| it.unwrap().path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|it| it.file_name().unwrap() != ".git") {
            if path.symlink_metadata().unwrap().is_dir() {
                walk(root, &path, into);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().display().to_string();
            let runs = path.metadata().unwrap().permissions().mode() & 0o100 != 0;
            let mark = if runs { " (executable)" } else { "" };
            writeln!(into, "== {name}{mark}\n{}", fs::read_to_string(&path).unwrap()).unwrap();
        }
    }
    let mut text = String::new();
    walk(at, at, &mut text);
    text
}

pub(super) fn exclude(rig: &Rig) -> String {
    fs::read_to_string(rig.repo().join(".git/info/exclude")).unwrap_or_default()
}

#[test]
fn golden_claude_code() {
    let rig = Rig::new();
    source(&rig);
    let before = exclude(&rig);
    let planted = plant(&rig, &rig.repo());
    assert_eq!(rig.status(), "", "git shows nothing of it");
    let block = exclude(&rig);
    let block = block.strip_prefix(&before).expect("a person's lines stay");
    let mark = block.split([' ', ':']).nth(2).unwrap().to_owned();
    let told = planted.skipped.join("\n");
    let block = block.replace(&mark, "MARK");
    let all = format!("{}== (info/exclude)\n{block}\n== (told)\n{told}", tree(&rig.repo()));
    insta::assert_snapshot!("claude_code", all);
}

#[test]
fn a_second_time_changes_nothing_and_what_was_written_goes_with_the_last_run() {
    let rig = Rig::new();
    source(&rig);
    let (before, lines) = (tree(&rig.repo()), exclude(&rig));
    let first = plant(&rig, &rig.repo());
    let (seeded, block) = (tree(&rig.repo()), exclude(&rig));
    assert_eq!(plant_for(&rig, &rig.repo(), "r-2").unwrap(), first);
    assert_eq!((tree(&rig.repo()), exclude(&rig)), (seeded.clone(), block));
    lift(&rig, "r-1");
    assert_eq!(tree(&rig.repo()), seeded, "another run needs it");
    lift(&rig, "r-2");
    assert_eq!((tree(&rig.repo()), exclude(&rig)), (before, lines));
    assert!(!rig.repo().join(".claude").exists(), "nor its folders");
}

#[test]
fn a_seed_that_changed_is_renewed_but_not_over_somebodys_change() {
    let rig = Rig::new();
    let source = source(&rig);
    plant(&rig, &rig.repo());
    fs::write(source.join("context.md"), "New words.\n").unwrap();
    fs::write(source.join("prompts/greet.md"), "New greeting.\n").unwrap();
    fs::write(rig.repo().join(".claude/commands/greet.md"), "My own greeting.\n").unwrap();
    let planted = plant(&rig, &rig.repo());
    let read = |name: &str| fs::read_to_string(rig.repo().join(name)).unwrap();
    assert_eq!(read("CLAUDE.local.md"), "New words.\n");
    assert_eq!(read(".claude/commands/greet.md"), "My own greeting.\n");
    let told = ".claude/commands/greet.md: another file is there, and it is left alone";
    assert_eq!(planted.skipped, [told]);
    lift(&rig, "r-1");
    assert!(!rig.repo().join("CLAUDE.local.md").exists());
    assert_eq!(read(".claude/commands/greet.md"), "My own greeting.\n", "it is theirs");
    assert_eq!(rig.status(), "?? .claude/", "and git shows it again");
}

#[test]
fn worktrees_share_one_block_and_each_goes_alone() {
    let rig = Rig::new();
    source(&rig);
    let lines = exclude(&rig);
    let (one, two) = (rig.make("one"), rig.make("two"));
    for (worktree, run) in [(&one, "r-one"), (&two, "r-two")] {
        plant_for(&rig, &worktree.path, run).unwrap();
        assert_eq!(git(&worktree.path, &["status", "--porcelain"]), "");
    }
    let block = exclude(&rig);
    assert_eq!(rig.remove(&one), Removal::Removed { branch_too: true });
    lift(&rig, "r-one");
    assert_eq!(exclude(&rig), block, "the other one still needs it");
    assert_eq!(git(&two.path, &["status", "--porcelain"]), "");
    // What somebody did to a seeded file is work that git does not show.
    fs::write(two.path.join("CLAUDE.local.md"), "Learned today.\n").unwrap();
    assert!(rig.parked(&two).contains("seeded files in it were changed: CLAUDE.local.md"));
    fs::remove_file(two.path.join("CLAUDE.local.md")).unwrap();
    assert!(matches!(rig.remove(&two), Removal::Removed { .. }));
    lift(&rig, "r-two");
    assert_eq!(exclude(&rig), lines);
}

#[test]
fn a_folder_in_the_repository_is_seeded_in_its_place() {
    let rig = Rig::new();
    source(&rig);
    plant(&rig, &rig.repo().join("sub"));
    assert!(rig.repo().join("sub/CLAUDE.local.md").is_file());
    assert_eq!(rig.status(), "");
    // The pattern means that one only.
    fs::write(rig.repo().join("CLAUDE.local.md"), "x").unwrap();
    assert_eq!(rig.status(), "?? CLAUDE.local.md");
}
