//! The conversations of subagents, which Claude Code keeps beside the main one.

use crate::seam::{AgentHome, RecordMapper, SubagentReader, TranscriptQuery};

use super::transcript::ClaudeMapper;
use super::{ClaudeCode, spawn};

/// An agent's id is some letters and digits; a longer one is none of the CLI's.
const LONGEST_ID: usize = 128;

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
    fn what_could_lead_elsewhere_is_no_agent() {
        let home = home(std::path::Path::new("/home/dev"));
        for agent in ["", "..", "a/b", "../../s2", "a\0", "a.jsonl", "ü", &"a".repeat(200)] {
            assert_eq!(ClaudeCode::new().locate(&home, "s1", agent), None, "{agent:?}");
        }
    }
}
