//! What the CLI says by itself: system records, attachments, its own queue.

use crate::schema::LifecycleEvent;
use crate::seam::Fact;

use super::ClaudeMapper;
use super::carriers::{Spoken, plain, spoken};
use super::loose::Shape;
use super::page::Page;
use super::record::{Attachment, Compaction, Native};
use super::{attached, user};

/// Attachments that only the model reads: context that the CLI adds by itself.
///
/// From the recordings, and from the table of 2.1.198.
const CONTEXT: &[&str] = &[
    "agent_listing_delta",
    "auto_mode",
    "date",
    "date_change",
    "deferred_tools_delta",
    "diagnostics",
    "directory",
    "edited_image_file",
    "edited_text_file",
    "environment",
    "file",
    "hook_additional_context",
    "mcp_instructions_delta",
    "memory_update",
    "model",
    "nested_memory",
    "opened_file_in_ide",
    "pdf_reference",
    "plan_file_reference",
    "plan_mode",
    "plan_mode_reentry",
    "remote_session_change",
    "selected_lines_in_ide",
    "session_context",
    "skill_listing",
    "task_reminder",
    "todo_reminder",
    "tool_search_usage_reminder",
    "total_tokens_reminder",
    "ultra_effort_enter",
];

/// Attachments that say nothing to anybody: notes about hooks that went well, and
/// copies of all that was sent.
const NEUTRAL_ATTACHMENTS: &[&str] =
    &["command_permissions", "hook_cancelled", "hook_success", "prompt_snapshot"];

pub(super) fn read(mapper: &mut ClaudeMapper, native: &Native<'_>, page: &mut Page<'_>) {
    let Some(subtype) = native.subtype.text() else {
        page.unknown(0, "system");
        return;
    };
    let text = native.content.text();
    match subtype {
        "stop_hook_summary" => (),
        // The last record of a turn; the newer version leaves it out after an error.
        "microcompact_boundary" => page.hidden(0, text.unwrap_or("Old results were left out")),
        "turn_duration" => page.fact(Fact::TurnEnded),
        "local_command" => match text.map(|it| spoken(it, false)) {
            Some(Spoken::PromptCommand(line)) => page.user(0, line),
            Some(Spoken::Prompt(text)) => {
                page.lifecycle(0, LifecycleEvent::CommandOutput, plain(&text));
            }
            Some(what) => user::say(what, page),
            None => page.unknown(0, "system/local_command"),
        },
        "informational" => match text {
            Some(text) => {
                page.lifecycle(0, event(native), plain(text.trim()));
                // A hook stopped the turn, or did not let it begin.
                if native.prevent_continuation.is_true() {
                    page.fact(Fact::Interrupted);
                }
            }
            None => page.unknown(0, "system/informational"),
        },
        "compact_boundary" => {
            mapper.compaction = native.compact_metadata.one().and_then(describe);
        }
        "api_error" => page.lifecycle(0, LifecycleEvent::ApiError, retry(native)),
        _ if subtype.starts_with("model_refusal") => {
            let text = text.map(plain).filter(|it| !it.trim().is_empty());
            let detail = text.unwrap_or_else(|| "The model declined to answer".to_owned());
            page.lifecycle(0, LifecycleEvent::Warning, detail);
        }
        _ => page.unknown(0, &format!("system/{subtype}")),
    }
}

fn event(native: &Native<'_>) -> LifecycleEvent {
    match native.level.text() {
        Some("warning" | "error") => LifecycleEvent::Warning,
        _ => LifecycleEvent::Notice,
    }
}

/// What a boundary tells about the compaction; its summary is the next record.
fn describe(compaction: &Compaction<'_>) -> Option<String> {
    let trigger = compaction.trigger.words()?;
    let before = compaction.pre_tokens.number();
    Some(match (before, compaction.post_tokens.number()) {
        (Some(before), Some(after)) => format!("{trigger}: {before} tokens became {after}"),
        (Some(before), None) => format!("{trigger}: {before} tokens before"),
        _ => trigger.to_owned(),
    })
}

fn retry(native: &Native<'_>) -> Option<String> {
    let attempt = native.retry_attempt.number()?;
    Some(match native.max_retries.number() {
        Some(most) => format!("Retry {attempt} of {most}"),
        None => format!("Retry {attempt}"),
    })
}

pub(super) fn read_attachment(native: &Native<'_>, page: &mut Page<'_>) {
    let attachment = native.attachment.one();
    let Some((attachment, kind)) = attachment.and_then(|it| Some((it, it.kind.text()?))) else {
        page.unknown(0, "attachment");
        return;
    };
    match kind {
        "queued_command" => read_absorbed(attachment, page),
        "hook_blocking_error" => read_hook("blocked", kind, attachment, page),
        "hook_stopped_continuation" => read_hook("stopped the turn", kind, attachment, page),
        "hook_non_blocking_error" | "hook_error_during_execution" => {
            read_hook("failed", kind, attachment, page);
        }
        "hook_system_message" => read_hook("says", kind, attachment, page),
        "hook_permission_decision" => {
            if let Some(call_id) = attachment.tool_use_id.text() {
                let allowed = attachment.decision.text() == Some("allow");
                page.fact(Fact::Decided { call_id: call_id.to_owned(), allowed });
            }
        }
        "plan_mode_exit" => {
            page.lifecycle(0, LifecycleEvent::ModeChanged, "Plan mode is over".to_owned());
        }
        "file" | "directory" | "pdf_reference" if attachment.display_path.words().is_some() => {
            page.attach(attached::file(attachment));
            page.show_attached(0);
        }
        _ if CONTEXT.contains(&kind) => page.hidden_attachment(kind),
        _ if NEUTRAL_ATTACHMENTS.contains(&kind) => (),
        _ => page.unknown(0, &format!("attachment/{kind}")),
    }
}

/// What a hook of the person's own did to the turn, and why.
fn read_hook(what: &str, kind: &str, attachment: &Attachment<'_>, page: &mut Page<'_>) {
    let name = attachment.hook_name.words().unwrap_or("unnamed");
    let blocked = attachment.blocking_error.one().and_then(|it| it.blocking_error.words());
    let why = blocked
        .or(attachment.blocking_error.text())
        .or(attachment.message.words())
        .or(attachment.content.text())
        .or(attachment.stderr.words())
        .unwrap_or_default();
    let event = match kind {
        "hook_system_message" => LifecycleEvent::Notice,
        _ => LifecycleEvent::Warning,
    };
    let detail = format!("Hook {name} {what}: {}", plain(why.trim()));
    page.lifecycle(0, event, detail.trim_end_matches([':', ' ']).to_owned());
}

/// A message that the CLI took from its queue in the middle of a turn. It has no
/// user record: this is all that tells that a person said it.
fn read_absorbed(attachment: &Attachment<'_>, page: &mut Page<'_>) {
    let text = match &attachment.prompt {
        Shape::Text(text) => Some(text.to_string()),
        Shape::Many(parts) => user::prose(parts, page),
        _ => None,
    };
    let Some(text) = text else {
        page.unknown(0, "attachment/queued_command");
        return;
    };
    let origin = attachment.origin.one().and_then(|it| it.kind.text());
    user::say(spoken(&text, origin == Some("human")), page);
    page.show_attached(0);
    page.fact(Fact::TurnGoesOn);
}

pub(super) fn read_queue_operation(native: &Native<'_>, page: &mut Page<'_>) {
    let Some(operation) = native.operation.text() else {
        page.unknown(0, "queue-operation");
        return;
    };
    // What becomes of a queued prompt is told by its user record or attachment.
    // The newer version leaves the text out where several lines were queued at once.
    let text = match &native.content {
        Shape::Text(text) => text.to_string(),
        Shape::Many(parts) => user::prose(parts, page).unwrap_or_default(),
        _ => String::new(),
    };
    match (operation, spoken(&text, false)) {
        ("enqueue", Spoken::Prompt(text)) if !text.trim().is_empty() => {
            page.fact(Fact::CliQueued { text });
        }
        // The end is told here first, and again when the model hears of it.
        ("enqueue", Spoken::Notification(news)) => user::end_background(news.ended, page),
        ("popAll" | "remove", Spoken::Prompt(text)) if is_withdrawn(operation, native) => {
            let text = Some(text).filter(|it| !it.trim().is_empty());
            if let Some(text) = &text {
                let detail = format!("Taken back before it was sent: {text}");
                page.lifecycle(0, LifecycleEvent::Notice, detail);
            }
            page.fact(Fact::CliReturned { text });
        }
        _ => (),
    }
}

/// A prompt leaves the queue back into the composer, or into a turn that is under
/// way; the older version does not say which of the two a removal was.
fn is_withdrawn(operation: &str, native: &Native<'_>) -> bool {
    match native.reason.words() {
        Some(reason) => !reason.starts_with("absorbed"),
        None => operation == "popAll",
    }
}
