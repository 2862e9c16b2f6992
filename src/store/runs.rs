//! The tables of runs and their epochs.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

use crate::schema::{Exit, Origin};

use super::{Store, StoreError};

/// A run, as far as only seamux knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    pub id: String,
    pub provider: String,
    pub title: String,
    /// A person gave the title; the CLI's own does not replace it.
    pub named: bool,
    pub cwd: String,
    pub program: String,
    pub cli_version: Option<String>,
    pub model: Option<String>,
    pub effort: Option<String>,
    pub permission_mode: Option<String>,
    pub origin: Origin,
    pub demo: bool,
    /// The name of its tmux session.
    pub session: String,
    pub created_at: String,
    pub last_activity_at: String,
    pub ended_at: Option<String>,
    pub exit: Option<Exit>,
    /// The native conversation that it was in last. Not always the one that began
    /// last: a person can go back to an earlier one.
    pub epoch: Option<String>,
    /// What was chosen of the provider's options.
    pub options: BTreeMap<String, String>,
    /// The branch of its folder when it was last heard of.
    pub branch: Option<String>,
    /// Its process, if a person started that in a terminal of their own. Where that
    /// is now, the process itself tells.
    pub guest: Option<GuestRow>,
    /// The variables that say where its CLI keeps its things, as they were when it
    /// began. `None` if that was not noted.
    pub home: Option<BTreeMap<String, String>>,
}

/// One process of one boot: its number and when it began, in clock ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestRow {
    pub pid: u32,
    pub began: u64,
}

/// One native conversation of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpochRow {
    pub native_id: String,
    pub reason: String,
    pub started_at: String,
    /// Where its record was last seen.
    pub transcript: Option<String>,
}

impl Store {
    pub async fn save_run(&self, run: RunRow) -> Result<(), StoreError> {
        self.with(move |connection| save_run(connection, &run)).await
    }

    pub async fn forget_run(&self, id: String) -> Result<(), StoreError> {
        self.with(move |connection| {
            connection.execute("DELETE FROM runs WHERE id = ?1", [id])?;
            Ok(())
        })
        .await
    }

    /// The same as [`Store::save_run`], for a change that nobody waits for.
    pub fn note_run(&self, run: RunRow) {
        self.post(move |connection| save_run(connection, &run));
    }

    /// Adds an epoch, or notes where the record of a known one stands now.
    pub fn note_epoch(&self, run: String, epoch: EpochRow) {
        self.post(move |connection| {
            connection
                .prepare_cached(
                    "INSERT INTO epochs (run_id, native_id, reason, started_at, transcript)
                     VALUES (?1, ?2, ?3, ?4, ?5)
                     ON CONFLICT (run_id, native_id) DO UPDATE SET
                         transcript = coalesce(excluded.transcript, transcript)",
                )?
                .execute(params![
                    run,
                    epoch.native_id,
                    epoch.reason,
                    epoch.started_at,
                    epoch.transcript
                ])?;
            Ok(())
        });
    }

    /// Why an epoch began, where that was a guess before.
    pub fn correct_reason(&self, run: String, native_id: String, reason: &'static str) {
        self.post(move |connection| {
            connection
                .prepare_cached(
                    "UPDATE epochs SET reason = ?3 WHERE run_id = ?1 AND native_id = ?2",
                )?
                .execute(params![run, native_id, reason])?;
            Ok(())
        });
    }

    /// All runs, newest first, each with its epochs, oldest first.
    pub async fn runs(&self) -> Result<Vec<(RunRow, Vec<EpochRow>)>, StoreError> {
        self.with(|connection| {
            let runs: Vec<RunRow> = connection
                .prepare_cached("SELECT * FROM runs ORDER BY created_at DESC")?
                .query_and_then([], read_run)?
                .collect::<Result<_, StoreError>>()?;
            runs.into_iter()
                .map(|run| {
                    let epochs = epochs_of(connection, &run.id)?;
                    Ok((run, epochs))
                })
                .collect()
        })
        .await
    }

    pub async fn run(&self, id: String) -> Result<Option<(RunRow, Vec<EpochRow>)>, StoreError> {
        self.with(move |connection| {
            let run = connection
                .prepare_cached("SELECT * FROM runs WHERE id = ?1")?
                .query_row([&id], |row| Ok(read_run(row)))
                .optional()?;
            let Some(run) = run.transpose()? else { return Ok(None) };
            Ok(Some((run, epochs_of(connection, &id)?)))
        })
        .await
    }
}

fn save_run(connection: &Connection, run: &RunRow) -> Result<(), StoreError> {
    let exit = run.exit.as_ref().map(serde_json::to_string).transpose()?;
    let guest = run.guest.as_ref().map(serde_json::to_string).transpose()?;
    let home = run.home.as_ref().map(serde_json::to_string).transpose()?;
    connection
        .prepare_cached(
            "INSERT INTO runs (id, provider, title, named, cwd, program, cli_version, model, effort,
                 permission_mode, origin, demo, session, created_at, last_activity_at, ended_at, exit, epoch, options, branch,
                 guest, home)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
             ON CONFLICT (id) DO UPDATE SET
                 title = excluded.title, named = excluded.named, model = excluded.model, effort = excluded.effort,
                 permission_mode = excluded.permission_mode, session = excluded.session,
                 cli_version = excluded.cli_version, program = excluded.program,
                 last_activity_at = excluded.last_activity_at, ended_at = excluded.ended_at,
                 exit = excluded.exit, epoch = excluded.epoch, cwd = excluded.cwd, branch = excluded.branch,
                 guest = excluded.guest, home = excluded.home",
        )?
        .execute(params![
            run.id,
            run.provider,
            run.title,
            run.named,
            run.cwd,
            run.program,
            run.cli_version,
            run.model,
            run.effort,
            run.permission_mode,
            word_for(run.origin),
            run.demo,
            run.session,
            run.created_at,
            run.last_activity_at,
            run.ended_at,
            exit,
            run.epoch,
            serde_json::to_string(&run.options)?,
            run.branch,
            guest,
            home,
        ])?;
    Ok(())
}

fn read_run(row: &Row<'_>) -> Result<RunRow, StoreError> {
    let exit: Option<String> = row.get("exit")?;
    let origin: String = row.get("origin")?;
    let options: String = row.get("options")?;
    let guest: Option<String> = row.get("guest")?;
    let home: Option<String> = row.get("home")?;
    Ok(RunRow {
        id: row.get("id")?,
        provider: row.get("provider")?,
        title: row.get("title")?,
        named: row.get("named")?,
        cwd: row.get("cwd")?,
        program: row.get("program")?,
        cli_version: row.get("cli_version")?,
        model: row.get("model")?,
        effort: row.get("effort")?,
        permission_mode: row.get("permission_mode")?,
        origin: if origin == "adopted" { Origin::Adopted } else { Origin::Spawned },
        demo: row.get("demo")?,
        session: row.get("session")?,
        created_at: row.get("created_at")?,
        last_activity_at: row.get("last_activity_at")?,
        ended_at: row.get("ended_at")?,
        exit: exit.as_deref().map(serde_json::from_str).transpose()?,
        epoch: row.get("epoch")?,
        options: serde_json::from_str(&options)?,
        branch: row.get("branch")?,
        guest: guest.as_deref().map(serde_json::from_str).transpose()?,
        home: home.as_deref().map(serde_json::from_str).transpose()?,
    })
}

fn word_for(origin: Origin) -> &'static str {
    match origin {
        Origin::Spawned => "spawned",
        Origin::Adopted => "adopted",
    }
}

fn epochs_of(connection: &Connection, run: &str) -> Result<Vec<EpochRow>, StoreError> {
    connection
        .prepare_cached(
            "SELECT native_id, reason, started_at, transcript FROM epochs
             WHERE run_id = ?1 ORDER BY started_at, rowid",
        )?
        .query_and_then([run], |row| {
            Ok(EpochRow {
                native_id: row.get(0)?,
                reason: row.get(1)?,
                started_at: row.get(2)?,
                transcript: row.get(3)?,
            })
        })?
        .collect()
}
