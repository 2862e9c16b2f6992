//! Bodies that are too long for the wire. Dialogs and plans are never cut.

use serde_json::Value;

use crate::schema::{Message, ToolView};
use crate::seam::ToolOutcome;

/// A body longer than this is cut for the wire.
pub(super) const LONGEST_BODY: usize = 16 * 1024;

/// The message with long bodies cut.
pub fn for_wire(message: &Message) -> Message {
    let mut message = message.clone();
    message.cut = cut_said(&mut message) | cut_view(&mut message) | cut_output(&mut message);
    message
}

/// Cuts what the message had from its beginning: text and input.
pub(super) fn cut_said(message: &mut Message) -> bool {
    let mut cut = false;
    if let Some(tool) = &mut message.tool {
        cut |= cut_value(&mut tool.input);
    }
    if let Some(text) = &mut message.text {
        // A person reads prose whole; only what is no prose any more is cut.
        if text.len() > 16 * LONGEST_BODY {
            cut |= cut_body(text);
        }
    }
    cut
}

pub(super) fn cut_view(message: &mut Message) -> bool {
    let view = message.tool.as_mut().and_then(|it| it.view.as_mut());
    match view {
        Some(ToolView::Diff { diff: body, .. } | ToolView::Write { content: body, .. }) => {
            cut_body(body)
        }
        _ => false,
    }
}

pub(super) fn cut_output(message: &mut Message) -> bool {
    message.tool.as_mut().and_then(|it| it.output.as_mut()).is_some_and(cut_body)
}

/// About how much memory an outcome holds.
pub(super) fn outcome_weight(outcome: &ToolOutcome) -> usize {
    let view = match &outcome.view {
        Some(ToolView::Diff { diff: body, .. } | ToolView::Write { content: body, .. }) => {
            body.len()
        }
        _ => 0,
    };
    size_of::<ToolOutcome>() + view + outcome.output.as_ref().map_or(0, String::len)
}

fn cut_value(value: &mut Value) -> bool {
    match value {
        Value::String(text) => cut_body(text),
        Value::Array(items) => items.iter_mut().fold(false, |cut, it| cut_value(it) | cut),
        Value::Object(members) => members.values_mut().fold(false, |cut, it| cut_value(it) | cut),
        _ => false,
    }
}

fn cut_body(body: &mut String) -> bool {
    if body.len() <= LONGEST_BODY {
        return false;
    }
    body.truncate(body.floor_char_boundary(LONGEST_BODY));
    body.push('…');
    // What was cut away is not to be held either.
    body.shrink_to_fit();
    true
}

/// About how much memory a message holds.
pub(super) fn weight(message: &Message) -> usize {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let tool = message.tool.as_ref().map_or(0, |tool| {
        let view = match &tool.view {
            Some(ToolView::Diff { diff: body, .. } | ToolView::Write { content: body, .. }) => {
                body.len()
            }
            _ => 0,
        };
        value_weight(&tool.input) + length(&tool.output) + view
    });
    let dialog = message.dialog.as_ref().map_or(0, |it| it.body.len());
    let lifecycle = message.lifecycle.as_ref().map_or(0, |it| length(&it.detail));
    size_of::<Message>() + length(&message.text) + tool + dialog + lifecycle
}

fn value_weight(value: &Value) -> usize {
    let own = size_of::<Value>();
    match value {
        Value::String(text) => own + text.len(),
        Value::Array(items) => own + items.iter().map(value_weight).sum::<usize>(),
        Value::Object(members) => {
            own + members.iter().map(|(key, it)| key.len() + value_weight(it)).sum::<usize>()
        }
        _ => own,
    }
}
