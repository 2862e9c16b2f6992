//! What a record has to do with others: the ids of calls and results, the plan
//! that is written to a file and shown later, and the two halves of a compaction.
//!
//! Every record of a long transcript passes here, so the common one is only searched
//! for a few words. Where that can't tell, it is read into a shape that skips all
//! its texts; and where that can't tell enough, as the mapper reads it.

use std::hash::{DefaultHasher, Hash, Hasher};

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::seam::Outline;

use super::condense::LONG_LINE;
use super::dialogs;
use super::loose::{Scalar, Shape};
use super::record::{Native, Part};
use super::salvage;
use super::tools;

/// A plan file, from its writing over its edits to the call that shows it.
const PLAN: u8 = 1;
/// A boundary and the summary behind it.
const COMPACTION: u8 = 2;

/// As much of a record as an outline needs.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Head<'a> {
    #[serde(borrow)]
    subtype: Scalar<'a>,
    #[serde(borrow)]
    is_compact_summary: Scalar<'a>,
    #[serde(borrow)]
    message: Shape<'a, HeadMessage<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HeadMessage<'a> {
    #[serde(borrow)]
    content: Shape<'a, HeadPart<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HeadPart<'a> {
    #[serde(borrow)]
    id: Scalar<'a>,
    #[serde(borrow)]
    name: Scalar<'a>,
    #[serde(borrow)]
    tool_use_id: Scalar<'a>,
    #[serde(borrow)]
    input: Shape<'a, HeadInput<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HeadInput<'a> {
    #[serde(borrow)]
    file_path: Scalar<'a>,
}

pub(in super::super) fn outline(line: &[u8]) -> Outline {
    at_a_glance(line).or_else(|| by_its_head(line)).unwrap_or_else(|| closely(line))
}

/// Without taking it apart. Calls, results and compactions all have one of a few
/// words in them, so a line without those has no outline, whatever it is. And no
/// text can look like the key of an id: its quotes would be escaped.
fn at_a_glance(line: &[u8]) -> Option<Outline> {
    const WORD: &[u8] = b"tool_use";
    if [&b"compact_boundary"[..], b"isCompactSummary"].iter().any(|it| has(line, it))
        || has_escaped_letter(line)
    {
        return None;
    }
    let mut outline = Outline::default();
    for at in memmem::find_iter(line, WORD) {
        let (before, after) = (&line[..at], &line[at + WORD.len()..]);
        let before = before.strip_suffix(b"\"")?;
        if let Some(id) = after.strip_prefix(b"_id\":") {
            let id = id.trim_ascii_start().strip_prefix(b"\"")?;
            let end = memchr::memchr2(b'"', b'\\', id).filter(|it| id[*it] == b'"')?;
            note_id(str::from_utf8(&id[..end]).ok()?, &mut outline);
        } else if !before.trim_ascii_end().ends_with(b"\"stop_reason\":") {
            return None;
        }
    }
    Some(outline)
}

fn has(line: &[u8], word: &[u8]) -> bool {
    memmem::find(line, word).is_some()
}

/// Whether a letter of a word could hide behind its number.
fn has_escaped_letter(line: &[u8]) -> bool {
    let mut escapes = memmem::find_iter(line, b"\\u00");
    escapes.any(|at| matches!(line.get(at + 4), Some(b'4'..=b'7')))
}

/// By a few of its fields, if it is one good record that shows no plan.
fn by_its_head(line: &[u8]) -> Option<Outline> {
    if line.len() > LONG_LINE {
        return None;
    }
    let head: Head<'_> = serde_json::from_slice(line).ok()?;
    let mut outline = Outline::default();
    note_compaction(&head.subtype, &head.is_compact_summary, &mut outline);
    let parts = head.message.one().map_or(&[][..], |it| it.content.many());
    for part in parts.iter().filter_map(Shape::one) {
        note_ids(&part.id, &part.tool_use_id, &mut outline);
        let path = part.input.one().and_then(|it| it.file_path.text());
        let shows_plan = part.name.text().and_then(dialogs::kind).is_some();
        if shows_plan || path.is_some_and(tools::is_plan_file) {
            return None;
        }
    }
    Some(outline)
}

/// By the mapper's own reading.
fn closely(line: &[u8]) -> Outline {
    let mut outline = Outline::default();
    salvage::for_each_object(line, |object| {
        let Ok((native, _)) = object else { return };
        note_compaction(&native.subtype, &native.is_compact_summary, &mut outline);
        for part in parts(native) {
            note_ids(&part.id, &part.tool_use_id, &mut outline);
            note_plan(native, part, &mut outline);
        }
    });
    outline
}

fn parts<'r, 'a>(native: &'r Native<'a>) -> impl Iterator<Item = &'r Part<'a>> {
    let parts = native.message.one().map_or(&[][..], |it| it.content.many());
    parts.iter().filter_map(Shape::one)
}

fn note_compaction(subtype: &Scalar<'_>, is_summary: &Scalar<'_>, outline: &mut Outline) {
    if is_summary.is_true() || subtype.text() == Some("compact_boundary") {
        outline.threads |= COMPACTION;
    }
}

fn note_ids(call: &Scalar<'_>, result: &Scalar<'_>, outline: &mut Outline) {
    for id in [call, result].into_iter().filter_map(Scalar::text) {
        note_id(id, outline);
    }
}

fn note_id(id: &str, outline: &mut Outline) {
    if !id.trim().is_empty() {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        outline.ties.push(hasher.finish());
    }
}

/// Only a plan that is written whole, before anything else asks for it, makes
/// the earlier ones void.
fn note_plan(native: &Native<'_>, part: &Part<'_>, outline: &mut Outline) {
    let name = part.name.text().unwrap_or_default();
    let input = tools::input(part.input.map_or("{}", RawValue::get), |input| {
        input.file_path.text().is_some_and(tools::is_plan_file)
    });
    let is_call = part.id.words().is_some() && part.kind.text() == Some("tool_use");
    let is_new = input && name == "Write" && is_call && native.kind.text() == Some("assistant");
    if dialogs::kind(name).is_some() || input {
        if is_new && outline.threads & PLAN == 0 {
            outline.renews |= PLAN;
        }
        outline.threads |= PLAN;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(id: &str, name: &str, input: &serde_json::Value) -> Vec<u8> {
        let block = json!({"type": "tool_use", "id": id, "name": name, "input": input});
        json!({"type": "assistant", "message": {"content": [block]}}).to_string().into()
    }

    #[test]
    fn a_call_and_its_result_share_a_tie_and_nothing_else_does() {
        let result = br#"{"type":"user","message":{"content":[{"type":"tool_result",
            "tool_use_id":"t1","content":[{"id":"t2"}]}]},"toolUseResult":{"id":"t3"}}"#;
        let call_of = |id| outline(&call(id, "Bash", &json!({"command": "ls"}))).ties;
        assert_eq!(outline(result).ties, call_of("t1"));
        assert_ne!(call_of("t1"), call_of("t2"));
        assert_eq!(outline(br#"{"type":"user","message":{"content":"t1"}}"#), Outline::default());
    }

    #[test]
    fn a_plan_that_is_written_begins_anew_and_an_edit_goes_on() {
        let file = |rest: &str| json!({"file_path": format!("/home/p/plans/a{rest}")});
        let write = outline(&call("w", "Write", &file(".md")));
        assert_eq!((write.threads, write.renews), (PLAN, PLAN));
        let edit = outline(&call("e", "Edit", &file(".md")));
        assert_eq!((edit.threads, edit.renews), (PLAN, 0));
        let show = outline(&call("x", "ExitPlanMode", &json!({})));
        assert_eq!((show.threads, show.renews), (PLAN, 0));
        assert_eq!(outline(&call("o", "Write", &file(".rs"))).threads, 0);
    }

    #[test]
    fn what_a_glance_tells_is_what_a_close_look_tells() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/claude-code");
        let folders = std::fs::read_dir(root).expect("recordings").flatten();
        let versions = folders.filter(|it| it.file_name() != "screens");
        let (mut glances, mut ties) = (0, 0);
        for version in versions.filter(|it| it.path().is_dir()) {
            let files = std::fs::read_dir(version.path()).expect("a folder").flatten();
            for recording in
                files.filter(|it| it.path().extension().is_some_and(|it| it == "jsonl"))
            {
                let text = std::fs::read(recording.path()).expect("a recording");
                for line in text.split(|it| *it == b'\n') {
                    let Some(outline) = at_a_glance(line) else { continue };
                    assert_eq!(outline.ties, closely(line).ties, "{}", line.escape_ascii());
                    glances += 1;
                    ties += outline.ties.len();
                }
            }
        }
        assert!(glances > 1000 && ties > 100, "{glances} {ties}");
    }

    #[test]
    fn what_only_looks_like_a_tie_is_looked_at_closely() {
        let line = |id: &str| format!(r#"{{"message":{{"content":[{{"tool_use_id":{id}}}]}}}}"#);
        let ties = outline(line("\"t1\"").as_bytes()).ties;
        assert_eq!(ties.len(), 1);
        for (odd, same) in [
            (r#" "t1""#.to_owned(), true),
            (r#""t\u0031""#.to_owned(), true),
            (r#""t1", "text": "tool_use""#.to_owned(), true),
            (r#""t1", "text": "\"tool_use_id\":\"t2\"""#.to_owned(), true),
            (r#""t2""#.to_owned(), false),
        ] {
            assert_eq!(outline(line(&odd).as_bytes()).ties == ties, same, "{odd}");
        }
        let escaped = line("\"t1\"").replace("tool_", "t\\u006Fol_");
        assert_eq!(outline(escaped.as_bytes()).ties, ties);
    }

    #[test]
    fn a_line_of_two_records_has_the_ties_of_both() {
        let line = [call("a", "Bash", &json!({})), call("b", "Bash", &json!({}))].concat();
        assert_eq!(outline(&line).ties.len(), 2);
        assert_eq!(outline(b"{\"no\": json"), Outline::default());
    }
}
