//! A file that grows, shrinks, moves and is replaced.

use std::io::Write;

use super::*;

fn read(follower: &mut Follower) -> (Progress, Vec<(u64, String)>) {
    let mut lines = Vec::new();
    let progress = follower
        .read(usize::MAX, |at, line| {
            lines.push((at, String::from_utf8_lossy(line).into()));
        })
        .expect("a readable file");
    (progress, lines)
}

fn append(path: &Path, text: &str) {
    let mut file = File::options().append(true).create(true).open(path).expect("open");
    file.write_all(text.as_bytes()).expect("write");
}

#[test]
fn half_a_record_waits_for_its_other_half() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("t.jsonl");
    let mut follower = Follower::new(path.clone());
    assert_eq!(read(&mut follower), (Progress::Missing, vec![]));
    append(&path, "one\ntw");
    assert_eq!(read(&mut follower), (Progress::Current, vec![(0, "one".into())]));
    append(&path, "o\nthree\n");
    let expected = vec![(4, "two".into()), (8, "three".into())];
    assert_eq!(read(&mut follower), (Progress::Current, expected));
    assert_eq!(read(&mut follower), (Progress::Current, vec![]));
}

#[test]
fn a_rename_is_followed_and_a_replacement_is_noticed() {
    let dir = tempfile::tempdir().expect("a folder");
    let (old, new) = (dir.path().join("a"), dir.path().join("b"));
    append(&old, "one\n");
    let mut follower = Follower::new(old.clone());
    read(&mut follower);
    std::fs::rename(&old, &new).expect("rename");
    append(&new, "two\n");
    assert_eq!(read(&mut follower).1, vec![(4, "two".into())]);
    follower.moved_to(new.clone());
    append(&dir.path().join("c"), "other\n");
    std::fs::rename(dir.path().join("c"), &new).expect("replace");
    assert_eq!(read(&mut follower).0, Progress::Replaced);
    assert_eq!(read(&mut follower).1, vec![(0, "other".into())]);
}

#[test]
fn a_file_that_shrank_is_read_again_from_its_start() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("t");
    append(&path, "one\ntwo\n");
    let mut follower = Follower::new(path.clone());
    read(&mut follower);
    std::fs::write(&path, "new\n").expect("write");
    assert_eq!(read(&mut follower).0, Progress::Replaced);
    assert_eq!(read(&mut follower).1, vec![(0, "new".into())]);
}

#[test]
fn a_file_that_was_written_anew_and_is_longer_is_read_from_its_start() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("t");
    append(&path, "one\ntwo\n");
    let mut follower = Follower::new(path.clone());
    read(&mut follower);
    std::fs::write(&path, "another\nconversation\n").expect("write");
    assert_eq!(read(&mut follower).0, Progress::Replaced);
    assert_eq!(read(&mut follower).1[0], (0, "another".into()));
}

#[test]
fn reading_resumes_where_another_reader_stands() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("t");
    append(&path, "one\ntwo\n");
    let file = Arc::new(File::open(&path).expect("open"));
    let mut follower = Follower::resume(path.clone(), file, 4).expect("a reader");
    append(&path, "three\n");
    let expected = vec![(4, "two".into()), (8, "three".into())];
    assert_eq!(read(&mut follower), (Progress::Current, expected));
    assert_eq!(follower.next(), 14);
}

#[test]
fn an_overlong_line_costs_itself_and_nothing_else() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("t");
    let long = "x".repeat(LONGEST_LINE + 10);
    append(&path, &format!("{long}\nnext\n"));
    let mut follower = Follower::new(path);
    let (_, lines) = read(&mut follower);
    assert_eq!(lines[0].1.len(), LONGEST_LINE);
    assert_eq!(lines[1], (long.len() as u64 + 1, "next".into()));
}

#[test]
fn a_budget_stops_between_blocks_and_loses_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("t");
    let text: String = (0..60_000).map(|n| format!("line {n}\n")).collect();
    append(&path, &text);
    let mut follower = Follower::new(path);
    let mut lines = String::new();
    let mut rounds = 0;
    loop {
        rounds += 1;
        let progress = follower
            .read(1, |_, line| {
                lines.push_str(&String::from_utf8_lossy(line));
                lines.push('\n');
            })
            .expect("a readable file");
        if progress == Progress::Current {
            break;
        }
    }
    assert!(rounds > 1);
    assert_eq!(lines, text);
}
