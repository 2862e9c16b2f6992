//! Conversations that were started by hand: where they lie, and what a look at the
//! two ends of a record tells.

use std::path::{Path, PathBuf};

use crate::schema::{Message, MessageKind, Role};
use crate::seam::{AgentHome, Fact, Record, RecordMapper, RecordsPlace, SessionDiscovery, Sketch};

use super::ClaudeCode;
use super::spawn::config_dir;
use super::transcript::ClaudeMapper;

impl SessionDiscovery for ClaudeCode {
    fn records(&self, home: &AgentHome) -> RecordsPlace {
        RecordsPlace::Folders { root: config_dir(home).join("projects"), suffix: ".jsonl" }
    }

    /// The name is the id. Older versions put agents beside it, as `agent-….jsonl`.
    fn native_id(&self, path: &Path) -> Option<String> {
        let name = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let shape: Vec<usize> = name.split('-').map(str::len).collect();
        let digits = |it: char| it.is_ascii_hexdigit() || it == '-';
        (shape == [8, 4, 4, 4, 12] && name.chars().all(digits)).then(|| name.to_owned())
    }

    fn sketch(&self, head: &[u8], tail: &[u8]) -> Option<Sketch> {
        let mut look = Look::default();
        for line in lines(head) {
            look.take(line);
            if look.is_begun() {
                break;
            }
        }
        let newest: Vec<&[u8]> = lines(tail).collect();
        // Names stand here and there; everything else that counts is said last.
        for line in newest.iter().filter(|it| names_it(it)) {
            look.take(line);
        }
        let last = last_words(&newest[newest.len().saturating_sub(LAST)..]);
        let first = look.first.clone().or(last.clone())?;
        Some(Sketch {
            title: look.title.or_else(|| first_line(&first)),
            // Where it is now, which may be another folder than it began in.
            cwd: newest.iter().rev().find_map(|it| folder(it)).or(look.cwd),
            branch: look.branch,
            last_line: last.as_deref().and_then(first_line),
        })
    }
}

/// So many records from the end are looked at for the last words.
const LAST: usize = 16;

/// What was said or done last. By its time: the CLI may write an answer before its
/// prompt.
fn last_words(lines: &[&[u8]]) -> Option<String> {
    let mut last: Option<(String, String)> = None;
    for line in lines {
        let mapped = ClaudeMapper::default().map(Record { at: 0, bytes: line });
        for message in &mapped.messages {
            let time = message.time.clone().unwrap_or_default();
            if last.as_ref().is_none_or(|(newest, _)| *newest <= time) {
                last = words(message).map(|it| (time, it)).or(last);
            }
        }
    }
    last.map(|(_, words)| words)
}

/// What the beginning told so far.
#[derive(Default)]
struct Look {
    mapper: ClaudeMapper,
    title: Option<String>,
    branch: Option<String>,
    cwd: Option<PathBuf>,
    /// What a person said first.
    first: Option<String>,
}

impl Look {
    fn take(&mut self, line: &[u8]) {
        let mapped = self.mapper.map(Record { at: 0, bytes: line });
        for fact in mapped.facts {
            match fact {
                Fact::Title(title) => self.title = Some(title),
                Fact::Branch(branch) => self.branch = Some(branch),
                _ => {}
            }
        }
        self.cwd = self.cwd.take().or_else(|| folder(line));
        if self.first.is_none() {
            let said = |it: &&Message| it.role == Some(Role::User);
            self.first = mapped.messages.iter().filter(said).find_map(words);
        }
    }

    fn is_begun(&self) -> bool {
        self.first.is_some() && self.cwd.is_some()
    }
}

fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())
}

fn names_it(line: &[u8]) -> bool {
    let has = |word: &[u8]| memchr::memmem::find(line, word).is_some();
    has(br#""custom-title""#) || has(br#""ai-title""#) || has(br#""type":"summary""#)
}

/// What is said or done, if the main conversation says or does something.
fn words(message: &Message) -> Option<String> {
    if message.agent.is_some() || message.thinking {
        return None;
    }
    match message.kind {
        MessageKind::Text => message.text.clone().filter(|it| !it.trim().is_empty()),
        MessageKind::Tool => message.tool.as_ref().map(|it| it.title.clone()),
        MessageKind::Dialog => message.dialog.as_ref().map(|it| it.title.clone()),
        MessageKind::Lifecycle => None,
    }
}

fn first_line(text: &str) -> Option<String> {
    const LONGEST: usize = 200;
    let line = text.lines().map(str::trim).find(|it| !it.is_empty())?;
    Some(match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    })
}

/// The folder that a record names. Read from its bytes, because the record may be
/// cut, and is mostly about something else.
fn folder(line: &[u8]) -> Option<PathBuf> {
    const NAME: &[u8] = br#""cwd":"#;
    let at = memchr::memmem::find(line, NAME)?;
    let mut words = serde_json::Deserializer::from_slice(&line[at + NAME.len()..]).into_iter();
    let folder: String = words.next()?.ok()?;
    Some(PathBuf::from(folder)).filter(|it| it.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0b3e6f0e-6a2c-4a41-9f64-1d7c3f0b9a11";

    fn id(name: &str) -> Option<String> {
        ClaudeCode::new().native_id(&PathBuf::from("/p/-srv-shop").join(name))
    }

    fn sketch(text: &str) -> Option<Sketch> {
        ClaudeCode::new().sketch(text.as_bytes(), text.as_bytes())
    }

    #[test]
    fn only_a_conversation_has_an_id() {
        assert_eq!(id(&format!("{ID}.jsonl")).as_deref(), Some(ID));
        for name in ["agent-a1b2c3d4.jsonl", "notes.jsonl", "x.json", ".jsonl"] {
            assert_eq!(id(name), None, "{name}");
        }
    }

    #[test]
    fn what_a_person_said_first_is_the_title_until_there_is_a_name() {
        let said = r#"{"parentUuid":null,"isSidechain":false,"cwd":"/srv/shop","sessionId":"s","gitBranch":"main","type":"user","message":{"role":"user","content":"Fix the build\nplease"},"uuid":"a","timestamp":"2026-01-01T00:00:00.000Z"}"#;
        let done = r#"{"parentUuid":"a","isSidechain":false,"cwd":"/srv/shop/web","sessionId":"s","gitBranch":"main","type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Done.\nIt builds."}]},"uuid":"b","timestamp":"2026-01-01T00:00:01.000Z"}"#;
        let now = sketch(&format!("{said}\n{done}\n")).expect("a conversation");
        assert_eq!(now.title.as_deref(), Some("Fix the build"));
        assert_eq!(now.cwd, Some("/srv/shop/web".into()));
        assert_eq!(
            (now.branch.as_deref(), now.last_line.as_deref()),
            (Some("main"), Some("Done."))
        );
        let name = r#"{"type":"custom-title","customTitle":"The shop","sessionId":"s"}"#;
        let idea = r#"{"type":"ai-title","aiTitle":"Build repair","sessionId":"s"}"#;
        let now = sketch(&format!("{said}\n{name}\n{done}\n{idea}\n")).expect("a conversation");
        assert_eq!(now.title.as_deref(), Some("The shop"));
    }

    #[test]
    fn an_answer_that_stands_before_its_prompt_is_still_the_last_word() {
        let said = r#"{"isSidechain":false,"cwd":"/srv","type":"user","message":{"role":"user","content":"Well?"},"uuid":"a","timestamp":"2026-01-01T00:00:00.000Z"}"#;
        let done = r#"{"isSidechain":false,"cwd":"/srv","type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Done."}]},"uuid":"b","timestamp":"2026-01-01T00:00:01.000Z"}"#;
        let now = sketch(&format!("{done}\n{said}\n")).expect("a conversation");
        assert_eq!(now.title.as_deref(), Some("Well?"));
        assert_eq!(now.last_line.as_deref(), Some("Done."));
    }

    #[test]
    fn a_stub_and_the_words_of_an_agent_are_no_conversation() {
        assert_eq!(sketch(""), None);
        assert_eq!(sketch("{\"type\":\"mode\",\"mode\":\"plan\",\"sessionId\":\"s\"}\n"), None);
        let aside = r#"{"isSidechain":true,"agentId":"a1","cwd":"/srv","type":"user","message":{"role":"user","content":"Look"},"uuid":"a"}"#;
        assert_eq!(sketch(&format!("{aside}\n")), None);
    }

    #[test]
    fn every_recorded_conversation_has_a_title_and_a_folder() {
        let mut seen = 0;
        for version in ["2.1.197", "2.1.198", "2.1.332"] {
            let dir = format!("{}/fixtures/claude-code/{version}", env!("CARGO_MANIFEST_DIR"));
            for file in std::fs::read_dir(dir).expect("fixtures").flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                let is_whole = name.ends_with(".jsonl") && !name.contains("subagent");
                if !is_whole {
                    continue;
                }
                let bytes = std::fs::read(file.path()).expect("a fixture");
                let head = &bytes[..bytes.len().min(16 << 10)];
                let tail = &bytes[bytes.len().saturating_sub(32 << 10)..];
                let sketch = ClaudeCode::new().sketch(head, tail);
                let sketch = sketch.unwrap_or_else(|| panic!("{version}/{name} is empty"));
                assert!(sketch.title.is_some() && sketch.cwd.is_some(), "{name}: {sketch:?}");
                assert!(sketch.last_line.is_some(), "{name}: {sketch:?}");
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
