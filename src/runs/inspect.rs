//! One transcript, read once from its start to its end: what the server would
//! show of it, without a server and without a process.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use crate::schema::{ContextUsage, Dialog, Epoch, Message, Position, RunState};
use crate::seam::{AgentProvider, Fact, Mapped, Record, SeamError};
use crate::transcript::{Follower, Progress};

use super::error::RunError;
use super::state::{StateFacts, ends_turn};
use super::view::{Keep, Over, View};

/// Everything that a transcript says about itself.
#[derive(Debug, Serialize)]
pub struct Inspection {
    pub messages: Vec<Message>,
    /// What follows from the record alone. No record says that a process is
    /// gone, so it is never `ended`.
    pub state: RunState,
    /// The conversations in this file: one, if it has any record.
    pub epochs: Vec<Epoch>,
    /// How many records of each type nobody understood.
    pub unknown: BTreeMap<String, usize>,
    pub context_usage: Option<ContextUsage>,
    /// How many records there are in all.
    #[serde(skip)]
    pub records: usize,
}

impl Inspection {
    pub fn unknown_records(&self) -> usize {
        self.unknown.values().sum()
    }
}

/// Maps the whole transcript and folds it as the server does.
pub fn inspect(provider: &dyn AgentProvider, path: &Path) -> Result<Inspection, RunError> {
    let mut folded = Folded::default();
    let mut mapper = provider.mapper();
    let mut follower = Follower::new(path.to_owned());
    let progress = follower
        .read(usize::MAX, |at, bytes| folded.take(mapper.map(Record { at, bytes })))
        .map_err(|error| RunError::io(format!("read {}", path.display()), error))?;
    if progress == Progress::Missing {
        return Err(SeamError::TranscriptGone.into());
    }
    let name = path.file_stem().unwrap_or_default();
    Ok(folded.finish(&name.to_string_lossy()))
}

/// The state after each record. Every beginning of a transcript is one that a
/// server may have read so far.
pub fn states<'r>(
    provider: &dyn AgentProvider,
    records: impl IntoIterator<Item = &'r [u8]>,
) -> Vec<RunState> {
    let mut folded = Folded::default();
    let mut mapper = provider.mapper();
    let mut at = 0;
    records
        .into_iter()
        .map(|bytes| {
            folded.take(mapper.map(Record { at, bytes }));
            at += bytes.len() as u64 + 1;
            folded.state()
        })
        .collect()
}

/// Marks the messages from `from` up to, but not with, `to`, which a person has
/// left behind. How many were marked now.
pub fn abandon(messages: &mut [Message], from: Position, to: Position) -> usize {
    let range = from..to;
    let left = messages.iter_mut().filter(|it| !it.abandoned && range.contains(&it.position));
    left.map(|it| it.abandoned = true).count()
}

/// Dialogs without an outcome that still are part of the conversation.
pub fn open_dialogs<'m>(
    messages: impl IntoIterator<Item = &'m Message>,
) -> impl Iterator<Item = &'m Dialog> {
    let on_the_main_line = messages.into_iter().filter(|it| !it.abandoned);
    on_the_main_line.filter_map(|it| it.dialog.as_ref()).filter(|it| it.outcome.is_none())
}

/// A view as it grows, and what the records say beside it.
struct Folded {
    view: View,
    places: BTreeSet<Position>,
    facts: StateFacts,
    unknown: BTreeMap<String, usize>,
    usage: Option<ContextUsage>,
    records: usize,
}

impl Default for Folded {
    fn default() -> Self {
        Self {
            // Everything, and nothing cut.
            view: View::new(Keep::records(0..u64::MAX, true)),
            places: BTreeSet::new(),
            facts: StateFacts::default(),
            unknown: BTreeMap::new(),
            usage: None,
            records: 0,
        }
    }
}

impl Folded {
    fn take(&mut self, mapped: Mapped) {
        self.records += 1;
        for message in mapped.messages {
            self.places.insert(message.position);
            self.view.put(message, 0);
        }
        for fact in mapped.facts {
            self.facts.take_fact(&fact);
            if ends_turn(&fact) {
                self.view.end_open(&Over::Everything, || 0);
            }
            match fact {
                Fact::ToolEnded(outcome) => {
                    self.view.finish_call(*outcome, 0);
                }
                Fact::Abandoned { from, to } => self.abandon(from, to),
                Fact::UnknownRecord(kind) => *self.unknown.entry(kind).or_default() += 1,
                Fact::Usage(usage) => self.usage = Some(usage),
                _ => (),
            }
        }
    }

    fn abandon(&mut self, from: Position, to: Position) {
        let left = self.places.range(from..to.max(from)).filter_map(|at| self.view.get(*at));
        let mut left: Vec<_> = left.cloned().collect();
        abandon(&mut left, from, to);
        left.into_iter().for_each(|message| self.view.put(message, 0));
    }

    fn messages(&self) -> impl Iterator<Item = &Message> {
        self.places.iter().filter_map(|at| self.view.get(*at))
    }

    fn state(&mut self) -> RunState {
        self.facts.open_dialogs = open_dialogs(self.messages()).count();
        self.facts.state()
    }

    fn finish(mut self, name: &str) -> Inspection {
        let state = self.state();
        let messages: Vec<_> = self.messages().cloned().collect();
        let began = messages.iter().find_map(|it| it.time.clone());
        let epoch = Epoch {
            id: name.to_owned(),
            reason: "startup".to_owned(),
            started_at: began.unwrap_or_default(),
        };
        Inspection {
            epochs: if self.records > 0 { vec![epoch] } else { Vec::new() },
            messages,
            state,
            unknown: self.unknown,
            context_usage: self.usage,
            records: self.records,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Role;

    #[test]
    fn what_a_person_left_behind_is_marked_once_and_nothing_else_is() {
        let at = |record| Position::new(record, 0);
        let mut messages: Vec<_> =
            (1..=4).map(|record| Message::text(at(record), Role::User, "x")).collect();
        assert_eq!(abandon(&mut messages, at(2), at(4)), 2);
        assert_eq!(abandon(&mut messages, at(2), at(4)), 0);
        assert_eq!(abandon(&mut messages, at(4), at(2)), 0);
        let marks: Vec<_> = messages.iter().map(|it| it.abandoned).collect();
        assert_eq!(marks, [false, true, true, false]);
    }
}
