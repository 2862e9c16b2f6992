//! Every recording, told in lines that a person can read.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use seamux::providers::claude_code::transcript::ClaudeMapper;
use seamux::schema::{Attachment, Dialog, Message, Outcome, Role, ToolView};
use seamux::seam::{Fact, Mapped, Record, RecordMapper, ToolOutcome};

use super::map_lines;

#[test]
fn recorded_transcripts_read_as_stories() {
    insta::glob!("../../../fixtures/claude-code", "2.*/*.jsonl", |path| {
        let transcript = std::fs::read(path).unwrap();
        let lines: Vec<_> = transcript.split(|it| *it == b'\n').collect();
        let mapped = map_lines(lines.iter().copied());
        assert_eq!(mapped, map_lines(lines.iter().copied()), "equal answers");
        for (line, mapped) in lines.iter().zip(&mapped) {
            assert_memory_is_not_needed(line, mapped);
        }
        insta::assert_snapshot!(tell(&mapped));
    });
}

/// A page may begin anywhere, so a record yields its messages without those before it.
fn assert_memory_is_not_needed(line: &[u8], mapped: &Mapped) {
    let places = |mapped: &Mapped| -> Vec<_> {
        let messages = mapped.messages.iter();
        messages.map(|it| (it.position.block, it.kind)).collect()
    };
    let alone = ClaudeMapper::default().map(Record { at: 1, bytes: line });
    assert_eq!(places(&alone), places(mapped));
}

fn tell(mapped: &[Mapped]) -> String {
    let mut story = String::new();
    let mut calls = Calls::default();
    let mut unknown = BTreeMap::<_, usize>::new();
    for (at, mapped) in (1..).zip(mapped) {
        for message in &mapped.messages {
            _ = writeln!(
                story,
                "{:>6} {}",
                message.position.to_string(),
                message_line(message, &mut calls)
            );
        }
        let mut facts = Vec::new();
        for fact in &mapped.facts {
            match fact {
                Fact::ToolEnded(outcome) => {
                    _ = writeln!(story, "{at:>4}   {}", outcome_line(outcome, &mut calls));
                }
                Fact::UnknownRecord(kind) => *unknown.entry(kind).or_default() += 1,
                fact => facts.push(fact_words(fact)),
            }
        }
        if !facts.is_empty() {
            _ = writeln!(story, "{at:>4}   = {}", facts.join("; "));
        }
    }
    _ = write!(story, "--\nunknown records: {unknown:?}");
    story
}

/// Short names for the ids of calls.
#[derive(Default)]
struct Calls(HashMap<String, usize>);

impl Calls {
    fn name(&mut self, id: &str) -> String {
        let next = self.0.len() + 1;
        format!("#{}", self.0.entry(id.to_owned()).or_insert(next))
    }
}

fn message_line(message: &Message, calls: &mut Calls) -> String {
    let agent = message.agent.as_deref().map_or(String::new(), |it| format!("({it}) "));
    let body = if let Some(tool) = &message.tool {
        let view = tool.view.as_ref().map_or(String::new(), view_words);
        format!("tool   {} {} `{}`{view}", calls.name(&tool.call_id), tool.name, short(&tool.title))
    } else if let Some(dialog) = &message.dialog {
        format!("dialog {} {}", calls.name(&dialog.id), dialog_words(dialog))
    } else if let Some(lifecycle) = &message.lifecycle {
        let detail = lifecycle.detail.as_deref().unwrap_or("-");
        format!("~      {:?}: {}", lifecycle.event, short(detail))
    } else {
        let who = match (message.role, message.thinking) {
            (Some(Role::User), _) => "user  ",
            (_, true) => "think ",
            _ => "agent ",
        };
        let error = message.error.as_deref().map_or(String::new(), |it| format!("[{it}] "));
        let attached: String = message.attachments.iter().map(attachment_words).collect();
        let text = short(message.text.as_deref().unwrap_or_default());
        format!("{who} {error}{text}{attached}")
    };
    format!("{agent}{body}")
}

fn attachment_words(attachment: &Attachment) -> String {
    let Attachment { kind, name, mime, bytes } = attachment;
    let [name, mime] = [name, mime].map(|it| it.as_deref().unwrap_or("-"));
    format!(" [{kind:?} {name} {mime} {}]", bytes.map_or("-".to_owned(), |it| it.to_string()))
}

fn dialog_words(dialog: &Dialog) -> String {
    let mut words = format!("{:?} `{}`", dialog.kind, short(&dialog.title));
    if !dialog.body.is_empty() {
        _ = write!(words, " {{{}}}", short(&dialog.body));
    }
    for question in &dialog.questions {
        let options: Vec<_> = question
            .options
            .iter()
            .map(|it| {
                let preview = if it.preview.is_some() { " +preview" } else { "" };
                format!("{} ({}){preview}", short(&it.label), short(&it.description))
            })
            .collect();
        let several = if question.multi_select { ", several" } else { "" };
        let free = if question.free_text { ", or own words" } else { "" };
        _ = write!(
            words,
            "\n         ? {}: {} <{}{several}{free}>",
            question.header,
            short(&question.text),
            options.join(" | "),
        );
    }
    words
}

fn outcome_line(outcome: &ToolOutcome, calls: &mut Calls) -> String {
    let view = outcome.view.as_ref().map_or(String::new(), view_words);
    let output = outcome.output.as_deref().map_or("-".to_owned(), short);
    let dialog = outcome.dialog.as_ref().map_or(String::new(), outcome_words);
    let name = calls.name(&outcome.call_id);
    assert!(outcome.ended_at.is_some());
    format!("result {name} {:?}: {output}{view}{dialog}", outcome.status)
}

fn outcome_words(outcome: &Outcome) -> String {
    let answers: Vec<_> = outcome
        .answers
        .iter()
        .map(|(question, answer)| format!("{}={}", short(question), short(answer)))
        .collect();
    let said = if outcome.accepted { "accepted" } else { "declined" };
    let detail =
        outcome.detail.as_deref().map_or(String::new(), |it| format!(" {{{}}}", short(it)));
    format!("\n         ! {said} [{}]{detail}", answers.join(", "))
}

fn view_words(view: &ToolView) -> String {
    let words = match view {
        ToolView::Command { command, exit_code, background } => {
            let exit = exit_code.map_or(String::new(), |it| format!(", exit {it}"));
            let background = if *background { ", in the background" } else { "" };
            format!("command {}{exit}{background}", short(command))
        }
        ToolView::Diff { path, diff } => format!("diff {path} {}", short(diff)),
        ToolView::Write { path, content } => format!("write {path} {}", short(content)),
        ToolView::Read { path } => format!("read {path}"),
        ToolView::Todo { items } => format!("todo {}", items.len()),
        ToolView::Search { query, .. } => format!("search {query}"),
        ToolView::Subagent { description, agent } => format!("subagent {description} {agent:?}"),
        ToolView::Mcp { server, tool } => format!("mcp {server} {tool}"),
    };
    format!(" <{words}>")
}

fn fact_words(fact: &Fact) -> String {
    match fact {
        Fact::Prompt(mark) => format!("prompt at {} `{}`", mark.block, short(&mark.text)),
        Fact::TurnEnded => "turn ended".to_owned(),
        Fact::Blocked(block) => format!("BLOCKED by {:?}: {}", block.cause, short(&block.words)),
        Fact::Interrupted => "interrupted".to_owned(),
        Fact::TurnGoesOn => "goes on".to_owned(),
        Fact::Decided { call_id, allowed } => {
            format!("decided {}: {}", short(call_id), if *allowed { "allow" } else { "deny" })
        }
        Fact::CliQueued { text } => format!("queued `{}`", short(text)),
        Fact::CliReturned { text } => format!("returned {text:?}"),
        Fact::Abandoned { from, to } => format!("LEFT BEHIND from {from} to {to}"),
        Fact::BackgroundStarted { id, time } => {
            assert!(time.is_some());
            format!("background {id} started")
        }
        Fact::BackgroundEnded { id } => format!("background {id} ended"),
        Fact::Usage(usage) => format!("usage {}/{}", usage.used, usage.limit),
        Fact::Title(title) => format!("title {title}"),
        Fact::Model(model) => format!("model {model}"),
        Fact::PermissionMode(mode) => format!("mode {mode}"),
        Fact::Branch(branch) => format!("branch {branch}"),
        Fact::ToolEnded(_) | Fact::UnknownRecord(_) => unreachable!("told elsewhere"),
    }
}

fn short(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    let count = text.chars().count();
    if count <= 110 {
        return text;
    }
    let head: String = text.chars().take(90).collect();
    format!("{head}… ({count})")
}
