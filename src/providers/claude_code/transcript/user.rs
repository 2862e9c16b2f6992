//! Records in the role of the user: prompts, results of tools, and whatever else
//! the CLI hands to the model in a person's name.

use crate::schema::LifecycleEvent;
use crate::seam::Fact;

use super::ClaudeMapper;
use super::carriers::{self, Spoken, spoken};
use super::loose::Shape;
use super::page::Page;
use super::record::{Native, Part};
use super::{attached, results, tell_change};

pub(super) fn read(mapper: &mut ClaudeMapper, native: &Native<'_>, page: &mut Page<'_>) {
    let Some(message) = native.message.one() else {
        page.unknown(0, "user");
        return;
    };
    mapper.note_branch(native, page);
    match &message.content {
        Shape::Text(text) => read_text(mapper, native, text, page),
        Shape::Many(parts) if parts.iter().any(is_result) => {
            read_results(mapper, native, parts, page);
        }
        Shape::Many(parts) => match prose(parts, page) {
            Some(text) => {
                read_text(mapper, native, &text, page);
                if !native.is_meta.is_true() {
                    page.show_attached(0);
                }
            }
            None => page.unknown(0, "user"),
        },
        _ => page.unknown(0, "user"),
    }
}

fn is_result(part: &Shape<'_, Part<'_>>) -> bool {
    part.one().is_some_and(|it| it.kind.text() == Some("tool_result"))
}

fn read_text(mapper: &mut ClaudeMapper, native: &Native<'_>, text: &str, page: &mut Page<'_>) {
    if native.is_meta.is_true() {
        if text.starts_with("Stop hook feedback:") {
            page.lifecycle(0, LifecycleEvent::Warning, carriers::plain(text.trim()));
            page.fact(Fact::TurnGoesOn);
            return;
        }
        // Meant for the model alone. After a refusal it is asked once more.
        if native.refusal_retry.is_true() {
            page.fact(Fact::TurnGoesOn);
        }
        page.hidden(0, text);
        return;
    }
    if native.is_compact_summary.is_true() {
        let summary = carriers::without_reminders(text);
        let detail = match mapper.compaction.take() {
            Some(facts) => format!("{facts}\n\n{}", summary.trim()),
            None => summary.trim().to_owned(),
        };
        page.lifecycle(0, LifecycleEvent::Compacted, detail);
        return;
    }
    let source = native.prompt_source.text();
    let what = spoken(text, source == Some("typed"));
    if let (Spoken::Prompt(_), Some(mode)) = (&what, native.permission_mode.words()) {
        page.said_in(mode);
        tell_change(&mut mapper.prompt_mode, mode, page, Fact::PermissionMode);
    }
    match what {
        // A hook did, in the place of an answer. The CLI says so in its own name too.
        Spoken::Prompt(_)
            if source.is_none() && text.starts_with("Operation stopped by hook: ") =>
        {
            page.hidden(0, text);
            page.fact(Fact::Interrupted);
        }
        Spoken::Prompt(_) if source == Some("system") => {
            // News from the CLI's own machinery that starts a turn.
            page.lifecycle(0, LifecycleEvent::Notice, text.trim().to_owned());
            page.fact(Fact::TurnGoesOn);
        }
        // A command that the CLI ran by itself, whatever the order of its tags.
        Spoken::PromptCommand(line) if native.row_source.text() == Some("local") => {
            page.user(0, line);
        }
        what => say(what, page),
    }
}

/// Shows what a text in the role of the user is.
pub(super) fn say(what: Spoken, page: &mut Page<'_>) {
    match what {
        Spoken::Prompt(text) if text.trim().is_empty() => (),
        // A shell line starts a turn too: the model reads what it printed.
        Spoken::Prompt(text) | Spoken::PromptCommand(text) | Spoken::Shell(text) => {
            page.prompt(0, text);
        }
        // An echo is no prompt: no turn follows, and none may be waited for.
        Spoken::Echo(line) => page.user(0, line),
        Spoken::Output(text) if text.is_empty() => (),
        Spoken::Output(text) => {
            // The command says in its own words what came of it.
            let is_change = text.starts_with("Set model to ");
            let event = if is_change {
                LifecycleEvent::ModelChanged
            } else {
                LifecycleEvent::CommandOutput
            };
            page.lifecycle(0, event, text);
        }
        Spoken::Notification(news) => {
            page.lifecycle(0, LifecycleEvent::Notice, news.summary);
            end_background(news.ended, page);
            page.fact(Fact::TurnGoesOn);
        }
        Spoken::Interrupt => {
            page.lifecycle(0, LifecycleEvent::Interrupted, None);
            page.fact(Fact::Interrupted);
        }
        Spoken::Silent(text) => page.hidden(0, &text),
    }
}

pub(super) fn end_background(ended: Vec<String>, page: &mut Page<'_>) {
    for id in ended {
        page.fact(Fact::BackgroundEnded { id });
    }
}

/// Results, and beside them what a person added to an approval.
fn read_results(
    mapper: &mut ClaudeMapper,
    native: &Native<'_>,
    parts: &[Shape<'_, Part<'_>>],
    page: &mut Page<'_>,
) {
    let count = parts.iter().filter(|it| is_result(it)).count();
    for (block, part) in (0..).zip(parts) {
        let Some(part) = part.one() else {
            page.unknown(block, "user");
            continue;
        };
        match part.kind.text() {
            // The structured twin belongs to a record, so to its only result.
            Some("tool_result") => results::read(mapper, native, part, count == 1, block, page),
            Some("text") => match spoken(part.text.text().unwrap_or_default(), false) {
                Spoken::Prompt(text) if !text.trim().is_empty() => page.user(block, text),
                Spoken::Interrupt => {
                    page.lifecycle(block, LifecycleEvent::Interrupted, None);
                    page.fact(Fact::Interrupted);
                }
                Spoken::Silent(text) => page.hidden(block, &text),
                _ => (),
            },
            _ => match attached::part(part) {
                Some(attachment) => {
                    page.attach([attachment]);
                    page.show_attached(block);
                }
                None => page.unknown(block, "user"),
            },
        }
    }
}

/// The blocks of a prompt as one text, and beside it what is none; `None` if they
/// are no prompt.
pub(super) fn prose(parts: &[Shape<'_, Part<'_>>], page: &mut Page<'_>) -> Option<String> {
    let mut lines = Vec::new();
    for part in parts {
        let line = match part {
            Shape::Text(text) => text.to_string(),
            Shape::One(part) => match (part.kind.text()?, attached::part(part)) {
                ("text", _) => part.text.text()?.to_owned(),
                (_, Some(attachment)) => {
                    page.attach([attachment]);
                    continue;
                }
                (kind, None) => format!("[{kind}]"),
            },
            _ => return None,
        };
        lines.push(line);
    }
    Some(lines.join("\n"))
}
