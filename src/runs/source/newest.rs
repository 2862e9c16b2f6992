//! The newest messages of a long record, read from its end.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::seam::{AgentProvider, Mapped, Record, RecordMapper};
use crate::transcript::{Follower, last_line_end, line_start};

/// Enough messages for the page that most ask for. A larger one takes the rest
/// from the record.
const ENOUGH: usize = 201;

/// How much is read from the end, first and at most. More only if a single
/// record is larger.
const FIRST: u64 = 1024 * 1024;
const MOST: u64 = 8 * 1024 * 1024;

/// What stands at the end of a record.
pub struct Newest {
    /// The first record that was mapped.
    pub start: u64,
    /// Where the first record begins that was not.
    pub next: u64,
    pub mapped: Vec<Mapped>,
    pub mapper: Box<dyn RecordMapper>,
}

/// Maps the newest records of a file, enough for a page, without
/// reading the rest. `None` if the provider can't tell what they need.
pub fn newest(provider: &Arc<dyn AgentProvider>, file: &Arc<File>) -> io::Result<Option<Newest>> {
    let next = last_line_end(file, file.metadata()?.len())?;
    let mut wanted = FIRST;
    loop {
        let start = line_start(file, next, wanted)?;
        let Some(before) = before(provider, file, start, next)? else {
            return Ok(None);
        };
        let mut mapper = provider.mapper();
        for (at, bytes) in before.iter().rev() {
            mapper.map(Record { at: *at, bytes });
        }
        let mut mapped = Vec::new();
        each_line(file, start, next, |at, bytes| mapped.push(mapper.map(Record { at, bytes })))?;
        let count: usize = mapped.iter().map(|it| it.messages.len()).sum();
        if start == 0 || count >= ENOUGH || next - start >= MOST {
            mapped.retain(|it| *it != Mapped::default());
            return Ok(Some(Newest { start, next, mapped, mapper }));
        }
        wanted *= 2;
    }
}

/// Lines and where they begin.
type Lines = Vec<(u64, Vec<u8>)>;

/// The records before `start` that stand on a thread which is not begun behind
/// it, the newest first. Most often there is none.
fn before(
    provider: &Arc<dyn AgentProvider>,
    file: &Arc<File>,
    start: u64,
    end: u64,
) -> io::Result<Option<Lines>> {
    let (mut begun, mut needed, mut is_clear) = (0, 0, true);
    each_line(file, start, end, |at, bytes| match provider.outline(Record { at, bytes }) {
        Some(outline) => {
            needed |= outline.threads & !outline.renews & !begun;
            begun |= outline.threads;
        }
        None => is_clear = false,
    })?;
    let mut found = Vec::new();
    let (mut end, mut wanted) = (start, FIRST);
    while is_clear && needed != 0 && end > 0 {
        let start = line_start(file, end, wanted)?;
        let mut on_thread = Vec::new();
        each_line(file, start, end, |at, bytes| match provider.outline(Record { at, bytes }) {
            Some(it) if it.threads & needed != 0 => on_thread.push((at, bytes.to_vec(), it)),
            Some(_) => (),
            None => is_clear = false,
        })?;
        for (at, bytes, outline) in on_thread.into_iter().rev() {
            if outline.threads & needed != 0 {
                found.push((at, bytes));
                needed &= !outline.renews;
            }
        }
        end = start;
        wanted = (wanted * 2).min(MOST);
    }
    Ok(is_clear.then_some(found))
}

/// The lines from `start` to `end`, both of which are where lines begin.
fn each_line(
    file: &Arc<File>,
    start: u64,
    end: u64,
    mut take: impl FnMut(u64, &[u8]),
) -> io::Result<()> {
    let mut follower = Follower::resume(PathBuf::new(), file.clone(), start)?;
    while follower.next() < end {
        let before = follower.next();
        follower.read((end - before) as usize, |at, bytes| {
            if at < end {
                take(at, bytes);
            }
        })?;
        if follower.next() == before {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(())
}
