//! The record of one conversation, read where somebody looks.
//!
//! # Theory of operation
//!
//! A message follows from its record and the few records that the index says
//! hang together with it. So a page in the middle of a long transcript is mapped
//! from the records of the page and those, by a mapper that sees nothing else,
//! and is equal to what a reading of the whole would give.
//!
//! The index is made when it is first needed, or ahead of that in the
//! background, and goes on from there as the file grows. Nobody who appends or
//! follows has to wait for it.
//!
//! This is for records that are lines of a file. A provider whose store is
//! something else brings its own way of reading back, and the view above does
//! not notice.

mod newest;
mod pass;

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::schema::{Message, Position};
use crate::seam::{AgentProvider, Record};
use crate::transcript::{Follower, Index, Progress, read_line};

pub use newest::{Newest, newest};
pub(super) use pass::{Known, Pass};

use super::view::{Keep, Older, Over, View};

/// How much is indexed before somebody else may look something up.
const SLICE: usize = 8 * 1024 * 1024;

/// How much of a record is mapped for a page before it is counted again.
const STRETCH: u64 = 4 * 1024 * 1024;

/// One file of records. What it answers is mapped anew each time.
pub struct Source {
    provider: Arc<dyn AgentProvider>,
    path: PathBuf,
    file: Arc<File>,
    /// The length that it had when it was opened.
    length: u64,
    indexed: Mutex<Indexed>,
}

struct Indexed {
    index: Index,
    follower: Follower,
}

impl Source {
    pub fn new(
        provider: Arc<dyn AgentProvider>,
        path: PathBuf,
        file: Arc<File>,
    ) -> io::Result<Self> {
        let length = file.metadata()?.len();
        // Without a name: whether the file was replaced is for others to notice.
        let follower = Follower::resume(PathBuf::new(), file.clone(), 0)?;
        let indexed = Mutex::new(Indexed { index: Index::default(), follower });
        Ok(Self { provider, path, file, length, indexed })
    }

    /// Whether the file under this name is not, or not only, what was opened.
    pub(super) fn has_changed(&self) -> bool {
        let Ok(there) = std::fs::metadata(&self.path) else {
            return false; // What is gone can still be read through the open file.
        };
        let same = self.file.metadata().is_ok_and(|here| {
            (here.dev(), here.ino(), here.len()) == (there.dev(), there.ino(), self.length)
        });
        !same
    }

    /// Indexes what is not indexed yet.
    pub fn index_all(&self) -> io::Result<()> {
        while !self.index_some(SLICE)? {}
        Ok(())
    }

    /// Indexes about so many bytes; true if nothing is left.
    pub fn index_some(&self, budget: usize) -> io::Result<bool> {
        let mut indexed = self.indexed.lock().unwrap_or_else(PoisonError::into_inner);
        let Indexed { index, follower } = &mut *indexed;
        let progress = follower.read(budget, |at, bytes| {
            index.push(at, self.provider.outline(Record { at, bytes }).as_ref());
        })?;
        index.reach(follower.next());
        match progress {
            Progress::Current => Ok(true),
            Progress::More => Ok(false),
            Progress::Missing | Progress::Replaced => {
                *index = Index::default();
                Err(io::Error::other("the transcript was written anew while it was read"))
            }
        }
    }

    /// The part of a page that a view does not hold.
    pub fn read(&self, older: Older, cancelled: bool) -> io::Result<Vec<Message>> {
        self.index_all()?;
        match older {
            Older::Before { end, want } => self.before(end, want, cancelled),
            Older::After { start, end, want } => self.after(start, end, want, cancelled),
        }
    }

    /// One message, with nothing cut.
    pub fn message(&self, at: Position, cancelled: bool) -> io::Result<Option<Message>> {
        self.index_all()?;
        let record = self.look(|index| index.at_or_behind(at.record));
        let messages = self.map(record..record + 1, true, cancelled)?;
        Ok(messages.into_iter().find(|it| it.position == at))
    }

    /// The newest messages before `end`, one more than `want` if there is one.
    fn before(&self, end: Position, want: usize, cancelled: bool) -> io::Result<Vec<Message>> {
        let mut page: Vec<Message> = Vec::new();
        // Blocks of the record at the end may stand before it.
        let mut until = self.look(|index| index.at_or_behind(end.record.saturating_add(1)));
        let mut count = want + 1;
        while until > 0 && page.len() <= want {
            let from = self.look(|index| {
                let least = index.span(until - 1).end.saturating_sub(STRETCH);
                let near = until.saturating_sub(count);
                near.max(index.at_or_behind(least)).min(until - 1)
            });
            let mut stretch = self.map(from..until, false, cancelled)?;
            stretch.retain(|it| it.position < end);
            stretch.append(&mut page);
            page = stretch;
            until = from;
            count *= 2;
        }
        let surplus = page.len().saturating_sub(want + 1);
        page.drain(..surplus);
        Ok(page)
    }

    /// The oldest messages between the two, one more than `want` if there is one.
    fn after(
        &self,
        start: Position,
        end: Position,
        want: usize,
        cancelled: bool,
    ) -> io::Result<Vec<Message>> {
        let mut page: Vec<Message> = Vec::new();
        let (mut from, last) = self.look(|index| {
            (index.at_or_behind(start.record), index.at_or_behind(end.record.saturating_add(1)))
        });
        let mut count = want + 1;
        while from < last && page.len() <= want {
            let until = self.look(|index| {
                let most = index.span(from).start.saturating_add(STRETCH);
                let near = last.min(from.saturating_add(count));
                near.min(index.at_or_behind(most)).max(from + 1)
            });
            let mut stretch = self.map(from..until, false, cancelled)?;
            stretch.retain(|it| it.position > start && it.position < end);
            page.append(&mut stretch);
            from = until;
            count *= 2;
        }
        page.truncate(want + 1);
        Ok(page)
    }

    fn look<T>(&self, look: impl FnOnce(&Index) -> T) -> T {
        look(&self.indexed.lock().unwrap_or_else(PoisonError::into_inner).index)
    }

    /// The messages of these records, as they are after the whole file.
    fn map(&self, page: Range<usize>, whole: bool, cancelled: bool) -> io::Result<Vec<Message>> {
        let (wanted, spans) = self.look(|index| {
            let wanted = index.span(page.start).start..index.span(page.end).start;
            let all = 0..index.len();
            let kin = if index.is_clear() { index.kin(page) } else { all.collect() };
            (wanted, kin.into_iter().map(|it| index.span(it)).collect::<Vec<_>>())
        });
        let mut view = View::new(Keep::records(wanted, whole));
        let mut mapper = self.provider.mapper();
        let mut line = Vec::new();
        for span in spans {
            let at = span.start;
            read_line(&self.file, span, &mut line)?;
            view.take(mapper.map(Record { at, bytes: &line }));
            // One long line is no reason to hold so much for all the others.
            if line.capacity() > SLICE {
                line = Vec::new();
            }
        }
        if cancelled {
            view.end_open(&Over::Everything, || 0);
        }
        Ok(view.into_messages())
    }
}
