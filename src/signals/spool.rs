//! Signals that found no server wait in a folder.

use std::io;
use std::path::{Path, PathBuf};

use tracing::warn;

use super::Delivery;
use super::wire::{SPOOLED, parse};

/// Takes what waits in the spool, oldest first. Files are removed only by
/// [`Spooled::done`], so a crash in between delivers twice and loses nothing.
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
    path: PathBuf,
}

impl Spooled {
    pub fn done(self) {
        remove(&self.path);
    }
}

fn read(path: PathBuf) -> Option<Spooled> {
    let frame = std::fs::read(&path).ok()?;
    let Some((run, payload)) = parse(&frame) else {
        warn!(path = %path.display(), "A file in the spool is not a signal; it is removed");
        remove(&path);
        return None;
    };
    let delivery = Delivery { run: run.to_owned(), payload: payload.to_owned(), late: true };
    Some(Spooled { delivery, path })
}

fn remove(path: &Path) {
    if let Err(error) = std::fs::remove_file(path) {
        warn!(path = %path.display(), %error, "A file in the spool could not be removed");
    }
}
