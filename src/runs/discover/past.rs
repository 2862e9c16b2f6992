//! Records of conversations: found by a walk, told by a look at their two ends.
//!
//! A look reads a few blocks, however long the record is, and is remembered until
//! the file changes. So a list of ten thousand costs their names and times.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::SystemTime;

use crate::runs::place::Place;
use crate::seam::{AgentProvider, RecordsPlace, Sketch};

/// So much is read of the beginning, and of the end.
const HEAD: u64 = 16 << 10;
const TAIL: u64 = 32 << 10;

/// So many are looked at together, before it is known whether more are needed.
const BATCH: usize = 256;
const THREADS: usize = 4;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::runs) struct Found {
    pub(in crate::runs) path: PathBuf,
    pub(in crate::runs) native_id: String,
    pub(in crate::runs) modified: SystemTime,
    pub(in crate::runs) size: u64,
}

/// All records of a provider, the newest first, one for each conversation.
pub(in crate::runs) fn walk(place: &Place) -> Option<Vec<Found>> {
    let sessions = place.provider.sessions()?;
    let RecordsPlace::Folders { root, suffix } = sessions.records(&place.home);
    let folders = std::fs::read_dir(root).into_iter().flatten().flatten();
    let files = folders.filter_map(|it| std::fs::read_dir(it.path()).ok()).flatten().flatten();
    let read = |file: std::fs::DirEntry| {
        if !file.file_name().to_string_lossy().ends_with(suffix) {
            return None;
        }
        let path = file.path();
        let native_id = sessions.native_id(&path)?;
        // Its own, not that of what a link leads to.
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Found { path, native_id, modified: metadata.modified().ok()?, size: metadata.len() })
    };
    let mut found: Vec<Found> = files.filter_map(read).filter(|it| it.size > 0).collect();
    found.sort_by(|a, b| {
        let newest = b.modified.cmp(&a.modified).then(b.size.cmp(&a.size));
        newest.then_with(|| a.path.cmp(&b.path))
    });
    // A conversation may have moved, and left a copy behind.
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert(it.native_id.clone()));
    Some(found)
}

/// What was told by looks. Cheap to clone.
#[derive(Clone, Default)]
pub(in crate::runs) struct Sketches(Arc<Mutex<Looks>>);

/// The last look at each file, if it still has this time and size.
type Looks = HashMap<PathBuf, (SystemTime, u64, Option<Sketch>)>;

impl Sketches {
    /// Those of `found` in which somebody spoke.
    pub(in crate::runs) fn of(&self, place: &Place, found: Vec<Found>) -> Vec<(Found, Sketch)> {
        let sketches = self.look(&*place.provider, &found);
        found.into_iter().zip(sketches).filter_map(|(it, sketch)| Some((it, sketch?))).collect()
    }

    /// The first `limit` that fit. Looks at no more of them than it has to.
    pub(in crate::runs) fn newest(
        &self,
        place: &Place,
        found: Vec<Found>,
        limit: usize,
        fits: impl Fn(&Sketch) -> bool,
    ) -> Vec<(Found, Sketch)> {
        self.forget_all_but(&found);
        let mut listed = Vec::new();
        for batch in found.chunks(BATCH) {
            if listed.len() >= limit {
                break;
            }
            let sketches = self.look(&*place.provider, batch);
            let told = batch.iter().zip(sketches).filter_map(|(it, sketch)| Some((it, sketch?)));
            listed.extend(told.filter(|it| fits(&it.1)).map(|(it, sketch)| (it.clone(), sketch)));
        }
        listed.truncate(limit);
        listed
    }

    fn look(&self, provider: &dyn AgentProvider, found: &[Found]) -> Vec<Option<Sketch>> {
        let mut sketches: Vec<Option<Option<Sketch>>> = {
            let known = self.lock();
            let fresh = |it: &Found| {
                let (modified, size, sketch) = known.get(&it.path)?;
                ((*modified, *size) == (it.modified, it.size)).then(|| sketch.clone())
            };
            found.iter().map(fresh).collect()
        };
        let missing: Vec<usize> = (0..found.len()).filter(|at| sketches[*at].is_none()).collect();
        let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
        let share = missing.len().div_ceil(threads).max(1);
        let read: Vec<(usize, Option<Sketch>)> = thread::scope(|scope| {
            let parts: Vec<_> = missing
                .chunks(share)
                .map(|part| {
                    scope.spawn(move || {
                        let look = |at: &usize| (*at, read(provider, &found[*at]));
                        part.iter().map(look).collect::<Vec<_>>()
                    })
                })
                .collect();
            parts.into_iter().filter_map(|it| it.join().ok()).flatten().collect()
        });
        let mut known = self.lock();
        for (at, sketch) in read {
            let it = &found[at];
            known.insert(it.path.clone(), (it.modified, it.size, sketch.clone()));
            sketches[at] = Some(sketch);
        }
        sketches.into_iter().map(Option::flatten).collect()
    }

    /// Files that are gone shall not be remembered for ever.
    fn forget_all_but(&self, found: &[Found]) {
        let mut known = self.lock();
        if known.len() > 2 * found.len() + BATCH {
            let there: HashSet<&Path> = found.iter().map(|it| it.path.as_path()).collect();
            known.retain(|path, _| there.contains(path.as_path()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Looks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `None` if nobody spoke, or it cannot be read.
fn read(provider: &dyn AgentProvider, found: &Found) -> Option<Sketch> {
    let (head, tail) = ends(&found.path, found.size).ok()?;
    provider.sessions()?.sketch(&head, tail.as_deref().unwrap_or(&head))
}

/// The beginning and the end of a file; the whole and nothing else if it is short.
fn ends(path: &Path, size: u64) -> io::Result<(Vec<u8>, Option<Vec<u8>>)> {
    let file = File::open(path)?;
    let read = |from: u64, length: u64| {
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, from).map(|()| bytes)
    };
    if size <= HEAD + TAIL {
        return Ok((read(0, size)?, None));
    }
    Ok((read(0, HEAD)?, Some(read(size - TAIL, TAIL)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_file_only_the_two_ends_are_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("long");
        let size = 1 << 30;
        let file = File::create(&path).expect("a file");
        file.set_len(size).expect("a hole");
        file.write_all_at(b"begin", 0).expect("written");
        file.write_all_at(b"end", size - 3).expect("written");
        let (head, tail) = ends(&path, size).expect("readable");
        let tail = tail.expect("another end");
        assert_eq!((head.len() as u64, tail.len() as u64), (HEAD, TAIL));
        assert!(head.starts_with(b"begin") && tail.ends_with(b"end"));
    }

    #[test]
    fn a_short_file_is_read_once_and_one_that_shrank_not_at_all() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("short");
        std::fs::write(&path, "all of it").expect("written");
        assert_eq!(ends(&path, 9).expect("readable"), (b"all of it".to_vec(), None));
        assert!(ends(&path, 10).is_err());
    }
}
