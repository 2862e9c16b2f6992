//! Any bytes are a transcript: mapped without a panic, each record where it
//! stands, the same each time, and with a legal state after each record.

use seamux::providers::claude_code::ClaudeCode;
use seamux::runs;
use seamux::schema::{Position, RunState};
use seamux::seam::{AgentProvider, Fact, Mapped, Record};

pub(crate) fn check_file(file: &[u8]) {
    let provider = ClaudeCode::new();
    let lines: Vec<&[u8]> = file.split(|it| *it == b'\n').collect();
    let mut mapper = provider.mapper();
    let mut again = provider.mapper();
    let mut agent = provider.subagents().expect("subagents").mapper();
    let mut at = 0;
    for line in &lines {
        let mapped = mapper.map(Record { at, bytes: line });
        check(at, &mapped);
        assert_eq!(mapped, again.map(Record { at, bytes: line }), "equal answers");
        check(at, &agent.map(Record { at, bytes: line }));
        // A page may begin anywhere.
        let alone = provider.mapper().map(Record { at, bytes: line });
        assert_eq!(places(&alone), places(&mapped));
        at += line.len() as u64 + 1;
    }
    let states = runs::states(&provider, lines.iter().copied());
    assert_eq!(states.len(), lines.len());
    assert!(!states.contains(&RunState::Ended), "no record says that a process is gone");
}

fn places(mapped: &Mapped) -> Vec<Position> {
    mapped.messages.iter().map(|it| it.position).collect()
}

fn check(at: u64, mapped: &Mapped) {
    let places = places(mapped);
    assert!(places.iter().all(|it| it.record == at), "at its own place");
    let mut sorted = places.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted, places, "no place is taken twice");
    for fact in &mapped.facts {
        match fact {
            Fact::Abandoned { from, to } => assert!(from < to && to.record <= at),
            Fact::Prompt(mark) => {
                assert!(places.contains(&Position::new(at, mark.block)), "a prompt is shown");
            }
            _ => (),
        }
    }
    for message in &mapped.messages {
        assert!(!message.abandoned);
        let hidden = message.is_hidden().then_some(&message.lifecycle).into_iter().flatten();
        for lifecycle in hidden {
            assert!(lifecycle.detail.as_ref().is_none_or(|it| it.len() <= 4096));
        }
    }
}
