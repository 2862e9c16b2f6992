//! Changes in the form of the wire, made once for all readers.
//!
//! A thousand readers of one run would write the same message a thousand times.
//! What a revision wrote never changes, so its form can be kept while it is new.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::schema::Change;

const MOST: usize = 512;
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// One change, as it goes to a reader.
#[derive(Clone, Debug)]
pub struct Wire {
    pub revision: u64,
    pub name: &'static str,
    /// Its data, as JSON.
    pub data: Arc<str>,
}

impl Wire {
    pub(super) fn new(revision: u64, change: &Change) -> Self {
        let data = serde_json::to_string(change).unwrap_or_default();
        Self { revision, name: change.name(), data: data.into() }
    }
}

/// The newest ones, of runs and messages: the large ones, of which each has a
/// revision of its own.
#[derive(Default)]
pub(super) struct Frames(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    frames: BTreeMap<u64, Wire>,
    bytes: usize,
}

impl Frames {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, revision: u64) -> Option<Wire> {
        self.lock().frames.get(&revision).cloned()
    }

    pub(super) fn keep(&self, frame: &Wire) {
        let mut kept = self.lock();
        kept.bytes += frame.data.len();
        if let Some(old) = kept.frames.insert(frame.revision, frame.clone()) {
            kept.bytes -= old.data.len();
        }
        while kept.frames.len() > MOST || kept.bytes > MOST_BYTES {
            let Some((_, oldest)) = kept.frames.pop_first() else { return };
            kept.bytes -= oldest.data.len();
        }
    }
}
