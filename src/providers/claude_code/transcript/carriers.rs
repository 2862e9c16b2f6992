//! The tags that Claude Code wraps around what a person did.
//!
//! Slash commands, shell lines, their output and notices of background work are
//! all recorded as if a person had said them. Here is told what they are.

pub(super) use super::plain::plain;

/// What a text in the role of the user is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    /// Said by a person.
    Prompt(String),
    /// A command that the CLI ran by itself: `/name args`.
    Echo(String),
    /// A command that stands for a prompt: `/name args`.
    PromptCommand(String),
    /// A shell line: `!line`.
    Shell(String),
    /// What a command or a shell line printed; empty if nothing.
    Output(String),
    /// Background work has news.
    Notification(News),
    Interrupt,
    /// Meant for the model alone.
    Silent(String),
}

/// What notices of background work say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    /// One line for each.
    pub(super) summary: String,
    /// The ids of the work that ended.
    pub(super) ended: Vec<String>,
}

/// Tells apart what `text` is. A text that was surely typed is never looked into:
/// people quote tags.
pub(super) fn spoken(text: &str, typed: bool) -> Spoken {
    if typed {
        return Spoken::Prompt(unwrap_pasted(text));
    }
    let trimmed = text.trim();
    if trimmed.starts_with("[Request interrupted by user") && trimmed.ends_with(']') {
        return Spoken::Interrupt;
    }
    if let Some(command) = command(trimmed) {
        return command;
    }
    if trimmed.starts_with("<local-command-stdout>")
        || trimmed.starts_with("<local-command-stderr>")
    {
        return Spoken::Output(streams(trimmed, "local-command-stdout", "local-command-stderr"));
    }
    if trimmed.starts_with("<bash-stdout>") || trimmed.starts_with("<bash-stderr>") {
        return Spoken::Output(streams(trimmed, "bash-stdout", "bash-stderr"));
    }
    if trimmed.starts_with("<bash-input>")
        && let Some(line) = tag(trimmed, "bash-input")
    {
        return Spoken::Shell(format!("!{}", line.trim()));
    }
    if trimmed.starts_with("<task-notification>") {
        return Spoken::Notification(news(trimmed));
    }
    if trimmed.starts_with("<local-command-caveat>") {
        return Spoken::Silent(trimmed.to_owned());
    }
    if trimmed.starts_with("<system-reminder>") {
        let left = without_reminders(trimmed);
        return match left.trim() {
            "" => Spoken::Silent(trimmed.to_owned()),
            left => Spoken::Prompt(unwrap_pasted(left)),
        };
    }
    Spoken::Prompt(unwrap_pasted(text))
}

/// The order of the tags tells the two kinds of command apart: the name comes
/// first where the CLI did the work, second where it made a prompt of it.
fn command(text: &str) -> Option<Spoken> {
    let echo = text.starts_with("<command-name>");
    if !echo && !text.starts_with("<command-message>") {
        return None;
    }
    let name = tag(text, "command-name")?.trim();
    let args = tag(text, "command-args").unwrap_or_default().trim();
    let slash = if name.starts_with('/') { "" } else { "/" };
    let gap = if args.is_empty() { "" } else { " " };
    let line = format!("{slash}{name}{gap}{args}");
    Some(if echo { Spoken::Echo(line) } else { Spoken::PromptCommand(line) })
}

/// The text in the first element of this name.
fn tag<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, inner) = text.split_once(&format!("<{name}>"))?;
    let (inner, _) = inner.split_once(&format!("</{name}>"))?;
    Some(inner)
}

/// Both streams of a command, without colours. What it printed may hold tags of
/// its own, so each ends at its last closing tag.
fn streams(text: &str, out: &str, err: &str) -> String {
    let stream = |name: &str| {
        let (_, inner) = text.split_once(&format!("<{name}>"))?;
        let close = format!("</{name}>");
        Some(plain(inner.rsplit_once(&close).map_or(inner, |it| it.0)))
    };
    let streams = [stream(out), stream(err)];
    let parts: Vec<_> = streams
        .iter()
        .flatten()
        .map(|it| it.trim_end())
        .filter(|it| !it.trim().is_empty())
        .collect();
    parts.join("\n")
}

fn news(text: &str) -> News {
    let mut lines = Vec::new();
    let mut ended = Vec::new();
    for notice in text.split("<task-notification>").skip(1) {
        lines.push(tag(notice, "summary").unwrap_or("A background task has news").trim());
        // News of work that goes on carry no status, or say so.
        if let (Some(id), Some(status)) = (tag(notice, "task-id"), tag(notice, "status"))
            && status.trim() != "running"
        {
            ended.push(id.trim().to_owned());
        }
    }
    News { summary: lines.join("\n"), ended }
}

/// `text` without the notes to the model in it.
pub(super) fn without_reminders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once("<system-reminder>") {
        let Some((_, after)) = tail.split_once("</system-reminder>") else {
            break;
        };
        out.push_str(before);
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    out.push_str(rest);
    out
}

/// Takes off the wrapper of pasted text, so that a prompt reads as it was typed.
///
/// The wrapper brings its own line breaks, and pasting in the middle of a line
/// leaves it in the middle of a line.
fn unwrap_pasted(text: &str) -> String {
    const OPEN: &str = "<pasted_content id=\"";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once(OPEN) {
        let Some((id, body)) = tail.split_once("\">\n") else {
            break;
        };
        let close = format!("\n</pasted_content id=\"{id}\">");
        let Some((body, after)) = body.split_once(&close) else {
            break;
        };
        out.push_str(before.strip_suffix("\n\n").unwrap_or(before));
        out.push_str(body);
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_reads_as_it_was_typed() {
        let recorded =
            "see\n\n<pasted_content id=\"b7\">\na\nb\n</pasted_content id=\"b7\">\n please";
        assert_eq!(unwrap_pasted(recorded), "seea\nb please");
        let unclosed = "<pasted_content id=\"b7\">\na";
        assert_eq!(unwrap_pasted(unclosed), unclosed);
    }

    #[test]
    fn a_typed_text_is_never_looked_into() {
        let text = "<command-name>/clear</command-name>";
        assert_eq!(spoken(text, true), Spoken::Prompt(text.to_owned()));
        assert_eq!(spoken(text, false), Spoken::Echo("/clear".to_owned()));
    }
}
