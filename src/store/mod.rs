//! What nobody else knows, in SQLite: ids, titles, choices, and which native
//! conversation belongs to which run.
//!
//! It is never the only witness: whether a run is alive is for tmux to say,
//! and what was said is in the CLI's own record. No message is stored.
//!
//! One thread owns the connection; callers send it a piece of work and wait
//! for the answer. What nobody waits for is a note: one that finds the disk full is
//! written later.

mod answers;
mod notes;
mod receipts;
mod runs;
mod tokens;
mod worktrees;

use std::path::Path;
use std::sync::mpsc;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::oneshot;

pub use answers::AnswerRow;
pub use receipts::{AuditRow, Phase, ReplyRow, Unfinished};
pub use runs::{EpochRow, GuestRow, RunRow};
pub use tokens::TokenRow;
pub use worktrees::{WorktreePhase, WorktreeRow};

/// Each entry moves the database one version up. Never changed, only added to.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_runs.sql"),
    include_str!("migrations/0002_answers.sql"),
    include_str!("migrations/0003_receipts.sql"),
    include_str!("migrations/0004_current_epoch.sql"),
    include_str!("migrations/0005_options.sql"),
    include_str!("migrations/0006_worktrees.sql"),
    include_str!("migrations/0007_guests.sql"),
    include_str!("migrations/0008_homes.sql"),
    include_str!("migrations/0009_tokens.sql"),
];

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database could not be used")]
    Sql(#[from] rusqlite::Error),
    #[error("the database is of a newer seamux (version {found}, this one knows {known})")]
    TooNew { found: u32, known: u32 },
    #[error("the database thread is gone")]
    Gone,
    #[error("a stored value could not be read")]
    Json(#[from] serde_json::Error),
}

impl StoreError {
    /// There is no room for it.
    pub fn is_full(&self) -> bool {
        self.sqlite_code() == Some(ErrorCode::DiskFull)
    }

    /// The disk does not take it now, and may take it later.
    fn may_pass(&self) -> bool {
        matches!(
            self.sqlite_code(),
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::CannotOpen)
        )
    }

    fn sqlite_code(&self) -> Option<ErrorCode> {
        match self {
            Self::Sql(error) => error.sqlite_error_code(),
            _ => None,
        }
    }
}

/// Somebody waits for its answer.
type Asked = Box<dyn FnOnce(&mut Connection) + Send>;

/// Nobody does. Can be tried more than once.
type Note = Box<dyn FnMut(&mut Connection) -> Result<(), StoreError> + Send>;

enum Work {
    Ask(Asked),
    Note(Note),
}

/// A handle to the database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    work: mpsc::Sender<Work>,
}

impl Store {
    /// Opens the database file, making or upgrading it as needed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrate(&mut connection)?;
        let (work, todo) = mpsc::channel::<Work>();
        std::thread::Builder::new()
            .name("store".into())
            .spawn(move || notes::work(&mut connection, &todo))
            .map_err(|_| StoreError::Gone)?;
        Ok(Self { work })
    }

    /// Runs `work` on the database thread.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, answer) = oneshot::channel();
        let work = Box::new(move |connection: &mut Connection| {
            done.send(work(connection)).ok(); // Nobody has to wait for it.
        });
        self.work.send(Work::Ask(work)).map_err(|_| StoreError::Gone)?;
        answer.await.map_err(|_| StoreError::Gone)?
    }

    /// Runs `note` on the database thread, in the order of the calls, and
    /// waits for nothing. A failure is logged there.
    fn post(&self, note: impl FnMut(&mut Connection) -> Result<(), StoreError> + Send + 'static) {
        self.work.send(Work::Note(Box::new(note))).ok(); // Gone only when the process ends.
    }
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let found: u32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let known = MIGRATIONS.len() as u32;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    if found == known {
        return Ok(()); // Nothing is written, so that a full disk keeps no start.
    }
    for migration in &MIGRATIONS[found as usize..] {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests;
