//! Pages that are read where somebody looks are equal to those of a reading of
//! the whole: for every recording, and for conversations that are made up.

mod made;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use seamux::providers::claude_code::ClaudeCode;
use seamux::runs::{Keep, Source, View, Window, for_wire, newest};
use seamux::schema::{Message, Position};
use seamux::seam::{AgentProvider, Outline, Record, RecordMapper};
use serde_json::json;

use made::{call, calls, made, transcript};

const SIZES: [usize; 5] = [1, 2, 3, 7, 100];

fn claude() -> Arc<dyn AgentProvider> {
    Arc::new(ClaudeCode::default())
}

fn lines(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut at = 0;
    text.split_inclusive(|it| *it == b'\n').filter_map(move |line| {
        let start = at;
        at += line.len() as u64;
        let line = line.strip_suffix(b"\n")?;
        Some((start, line.strip_suffix(b"\r").unwrap_or(line)))
    })
}

fn fill(view: &mut View, mapper: &mut dyn RecordMapper, text: &[u8], from: u64) {
    for (at, bytes) in lines(text).filter(|it| it.0 >= from) {
        view.take(mapper.map(Record { at, bytes }));
    }
}

/// All messages by a reading of the whole: one mapper, nothing let go, nothing
/// cut before the end.
fn whole(text: &[u8]) -> Vec<Message> {
    let mut view = View::new(Keep::records(0..u64::MAX, true));
    fill(&mut view, claude().mapper().as_mut(), text, 0);
    view.into_messages()
}

/// As they go over the wire, without what differs from reading to reading.
fn wire(messages: &[Message]) -> Vec<String> {
    messages
        .iter()
        .map(|it| serde_json::to_string(&Message { revision: 0, ..it.clone() }).unwrap())
        .collect()
}

/// Tells the first difference, in a length that a person can read.
#[track_caller]
fn assert_same(read: &[Message], expected: &[Message], how: &str) {
    let (read, expected) = (wire(read), wire(expected));
    let short = |it: Option<&String>| it.map(|it| it.replace("éééééééé", "").replace("word ", ""));
    let differs = (0..read.len().max(expected.len())).find(|at| read.get(*at) != expected.get(*at));
    if let Some(at) = differs {
        let (read, expected) = (short(read.get(at)), short(expected.get(at)));
        panic!("{how}: message {at} is\n{read:?}, and not\n{expected:?}");
    }
}

/// A record on disk, and what the actor and the pages do with it.
struct Reader {
    source: Source,
    view: View,
    size: usize,
}

impl Reader {
    /// A view that holds only a few of the newest messages, or none at all.
    fn open(
        provider: Arc<dyn AgentProvider>,
        path: &Path,
        text: &[u8],
        keep: Option<usize>,
    ) -> Self {
        let file = Arc::new(File::open(path).unwrap());
        let mut view = View::starting_at(u64::MAX);
        if let Some(messages) = keep {
            view = View::new(Keep { messages, ..Keep::default() });
            fill(&mut view, provider.mapper().as_mut(), text, 0);
        }
        let source = Source::new(provider, path.to_owned(), file).unwrap();
        Self { source, view, size: 1 }
    }

    fn page(&self, window: Window) -> (Vec<Message>, bool) {
        let partial = self.view.page(window, self.size);
        let page = partial.complete(self.size, |older| self.source.read(older, false)).unwrap();
        assert!(page.messages.len() <= self.size);
        (page.messages, page.has_more)
    }

    /// From the newest page back to the first.
    fn backwards(&self) -> Vec<Message> {
        let (mut all, mut more) = self.page(Window::Newest);
        while more {
            let (mut page, has_more) = self.page(Window::Before(all[0].position));
            assert!(!page.is_empty(), "there is said to be more");
            page.append(&mut all);
            (all, more) = (page, has_more);
        }
        all
    }

    fn forwards(&self) -> Vec<Message> {
        // Not even the first message is left out: no position is before it.
        let mut all: Vec<Message> = self.page(Window::Before(Position::new(0, 1))).0;
        loop {
            let start = all.last().map_or(Position::default(), |it| it.position);
            let (mut page, has_more) = self.page(Window::After(start));
            all.append(&mut page);
            if !has_more {
                return all;
            }
        }
    }
}

fn assert_pages_are_equal(text: &[u8], keep: Option<usize>, sizes: &[usize]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.jsonl");
    std::fs::write(&path, text).unwrap();
    let all = whole(text);
    let expected: Vec<Message> = all.iter().map(for_wire).collect();
    for &size in sizes {
        let reader = Reader { size, ..Reader::open(claude(), &path, text, keep) };
        assert_same(&reader.backwards(), &expected, &format!("backwards by {size}"));
        assert_same(&reader.forwards(), &expected, &format!("forwards by {size}"));
    }
    let reader = Reader::open(claude(), &path, text, keep);
    for message in all {
        let mut read = reader.source.message(message.position, false).unwrap().unwrap();
        // As the server does: the record of one message does not know what came later.
        read.abandoned = reader.view.is_left(message.position);
        assert_same(&[read], &[message], "alone");
    }
}

#[test]
fn every_recording_pages_as_it_reads() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude-code");
    let mut recordings = 0;
    let versions = std::fs::read_dir(root).unwrap().flatten().map(|it| it.path());
    // Beside the versions stand their screens.
    for version in versions.filter(|it| it.is_dir() && !it.ends_with("screens")) {
        for recording in std::fs::read_dir(version).unwrap().flatten() {
            let text = std::fs::read(recording.path()).unwrap();
            assert_pages_are_equal(&text, Some(4), &SIZES);
            recordings += 1;
        }
    }
    assert!(recordings > 50, "{recordings}");
}

/// A provider that says nothing about its records.
struct Silent(ClaudeCode);

macro_rules! as_before {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&self, $($arg: $kind),*) -> $answer { self.0.$name($($arg),*) })*
    };
}

impl AgentProvider for Silent {
    as_before! {
        descriptor() -> &seamux::seam::Descriptor;
        probe() -> seamux::seam::Probe;
        version(stdout: &str) -> Option<String>;
        prepare(spec: &seamux::seam::SpawnSpec) -> Result<seamux::seam::Prepared, seamux::seam::SeamError>;
        locate_transcript(home: &seamux::seam::AgentHome, id: &str) -> seamux::seam::TranscriptQuery;
        mapper() -> Box<dyn RecordMapper>;
        reply(text: &str) -> Result<seamux::seam::ReplyPlan, seamux::seam::SeamError>;
        holds_draft(screen: &str, draft: &str) -> Option<bool>;
        composer(screen: &str) -> Option<seamux::seam::Composer>;
        interrupt(activity: seamux::seam::Activity) -> Result<seamux::seam::Recipe, seamux::seam::SeamError>;
        caret(screen: &str, draft: &str) -> Option<seamux::seam::Caret>;
        submit_again(draft: &str) -> seamux::seam::Recipe;
        clear(draft: &str) -> seamux::seam::Recipe;
        withdraw(text: &str) -> seamux::seam::Recipe;
        home_env(get: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)>;
        scripted_env(url: &str) -> Vec<(String, String)>;
    }

    fn outline(&self, _record: Record<'_>) -> Option<Outline> {
        None
    }
}

#[test]
fn a_provider_without_outlines_pages_all_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude-code/2.1.332");
    let path = root.join("planf-F0.jsonl");
    let text = std::fs::read(&path).unwrap();
    let expected: Vec<Message> = whole(&text).iter().map(for_wire).collect();
    let silent: Arc<dyn AgentProvider> = Arc::new(Silent(ClaudeCode::default()));
    let reader = Reader { size: 3, ..Reader::open(silent.clone(), &path, &text, Some(4)) };
    assert_same(&reader.backwards(), &expected, "without outlines");
    assert!(newest(&silent, &Arc::new(File::open(&path).unwrap())).unwrap().is_none());
}

#[test]
fn the_end_of_a_long_record_is_read_with_what_it_needs_from_before() {
    let plan = json!({"file_path": "/home/p/.claude/plans/a.md", "content": "The plan."});
    let edit = json!({"file_path": "/home/p/.claude/plans/a.md", "old_string": "plan", "new_string": "better plan"});
    let long = calls(vec![json!({"type": "text", "text": "word ".repeat(100_000)})]);
    let mut records = vec![
        calls(vec![call("w".into(), "Write", plan)]),
        calls(vec![call("e".into(), "Edit", edit)]),
    ];
    records.extend(std::iter::repeat_n(long, 20));
    records.push(calls(vec![call("p".into(), "ExitPlanMode", json!({}))]));
    let mut text: Vec<u8> = records.iter().map(|it| format!("{it}\n")).collect::<String>().into();
    let end = text.len() as u64;
    text.extend(b"{\"type\":\"user\",\"mess");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let newest = newest(&claude(), &Arc::new(File::open(file.path()).unwrap())).unwrap().unwrap();
    assert!(newest.start > 0 && newest.next == end);
    let mut view = View::starting_at(newest.start);
    for mapped in newest.mapped {
        view.take(mapped);
    }
    let all: Vec<Message> = whole(&text).iter().map(for_wire).collect();
    let read = view.into_messages();
    assert_same(&read, &all[all.len() - read.len()..], "from the end");
    assert_eq!(read.last().unwrap().dialog.as_ref().unwrap().body, "The better plan.");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn made_up_conversations_page_as_they_read(
        records in prop::collection::vec(made(), 0..40),
        keep in prop::option::of(0..20_usize),
        half in prop::option::of(Just(b"{\"type\":\"user\",\"mess".to_vec())),
    ) {
        // Without a view, names may come again.
        let mut text = transcript(&records, keep.is_none());
        text.extend(half.unwrap_or_default());
        assert_pages_are_equal(&text, keep, &[1, 3, 100]);
    }

    #[test]
    fn appends_between_pages_change_no_older_page(
        before in prop::collection::vec(made(), 1..40),
        after in prop::collection::vec(made(), 1..20),
        size in prop::sample::select(&SIZES[..]),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.jsonl");
        let old = transcript(&before, false);
        std::fs::write(&path, &old).unwrap();
        let mut reader = Reader { size, ..Reader::open(claude(), &path, &old, Some(5)) };
        let (newest, _) = reader.page(Window::Newest);
        // The index covers the old part by now; the rest comes while we page.
        let first = newest.first().map_or(Position::new(u64::MAX, 0), |it| it.position);
        reader.page(Window::Before(first));
        let mut both = before;
        both.extend(after);
        let text = transcript(&both, false);
        File::options().append(true).open(&path).unwrap().write_all(&text[old.len()..]).unwrap();
        reader.view = Reader::open(claude(), &path, &text, Some(5)).view;
        let expected: Vec<Message> = whole(&text).iter().map(for_wire).collect();
        assert_same(&reader.backwards(), &expected, "after appends");
    }
}
