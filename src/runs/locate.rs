//! Finds the CLI's record of a conversation.

use std::io;
use std::path::{Path, PathBuf};

use crate::seam::{AgentProvider, Record, TranscriptQuery};
use crate::transcript::{Follower, find_where};

/// A conversation says something within so many bytes.
const ENOUGH: usize = 256 * 1024;

/// The record that the query names. Of several files of its name, one in which
/// nobody speaks is a stub, and what counts is the conversation.
pub(super) fn locate(provider: &dyn AgentProvider, query: &TranscriptQuery) -> Option<PathBuf> {
    find_where(query, |path| speaks(provider, path))
}

/// What keeps the folder of all records from being read. A folder that nobody has
/// made yet is nothing unusual; one that is something else now is.
pub(super) fn unreadable(query: &TranscriptQuery) -> Option<(PathBuf, io::Error)> {
    let TranscriptQuery::File { root, .. } = query;
    let error = std::fs::read_dir(root).err()?;
    let is_there = root.symlink_metadata().is_ok();
    (is_there || error.kind() != io::ErrorKind::NotFound).then(|| (root.clone(), error))
}

fn speaks(provider: &dyn AgentProvider, path: &Path) -> bool {
    let (mut mapper, mut speaks) = (provider.mapper(), false);
    let read = Follower::new(path.to_owned()).read(ENOUGH, |at, bytes| {
        let messages = mapper.map(Record { at, bytes }).messages;
        speaks |= messages.iter().any(|it| !it.is_hidden());
    });
    read.is_ok() && speaks
}
