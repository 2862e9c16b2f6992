//! The thread of a conversation: which record goes on from which.
//!
//! Every record names its parent. Where a person goes back to an earlier point,
//! nothing is written until they speak; what they say then names a parent that is
//! not the end of the thread, and everything behind that parent is left behind.
//!
//! # What is deliberately absent
//!
//! - **A guess.** A branch counts only where the whole way from the end of the
//!   thread back to the parent is known. A mapper that began in the middle, a lost
//!   record and records out of their order yield nothing: a message that is shown
//!   although it was left behind does less harm than one that is wrongly cut off.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::schema::Position;

use super::loose::Shape;
use super::record::{Native, Part};

/// A record's own id, shortened: there are many, and they are only compared.
type Id = u64;

#[derive(Debug, Default)]
pub(super) struct Thread {
    links: HashMap<Id, Link>,
    /// The newest record of the main line.
    end: Option<Id>,
    /// What the newest compaction kept, if it kept a part of the conversation.
    kept: Option<Kept>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    parent: Option<Id>,
    at: u64,
    /// Said by somebody: more than a note of the CLI.
    is_said: bool,
}

/// A compaction moves what it keeps behind itself, without writing it again.
#[derive(Debug, Clone, Copy)]
struct Kept {
    head: Id,
    tail: Id,
    /// The record that the kept ones now follow: the boundary or its summary.
    anchor: Id,
}

/// What is left behind: from one place up to, but not with, another.
pub(super) type Range = (Position, Position);

impl Thread {
    /// Takes a record in. If it opens a branch: what it leaves behind.
    pub(super) fn grow(&mut self, native: &Native<'_>, here: Position) -> Vec<Range> {
        let Some(id) = native.uuid.words().map(id) else {
            return Vec::new();
        };
        if self.links.contains_key(&id) {
            // Written twice. It stands where it stood.
            return Vec::new();
        }
        // A compaction begins a thread of its own, which goes on from the old one.
        let parent = native.parent_uuid.words().or(native.logical_parent_uuid.words());
        let mut parent = parent.map(self::id);
        // What names the anchor first goes on behind what was kept.
        if let Some(kept) = self.kept
            && parent == Some(kept.anchor)
            && self.end == Some(kept.tail)
        {
            parent = Some(kept.tail);
        }
        let left = if opens_turn(native) { self.left_behind(id, parent, here) } else { Vec::new() };
        self.end = Some(id);
        if let Some(kept) = kept(native) {
            parent = self.move_behind(kept, parent);
        }
        if let Some(kept) = self.kept
            && kept.anchor == id
        {
            self.end = Some(kept.tail);
        }
        let is_said = matches!(native.kind.text(), Some("user" | "assistant"));
        self.links.insert(id, Link { parent, at: here.record, is_said });
        left
    }

    /// Moves what a compaction kept behind its anchor. What comes before the
    /// compaction now.
    fn move_behind(&mut self, kept: Kept, parent: Option<Id>) -> Option<Id> {
        self.kept = None;
        if !self.links.contains_key(&kept.tail) {
            return parent;
        }
        let Some(head) = self.links.get_mut(&kept.head) else {
            return parent;
        };
        self.kept = Some(kept);
        head.parent.replace(kept.anchor)
    }

    fn left_behind(&self, id: Id, parent: Option<Id>, here: Position) -> Vec<Range> {
        let Some(first) = self.way_back(id, parent) else {
            return Vec::new();
        };
        // What leads to the parent stays, wherever it stands.
        let mut stays: Vec<_> =
            self.thread(parent).map(|it| it.at).filter(|it| *it > first).collect();
        stays.sort_unstable();
        let mut ranges = Vec::new();
        let mut from = first;
        for at in stays {
            ranges.push((Position::new(from, 0), Position::new(at, 0)));
            from = at.saturating_add(1);
        }
        ranges.push((Position::new(from, 0), here));
        ranges.retain(|(from, to)| from < to);
        ranges
    }

    /// Where the first record stands on the way from the end back to the parent, if
    /// all of that way is known and something was said on it.
    fn way_back(&self, id: Id, parent: Option<Id>) -> Option<u64> {
        let mut next = self.end;
        let mut first = u64::MAX;
        let mut says_something = false;
        // No way is longer than all records, unless it leads in a circle.
        for _ in 0..=self.links.len() {
            if next == parent {
                return says_something.then_some(first);
            }
            let link = self.links.get(&next?)?;
            // Where lines are out of order, what descends from this one stands before it.
            if link.parent == Some(id) {
                return None;
            }
            first = first.min(link.at);
            says_something |= link.is_said;
            next = link.parent;
        }
        None
    }

    /// This record and all that it goes on from, newest first.
    fn thread(&self, id: Option<Id>) -> impl Iterator<Item = Link> {
        let link = |id: Option<Id>| self.links.get(&id?).copied();
        std::iter::successors(link(id), move |it| link(it.parent)).take(self.links.len())
    }
}

fn kept(native: &Native<'_>) -> Option<Kept> {
    let kept = native.compact_metadata.one()?.preserved_segment.one()?;
    Some(Kept {
        head: kept.head_uuid.words().map(id)?,
        tail: kept.tail_uuid.words().map(id)?,
        anchor: kept.anchor_uuid.words().map(id)?,
    })
}

/// Records with which a person takes up the thread. Results of calls that ran side
/// by side branch off their calls by nature, and are none.
fn opens_turn(native: &Native<'_>) -> bool {
    match native.kind.text() {
        Some("user") => {
            let Some(message) = native.message.one() else {
                return false;
            };
            let mut parts = message.content.many().iter().filter_map(Shape::one);
            let text = message.content.text().unwrap_or_default();
            // A command that the CLI ran by itself opens with a note to the model.
            let is_meta = native.is_meta.is_true() && !text.contains("<local-command-caveat>");
            let is_by_a_machine = is_meta
                || native.is_compact_summary.is_true()
                || native.prompt_source.text() == Some("system")
                || text.trim_start().starts_with("<task-notification>");
            !is_by_a_machine && !parts.any(is_result_or_mark)
        }
        Some("system") => native.subtype.text() == Some("local_command"),
        _ => false,
    }
}

fn is_result_or_mark(part: &Part<'_>) -> bool {
    let text = part.text.text().unwrap_or_default();
    part.kind.text() == Some("tool_result") || text.starts_with("[Request interrupted by user")
}

fn id(uuid: &str) -> Id {
    let mut hasher = DefaultHasher::new();
    uuid.hash(&mut hasher);
    hasher.finish()
}
