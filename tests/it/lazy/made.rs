//! Made-up conversations: calls and results far apart and out of order, plans,
//! compactions, and bad lines between them.

use proptest::prelude::*;
use serde_json::{Value, json};

/// One made-up record.
#[derive(Clone, Debug)]
pub(super) enum Made {
    Says(usize),
    Calls(Vec<u8>),
    Results(Vec<u8>, bool, usize),
    Asks(u8),
    Answers(u8),
    WritesPlan(u8),
    EditsPlan,
    ShowsPlan(u8),
    Boundary,
    Summary,
    Bad,
    Glued,
}

pub(super) fn made() -> impl Strategy<Value = Made> {
    let id = 0..12_u8;
    let ids = || prop::collection::vec(0..12_u8, 1..4);
    prop_oneof![
        4 => (0..400_usize).prop_map(Made::Says),
        6 => ids().prop_map(Made::Calls),
        6 => (ids(), any::<bool>(), prop_oneof![0..200_usize, 16_380..16_390_usize, Just(40_000)])
            .prop_map(|(ids, failed, length)| Made::Results(ids, failed, length)),
        1 => id.clone().prop_map(Made::Asks),
        1 => id.clone().prop_map(Made::Answers),
        1 => id.clone().prop_map(Made::WritesPlan),
        1 => Just(Made::EditsPlan),
        1 => id.prop_map(Made::ShowsPlan),
        1 => Just(Made::Boundary),
        1 => Just(Made::Summary),
        1 => Just(Made::Bad),
        1 => Just(Made::Glued),
    ]
}

/// The names of calls. A real one never comes twice; if it does, a view that
/// has let go of the first can't know, and only the record tells.
#[derive(Default)]
pub(super) struct Names {
    again: bool,
    calls: [usize; 12],
}

impl Names {
    fn call(&mut self, id: u8) -> String {
        self.calls[usize::from(id)] += 1;
        self.name(id, 0)
    }

    /// Of a call that was, or now and then of one that comes later.
    fn result(&self, id: u8, number: usize) -> String {
        self.name(id, usize::from(number.is_multiple_of(4)))
    }

    fn name(&self, id: u8, later: usize) -> String {
        let count = if self.again { 0 } else { self.calls[usize::from(id)] + later };
        format!("t{id}-{count}")
    }
}

pub(super) fn calls(blocks: Vec<Value>) -> Value {
    json!({"message": {"id": "m", "model": "x", "content": blocks}, "type": "assistant"})
}

pub(super) fn call(id: String, name: &str, input: Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

pub(super) fn result(id: String, failed: bool, text: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": text})
}

pub(super) fn user(content: Value) -> Value {
    json!({"type": "user", "message": {"content": content}})
}

impl Made {
    fn line(&self, number: usize, names: &mut Names) -> String {
        let plan = "/home/p/.claude/plans/a.md";
        let record = match self {
            Self::Says(length) => user("word ".repeat(*length).into()),
            Self::Calls(ids) => {
                let mut one = |id: &u8| match id % 3 {
                    0 => call(names.call(*id), "Bash", json!({"command": format!("run {number}")})),
                    1 => call(
                        names.call(*id),
                        "Edit",
                        json!({"file_path": "a.rs", "old_string": "a", "new_string": "é".repeat(9000)}),
                    ),
                    _ => call(
                        names.call(*id),
                        "Agent",
                        json!({"description": format!("look {number}")}),
                    ),
                };
                calls(ids.iter().map(&mut one).collect())
            }
            Self::Results(ids, failed, length) => {
                let text = "é".repeat(*length);
                let mut record = user(
                    ids.iter()
                        .map(|id| result(names.result(*id, number), *failed, &text))
                        .collect(),
                );
                record["toolUseResult"] = json!({"stdout": text, "filePath": "a.rs", "agentId": "g",
                    "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+b"]}]});
                record
            }
            Self::Asks(id) => calls(vec![call(
                names.call(*id),
                "AskUserQuestion",
                json!({"questions": [{"question": "Which?"}]}),
            )]),
            Self::Answers(id) => {
                let mut record =
                    user(json!([result(names.result(*id, number), false, "answered")]));
                record["toolUseResult"] = json!({"questions": [{"question": "Which?"}], "answers": {"Which?": format!("a{number}")}});
                record
            }
            Self::WritesPlan(id) => calls(vec![call(
                names.call(*id),
                "Write",
                json!({"file_path": plan, "content": format!("plan {number}: x")}),
            )]),
            Self::EditsPlan => calls(vec![call(
                names.call(0),
                "Edit",
                json!({"file_path": plan, "old_string": "x", "new_string": format!("x{number}")}),
            )]),
            Self::ShowsPlan(id) => calls(vec![call(names.call(*id), "ExitPlanMode", json!({}))]),
            Self::Boundary => json!({"type": "system", "subtype": "compact_boundary",
                "compactMetadata": {"trigger": "auto", "preTokens": number}}),
            Self::Summary => {
                let mut record = user(format!("summary {number}").into());
                record["isCompactSummary"] = true.into();
                record
            }
            Self::Bad => return format!("{{\"type\":\"user\",\"message\":{number}"),
            Self::Glued => {
                return format!(
                    "{}{}",
                    calls(vec![call(names.call(3), "Bash", json!({"command": "glued"}))]),
                    user(json!([result(names.result(4, number), true, "no")]))
                );
            }
        };
        record.to_string()
    }
}

pub(super) fn transcript(records: &[Made], again: bool) -> Vec<u8> {
    let mut names = Names { again, ..Names::default() };
    let lines = records.iter().enumerate();
    lines
        .map(|(number, it)| format!("{}\n", it.line(number, &mut names)))
        .collect::<String>()
        .into()
}
