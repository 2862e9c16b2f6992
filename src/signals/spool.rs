//! Signals that found no server wait in a folder.

use std::io;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::wire::{SPOOLED, parse};
use super::{Body, Delivery};

/// Takes what waits in the spool, oldest first. Files are removed only by
/// [`SpoolFile::done`], so a crash in between delivers twice and loses nothing.
pub fn sweep(spool: &Path) -> io::Result<Vec<Spooled>> {
    let mut files: Vec<PathBuf> = match std::fs::read_dir(spool) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    // Names begin with the time in fixed width.
    files.retain(|path| path.to_string_lossy().ends_with(SPOOLED));
    files.sort();
    Ok(files.into_iter().filter_map(read).collect())
}

/// One signal from the spool.
#[derive(Debug)]
pub struct Spooled {
    pub delivery: Delivery,
    pub file: SpoolFile,
}

/// The file that holds a signal until it is in good hands.
#[derive(Debug)]
pub struct SpoolFile(PathBuf);

impl SpoolFile {
    pub fn done(self) {
        remove(&self.0);
    }
}

fn read(path: PathBuf) -> Option<Spooled> {
    let frame = std::fs::read(&path).ok()?;
    let Some((run, payload)) = parse(&frame) else {
        warn!(path = %path.display(), "A file in the spool is not a signal; it is removed");
        remove(&path);
        return None;
    };
    let body = Body::Signal { payload: payload.to_owned(), late: true };
    let delivery = Delivery { run: run.to_owned(), body };
    Some(Spooled { delivery, file: SpoolFile(path) })
}

fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        warn!(path = %path.display(), %error, "A file in the spool could not be removed");
    }
}
