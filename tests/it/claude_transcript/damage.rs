//! Lines that are cut, glued, torn or huge. One bad line costs that line alone.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use seamux::seam::{Fact, Mapped};

use super::map_lines;

const BEFORE: &[u8] = br#"{"type":"user","message":{"role":"user","content":"before"}}"#;
const AFTER: &[u8] =
    br#"{"type":"assistant","message":{"id":"m9","content":[{"type":"text","text":"after"}]}}"#;

/// Maps a line between two good ones, which must not suffer.
fn between(line: &[u8]) -> Mapped {
    let [before, this, after] = map_lines([BEFORE, line, AFTER]).try_into().unwrap();
    assert_eq!(before.messages[0].text.as_deref(), Some("before"));
    assert_eq!(after.messages.len(), 1);
    assert_eq!(after.messages[0].text.as_deref(), Some("after"));
    assert!(this.messages.iter().all(|it| it.position.record == 2));
    assert!(this.messages.is_sorted_by_key(|it| it.position));
    let mut places: Vec<_> = this.messages.iter().map(|it| it.position).collect();
    places.dedup();
    assert_eq!(places.len(), this.messages.len(), "no place is taken twice");
    this
}

fn unknown(mapped: &Mapped) -> usize {
    let facts = mapped.facts.iter();
    facts.filter(|it| matches!(it, Fact::UnknownRecord(_))).count()
}

#[test]
fn a_half_line_is_kept_as_unknown() {
    let mapped = between(br#"{"type":"user","message":{"role":"user","content":"hal"#);
    assert_eq!((mapped.messages.len(), unknown(&mapped)), (1, 1));
}

#[test]
fn a_half_line_does_not_swallow_the_record_behind_it() {
    let half = br#"{"type":"user","message":{"role":"user","content":"hal"#;
    let mapped = between(&[&half[..], BEFORE].concat());
    assert_eq!((mapped.messages.len(), unknown(&mapped)), (2, 1));
    assert_eq!(mapped.messages[1].text.as_deref(), Some("before"));
}

#[test]
fn two_records_in_one_line_are_both_mapped() {
    let mapped = between(&[BEFORE, AFTER].concat());
    let texts: Vec<_> = mapped.messages.iter().filter_map(|it| it.text.as_deref()).collect();
    assert_eq!((texts, unknown(&mapped)), (vec!["before", "after"], 0));
}

/// BB-TP-09
#[test]
fn torn_characters_are_replaced_and_the_line_is_kept() {
    let surrogate = br#"{"type":"user","message":{"content":"cut here \ud83d"}}"#;
    let bytes = b"{\"type\":\"user\",\"message\":{\"content\":\"cut here \xc3\"}}";
    for line in [&surrogate[..], bytes] {
        let mapped = between(line);
        assert_eq!(mapped.messages[0].text.as_deref(), Some("cut here \u{fffd}"));
    }
    let input = br#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"echo \ud83d"}}]}}"#;
    let mapped = between(input);
    let tool = mapped.messages[0].tool.as_ref().unwrap();
    assert_eq!(
        (tool.title.as_str(), &tool.input["command"]),
        ("echo \u{fffd}", &"echo \u{fffd}".into())
    );
}

#[test]
fn zeros_and_a_byte_order_mark_before_a_line_are_skipped() {
    let mapped = between(&[&b"\0\0\0\xef\xbb\xbf"[..], BEFORE].concat());
    assert_eq!(mapped.messages[0].text.as_deref(), Some("before"));
    assert_eq!(between(b"\0\0\0"), Mapped::default());
    assert_eq!(between(b""), Mapped::default());
}

/// BB-TP-11
#[test]
fn a_huge_line_leaves_a_mark_and_its_payload_behind() {
    let image = "A".repeat(12 << 20);
    let line = format!(
        r#"{{"type":"user","message":{{"content":[{{"type":"image","source":{{"type":"base64","data":"{image}"}}}}]}}}}"#
    );
    let shown = &between(line.as_bytes()).messages[0];
    assert_eq!((shown.text.as_deref(), shown.attachments.len()), (None, 1));
    assert_eq!(shown.attachments[0].bytes, None, "what was cut has no known size");

    let line = format!(
        r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"Write","input":{{"file_path":"/x","content":"{image}"}}}}]}}}}"#
    );
    let mapped = between(line.as_bytes());
    let tool = mapped.messages[0].tool.as_ref().unwrap();
    assert_eq!(tool.title, "Write /x");
    assert!(tool.input.as_str().unwrap().len() < 10_000);
}

#[test]
fn a_line_of_countless_tiny_parts_is_cut_and_not_unfolded() {
    let parts = "{},".repeat(1 << 20);
    let line =
        format!(r#"{{"type":"user","toolUseResult":[{parts}0],"message":{{"content":"x"}}}}"#);
    assert_eq!(between(line.as_bytes()).messages[0].text.as_deref(), Some("x"));
}

/// Every line of the recordings that is not too long to be changed at leisure.
static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut lines = Vec::new();
    for version in ["2.1.197", "2.1.332"] {
        for entry in std::fs::read_dir(format!("fixtures/claude-code/{version}")).unwrap() {
            let text = std::fs::read(entry.unwrap().path()).unwrap();
            let short = text.split(|it| *it == b'\n').filter(|it| it.len() < 5000);
            lines.extend(short.map(<[u8]>::to_vec));
        }
    }
    lines
});

fn recorded_line() -> impl Strategy<Value = Vec<u8>> {
    any::<Index>().prop_map(|it| it.get(&LINES).clone())
}

fn without_line_feeds(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|it| **it == b'\n') {
        *byte = b' ';
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn any_bytes_are_legal(mut bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        without_line_feeds(&mut bytes);
        between(&bytes);
    }

    #[test]
    fn a_recorded_line_may_be_cut_anywhere(line in recorded_line(), cut in any::<Index>()) {
        between(&line[..cut.index(line.len() + 1)]);
    }

    #[test]
    fn a_recorded_line_may_be_changed_anywhere(
        mut line in recorded_line(),
        changes in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..6),
    ) {
        for (place, byte) in changes {
            if !line.is_empty() {
                let place = place.index(line.len());
                line[place] = byte;
            }
        }
        without_line_feeds(&mut line);
        between(&line);
    }

    #[test]
    fn lines_may_run_into_each_other(
        one in recorded_line(),
        cut in any::<Index>(),
        two in recorded_line(),
    ) {
        let cut = cut.index(one.len() + 1);
        between(&[&one[..cut], &two].concat());
    }

    #[test]
    fn any_text_is_shown_as_something(text in ".{0,80}") {
        let line = serde_json::json!({"type": "user", "promptSource": "typed", "message": {"content": text}});
        let mapped = between(line.to_string().as_bytes());
        prop_assert_eq!(mapped.messages.len(), usize::from(!text.trim().is_empty()));
    }
}
