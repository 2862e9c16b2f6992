//! Recorded lines, changed at random: first as records (a field that is gone, of
//! another type, taken from another record), then as bytes.

use std::path::Path;

use serde_json::{Value, json};

use super::chance::Chance;

/// Texts that something reads closely, and texts that nothing should choke on.
const TEXTS: &[&str] = &[
    "",
    " ",
    "tool_use",
    "tool_result",
    "assistant",
    "user",
    "system",
    "attachment",
    "compact_boundary",
    "end_turn",
    "Bash",
    "Write",
    "Edit",
    "ExitPlanMode",
    "AskUserQuestion",
    "/home/p/.claude/plans/a.md",
    "[Request interrupted by user]",
    "<command-name>/clear</command-name>",
    "<local-command-stdout>a</local-command-stdout>",
    "<task-notification><task-id>t</task-id>",
    "<system-reminder>a</system-reminder>b",
    "<pasted_content id=\"a\">\nb\n</pasted_content id=\"a\">\n",
    "The user doesn't want to proceed. the user said:\nno",
    "\u{1b}[31mred\u{1b}]8;;\u{7}\r\n\u{85}",
    "\"tool_use_id\":\"t1\"",
    "😀é\u{0}\u{7f}\\\"",
];

/// Few names, so that records have to do with each other.
const IDS: &[&str] = &["t1", "t2", "t3", "t4", " "];
const ID_KEYS: &[&str] =
    &["uuid", "parentUuid", "logicalParentUuid", "id", "tool_use_id", "head", "tail"];

const BYTES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\"",
    b"\\",
    b"{\"",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\xff",
    b"\xc2",
    b"\\ud83d",
    b"\\u0074",
    b"\x1b",
    b"1e999",
    b"{\"type\":\"user\"}",
];

/// The lines that everything is made of.
pub(crate) struct Corpus {
    lines: Vec<Vec<u8>>,
    /// Those that are records.
    records: Vec<Value>,
}

impl Corpus {
    pub(crate) fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/mapper");
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
        // The same number means the same case everywhere.
        paths.sort();
        let files = paths.iter().map(|it| std::fs::read(it).unwrap());
        let lines: Vec<Vec<u8>> = files
            .flat_map(|it| it.split(|it| *it == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>())
            .filter(|it| !it.is_empty())
            .collect();
        let records: Vec<Value> =
            lines.iter().filter_map(|it| serde_json::from_slice(it).ok()).collect();
        assert!(records.len() > 100, "{}", records.len());
        Self { lines, records }
    }

    /// A file that was never written like that.
    pub(crate) fn file(&self, chance: &mut Chance) -> Vec<u8> {
        let mut file = Vec::new();
        for _ in 0..=chance.below(12) {
            if chance.one_in(8) {
                file.extend(chance.pick(&self.lines));
            } else {
                let mut record = chance.pick(&self.records).clone();
                name_anew(&mut record, chance);
                for _ in 0..chance.below(4) {
                    self.change(&mut record, chance);
                }
                file.extend(record.to_string().into_bytes());
            }
            if !chance.one_in(20) {
                file.push(b'\n');
            }
        }
        if chance.one_in(3) {
            for _ in 0..=chance.below(3) {
                change_bytes(&mut file, chance);
            }
        }
        file
    }

    /// Changes something, somewhere in the record.
    fn change(&self, record: &mut Value, chance: &mut Chance) {
        let place = descend(record, chance);
        match (chance.below(9), &mut *place) {
            (0, Value::Object(members)) => {
                let keys: Vec<String> = members.keys().cloned().collect();
                if !keys.is_empty() {
                    members.remove(chance.pick(&keys));
                }
            }
            (1, Value::Object(members)) => {
                let other = descend_in(chance.pick(&self.records), chance);
                let keys = ["type", "content", "message", "text", "id", "isMeta", "name", "input"];
                members.insert((*chance.pick(&keys)).to_owned(), other.clone());
            }
            (2, Value::Array(items)) => {
                for _ in 0..=chance.below(3) {
                    let item = items.get(chance.below(items.len())).cloned();
                    items.push(item.unwrap_or(Value::Null));
                }
            }
            (3, Value::Array(items)) => {
                items.truncate(chance.below(items.len() + 1));
            }
            (4, place) => *place = json!([place.take()]),
            (5, place) => *place = json!({ "text": place.take(), "type": "text" }),
            (6, place) => *place = descend_in(chance.pick(&self.records), chance).clone(),
            (7, place) => *place = (*chance.pick(TEXTS)).into(),
            (_, place) => {
                let odd = [
                    Value::Null,
                    true.into(),
                    false.into(),
                    (-1).into(),
                    u64::MAX.into(),
                    1.5.into(),
                    json!([]),
                    json!({}),
                    "x".repeat(chance.below(40_000)).into(),
                ];
                *place = chance.pick(&odd).clone();
            }
        }
    }
}

/// Some value in the record.
fn descend<'v>(value: &'v mut Value, chance: &mut Chance) -> &'v mut Value {
    if is_leaf(value) || chance.one_in(4) {
        return value;
    }
    match value {
        Value::Object(members) => {
            let place = chance.below(members.len());
            descend(members.values_mut().nth(place).unwrap(), chance)
        }
        Value::Array(items) => {
            let place = chance.below(items.len());
            descend(&mut items[place], chance)
        }
        leaf => leaf,
    }
}

fn descend_in<'v>(value: &'v Value, chance: &mut Chance) -> &'v Value {
    match value {
        _ if is_leaf(value) || chance.one_in(4) => value,
        Value::Object(members) => {
            descend_in(members.values().nth(chance.below(members.len())).unwrap(), chance)
        }
        Value::Array(items) => descend_in(chance.pick(items), chance),
        leaf => leaf,
    }
}

/// Nothing is inside.
fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => true,
    }
}

/// Gives some of the names in a record another one of a few.
fn name_anew(value: &mut Value, chance: &mut Chance) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                if ID_KEYS.contains(&key.as_str()) && member.is_string() && !chance.one_in(4) {
                    *member = (*chance.pick(IDS)).into();
                } else {
                    name_anew(member, chance);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| name_anew(it, chance)),
        _ => {}
    }
}

fn change_bytes(file: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(file.len() + 1);
    let end = (at + chance.below(40)).min(file.len());
    match chance.below(5) {
        0 if at < file.len() => file[at] ^= 1 << chance.below(8),
        1 => drop(file.drain(at..end)),
        2 => {
            let again = file[at..end].to_vec();
            file.splice(at..at, again);
        }
        3 => file.truncate(at),
        _ => drop(file.splice(at..at, chance.pick(BYTES).iter().copied())),
    }
}
