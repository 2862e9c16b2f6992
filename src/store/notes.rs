//! What is written without anybody waiting for it, also when the disk is full.
//!
//! A note that the disk does not take is kept and tried again, before whatever comes
//! after it, so that notes stay in their order. What waits is lost only if the process
//! ends before there is room: it can all be read again from the CLIs' own records, but
//! for the outcome of a receipt.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::Connection;
use tracing::{error, info, warn};

use super::{Note, StoreError, Work};

/// How long a note that was not taken waits, while nothing else is to be done.
const AGAIN: Duration = Duration::from_secs(2);

/// More than that is not kept in memory.
const MOST: usize = 10_000;

/// Works until nobody has work any more.
pub(super) fn work(connection: &mut Connection, todo: &Receiver<Work>) {
    let mut late = Late::default();
    loop {
        let next = if late.0.is_empty() {
            todo.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            todo.recv_timeout(AGAIN)
        };
        late.catch_up(connection);
        match next {
            Ok(Work::Ask(work)) => work(connection),
            Ok(Work::Note(note)) => late.take(connection, note),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Notes that the disk did not take, oldest first.
#[derive(Default)]
struct Late(VecDeque<Note>);

impl Late {
    fn take(&mut self, connection: &mut Connection, mut note: Note) {
        if self.0.is_empty() {
            match note(connection) {
                Err(error) if error.may_pass() => {
                    warn!(
                        error = &error as &dyn std::error::Error,
                        "Not saved yet; it is tried again"
                    );
                }
                written => return tell(written),
            }
        }
        if self.0.len() < MOST {
            self.0.push_back(note);
        } else {
            error!("Too much waits to be saved; a note is dropped");
        }
    }

    fn catch_up(&mut self, connection: &mut Connection) {
        let waited = self.0.len();
        while let Some(note) = self.0.front_mut() {
            match note(connection) {
                Err(error) if error.may_pass() => return,
                written => tell(written),
            }
            self.0.pop_front();
        }
        if waited > 0 {
            info!(notes = waited, "What waited to be saved is saved");
        }
    }
}

fn tell(written: Result<(), StoreError>) {
    if let Err(error) = written {
        error!(error = &error as &dyn std::error::Error, "Could not be saved");
    }
}
