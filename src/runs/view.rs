//! The messages of one epoch, as they are now: the newest ones, and the older
//! ones that still wait for something. All others stay in the CLI's record and
//! are read from there when somebody asks.
//!
//! Long bodies are held as they go over the wire. Whole ones are in the record.

mod left;
mod open;
mod page;
mod wire;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Range;

use crate::schema::{Message, MessageKind, Position, Role, ToolStatus};
use crate::seam::{Fact, Mapped, ToolOutcome};

pub use open::Over;
use open::is_open;
pub use page::{Older, Page, Partial, Window};
pub use wire::for_wire;
use wire::{cut_output, cut_said, cut_view, outcome_weight, weight};

/// Calls and dialogs without an end that are held beside the newest messages.
/// A conversation with more has lost track of them.
const OPEN_KEPT: usize = 500;

/// Results without a call that are held for it.
const EARLY_KEPT: usize = 64;

/// What a view holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// So many messages at most, beside the open ones.
    pub messages: usize,
    /// So many bytes at most, however few messages that is.
    pub bytes: usize,
    /// Only messages of these records.
    pub records: Range<u64>,
    /// Bodies are not cut.
    pub whole: bool,
}

impl Default for Keep {
    fn default() -> Self {
        // More than the largest page, so that the newest one is always at hand.
        Self { messages: 1000, bytes: 4 * 1024 * 1024, records: 0..u64::MAX, whole: false }
    }
}

impl Keep {
    /// All messages of these records.
    pub fn records(records: Range<u64>, whole: bool) -> Self {
        Self { messages: usize::MAX, bytes: usize::MAX, records, whole }
    }
}

/// The messages of one epoch with the revision that wrote each.
#[derive(Default)]
pub struct View {
    keep: Keep,
    messages: BTreeMap<Position, Kept>,
    by_revision: BTreeSet<(u64, Position)>,
    /// Where each tool call stands.
    calls: HashMap<String, Position>,
    /// Running calls and dialogs without an outcome.
    open: BTreeSet<Position>,
    /// Results that came before their call, and their order.
    early: HashMap<String, ToolOutcome>,
    early_order: VecDeque<String>,
    early_weight: usize,
    weight: usize,
    /// Branches that a person went back from.
    left: Vec<left::Branch>,
    /// The newest place whose message may be missing here.
    gone: Option<Position>,
    /// The newest change that can't be told any more.
    lost: u64,
}

struct Kept {
    message: Message,
    weight: usize,
    /// Text or input were cut.
    said_cut: bool,
    view_cut: bool,
}

impl View {
    pub fn new(keep: Keep) -> Self {
        Self { keep, ..Self::default() }
    }

    /// A view that begins in the middle: what stands before this record is not
    /// known to it.
    pub fn starting_at(record: u64) -> Self {
        let gone = record.checked_sub(1).map(|it| Position::new(it, u32::MAX));
        Self { gone, ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds a message or replaces the one at its position.
    pub fn put(&mut self, mut message: Message, revision: u64) {
        message.revision = revision;
        let position = message.position;
        self.remove(position);
        if let Some(call) = call_of(&message) {
            if let Some(outcome) = self.take_early(&call) {
                finish(&mut message, &outcome);
            }
            self.calls.insert(call, position);
        }
        if !self.keep.records.contains(&position.record) {
            return;
        }
        let (mut said_cut, mut view_cut) = (false, false);
        if !self.keep.whole {
            said_cut = cut_said(&mut message);
            view_cut = cut_view(&mut message);
            message.cut = cut_output(&mut message) | said_cut | view_cut;
        }
        self.insert(Kept { weight: weight(&message), message, said_cut, view_cut });
        self.make_room();
    }

    /// Writes the result of a call into its message. False if the call is not
    /// here; the result is then kept for it.
    pub fn finish_call(&mut self, outcome: ToolOutcome, revision: u64) -> bool {
        let Some(&at) = self.calls.get(&outcome.call_id) else {
            if self.gone.is_some() {
                // It may be the result of a call that is not held any more.
                self.lost = self.lost.max(revision);
            }
            self.keep_early(outcome);
            return false;
        };
        let Some(mut kept) = self.remove(at) else {
            return false; // It stands in a record that is not wanted here.
        };
        let message = &mut kept.message;
        self.calls.insert(outcome.call_id.clone(), at);
        finish(message, &outcome);
        message.revision = revision;
        if !self.keep.whole {
            if outcome.view.is_some() {
                kept.view_cut = cut_view(message);
            }
            message.cut = cut_output(message) | kept.said_cut | kept.view_cut;
        }
        kept.weight = weight(message);
        self.insert(kept);
        self.make_room();
        true
    }

    /// Takes what a record means, in a view that nobody watches. What is no
    /// business of a view comes back.
    pub fn take(&mut self, mapped: Mapped) -> Vec<Fact> {
        mapped.messages.into_iter().for_each(|message| self.put(message, 0));
        let mut others = Vec::new();
        for fact in mapped.facts {
            match fact {
                Fact::ToolEnded(outcome) => _ = self.finish_call(*outcome, 0),
                Fact::Abandoned { from, to } => self.abandon(from, to, || 0),
                fact => others.push(fact),
            }
        }
        others
    }

    fn keep_early(&mut self, outcome: ToolOutcome) {
        let id = outcome.call_id.clone();
        if self.take_early(&id).is_none() {
            self.early_order.push_back(id.clone());
        }
        self.early_weight += outcome_weight(&outcome);
        self.early.insert(id, outcome);
        let has_limit = self.keep.messages < usize::MAX;
        while (has_limit && self.early_order.len() > EARLY_KEPT)
            || self.early_weight > self.keep.bytes
        {
            let Some(oldest) = self.early_order.pop_front() else { return };
            drop(self.take_early(&oldest));
        }
    }

    fn take_early(&mut self, call: &str) -> Option<ToolOutcome> {
        let outcome = self.early.remove(call)?;
        self.early_weight -= outcome_weight(&outcome);
        Some(outcome)
    }

    fn insert(&mut self, kept: Kept) {
        let position = kept.message.position;
        self.by_revision.insert((kept.message.revision, position));
        if is_open(&kept.message) {
            self.open.insert(position);
        }
        self.weight += kept.weight;
        self.messages.insert(position, kept);
    }

    fn remove(&mut self, position: Position) -> Option<Kept> {
        let kept = self.messages.remove(&position)?;
        self.by_revision.remove(&(kept.message.revision, position));
        self.open.remove(&position);
        self.weight -= kept.weight;
        if let Some(call) = call_of(&kept.message)
            && self.calls.get(&call) == Some(&position)
        {
            self.calls.remove(&call);
        }
        Some(kept)
    }

    /// Lets go what changed longest ago. The newest message stays in any case.
    fn make_room(&mut self) {
        while self.messages.len() - self.open.len() > self.keep.messages
            || self.weight > self.keep.bytes
            || (self.open.len() > OPEN_KEPT && self.keep.messages < usize::MAX)
        {
            let newest = self.messages.last_key_value().map(|(at, _)| *at);
            let too_many_open = self.open.len() > OPEN_KEPT;
            let mut oldest = self.by_revision.iter().map(|(_, at)| *at);
            let next =
                oldest.find(|at| Some(*at) != newest && (too_many_open || !self.open.contains(at)));
            let Some(kept) = next.and_then(|at| self.remove(at)) else {
                return;
            };
            self.gone = self.gone.max(Some(kept.message.position));
            self.lost = self.lost.max(kept.message.revision);
        }
    }

    /// Nobody works in this conversation any more: a few messages are enough.
    pub fn shrink(&mut self) {
        self.keep.messages = 100;
        self.make_room();
    }

    /// Makes `newer` out of this view: a better reading of the same record.
    /// What it tells differently is a change, and gets the next revision.
    pub fn succeeded_by(&mut self, mut newer: Self, revision: &mut u64) {
        newer.lost = newer.lost.max(self.lost);
        for kept in newer.messages.values_mut() {
            let message = &mut kept.message;
            let at = message.position;
            newer.by_revision.remove(&(message.revision, at));
            if let Some(known) = self.messages.get(&at) {
                message.revision = known.message.revision;
            }
            if self.get(at) != Some(&*message) {
                *revision += 1;
                message.revision = *revision;
            }
            newer.by_revision.insert((message.revision, at));
        }
        *self = newer;
    }

    pub fn get(&self, position: Position) -> Option<&Message> {
        self.messages.get(&position).map(|it| &it.message)
    }

    /// All messages that are here, in the order of their positions.
    pub fn into_messages(self) -> Vec<Message> {
        self.messages.into_values().map(|it| it.message).collect()
    }

    /// Whether a message that is not here may be in the record.
    pub fn may_lack(&self, position: Position) -> bool {
        self.gone.is_some_and(|gone| position <= gone)
    }

    /// The newest change that [`View::changed_since`] leaves out, since its
    /// message is not here any more. 0 if there is none.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Messages written after this revision, in the order of their revisions.
    pub fn changed_since(&self, revision: u64) -> impl Iterator<Item = &Message> {
        let after = (revision.saturating_add(1), Position::default());
        self.by_revision.range(after..).filter_map(|(_, at)| self.get(*at))
    }

    pub fn position_of_call(&self, call: &str) -> Option<Position> {
        self.calls.get(call).copied()
    }

    /// The newest words, for a list of runs.
    pub fn last_line(&self) -> Option<String> {
        let newest =
            self.messages.values().rev().map(|it| &it.message).find(|it| match it.kind {
                _ if it.abandoned => false,
                MessageKind::Text => !it.thinking && it.text.is_some(),
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
                discussed: false,
                answers: Vec::new(),
                detail: outcome.output.clone(),
            })
        });
    }
}

#[cfg(test)]
mod tests;
