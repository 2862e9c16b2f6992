//! The messages of one epoch, as they are now.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::schema::{Dialog, Message, MessageKind, Position, Role, ToolCall, ToolStatus};
use crate::seam::ToolOutcome;

/// A body longer than this is cut for the wire.
const LONGEST_BODY: usize = 16 * 1024;

/// The messages of one epoch with the revision that wrote each.
#[derive(Default)]
pub struct View {
    messages: BTreeMap<Position, Message>,
    by_revision: BTreeMap<u64, Position>,
    /// Where each tool call stands.
    calls: HashMap<String, Position>,
    /// Dialogs without an outcome. Asked for at each change, hence kept.
    open: BTreeSet<Position>,
    /// Results that came before their call.
    early: HashMap<String, ToolOutcome>,
}

/// One page of messages, oldest first.
#[derive(Debug, Default, PartialEq)]
pub struct Page {
    pub messages: Vec<Message>,
    /// There are more on the side that the page was cut on.
    pub has_more: bool,
}

/// Which page to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    Newest,
    Before(Position),
    After(Position),
}

impl View {
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds a message or replaces the one at its position.
    pub fn put(&mut self, mut message: Message, revision: u64) {
        if let Some(old) = self.messages.get(&message.position) {
            self.by_revision.remove(&old.revision);
        }
        message.revision = revision;
        let position = message.position;
        if let Some(call) = call_of(&message) {
            if let Some(outcome) = self.early.remove(&call) {
                finish(&mut message, &outcome);
            }
            self.calls.insert(call, position);
        }
        self.by_revision.insert(revision, position);
        note_dialog(&mut self.open, &message);
        self.messages.insert(position, message);
    }

    /// Writes the result of a call into its message. False if the call is not
    /// here yet; the result is then kept for it.
    pub fn finish_call(&mut self, outcome: ToolOutcome, revision: u64) -> bool {
        let Some(message) =
            self.calls.get(&outcome.call_id).and_then(|at| self.messages.get_mut(at))
        else {
            self.early.insert(outcome.call_id.clone(), outcome);
            return false;
        };
        finish(message, &outcome);
        note_dialog(&mut self.open, message);
        self.by_revision.remove(&message.revision);
        message.revision = revision;
        self.by_revision.insert(revision, message.position);
        true
    }

    pub fn position_of_call(&self, call: &str) -> Option<Position> {
        self.calls.get(call).copied()
    }

    pub fn get(&self, position: Position) -> Option<&Message> {
        self.messages.get(&position)
    }

    pub fn page(&self, window: Window, limit: usize) -> Page {
        let newest_first: Vec<&Message> = match window {
            Window::Newest => self.messages.values().rev().take(limit + 1).collect(),
            Window::Before(at) => {
                self.messages.range(..at).rev().map(|(_, it)| it).take(limit + 1).collect()
            }
            Window::After(at) => {
                let after = (std::ops::Bound::Excluded(at), std::ops::Bound::Unbounded);
                let page: Vec<_> =
                    self.messages.range(after).map(|(_, it)| it).take(limit + 1).collect();
                let has_more = page.len() > limit;
                let messages = page.into_iter().take(limit).map(for_wire).collect();
                return Page { messages, has_more };
            }
        };
        let has_more = newest_first.len() > limit;
        let messages = newest_first.into_iter().take(limit).rev().map(for_wire).collect();
        Page { messages, has_more }
    }

    /// Messages written after this revision, in the order of their revisions.
    pub fn changed_since(&self, revision: u64) -> impl Iterator<Item = &Message> {
        let after = (std::ops::Bound::Excluded(revision), std::ops::Bound::Unbounded);
        self.by_revision.range(after).filter_map(|(_, at)| self.messages.get(at))
    }

    /// Dialogs without an outcome, oldest first.
    pub fn open_dialogs(&self) -> Vec<Dialog> {
        self.open.iter().filter_map(|at| self.messages.get(at)?.dialog.clone()).collect()
    }

    /// Calls that still run.
    pub fn running_tools(&self) -> impl Iterator<Item = &ToolCall> {
        let tools = self.messages.values().filter_map(|it| it.tool.as_ref());
        tools.filter(|it| it.status == ToolStatus::Running)
    }

    /// Their ids, for when the process that ran them is gone.
    pub fn running_calls(&self) -> Vec<String> {
        self.running_tools().map(|it| it.call_id.clone()).collect()
    }

    /// The newest words, for a list of runs.
    pub fn last_line(&self) -> Option<String> {
        let newest = self.messages.values().rev().find(|it| match it.kind {
            MessageKind::Text => !it.thinking,
            MessageKind::Tool | MessageKind::Dialog => true,
            MessageKind::Lifecycle => false,
        })?;
        let line = match (&newest.tool, &newest.dialog, &newest.text) {
            (Some(tool), ..) => tool.title.clone(),
            (_, Some(dialog), _) => dialog.title.clone(),
            (.., Some(text)) => first_line(text, newest.role),
            _ => return None,
        };
        Some(shorten(&line, 160))
    }
}

/// The last line that the agent wrote is the news; of a person's words, the first.
fn first_line(text: &str, role: Option<Role>) -> String {
    let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let line = match role {
        Some(Role::Assistant) => lines.next_back(),
        _ => lines.next(),
    };
    let line = line.unwrap_or_default().trim_start_matches(['#', '-', '>', ' ']);
    // A list of runs shows plain words.
    line.strip_prefix("* ").unwrap_or(line).replace("**", "").replace('`', "")
}

pub(super) fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(longest - 1).collect();
    short.push('…');
    short
}

fn call_of(message: &Message) -> Option<String> {
    match (&message.tool, &message.dialog) {
        (Some(tool), _) => Some(tool.call_id.clone()),
        (None, Some(dialog)) => Some(dialog.id.clone()),
        (None, None) => None,
    }
}

fn note_dialog(open: &mut BTreeSet<Position>, message: &Message) {
    if message.dialog.as_ref().is_some_and(|it| it.outcome.is_none()) {
        open.insert(message.position);
    } else {
        open.remove(&message.position);
    }
}

fn finish(message: &mut Message, outcome: &ToolOutcome) {
    if let Some(tool) = &mut message.tool {
        tool.status = outcome.status;
        tool.output.clone_from(&outcome.output);
        tool.ended_at.clone_from(&outcome.ended_at);
        if outcome.view.is_some() {
            tool.view.clone_from(&outcome.view);
        }
    }
    if let Some(dialog) = &mut message.dialog {
        dialog.answerable = false;
        dialog.outcome = outcome.dialog.clone().or_else(|| {
            Some(crate::schema::Outcome {
                accepted: outcome.status == ToolStatus::Ok,
                answers: Vec::new(),
                detail: outcome.output.clone(),
            })
        });
    }
}

/// The message with long bodies cut. Dialogs and plans are never cut.
pub fn for_wire(message: &Message) -> Message {
    let mut message = message.clone();
    let mut cut = false;
    if let Some(tool) = &mut message.tool {
        if let Some(output) = &mut tool.output {
            cut |= cut_body(output);
        }
        cut |= cut_value(&mut tool.input);
        if let Some(
            crate::schema::ToolView::Diff { diff: body, .. }
            | crate::schema::ToolView::Write { content: body, .. },
        ) = &mut tool.view
        {
            cut |= cut_body(body);
        }
    }
    if let Some(text) = &mut message.text {
        // A person reads prose whole; only what is no prose any more is cut.
        if text.len() > 16 * LONGEST_BODY {
            cut |= cut_body(text);
        }
    }
    message.cut = cut;
    message
}

fn cut_value(value: &mut serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(text) => cut_body(text),
        serde_json::Value::Array(items) => {
            items.iter_mut().fold(false, |cut, it| cut_value(it) | cut)
        }
        serde_json::Value::Object(members) => {
            members.values_mut().fold(false, |cut, it| cut_value(it) | cut)
        }
        _ => false,
    }
}

fn cut_body(body: &mut String) -> bool {
    if body.len() <= LONGEST_BODY {
        return false;
    }
    body.truncate(body.floor_char_boundary(LONGEST_BODY));
    body.push('…');
    true
}

#[cfg(test)]
mod tests;
