//! The conversations of subagents, which Claude Code keeps beside the main one.

use std::path::Path;

use serde::Deserialize;

use crate::seam::{
    AgentHome, AgentNote, AgentNotes, RecordMapper, SubagentReader, TranscriptQuery,
};

use super::transcript::ClaudeMapper;
use super::{ClaudeCode, spawn};

/// An agent's id is some letters and digits; a longer one is none of the CLI's.
const LONGEST_ID: usize = 128;

/// How the names of notes about agents end.
const NOTE: &str = ".meta.json";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Note {
    tool_use_id: String,
}

impl SubagentReader for ClaudeCode {
    fn locate(&self, home: &AgentHome, native_id: &str, agent: &str) -> Option<TranscriptQuery> {
        // It comes out of a request and becomes part of a path.
        let is_id = |text: &str| {
            let mut bytes = text.bytes();
            (1..=LONGEST_ID).contains(&text.len())
                && bytes.all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'))
        };
        (is_id(native_id) && is_id(agent)).then(|| {
            let TranscriptQuery::File { root, .. } = spawn::locate_transcript(home, native_id);
            TranscriptQuery::File {
                root,
                name: format!("{native_id}/subagents/agent-{agent}.jsonl"),
            }
        })
    }

    fn notes(&self, transcript: &Path) -> Option<AgentNotes> {
        let dir = transcript.with_extension("").join("subagents");
        Some(AgentNotes { dir, suffix: NOTE })
    }

    fn note(&self, path: &Path, bytes: &[u8]) -> Option<AgentNote> {
        let agent = path.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(NOTE)?;
        let note: Note = serde_json::from_slice(bytes).ok()?;
        Some(AgentNote { agent: agent.to_owned(), call_id: note.tool_use_id })
    }

    fn mapper(&self) -> Box<dyn RecordMapper> {
        Box::new(ClaudeMapper::of_agent())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::find;

    fn home(dir: &std::path::Path) -> AgentHome {
        AgentHome { home: dir.into(), env: vec![], configured: vec![], private: true }
    }

    #[test]
    fn an_agent_is_found_below_its_own_conversation_and_no_other() {
        let dir = tempfile::tempdir().expect("a folder");
        let agents = dir.path().join(".claude/projects/-srv-demo/s1/subagents");
        std::fs::create_dir_all(&agents).expect("folders");
        let file = agents.join("agent-a1.jsonl");
        std::fs::write(&file, "").expect("a file");
        let locate = |session: &str, agent: &str| {
            ClaudeCode::new().locate(&home(dir.path()), session, agent)
        };
        assert_eq!(find(&locate("s1", "a1").expect("an id")), Some(file));
        assert_eq!(find(&locate("s2", "a1").expect("an id")), None);
        assert_eq!(find(&locate("s1", "a2").expect("an id")), None);
    }

    #[test]
    fn a_note_tells_which_call_started_the_agent_and_nonsense_tells_nothing() {
        let claude = ClaudeCode::new();
        let place = claude.notes(Path::new("/p/s1.jsonl")).expect("a place");
        assert_eq!(place.dir, Path::new("/p/s1/subagents"));
        let read = |name: &str, text: &str| claude.note(Path::new(name), text.as_bytes());
        let whole = r#"{"agentType":"general-purpose","toolUseId":"toolu_1","spawnDepth":1}"#;
        let expected = AgentNote { agent: "a1".into(), call_id: "toolu_1".into() };
        assert_eq!(read("/p/s1/subagents/agent-a1.meta.json", whole), Some(expected));
        assert_eq!(read("/x/agent-a1.meta.json", &whole[..40]), None);
        assert_eq!(read("/x/agent-a1.jsonl", whole), None);
    }

    #[test]
    fn what_could_lead_elsewhere_is_no_agent() {
        let home = home(std::path::Path::new("/home/dev"));
        for agent in ["", "..", "a/b", "../../s2", "a\0", "a.jsonl", "ü", &"a".repeat(200)] {
            assert_eq!(ClaudeCode::new().locate(&home, "s1", agent), None, "{agent:?}");
        }
    }
}
