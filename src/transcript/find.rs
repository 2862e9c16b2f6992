//! Finds the transcript that a query names.

use std::path::PathBuf;

use crate::seam::TranscriptQuery;

/// The file that the query names, if it exists.
///
/// Exact: a file is found by the conversation's own identity, never because
/// it is the newest one.
pub fn find(query: &TranscriptQuery) -> Option<PathBuf> {
    let TranscriptQuery::File { root, name } = query;
    let direct = root.join(name);
    if direct.is_file() {
        return Some(direct);
    }
    std::fs::read_dir(root)
        .ok()?
        .flatten()
        .map(|folder| folder.path().join(name))
        .find(|path| path.is_file())
}
