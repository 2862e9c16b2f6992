//! Records of the model: text, thinking and calls of tools.
//!
//! One answer is recorded as several lines, one block each, that share the id of
//! the answer, its usage and its final stop reason.

use crate::schema::{ContextUsage, Message, Role};
use crate::seam::{Block, BlockCause, Fact};

use super::loose::Shape;
use super::page::Page;
use super::record::{Native, NativeMessage, Part};
use super::{ClaudeMapper, results, tell_change, tools};

/// The name of the model under what the CLI says by itself.
const SYNTHETIC: &str = "<synthetic>";

pub(super) fn read(mapper: &mut ClaudeMapper, native: &Native<'_>, page: &mut Page<'_>) {
    let Some(message) = native.message.one() else {
        page.unknown(0, "assistant");
        return;
    };
    mapper.note_branch(native, page);
    let says_something = match &message.content {
        Shape::Text(text) => say(native, message, text, 0, page),
        Shape::Many(parts) => {
            let mut any = false;
            for (block, part) in (0..).zip(parts) {
                any |= match part.one() {
                    Some(part) => read_part(mapper, native, message, part, block, page),
                    None => {
                        page.unknown(block, "assistant");
                        false
                    }
                };
            }
            any
        }
        _ => {
            page.unknown(0, "assistant");
            return;
        }
    };
    note_model(mapper, message, page);
    if let Some(fact) = turn(native, message, says_something) {
        page.fact(fact);
    }
    if let Some(block) = block(native, message) {
        page.fact(Fact::Blocked(block));
    }
}

/// What no other prompt would change: the CLI has tried often enough before it says so.
fn block(native: &Native<'_>, message: &NativeMessage<'_>) -> Option<Block> {
    let error = native.is_api_error_message.is_true().then(|| native.error.words()).flatten();
    let cause = match error? {
        "rate_limit" => BlockCause::UsageLimit,
        "authentication_failed" => BlockCause::LoggedOut,
        _ => return None,
    };
    let words = match &message.content {
        Shape::Text(text) => Some(text.to_string()),
        Shape::Many(parts) => parts.iter().find_map(|it| it.one()?.text.text().map(str::to_owned)),
        _ => None,
    };
    Some(Block { cause, words: words.unwrap_or_default() })
}

/// Whether the block is one that can end a turn.
fn read_part(
    mapper: &mut ClaudeMapper,
    native: &Native<'_>,
    message: &NativeMessage<'_>,
    part: &Part<'_>,
    block: u32,
    page: &mut Page<'_>,
) -> bool {
    let turn = message.id.words();
    match part.kind.text() {
        Some("text") => match part.text.text() {
            Some(text) => say(native, message, text, block, page),
            None => {
                page.unknown(block, "assistant/text");
                false
            }
        },
        Some("thinking") => {
            if let Some(text) = part.thinking.words() {
                page.say(Message {
                    thinking: true,
                    turn: turn.map(str::to_owned),
                    ..Message::text(page.place(block), Role::Assistant, text)
                });
            }
            false
        }
        Some("redacted_thinking") => false,
        Some("tool_use" | "server_tool_use" | "mcp_tool_use") => {
            tools::read(mapper, part, turn, block, page);
            true
        }
        // The result of a tool that ran at the model's side.
        Some(kind) if part.tool_use_id.text().is_some() && kind.ends_with("_result") => {
            results::read(mapper, native, part, false, block, page);
            true
        }
        kind => {
            let kind = format!("assistant/{}", kind.unwrap_or("untyped"));
            page.unknown(block, &kind);
            false
        }
    }
}

/// Shows a text, if it says something.
fn say(
    native: &Native<'_>,
    message: &NativeMessage<'_>,
    text: &str,
    block: u32,
    page: &mut Page<'_>,
) -> bool {
    if text.trim().is_empty() {
        return false;
    }
    let error = native
        .is_api_error_message
        .is_true()
        .then(|| native.error.words().unwrap_or("api_error").to_owned());
    page.say(Message {
        error,
        turn: message.id.words().map(str::to_owned),
        ..Message::text(page.place(block), Role::Assistant, text)
    });
    true
}

/// Where the turn stands after this record.
///
/// The stop reason is that of the whole answer: on a line that holds thinking, it
/// ends nothing, since a line with words follows. An answer without any words is
/// not the end either: the CLI then asks the model again, once.
fn turn(native: &Native<'_>, message: &NativeMessage<'_>, says_something: bool) -> Option<Fact> {
    if native.is_api_error_message.is_true() {
        return Some(Fact::TurnEnded);
    }
    if native.is_aborted_mid_stream.is_true() {
        // The marker of the interrupt is a record of its own.
        return None;
    }
    match message.stop_reason.text() {
        Some("end_turn" | "stop_sequence" | "refusal" | "model_context_window_exceeded") => {
            says_something.then_some(Fact::TurnEnded)
        }
        _ => Some(Fact::TurnGoesOn),
    }
}

fn note_model(mapper: &mut ClaudeMapper, message: &NativeMessage<'_>, page: &mut Page<'_>) {
    let Some(model) = message.model.words().filter(|it| *it != SYNTHETIC) else {
        return;
    };
    tell_change(&mut mapper.model, model, page, Fact::Model);
    let Some(usage) = message.usage.one() else {
        return;
    };
    let id = message.id.words();
    if page.is_aside() || (id.is_some() && mapper.usage_of.as_deref() == id) {
        return;
    }
    mapper.usage_of = id.map(str::to_owned);
    let used = [
        &usage.input_tokens,
        &usage.cache_creation_input_tokens,
        &usage.cache_read_input_tokens,
        &usage.output_tokens,
    ]
    .into_iter()
    .filter_map(|it| it.number())
    .fold(0, u64::saturating_add);
    page.fact(Fact::Usage(ContextUsage { used, limit: limit(model, used) }));
}

/// The size of a model's context window. A record does not always carry the mark
/// of the large one, but what fits into it tells.
fn limit(model: &str, used: u64) -> u64 {
    if model.ends_with("[1m]") || used > 200_000 { 1_000_000 } else { 200_000 }
}
