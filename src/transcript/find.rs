//! Finds the transcript that a query names.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::seam::TranscriptQuery;

/// The file that the query names, if it exists.
///
/// Exact: a file is found by the conversation's own identity, never because it is
/// the newest one. Only where one conversation has several files of its name (it
/// was moved, copied, or left a stub behind) the one that was written last counts.
pub fn find(query: &TranscriptQuery) -> Option<PathBuf> {
    find_where(query, |_| true)
}

/// The same, but a file counts only if `is_one` says so, unless none does.
pub fn find_where(query: &TranscriptQuery, is_one: impl Fn(&PathBuf) -> bool) -> Option<PathBuf> {
    let mut files = files(query);
    if files.len() > 1 {
        files.sort_by_key(|(path, it)| {
            let written = it.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            // The name last: the order of a folder decides nothing.
            std::cmp::Reverse((written, it.len(), path.clone()))
        });
        if let Some(at) = files.iter().position(|(path, _)| is_one(path)) {
            files.swap(0, at);
        }
    }
    files.into_iter().next().map(|(path, _)| path)
}

/// Where it can come up: all names that it may have in the folders that are there,
/// and the folder in which more of them can appear.
pub fn places(query: &TranscriptQuery) -> (PathBuf, Vec<PathBuf>) {
    let TranscriptQuery::File { root, name } = query;
    let folders = std::fs::read_dir(root).into_iter().flatten().flatten().map(|it| it.path());
    let mut files: Vec<_> = folders.filter(|it| it.is_dir()).map(|it| it.join(name)).collect();
    files.sort();
    (root.clone(), files)
}

/// Where this very file stands now, if it still has a name that the query allows.
pub(super) fn find_same(query: &TranscriptQuery, file: &Metadata) -> Option<PathBuf> {
    let is_same = |it: &Metadata| (it.dev(), it.ino()) == (file.dev(), file.ino());
    files(query).into_iter().find(|(_, it)| is_same(it)).map(|(path, _)| path)
}

/// All files of that name.
fn files(query: &TranscriptQuery) -> Vec<(PathBuf, Metadata)> {
    let TranscriptQuery::File { root, name } = query;
    let folders = std::fs::read_dir(root).into_iter().flatten().flatten().map(|it| it.path());
    std::iter::once(root.clone())
        .chain(folders)
        .filter_map(|folder| {
            let path = folder.join(name);
            let metadata = std::fs::metadata(&path).ok()?;
            metadata.is_file().then_some((path, metadata))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;
    use std::time::Duration;

    use super::*;

    fn write(path: &Path, text: &str, age: u64) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("write");
        let file = File::options().write(true).open(path).expect("open");
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("a time");
    }

    #[test]
    fn of_several_files_of_one_conversation_the_one_written_last_counts() {
        for (first, second) in [("a", "b"), ("b", "a")] {
            let dir = tempfile::tempdir().expect("a folder");
            let query = TranscriptQuery::File { root: dir.path().into(), name: "s.jsonl".into() };
            let [old, new] = [first, second].map(|it| dir.path().join(it).join("s.jsonl"));
            write(&old, "old, and a larger copy\n", 60);
            write(&new, "new\n", 0);
            write(&dir.path().join("c/t.jsonl"), "another conversation\n", 0);
            assert_eq!(find(&query), Some(new.clone()));
            // A stub is none, however new it is, unless there is nothing else.
            assert_eq!(find_where(&query, |path| *path == old), Some(old.clone()));
            assert_eq!(find_where(&query, |_| false), Some(new));
        }
    }
}
