//! Reads a long record from its start in the background, for what its end alone
//! can't tell: calls that have run since long ago, a title that a person chose,
//! facts that were told once.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::runs::state::ends_turn;
use crate::runs::view::{Over, View};
use crate::schema::ContextUsage;
use crate::seam::{AgentProvider, Block, Fact, Mapped, Record, RecordMapper};
use crate::transcript::{Follower, Progress};

use super::Source;

/// How much is read before somebody may call it off.
const SLICE: usize = 4 * 1024 * 1024;

/// A reader that has seen everything up to where its follower stands.
pub(in super::super) struct Pass {
    pub(in super::super) follower: Follower,
    pub(in super::super) mapper: Box<dyn RecordMapper>,
    pub(in super::super) view: View,
    pub(in super::super) facts: Known,
}

/// The newest of each fact.
#[derive(Debug, Default)]
pub(in super::super) struct Known {
    pub(in super::super) usage: Option<ContextUsage>,
    pub(in super::super) title: Option<String>,
    pub(in super::super) model: Option<String>,
    pub(in super::super) permission_mode: Option<String>,
    pub(in super::super) branch: Option<String>,
    /// The last that was told of a turn.
    pub(in super::super) turn: Option<Fact>,
    /// What stopped the model, if it has not answered since.
    pub(in super::super) blocked: Option<Block>,
}

impl Known {
    /// Takes a record's messages and facts, as they come.
    pub(in super::super) fn take_all(&mut self, view: &mut View, mapped: Mapped) {
        for fact in view.take(mapped) {
            if ends_turn(&fact) {
                view.end_open(&Over::Everything, || 0);
            }
            self.take(fact);
        }
    }

    pub(in super::super) fn take(&mut self, fact: Fact) {
        match fact {
            Fact::Usage(usage) => {
                self.usage = Some(usage);
                self.blocked = None; // The model has answered.
            }
            Fact::Title(title) => self.title = Some(title),
            Fact::Model(model) => self.model = Some(model),
            Fact::PermissionMode(mode) => self.permission_mode = Some(mode),
            Fact::Branch(branch) => self.branch = Some(branch),
            Fact::Prompt(_) | Fact::TurnEnded | Fact::TurnGoesOn | Fact::Interrupted => {
                self.turn = Some(fact);
            }
            Fact::Blocked(block) => self.blocked = Some(block),
            Fact::ToolEnded(_)
            | Fact::CliQueued { .. }
            | Fact::CliReturned { .. }
            | Fact::Abandoned { .. }
            | Fact::BackgroundStarted { .. }
            | Fact::BackgroundEnded { .. }
            | Fact::Decided { .. }
            | Fact::UnknownRecord(_) => {}
        }
    }
}

impl Pass {
    /// Indexes the record, and then reads all of it. Blocking: for a thread that
    /// may wait. `None` if it was called off or the file was replaced.
    pub(in super::super) fn run(
        provider: &Arc<dyn AgentProvider>,
        source: &Source,
        path: PathBuf,
        file: Arc<File>,
        stop: &CancellationToken,
    ) -> io::Result<Option<Self>> {
        loop {
            // It may have waited long for its turn.
            if stop.is_cancelled() {
                return Ok(None);
            }
            if source.index_some(SLICE)? {
                break;
            }
        }
        let mut pass = Self {
            follower: Follower::resume(path, file, 0)?,
            mapper: provider.mapper(),
            view: View::default(),
            facts: Known::default(),
        };
        loop {
            match pass.read(SLICE)? {
                Progress::Current => return Ok(Some(pass)),
                Progress::More if stop.is_cancelled() => return Ok(None),
                Progress::More => {}
                Progress::Missing | Progress::Replaced => return Ok(None),
            }
        }
    }

    fn read(&mut self, budget: usize) -> io::Result<Progress> {
        let Self { follower, mapper, view, facts } = self;
        follower.read(budget, |at, bytes| {
            facts.take_all(view, mapper.map(Record { at, bytes }));
        })
    }
}
