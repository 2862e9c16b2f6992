//! Public faults of others, by their case: finding transcripts, following them as
//! they grow, move and are written anew, and reading them from their end.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use seamux::providers::claude_code::ClaudeCode;
use seamux::seam::{AgentHome, AgentProvider, TranscriptQuery};
use seamux::transcript::{
    Bell, Follower, Progress, Watcher, find, last_line_end, line_start, read_line,
};

fn read(follower: &mut Follower) -> (Progress, Vec<String>) {
    let mut lines = Vec::new();
    let progress = follower
        .read(usize::MAX, |_, line| lines.push(String::from_utf8_lossy(line).into_owned()))
        .unwrap();
    (progress, lines)
}

fn append(path: &Path, text: &str) {
    let mut file = File::options().append(true).create(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// BB-TL-01
#[test]
fn a_transcript_is_found_by_its_conversation_and_never_by_its_folder() {
    let dir = tempfile::tempdir().unwrap();
    // Two workspaces whose names read the same in the folder's name.
    let folder = dir.path().join(".claude/projects/-srv-my-proj");
    fs::create_dir_all(&folder).unwrap();
    for id in ["one", "two"] {
        append(&folder.join(format!("{id}.jsonl")), "{}\n");
    }
    let locate = |id: &str| find(&ClaudeCode::new().locate_transcript(&home(dir.path(), None), id));
    assert_eq!(locate("one"), Some(folder.join("one.jsonl")));
    assert_eq!(locate("two"), Some(folder.join("two.jsonl")));
    // A third conversation, whose file is not there yet, gets neither of them.
    assert_eq!(locate("three"), None);
}

fn home(dir: &Path, config: Option<&str>) -> AgentHome {
    let env = config.map(|it| ("CLAUDE_CONFIG_DIR".to_owned(), it.to_owned()));
    AgentHome {
        home: dir.to_owned(),
        env: env.into_iter().collect(),
        configured: Vec::new(),
        private: false,
    }
}

/// BB-TL-07
#[test]
fn a_transcript_that_moves_is_followed_without_loss_or_repetition() {
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|it| dir.path().join(it));
    append(&a, "one\ntw");
    let mut follower = Follower::new(a.clone());
    assert_eq!(read(&mut follower).1, ["one"]);
    fs::rename(&a, &b).unwrap();
    append(&b, "o\n");
    assert_eq!(read(&mut follower).1, ["two"]);
    follower.moved_to(b.clone());
    // What is left under the old name is not the conversation.
    append(&a, "a stub\n");
    append(&b, "three\n");
    assert_eq!(read(&mut follower), (Progress::Current, vec!["three".to_owned()]));
    fs::rename(&b, &a).unwrap();
    follower.moved_to(a.clone());
    append(&a, "four\n");
    assert_eq!(read(&mut follower), (Progress::Current, vec!["four".to_owned()]));
}

/// BB-TL-11
#[test]
fn each_home_is_searched_where_it_keeps_its_things() {
    let root = |config: Option<&str>| {
        let query = ClaudeCode::new().locate_transcript(&home(Path::new("/home/dev"), config), "s");
        match query {
            TranscriptQuery::File { root, .. } => root,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(root(None), PathBuf::from("/home/dev/.claude/projects"));
    assert_eq!(root(Some("")), PathBuf::from("/home/dev/.claude/projects"), "empty is unset");
    assert_eq!(root(Some("/srv/account")), PathBuf::from("/srv/account/projects"));

    let dir = tempfile::tempdir().unwrap();
    let real = dir.path().join("real/projects/-srv-demo");
    fs::create_dir_all(&real).unwrap();
    append(&real.join("s.jsonl"), "{}\n");
    let link = dir.path().join("link");
    std::os::unix::fs::symlink(dir.path().join("real"), &link).unwrap();
    let home = home(dir.path(), link.to_str());
    let found = find(&ClaudeCode::new().locate_transcript(&home, "s"));
    assert_eq!(
        found.unwrap().canonicalize().unwrap(),
        real.join("s.jsonl").canonicalize().unwrap()
    );
}

/// BB-TR-01
#[test]
fn a_record_that_arrives_in_two_parts_arrives_once_and_whole() {
    let record = r#"{"type":"user","message":{"content":"split ä here"}}"#;
    let dir = tempfile::tempdir().unwrap();
    for cut in 0..=record.len() {
        let path = dir.path().join(cut.to_string());
        let mut file = File::create(&path).unwrap();
        let mut follower = Follower::new(path);
        file.write_all(&record.as_bytes()[..cut]).unwrap();
        assert_eq!(read(&mut follower), (Progress::Current, vec![]));
        file.write_all(&record.as_bytes()[cut..]).unwrap();
        assert_eq!(read(&mut follower), (Progress::Current, vec![]));
        file.write_all(b"\n").unwrap();
        assert_eq!(read(&mut follower), (Progress::Current, vec![record.to_owned()]));
    }
}

/// BB-TR-03: another file takes the name.
#[test]
fn a_replacement_of_any_size_voids_what_was_read_and_half_a_line_with_it() {
    for size in ["n\n", "new1\nne", "a new file that is longer\nthan the old one was\n"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t");
        append(&path, "old1\nol");
        let mut follower = Follower::new(path.clone());
        assert_eq!(read(&mut follower).1, ["old1"]);
        append(&dir.path().join("n"), size);
        fs::rename(dir.path().join("n"), &path).unwrap();
        assert_eq!(read(&mut follower), (Progress::Replaced, vec![]));
        let whole: Vec<_> = size.split_inclusive('\n').filter(|it| it.ends_with('\n')).collect();
        let whole: Vec<_> = whole.iter().map(|it| it.trim_end().to_owned()).collect();
        assert_eq!(read(&mut follower).1, whole);
    }
}

/// BB-TR-03: the same file is cut to nothing and written anew. Its length tells
/// nothing, also where it is the same to the byte.
#[test]
fn a_file_that_was_written_anew_in_place_is_noticed_at_any_length() {
    for old in ["old1\nold2\n", "old1\nol", "ol"] {
        for new in ["new1\nnew2\n", "new1\nne", "ne", "n", "new1\nnew2\nnew3\n", ""] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("t");
            append(&path, old);
            let mut follower = Follower::new(path.clone());
            read(&mut follower);
            fs::write(&path, new).unwrap();
            assert_eq!(read(&mut follower), (Progress::Replaced, vec![]), "{old:?}, {new:?}");
            let (_, lines) = read(&mut follower);
            let whole = new.split_inclusive('\n').filter(|it| it.ends_with('\n'));
            let whole: Vec<_> = whole.map(|it| it.trim_end().to_owned()).collect();
            assert_eq!(lines, whole, "{old:?}, {new:?}");
        }
    }
}

/// BB-TR-05
#[test]
fn a_window_at_the_end_begins_with_a_whole_line_and_is_never_empty() {
    const WINDOW: u64 = 128 * 1024;
    let line = |length: usize| format!("{}\n", "x".repeat(length - 1));
    let giant = line(300 * 1024);
    let fits_exactly = line(100) + &line(WINDOW as usize);
    let texts = ["one\ntwo\n", &fits_exactly, &("before\n".to_owned() + &giant), &giant];
    let begins = [0, 100, "before\n".len(), 0];
    for (text, begin) in texts.iter().zip(begins) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t");
        append(&path, text);
        append(&path, "half a line");
        let file = Arc::new(File::open(&path).unwrap());
        let end = last_line_end(&file, file.metadata().unwrap().len()).unwrap();
        assert_eq!(end, text.len() as u64, "the half line is left for later");
        let start = line_start(&file, end, WINDOW).unwrap();
        assert_eq!(start, begin as u64);
        let mut line = Vec::new();
        read_line(&file, start..end, &mut line).unwrap();
        assert!(!line.is_empty());
    }
}

/// Rings, or the test fails.
async fn rings(bell: &Bell, what: &str) {
    let rung = tokio::time::timeout(Duration::from_secs(10), bell.rung()).await;
    assert!(rung.is_ok(), "no ring: {what}");
}

/// Takes the rings of before, so that the next one is of what comes next.
async fn quiet(bell: &Bell) {
    while tokio::time::timeout(Duration::from_millis(300), bell.rung()).await.is_ok() {}
}

/// Waits until `done` holds, looking again at each ring.
async fn until(bell: &Bell, what: &str, mut done: impl FnMut() -> bool) {
    while !done() {
        rings(bell, what).await;
    }
}

/// BB-TR-07
#[tokio::test]
async fn a_watched_folder_that_is_removed_renamed_or_replaced_rings_again() {
    let remove = |parent: &Path| fs::remove_dir_all(parent.join("p")).unwrap();
    let rename = |parent: &Path| fs::rename(parent.join("p"), parent.join("q")).unwrap();
    let rename_parent = |parent: &Path| fs::rename(parent, parent.with_extension("x")).unwrap();
    let steps: [&dyn Fn(&Path); 3] = [&remove, &rename, &rename_parent];
    // Each on its own, and all of them one after the other.
    for steps in [&steps[..1], &steps[1..2], &steps[2..], &steps[..]] {
        let dir = tempfile::tempdir().unwrap();
        let parent = dir.path().join("projects");
        let path = parent.join("p/s.jsonl");
        fs::create_dir_all(parent.join("p")).unwrap();
        let watcher = Watcher::new().unwrap();
        let bell = watcher.file(&path);
        let mut follower = Follower::new(path.clone());
        let mut has = |text: &str| {
            let mut seen = false;
            loop {
                let (progress, lines) = read(&mut follower);
                seen |= lines.iter().any(|it| it == text);
                if progress != Progress::Replaced {
                    return seen;
                }
            }
        };
        append(&path, "first\n");
        until(&bell, "an append", || has("first")).await;
        for (number, step) in steps.iter().enumerate() {
            step(&parent);
            fs::create_dir_all(parent.join("p")).unwrap();
            for word in [format!("made anew {number}"), format!("appended {number}")] {
                quiet(&bell).await;
                append(&path, &format!("{word}\n"));
                rings(&bell, &word).await;
                until(&bell, &word, || has(&word)).await;
            }
        }
    }
}

/// BB-TR-07: what is written while watches are being added is not missed.
#[tokio::test]
async fn nothing_that_is_appended_while_watches_are_added_is_missed() {
    let dir = tempfile::tempdir().unwrap();
    let watcher = Watcher::new().unwrap();
    let paths: Vec<PathBuf> = (0..10).map(|it| dir.path().join(format!("f{it}/t"))).collect();
    paths.iter().for_each(|path| fs::create_dir_all(path.parent().unwrap()).unwrap());
    let writer = {
        let paths = paths.clone();
        std::thread::spawn(move || {
            for number in 0..200 {
                paths.iter().for_each(|path| append(path, &format!("{number}\n")));
            }
        })
    };
    let bells: Vec<_> = paths.iter().map(|path| watcher.file(path)).collect();
    for (path, bell) in paths.iter().zip(&bells) {
        let (mut follower, mut lines) = (Follower::new(path.clone()), Vec::new());
        until(bell, "all appends", || {
            lines.extend(read(&mut follower).1);
            lines.len() == 200
        })
        .await;
        assert!(lines.iter().zip(0..).all(|(line, number)| *line == number.to_string()));
    }
    writer.join().unwrap();
}

/// BB-TL-07: a stub takes the old name before anybody says where the file went.
#[test]
fn a_file_that_moved_on_is_followed_past_what_it_left_behind() {
    let dir = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|it| dir.path().join(it).join("s.jsonl"));
    [&a, &b].into_iter().for_each(|it| fs::create_dir_all(it.parent().unwrap()).unwrap());
    let query = TranscriptQuery::File { root: dir.path().into(), name: "s.jsonl".into() };
    let mut follower = Follower::new(a.clone()).within(query);
    append(&a, "one\n");
    assert_eq!(read(&mut follower).1, ["one"]);
    for (from, to, word) in [(&a, &b, "two"), (&b, &a, "three")] {
        fs::rename(from, to).unwrap();
        append(from, "a stub\n");
        append(to, &format!("{word}\n"));
        assert_eq!(read(&mut follower), (Progress::Current, vec![word.to_owned()]));
        assert_eq!(follower.path(), to.as_path());
    }
    // Set aside under a name that is none of the conversation's: what has the name
    // now is the conversation.
    fs::rename(&a, dir.path().join("s.jsonl.bak")).unwrap();
    append(&a, "anew\n");
    assert_eq!(read(&mut follower).0, Progress::Replaced);
    assert_eq!(read(&mut follower).1, ["anew"]);
}
