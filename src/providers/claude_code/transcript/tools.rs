//! Calls of tools: their titles and views, from what goes into them.

use std::fmt::Write as _;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::schema::{Message, MessageKind, Role, TodoItem, ToolCall, ToolStatus, ToolView};

use super::loose::{Scalar, Shape};
use super::page::Page;
use super::record::{Hunk, Input, Part, Replacement, Todo};
use super::{Call, ClaudeMapper, dialogs, salvage};

/// The longest title.
const TITLE: usize = 120;

/// How much of an input that is too large to take apart is kept.
const INPUT_PREVIEW: usize = 4096;

pub(super) fn read(
    mapper: &mut ClaudeMapper,
    part: &Part<'_>,
    turn: Option<&str>,
    block: u32,
    page: &mut Page<'_>,
) {
    let (Some(call_id), Some(name)) = (part.id.words(), part.name.words()) else {
        page.unknown(block, "assistant/tool_use");
        return;
    };
    let raw = part.input.map_or("{}", RawValue::get);
    input(raw, |input| {
        keep_plan(mapper, name, input);
        let dialog = dialogs::kind(name)
            .map(|kind| dialogs::dialog(call_id, kind, input, mapper.plan.as_deref()));
        let call = Call {
            command: (name == "Bash").then(|| owned(&input.command)),
            description: input.description.words().map(str::to_owned),
            dialog: dialog.as_ref().map(|it| (it.kind, it.body.clone())),
        };
        mapper.open.insert(call_id.to_owned(), call);

        let message = match dialog {
            Some(dialog) => Message {
                role: Some(Role::Assistant),
                dialog: Some(dialog),
                ..Message::new(page.place(block), MessageKind::Dialog)
            },
            None => Message::tool(
                page.place(block),
                ToolCall {
                    call_id: call_id.to_owned(),
                    name: name.to_owned(),
                    title: title(name, input),
                    input: value(raw, page.is_huge()),
                    output: None,
                    status: ToolStatus::Running,
                    view: view(name, input),
                    started_at: page.time(),
                    ended_at: None,
                },
            ),
        };
        page.say(Message { turn: turn.map(str::to_owned), ..message });
    });
}

/// What goes into a tool. What can't be read at all counts as nothing.
pub(super) fn input<T>(raw: &str, read: impl FnOnce(&Input<'_>) -> T) -> T {
    match serde_json::from_str(raw) {
        Ok(input) => read(&input),
        Err(_) => read(&serde_json::from_str(&salvage::repair(raw)).unwrap_or_default()),
    }
}

/// A plan is written to a file, and the call that shows it may leave it out.
fn keep_plan(mapper: &mut ClaudeMapper, name: &str, input: &Input<'_>) {
    if !input.file_path.text().is_some_and(is_plan_file) {
        return;
    }
    match name {
        "Write" => mapper.plan = input.content.text().map(str::to_owned),
        "Edit" => {
            let (Some(old), Some(new)) = (input.old_string.words(), input.new_string.text()) else {
                return;
            };
            // Where the edit does not fit, an old plan is worse than none.
            mapper.plan = mapper
                .plan
                .take()
                .filter(|plan| plan.contains(old))
                .map(|plan| plan.replacen(old, new, 1));
        }
        _ => (),
    }
}

pub(super) fn is_plan_file(path: &str) -> bool {
    path.contains("/plans/") && path.ends_with(".md")
}

/// The input for people who want all of it.
fn value(raw: &str, is_huge: bool) -> Value {
    if is_huge && raw.len() > INPUT_PREVIEW {
        let head: String = raw.chars().take(INPUT_PREVIEW).collect();
        return Value::String(format!("{head}…"));
    }
    serde_json::from_str(raw)
        .or_else(|_| serde_json::from_str(&salvage::repair(raw)))
        .unwrap_or_else(|_| Value::String(raw.chars().take(INPUT_PREVIEW).collect()))
}

fn title(name: &str, input: &Input<'_>) -> String {
    let file = input.file_path.words().or(input.notebook_path.words());
    let title = match name {
        "Bash" => input.command.words().map(str::to_owned),
        "Read" => file.map(|it| format!("Read {it}")),
        "Write" => file.map(|it| format!("Write {it}")),
        "Edit" | "MultiEdit" | "NotebookEdit" => file.map(|it| format!("Edit {it}")),
        "Glob" | "Grep" => input.pattern.words().map(|it| format!("Search {it}")),
        "WebSearch" => input.query.words().map(|it| format!("Search the web: {it}")),
        "WebFetch" => input.url.words().map(|it| format!("Fetch {it}")),
        "Agent" | "Task" => input.description.words().map(|it| format!("Agent: {it}")),
        "Skill" => input.skill.words().map(|skill| {
            let args = input.args.text().unwrap_or_default();
            format!("Skill {skill} {args}")
        }),
        "TodoWrite" => Some("Update the list of tasks".to_owned()),
        "TaskCreate" => input.subject.words().map(|it| format!("New task: {it}")),
        "EnterPlanMode" => Some("Start to plan".to_owned()),
        _ => match mcp(name) {
            Some((server, tool)) => Some(format!("{server}: {tool}")),
            None => input.description.words().map(|it| format!("{name}: {it}")),
        },
    };
    one_line(title.as_deref().unwrap_or(name))
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= TITLE {
        return line;
    }
    line.chars().take(TITLE - 1).chain(['…']).collect()
}

/// The server and the tool in a name like `mcp__server__tool`.
fn mcp(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__")
}

fn view(name: &str, input: &Input<'_>) -> Option<ToolView> {
    Some(match name {
        "Bash" => ToolView::Command {
            command: owned(&input.command),
            exit_code: None,
            background: input.run_in_background.is_true(),
        },
        "Read" => ToolView::Read { path: input.file_path.words()?.to_owned() },
        "Write" => ToolView::Write {
            path: input.file_path.words()?.to_owned(),
            content: owned(&input.content),
        },
        "Edit" => ToolView::Diff {
            path: input.file_path.words()?.to_owned(),
            diff: replaced(&input.old_string, &input.new_string),
        },
        "MultiEdit" => ToolView::Diff {
            path: input.file_path.words()?.to_owned(),
            diff: edits(input.edits.many()),
        },
        "NotebookEdit" => ToolView::Diff {
            path: input.notebook_path.words()?.to_owned(),
            diff: replaced(&Scalar::default(), &input.new_source),
        },
        "Grep" | "Glob" => ToolView::Search {
            query: input.pattern.words()?.to_owned(),
            path: input.path.words().map(str::to_owned),
        },
        "WebSearch" => ToolView::Search { query: input.query.words()?.to_owned(), path: None },
        "TodoWrite" => {
            ToolView::Todo { items: input.todos.many().iter().filter_map(todo).collect() }
        }
        "Agent" | "Task" => ToolView::Subagent {
            description: input
                .description
                .words()
                .or(input.prompt.words())
                .unwrap_or_default()
                .to_owned(),
            agent: None,
        },
        _ => {
            let (server, tool) = mcp(name)?;
            ToolView::Mcp { server: server.to_owned(), tool: tool.to_owned() }
        }
    })
}

fn owned(text: &Scalar<'_>) -> String {
    text.text().unwrap_or_default().to_owned()
}

fn todo(item: &Shape<'_, Todo<'_>>) -> Option<TodoItem> {
    let item = item.one()?;
    Some(TodoItem {
        text: item.content.words()?.to_owned(),
        status: item.status.text().unwrap_or("pending").to_owned(),
    })
}

fn edits(edits: &[Shape<'_, Replacement<'_>>]) -> String {
    edits.iter().filter_map(Shape::one).map(|it| replaced(&it.old_string, &it.new_string)).collect()
}

/// An edit that has no line numbers yet: its result will bring them.
fn replaced(old: &Scalar<'_>, new: &Scalar<'_>) -> String {
    let mut diff = "@@ @@\n".to_owned();
    for (sign, side) in [('-', old), ('+', new)] {
        for line in side.text().unwrap_or_default().lines() {
            _ = writeln!(diff, "{sign}{line}");
        }
    }
    diff
}

/// The hunks of a result as a unified diff.
pub(super) fn unified(hunks: &[Shape<'_, Hunk<'_>>]) -> String {
    let mut diff = String::new();
    for hunk in hunks.iter().filter_map(Shape::one) {
        let number = |it: &Scalar<'_>| it.number().unwrap_or_default();
        _ = writeln!(
            diff,
            "@@ -{},{} +{},{} @@",
            number(&hunk.old_start),
            number(&hunk.old_lines),
            number(&hunk.new_start),
            number(&hunk.new_lines),
        );
        for line in hunk.lines.many().iter().filter_map(Shape::text) {
            _ = writeln!(diff, "{line}");
        }
    }
    diff
}
