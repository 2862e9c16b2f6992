//! Folders that would lead a careless seeder astray.

use std::fs;
use std::os::unix::fs::symlink;

use super::seeding::{exclude, lift, plant, plant_for, source, tree};
use super::{Rig, git};

#[test]
fn what_the_repository_tracks_is_never_written_even_if_it_is_not_there() {
    let rig = Rig::new();
    source(&rig);
    fs::create_dir_all(rig.repo().join(".claude/commands")).unwrap();
    fs::write(rig.repo().join("CLAUDE.local.md"), "Tracked.\n").unwrap();
    fs::write(rig.repo().join(".claude/commands/greet.md"), "Tracked too.\n").unwrap();
    git(&rig.repo(), &["add", "-f", "."]);
    git(&rig.repo(), &["commit", "-q", "-m", "own files"]);
    fs::remove_file(rig.repo().join(".claude/commands/greet.md")).unwrap();
    let planted = plant(&rig, &rig.repo());
    for file in ["CLAUDE.local.md", ".claude/commands/greet.md"] {
        let told = format!("{file}: the repository tracks it");
        assert!(planted.skipped.contains(&told), "{planted:?}");
    }
    assert_eq!(fs::read_to_string(rig.repo().join("CLAUDE.local.md")).unwrap(), "Tracked.\n");
    assert!(!rig.repo().join(".claude/commands/greet.md").exists());
    assert!(rig.repo().join(".claude/skills/review/SKILL.md").exists(), "the rest is seeded");
    assert_eq!(rig.status(), " D .claude/commands/greet.md", "only what the test did");
    lift(&rig, "r-1");
    git(&rig.repo(), &["checkout", "-q", "."]);
    assert_eq!(rig.status(), "");
}

#[test]
fn a_seeded_file_that_was_committed_belongs_to_the_repository_from_then_on() {
    let rig = Rig::new();
    source(&rig);
    plant(&rig, &rig.repo());
    git(&rig.repo(), &["add", "-f", "CLAUDE.local.md"]);
    git(&rig.repo(), &["commit", "-q", "-m", "ours now"]);
    lift(&rig, "r-1");
    assert!(rig.repo().join("CLAUDE.local.md").is_file());
    assert!(!rig.repo().join(".claude").exists(), "the rest goes");
    assert_eq!(rig.status(), "");
}

#[test]
fn a_link_is_not_followed_whether_it_is_a_file_or_a_folder_or_tracked() {
    for tracked in [false, true] {
        let rig = Rig::new();
        source(&rig);
        let elsewhere = rig.dir.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        fs::write(elsewhere.join("context"), "Mine.\n").unwrap();
        symlink(elsewhere.join("context"), rig.repo().join("CLAUDE.local.md")).unwrap();
        symlink(&elsewhere, rig.repo().join(".claude")).unwrap();
        if tracked {
            git(&rig.repo(), &["add", "-f", "."]);
            git(&rig.repo(), &["commit", "-q", "-m", "links"]);
        }
        let before = rig.status();
        let planted = plant(&rig, &rig.repo());
        assert!(planted.files.is_empty(), "{planted:?}");
        assert_eq!(tree(&elsewhere), "== context\nMine.\n\n");
        assert_eq!(rig.status(), before);
        lift(&rig, "r-1");
        assert_eq!(tree(&elsewhere), "== context\nMine.\n\n");
    }
}

#[test]
fn a_file_that_became_a_link_is_not_removed_through_it() {
    let rig = Rig::new();
    source(&rig);
    plant(&rig, &rig.repo());
    let elsewhere = rig.dir.path().join("elsewhere");
    fs::rename(rig.repo().join(".claude"), &elsewhere).unwrap();
    symlink(&elsewhere, rig.repo().join(".claude")).unwrap();
    let before = tree(&elsewhere);
    lift(&rig, "r-1");
    assert_eq!(tree(&elsewhere), before);
}

#[test]
fn a_pattern_of_the_repository_that_would_show_a_file_keeps_it_from_being_written() {
    let rig = Rig::new();
    source(&rig);
    fs::write(rig.repo().join(".gitignore"), "!CLAUDE.local.md\n").unwrap();
    git(&rig.repo(), &["add", "."]);
    git(&rig.repo(), &["commit", "-q", "-m", "patterns"]);
    let planted = plant(&rig, &rig.repo());
    assert!(!rig.repo().join("CLAUDE.local.md").exists());
    assert!(planted.skipped.iter().any(|it| it.contains("a pattern of the repository")));
    assert!(rig.repo().join(".claude/commands/greet.md").exists());
    assert_eq!(rig.status(), "");
    assert!(!exclude(&rig).contains("CLAUDE.local.md"));
}

#[test]
fn a_persons_excludes_stay_byte_for_byte_with_any_line_ends() {
    let texts: [&[u8]; 4] = [b"*.log\r\n!keep.log\r\n", b"no end", b"", b"\xff\xfeodd\n\n\n"];
    for text in texts {
        let rig = Rig::new();
        source(&rig);
        let file = rig.repo().join(".git/info/exclude");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        fs::write(rig.repo().join("x.log"), "x").unwrap();
        let before = rig.status();
        plant(&rig, &rig.repo());
        assert_eq!(rig.status(), before);
        assert!(fs::read(&file).unwrap().starts_with(text));
        lift(&rig, "r-1");
        assert_eq!(fs::read(&file).unwrap(), text);
    }
}

#[test]
fn an_exclude_file_that_is_a_link_is_left_alone_and_nothing_is_seeded() {
    let rig = Rig::new();
    source(&rig);
    let (file, mine) = (rig.repo().join(".git/info/exclude"), rig.dir.path().join("mine"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::remove_file(&file).ok();
    fs::write(&mine, "*.tmp\n").unwrap();
    symlink(&mine, &file).unwrap();
    let error = plant_for(&rig, &rig.repo(), "r-1").unwrap_err();
    assert_eq!(error.code(), "io");
    assert_eq!(fs::read_to_string(&mine).unwrap(), "*.tmp\n");
    assert!(!rig.repo().join("CLAUDE.local.md").exists());
}

#[test]
fn outside_of_git_only_new_files_are_written() {
    let rig = Rig::new();
    let seed = source(&rig);
    let folder = rig.dir.path().join("plain");
    fs::create_dir_all(folder.join(".claude/commands")).unwrap();
    fs::write(folder.join(".claude/commands/greet.md"), "Mine.\n").unwrap();
    plant(&rig, &folder);
    fs::write(seed.join("context.md"), "New words.\n").unwrap();
    let planted = plant(&rig, &folder);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("CLAUDE.local.md").starts_with("# How we work"), "not even ours is renewed");
    assert_eq!(planted.skipped.len(), 2, "{planted:?}");
    lift(&rig, "r-1");
    assert_eq!(tree(&folder), "== .claude/commands/greet.md\nMine.\n\n");
}

#[test]
fn a_link_in_the_seed_folder_is_followed_only_inside_of_it() {
    let rig = Rig::new();
    let seed = source(&rig);
    fs::write(rig.dir.path().join("secret"), "Not for anybody.\n").unwrap();
    symlink(rig.dir.path().join("secret"), seed.join("prompts/leak.md")).unwrap();
    symlink("greet.md", seed.join("prompts/hello.md")).unwrap();
    symlink(&seed, seed.join("skills/loop")).unwrap();
    let planted = plant(&rig, &rig.repo());
    assert!(!rig.repo().join(".claude/commands/leak.md").exists());
    assert!(rig.repo().join(".claude/commands/hello.md").is_file());
    assert!(planted.skipped.iter().any(|it| it.starts_with("prompts/leak.md: it leads out")));
    assert!(planted.skipped.iter().any(|it| it.starts_with("skills/loop: ")));
}
