//! Which worktree belongs to which run.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, StoreError};

/// A worktree of ours, as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorktreeRow {
    pub run_id: String,
    /// The folder that all worktrees of the repository share.
    pub repository: String,
    pub path: String,
    pub branch: String,
    /// The commit that it began at.
    pub start: String,
    pub makes_branch: bool,
    pub phase: WorktreePhase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorktreePhase {
    /// git may be at it, or may have been when we were killed.
    Making,
    Ready,
    /// Its run is gone, and it was kept for what is in it.
    Parked,
}

impl Store {
    /// Waits until it is written down.
    pub async fn save_worktree(&self, row: WorktreeRow) -> Result<(), StoreError> {
        self.with(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO worktrees (run_id, repository, path, branch, start, makes_branch, phase)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                     ON CONFLICT (run_id) DO UPDATE SET phase = excluded.phase",
                )?
                .execute(params![
                    row.run_id,
                    row.repository,
                    row.path,
                    row.branch,
                    row.start,
                    row.makes_branch,
                    word_for(row.phase),
                ])?;
            Ok(())
        })
        .await
    }

    pub async fn forget_worktree(&self, run: String) -> Result<(), StoreError> {
        self.with(move |connection| {
            connection.execute("DELETE FROM worktrees WHERE run_id = ?1", [run])?;
            Ok(())
        })
        .await
    }

    pub async fn worktree(&self, run: String) -> Result<Option<WorktreeRow>, StoreError> {
        self.with(move |connection| {
            let row = connection
                .prepare_cached("SELECT * FROM worktrees WHERE run_id = ?1")?
                .query_row([run], |row| Ok(read(row)))
                .optional()?;
            row.transpose()
        })
        .await
    }

    /// Those that no run has.
    pub async fn stray_worktrees(&self) -> Result<Vec<WorktreeRow>, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached(
                    "SELECT * FROM worktrees WHERE run_id NOT IN (SELECT id FROM runs)",
                )?
                .query_and_then([], read)?
                .collect()
        })
        .await
    }
}

fn read(row: &Row<'_>) -> Result<WorktreeRow, StoreError> {
    let phase: String = row.get("phase")?;
    Ok(WorktreeRow {
        run_id: row.get("run_id")?,
        repository: row.get("repository")?,
        path: row.get("path")?,
        branch: row.get("branch")?,
        start: row.get("start")?,
        makes_branch: row.get("makes_branch")?,
        phase: match phase.as_str() {
            "ready" => WorktreePhase::Ready,
            "parked" => WorktreePhase::Parked,
            _ => WorktreePhase::Making,
        },
    })
}

fn word_for(phase: WorktreePhase) -> &'static str {
    match phase {
        WorktreePhase::Making => "making",
        WorktreePhase::Ready => "ready",
        WorktreePhase::Parked => "parked",
    }
}
