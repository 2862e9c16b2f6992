//! `seamux inspect`: a transcript as the chat would show it.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;

use crate::runs::{Inspection, inspect as inspect_with};
use crate::schema::{Dialog, Message, Outcome, Role, ToolCall, ToolStatus};
use crate::seam::AgentProvider;

use super::providers;
use super::ui::{Advice, plain, print};

/// The longest text that one line shows of a message.
const LINE: usize = 160;

#[derive(Args)]
pub(super) struct InspectArgs {
    /// The transcript, as the CLI wrote it
    file: PathBuf,
    /// Whose transcript it is [default: the provider that understands most of it]
    #[arg(short, long, value_name = "PROVIDER")]
    provider: Option<String>,
    /// Print one object of JSON: messages, state, epochs, unknown, context_usage
    #[arg(long)]
    json: bool,
}

pub(super) fn inspect(args: &InspectArgs) -> anyhow::Result<()> {
    check(&args.file)?;
    let inspection = read(args)?;
    let mut text = if args.json {
        serde_json::to_string(&inspection).context("could not write JSON")?
    } else {
        tell(&inspection)
    };
    text.push('\n');
    print(&text)
}

fn check(path: &Path) -> anyhow::Result<()> {
    let at = path.display();
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let next = "give the path of a transcript, for example one below ~/.claude/projects";
            return Err(Advice::new(format!("there is no file {at}"), next).into());
        }
        Err(error) => return Err(error).with_context(|| format!("could not read {at}")),
    };
    if meta.is_dir() {
        let next = "give one of the files in it";
        return Err(Advice::new(format!("{at} is a folder, not a transcript"), next).into());
    }
    if !meta.is_file() {
        let next = "give a file: a transcript is read from its start";
        return Err(Advice::new(format!("{at} is not a file"), next).into());
    }
    if meta.len() == 0 {
        let next = "a CLI writes the first record with the first prompt";
        return Err(Advice::new(format!("{at} is empty"), next).into());
    }
    Ok(())
}

/// Reads with the provider that was named, or with the one that understands most.
fn read(args: &InspectArgs) -> anyhow::Result<Inspection> {
    let all = providers();
    let names = || {
        let names: Vec<_> = all.iter().map(|it| it.descriptor().id).collect();
        names.join(", ")
    };
    let wanted = |it: &&Arc<dyn AgentProvider>| match &args.provider {
        Some(name) => it.descriptor().id == name,
        None => true,
    };
    let mut best: Option<Inspection> = None;
    for provider in all.iter().filter(wanted) {
        let inspection = inspect_with(provider.as_ref(), &args.file)?;
        let fewest = best.as_ref().map(Inspection::unknown_records);
        if fewest.is_none_or(|fewest| inspection.unknown_records() < fewest) {
            best = Some(inspection);
        }
    }
    let at = args.file.display();
    match best {
        None => {
            let name = args.provider.as_deref().unwrap_or_default();
            let next = format!("it can be: {}", names());
            Err(Advice::new(format!("there is no provider `{name}`"), next).into())
        }
        Some(it) if it.records == 0 => {
            let next = "a record counts once its line has ended";
            Err(Advice::new(format!("{at} holds no whole record"), next).into())
        }
        Some(it) if is_something_else(&it) => {
            let lines = it.records;
            let what = format!("{at} is no transcript: nothing in its {lines} lines is known");
            let next = format!("transcripts are read of: {}", names());
            Err(Advice::new(what, next).into())
        }
        Some(it) => Ok(it),
    }
}

/// Blank lines and a word that happens to be JSON make no transcript.
fn is_something_else(inspection: &Inspection) -> bool {
    let shows_nothing = inspection.messages.iter().all(Message::is_hidden);
    shows_nothing && inspection.unknown_records() * 2 > inspection.records
}

fn tell(inspection: &Inspection) -> String {
    let mut text = String::new();
    for message in &inspection.messages {
        _ = writeln!(text, "{}", line(message));
    }
    let hidden = inspection.messages.iter().filter(|it| it.is_hidden()).count();
    let abandoned = inspection.messages.iter().filter(|it| it.abandoned).count();
    let shown = inspection.messages.len() - hidden;
    _ = write!(text, "\n{shown} messages");
    if hidden > 0 {
        _ = write!(text, ", {hidden} more for a debug view");
    }
    if abandoned > 0 {
        _ = write!(text, ", {abandoned} left behind by going back");
    }
    _ = write!(text, "\nstate: {}", word(&inspection.state));
    for epoch in &inspection.epochs {
        _ = write!(text, "\nepoch: {}", epoch.id);
    }
    if let Some(usage) = inspection.context_usage {
        _ = write!(text, "\ncontext: {} of {} tokens", usage.used, usage.limit);
    }
    let records = inspection.records;
    let unknown = inspection.unknown_records();
    _ = write!(text, "\nrecords: {records}, {unknown} of them unknown");
    for (kind, count) in &inspection.unknown {
        _ = write!(text, "\n  {count} × {kind}");
    }
    text
}

/// One line for one message.
fn line(message: &Message) -> String {
    let body = if let Some(tool) = &message.tool {
        tool_words(tool)
    } else if let Some(dialog) = &message.dialog {
        dialog_words(dialog)
    } else if let Some(lifecycle) = &message.lifecycle {
        let event = word(&lifecycle.event);
        match &lifecycle.detail {
            Some(detail) => format!("~ {event}: {detail}"),
            None => format!("~ {event}"),
        }
    } else {
        let who = match (message.role, message.thinking, &message.error) {
            (Some(Role::User), ..) => "user: ".to_owned(),
            (_, true, _) => "thinking: ".to_owned(),
            (.., Some(error)) => format!("agent failed ({error}): "),
            _ => "agent: ".to_owned(),
        };
        let attached: String = message
            .attachments
            .iter()
            .map(|it| format!(" [{}]", it.name.as_deref().unwrap_or("attached")))
            .collect();
        format!("{who}{}{attached}", message.text.as_deref().unwrap_or_default())
    };
    let mut line = format!("{:>10}  ", message.position.to_string());
    if message.abandoned {
        line.push_str("(left behind) ");
    }
    if let Some(agent) = &message.agent {
        _ = write!(line, "({agent}) ");
    }
    line + &plain(&body, LINE)
}

fn tool_words(tool: &ToolCall) -> String {
    let status = match tool.status {
        ToolStatus::Running => "runs",
        ToolStatus::Ok => "ok",
        ToolStatus::Error => "failed",
        ToolStatus::Cancelled => "cancelled",
    };
    let output = tool.output.as_deref().map_or(String::new(), |it| format!(" -> {it}"));
    format!("tool {} [{status}]: {}{output}", tool.name, tool.title)
}

fn dialog_words(dialog: &Dialog) -> String {
    let kind = word(&dialog.kind);
    let outcome = match &dialog.outcome {
        None => "open".to_owned(),
        Some(Outcome { discussed: true, .. }) => "put off to talk about it".to_owned(),
        Some(Outcome { accepted: false, .. }) => "declined".to_owned(),
        Some(Outcome { answers, .. }) if answers.is_empty() => "accepted".to_owned(),
        Some(Outcome { answers, .. }) => {
            let answers: Vec<_> = answers.iter().map(|it| it.1.as_str()).collect();
            format!("answered: {}", answers.join("; "))
        }
    };
    format!("{kind} [{outcome}]: {}", dialog.title)
}

/// The word that the API uses for it.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
