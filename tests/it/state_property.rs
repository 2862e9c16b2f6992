//! Every beginning of every recording has a legal state.

use std::path::PathBuf;

use seamux::providers::claude_code::ClaudeCode;
use seamux::providers::claude_code::transcript::ClaudeMapper;
use seamux::runs;
use seamux::schema::{MessageKind, RunState};
use seamux::seam::{Fact, Record, RecordMapper};

fn recordings() -> Vec<PathBuf> {
    let versions = ["2.1.197", "2.1.198", "2.1.332"];
    let folders = versions.map(|it| format!("fixtures/claude-code/{it}"));
    let files = folders.iter().flat_map(|it| std::fs::read_dir(it).unwrap());
    files.map(|it| it.unwrap().path()).collect()
}

fn lines(file: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<_> = file.split(|it| *it == b'\n').collect();
    assert_eq!(lines.pop(), Some(&b""[..]), "the last line has an end");
    lines
}

#[test]
fn every_beginning_of_every_recording_has_a_legal_state() {
    let provider = ClaudeCode::new();
    for path in recordings() {
        let file = std::fs::read(&path).unwrap();
        let lines = lines(&file);
        let states = runs::states(&provider, lines.iter().copied());
        assert_eq!(states.len(), lines.len());
        let spoken = states.iter().position(|it| *it != RunState::Idle).unwrap_or(states.len());
        for (at, state) in states.iter().enumerate() {
            let place = format!("{} at {}", path.display(), at + 1);
            assert_ne!(*state, RunState::Ended, "no record says so: {place}");
            // Nobody can take back that they said something.
            assert!(at < spoken || *state != RunState::Idle, "{place}");
        }
    }
}

/// What each state must be able to show for itself.
#[test]
fn a_question_is_open_and_a_turn_that_works_was_begun() {
    let provider = ClaudeCode::new();
    for path in recordings() {
        let file = std::fs::read(&path).unwrap();
        let lines = lines(&file);
        let states = runs::states(&provider, lines.iter().copied());
        let mut mapper = ClaudeMapper::default();
        let mut asked = 0;
        let mut begun = false;
        for (at, (bytes, state)) in (0..).zip(lines.iter().zip(&states)) {
            let mapped = mapper.map(Record { at, bytes });
            asked += mapped.messages.iter().filter(|it| it.kind == MessageKind::Dialog).count();
            begun |= mapped.facts.iter().any(|it| {
                matches!(it, Fact::Prompt(_) | Fact::TurnGoesOn | Fact::BackgroundStarted { .. })
            });
            let place = format!("{} at {}", path.display(), at + 1);
            match state {
                RunState::Question => assert!(asked > 0, "{place}"),
                RunState::Working => assert!(begun, "{place}"),
                RunState::NeedsInput | RunState::Idle | RunState::Ended => (),
            }
        }
    }
}

/// The server reads whatever has been written so far, so it may stop anywhere.
#[test]
fn reading_in_two_goes_is_reading_in_one() {
    let provider = ClaudeCode::new();
    for path in recordings() {
        let file = std::fs::read(&path).unwrap();
        let lines = lines(&file);
        let states = runs::states(&provider, lines.iter().copied());
        for cut in [lines.len() / 3, lines.len() / 2, lines.len().saturating_sub(1)] {
            let part = runs::states(&provider, lines[..cut].iter().copied());
            assert_eq!(part, states[..cut], "{}", path.display());
        }
    }
}

#[test]
fn a_recording_that_came_to_its_end_waits_for_a_person() {
    let provider = ClaudeCode::new();
    for name in ["2.1.198/rewind", "2.1.198/hookblock", "2.1.332/misc-agentbg", "2.1.197/basic"] {
        let path = PathBuf::from(format!("fixtures/claude-code/{name}.jsonl"));
        let inspection = runs::inspect(&provider, &path).unwrap();
        assert_eq!(inspection.state, RunState::NeedsInput, "{name}");
    }
}

/// The fuzzer's corpus, without the fuzzer: what it found once stays harmless.
#[test]
fn the_corpus_of_the_fuzzer_has_legal_states_and_equal_answers() {
    let provider = ClaudeCode::new();
    let mut count = 0;
    for entry in std::fs::read_dir("fuzz/corpus/mapper").unwrap() {
        let file = std::fs::read(entry.unwrap().path()).unwrap();
        let lines: Vec<_> = file.split(|it| *it == b'\n').collect();
        let states = runs::states(&provider, lines.iter().copied());
        assert!(!states.contains(&RunState::Ended));
        let [one, two] = [(); 2].map(|()| {
            let mut mapper = ClaudeMapper::default();
            let mapped = (0..).zip(&lines).map(|(at, bytes)| mapper.map(Record { at, bytes }));
            mapped.collect::<Vec<_>>()
        });
        assert_eq!(one, two);
        count += 1;
    }
    assert!(count > 50);
}
