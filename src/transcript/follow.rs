//! Whole records out of a file that grows.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::seam::TranscriptQuery;

use super::find::find_same;

/// How much is read at a time.
const BLOCK: usize = 256 * 1024;

/// A larger buffer than this is given back when the line that needed it is through.
const ROOMY: usize = 8 * 1024 * 1024;

/// A longer line is cut to this many bytes before it is handed on. It costs
/// that line its meaning and everything else nothing.
pub(super) const LONGEST_LINE: usize = 128 * 1024 * 1024;

/// So many of the bytes that were read last are remembered and looked at again: a
/// file that was written anew has others there, whatever its length. More than a
/// record's bookkeeping, which ends many a record with the very same bytes.
const MARK: usize = 4096;

/// Where a read left off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Everything that is in the file now was handed out.
    Current,
    /// The budget is used up; there is more to read.
    More,
    /// The file is not there yet.
    Missing,
    /// It is another file now, or a shorter one: what was read before is void.
    Replaced,
}

/// Reads one file from its start and then each whole line as it appears.
///
/// A line without its end is left where it is until the end arrives, so half a
/// record is never handed out. The open file is followed through a rename.
pub struct Follower {
    path: PathBuf,
    /// Which names the file may have.
    query: Option<TranscriptQuery>,
    file: Option<Arc<File>>,
    /// The name led to a file when it was looked at last.
    is_named: bool,
    /// The offset of the first byte that was not handed out.
    next: u64,
    /// What is read goes here, behind the beginning of a line without an end.
    buffer: Vec<u8>,
    /// How many bytes from `next` on are in the buffer.
    held: usize,
    /// Bytes of an overlong line that were passed over, beyond those held.
    passed_over: u64,
    /// The last bytes that were read.
    mark: Vec<u8>,
}

impl Follower {
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            query: None,
            file: None,
            is_named: true,
            next: 0,
            buffer: Vec::new(),
            held: 0,
            passed_over: 0,
            mark: Vec::new(),
        }
    }

    /// The file may move to another name that the query allows, and leave something
    /// else behind under the old one: it is then still followed.
    #[must_use]
    pub fn within(mut self, query: TranscriptQuery) -> Self {
        self.query = Some(query);
        self
    }

    /// Goes on in a file that is open already, at the beginning of a line.
    pub fn resume(path: PathBuf, file: Arc<File>, next: u64) -> io::Result<Self> {
        let mut follower = Self { file: Some(file), next, ..Self::new(path) };
        follower.remember()?;
        Ok(follower)
    }

    /// Where the first line begins that was not handed out.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The file that is followed, for reading other parts of it.
    pub fn file(&mut self) -> io::Result<Option<Arc<File>>> {
        self.open()?;
        Ok(self.file.clone())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its name led to any file at the last read. What is open is read all the same.
    pub fn is_named(&self) -> bool {
        self.is_named
    }

    /// Whether the open file stands at this path, or nothing does.
    pub fn is_at(&self, path: &Path) -> bool {
        let here = self.file.as_ref().and_then(|it| it.metadata().ok());
        match (here, std::fs::metadata(path)) {
            (Some(here), Ok(there)) => (here.dev(), here.ino()) == (there.dev(), there.ino()),
            _ => true,
        }
    }

    /// The same file under a new name. What was read stays read.
    pub fn moved_to(&mut self, path: PathBuf) {
        self.path = path;
    }

    /// Hands out whole lines, with the offset of each, until the file's end or
    /// until `budget` bytes were read.
    pub fn read(
        &mut self,
        budget: usize,
        mut each: impl FnMut(u64, &[u8]),
    ) -> io::Result<Progress> {
        let before = self.read_up_to();
        let progress = self.read_lines(budget, &mut each)?;
        if self.read_up_to() != before {
            self.remember()?;
        }
        Ok(progress)
    }

    fn read_lines(
        &mut self,
        budget: usize,
        each: &mut impl FnMut(u64, &[u8]),
    ) -> io::Result<Progress> {
        let Some(length) = self.open()? else {
            return Ok(Progress::Missing);
        };
        if length < self.read_up_to() || self.is_another_file()? || !self.is_as_remembered()? {
            let fresh = Self::new(std::mem::take(&mut self.path));
            *self = Self { query: self.query.take(), ..fresh };
            return Ok(Progress::Replaced);
        }
        let mut left = budget;
        // Most reads are one small append: no more room than that needs.
        let unread = (length - self.read_up_to()) as usize;
        let room = (unread + 1).min(BLOCK);
        loop {
            let from = self.read_up_to();
            let Some(file) = &self.file else {
                return Ok(Progress::Missing);
            };
            if self.buffer.len() < self.held + room {
                self.buffer.resize(self.held + room, 0);
            }
            let count = file.read_at(&mut self.buffer[self.held..][..room], from)?;
            if count == 0 {
                // Nothing more for now: what is not needed is given back.
                self.buffer.truncate(self.held);
                self.buffer.shrink_to_fit();
                return Ok(Progress::Current);
            }
            self.take(count, each);
            left = left.saturating_sub(count);
            if left == 0 {
                return Ok(Progress::More);
            }
        }
    }

    fn read_up_to(&self) -> u64 {
        self.next + self.held as u64 + self.passed_over
    }

    /// Opens the file if it is not open. Its length, or `None` if it is missing.
    fn open(&mut self) -> io::Result<Option<u64>> {
        if self.file.is_none() {
            match File::open(&self.path) {
                Ok(file) => self.file = Some(Arc::new(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        match &self.file {
            Some(file) => Ok(Some(file.metadata()?.len())),
            None => Ok(None),
        }
    }

    /// Whether the name now leads to another file. A name that leads nowhere
    /// is a rename under way: the open file is still the right one.
    fn is_another_file(&mut self) -> io::Result<bool> {
        let Some(open) = &self.file else { return Ok(false) };
        let here = open.metadata()?;
        let there = match std::fs::metadata(&self.path) {
            Ok(there) => Some(there),
            Err(error) if leads_nowhere(&error) => None,
            Err(error) => return Err(error),
        };
        self.is_named = there.is_some();
        let is_same = |it: &Metadata| (here.dev(), here.ino()) == (it.dev(), it.ino());
        if there.as_ref().is_some_and(is_same) {
            return Ok(false);
        }
        // Without a link it was overwritten or removed; with one it may have moved on.
        let moved = self.query.as_ref().filter(|_| here.nlink() > 0);
        if let Some(path) = moved.and_then(|query| find_same(query, &here)) {
            (self.path, self.is_named) = (path, true);
            return Ok(false);
        }
        // What is open is read on while nothing else has its name.
        Ok(there.is_some())
    }

    fn remember(&mut self) -> io::Result<()> {
        let end = self.read_up_to();
        let from = end.saturating_sub(MARK as u64);
        let mut mark = vec![0; (end - from) as usize];
        if let Some(file) = &self.file {
            match file.read_exact_at(&mut mark, from) {
                // It was cut off just now, which the next read sees.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => mark.clear(),
                read => read?,
            }
        }
        self.mark = mark;
        Ok(())
    }

    fn is_as_remembered(&self) -> io::Result<bool> {
        let Some(file) = &self.file else { return Ok(true) };
        let mut here = [0; MARK];
        let here = &mut here[..self.mark.len()];
        match file.read_exact_at(here, self.read_up_to() - self.mark.len() as u64) {
            Ok(()) => Ok(here == self.mark),
            // It was cut off just now.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Takes the bytes that were read into the buffer just now.
    fn take(&mut self, count: usize, each: &mut impl FnMut(u64, &[u8])) {
        let end = self.held + count;
        let (mut start, mut unsearched) = (0, self.held);
        while let Some(length) = memchr::memchr(b'\n', &self.buffer[unsearched..end]) {
            let line_end = unsearched + length;
            let line = &self.buffer[start..line_end.min(start + LONGEST_LINE)];
            each(self.next, without_carriage_return(line));
            self.next += (line_end - start) as u64 + self.passed_over + 1;
            self.passed_over = 0;
            start = line_end + 1;
            unsearched = start;
        }
        self.buffer.copy_within(start..end, 0);
        self.held = (end - start).min(LONGEST_LINE);
        self.passed_over += (end - start - self.held) as u64;
        // One long line is no reason to hold so much for all the others.
        if self.buffer.len() > ROOMY && self.held + BLOCK < ROOMY / 2 {
            self.buffer.truncate(self.held);
            self.buffer.shrink_to(self.held + BLOCK);
        }
    }
}

/// There is nothing of this name, or no folder to have it.
fn leads_nowhere(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn without_carriage_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests;
