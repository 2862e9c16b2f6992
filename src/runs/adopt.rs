//! Puts runs under supervision: new ones, and those that ran on while seamux
//! was away.

use std::collections::HashMap;
use std::path::PathBuf;

use tracing::{info, warn};

use crate::schema::{Epoch, Exit, Origin};
use crate::seam::{Launch, Prepared, SeamError, SpawnSpec};
use crate::store::{EpochRow, RunRow, Unfinished};
use crate::terminal::{Pane, PaneSpec, PaneStatus};

use super::error::RunError;
use super::locate::locate;
use super::now;
use super::publish::summary;
use super::spawn::{NewRun, folder, make_private_dir, title_for, write_files};
use super::start::{Seat, Start};
use super::supervisor::Supervisor;

/// What the pane itself knows of its run, should the database be lost.
const LABEL_PROVIDER: &str = "provider";
const LABEL_NATIVE: &str = "native";
const LABEL_TITLE: &str = "title";

pub(super) fn new_run_id() -> String {
    let id = uuid::Uuid::new_v4().simple().to_string();
    format!("r-{}", &id[..12])
}

impl Supervisor {
    /// Starts the CLI in a pane of its own. The run is in the database before
    /// its process exists, so a crash in between loses neither.
    pub(super) async fn launch(&self, id: &str, new: NewRun) -> Result<Start, RunError> {
        let config = &self.0.config;
        let place = self.place(&new.provider).ok_or_else(|| RunError::UnknownProvider {
            name: new.provider.clone(),
            known: config.providers.iter().map(|it| it.provider.descriptor().id.into()).collect(),
        })?;
        let descriptor = place.provider.descriptor();
        let cwd = folder(&new.cwd, &place.home.home)?;
        let prompt = new.prompt.filter(|it| !it.trim().is_empty());
        if let Some(prompt) = &prompt {
            place.provider.reply(prompt).map_err(|error| about_the_prompt(error.into()))?;
        }
        let found = self.0.probes.probe(place).await.ok_or_else(|| RunError::ProviderMissing {
            name: descriptor.display_name.into(),
            install_hint: descriptor.install_hint.into(),
        })?;
        let worktree = new.worktree.as_ref();
        let asked = cwd.clone();
        let home = place.home_with_key()?;
        let site = self.plan_site(place, id, cwd, worktree, new.seed).await?;
        let cwd = site.cwd.clone();
        let run_dir = config.state_dir.join("runs").join(id);
        let mode = new.permission_mode.filter(|it| !it.is_empty());
        let prepared = place.provider.prepare(&SpawnSpec {
            program: found.program.clone(),
            version: found.version.clone(),
            cwd: cwd.clone(),
            home: home.clone(),
            launch: Launch::New { native_id: uuid::Uuid::new_v4().to_string() },
            prompt: prompt.clone(),
            model: new.model.clone().filter(|it| !it.is_empty()),
            effort: new.effort.clone().filter(|it| !it.is_empty()),
            permission_mode: mode.clone(),
            options: new.options.clone(),
            door: self.hook_door(id),
            run_dir: run_dir.clone(),
        })?;
        let made = self.make_site(id, &site).await?;
        make_private_dir(&run_dir)?;
        write_files(&prepared.files)?;

        let named = new.title.filter(|it| !it.trim().is_empty());
        let at = now();
        let row = RunRow {
            id: id.into(),
            provider: descriptor.id.into(),
            named: named.is_some(),
            title: named.unwrap_or_else(|| title_for(prompt.as_deref(), &asked)),
            cwd: cwd.to_string_lossy().into_owned(),
            program: found.program.to_string_lossy().into_owned(),
            cli_version: found.version,
            model: new.model.filter(|it| !it.is_empty()),
            effort: new.effort.filter(|it| !it.is_empty()),
            permission_mode: mode.or_else(|| Some(descriptor.default_permission_mode.into())),
            origin: Origin::Spawned,
            demo: config.demo,
            session: id.into(),
            created_at: at.clone(),
            last_activity_at: at,
            ended_at: None,
            exit: None,
            epoch: prepared.native_id.clone(),
            options: new.options,
            guest: None,
            branch: made.branch,
            home: Some(place.own_variables()),
        };
        let epoch = prepared.native_id.clone().unwrap_or_default();
        let store = &self.0.tools.store;
        store.save_run(row.clone()).await?;
        store.note_epoch(id.into(), epoch_row(&epoch));
        let began = std::time::SystemTime::now();
        let pane = match self.open_pane(&row, &epoch, &prepared).await {
            Ok(pane) => pane,
            Err(error) => {
                store.forget_run(id.into()).await?;
                return Err(error);
            }
        };
        self.publish_new(&row, vec![first_epoch(&epoch, &row.created_at)]);
        Ok(Start {
            row,
            provider: place.provider.clone(),
            home,
            seat: self.own_seat(pane),
            epoch,
            transcript: None,
            deferred_prompt: prepared.deferred_prompt,
            began: Some(began),
            resumed: None,
            prompted: prompt.is_some(),
            startup_checks: prepared.startup_checks,
            warnings: made.warnings,
            unfinished: Unfinished::default(),
        })
    }

    /// Starts the process of a run in a pane of its own.
    pub(super) async fn open_pane(
        &self,
        row: &RunRow,
        epoch: &str,
        prepared: &Prepared,
    ) -> Result<Pane, RunError> {
        let spec = PaneSpec {
            session: row.session.clone(),
            stamp: row.id.clone(),
            labels: vec![
                (LABEL_PROVIDER.into(), row.provider.clone()),
                (LABEL_NATIVE.into(), epoch.to_owned()),
                (LABEL_TITLE.into(), row.title.clone()),
            ],
            argv: prepared.argv.clone(),
            cwd: row.cwd.clone().into(),
            env: prepared.env.clone(),
            size: self.0.config.size,
        };
        Ok(self.0.tools.terminal.spawn(spec).await?)
    }

    /// Takes over every run that tmux still has, and learns which ones ended.
    pub(super) async fn adopt_all(&self) -> Result<(), RunError> {
        let panes = self.0.tools.terminal.panes().await?;
        let mut panes: HashMap<String, PaneStatus> =
            panes.into_iter().map(|it| (it.pane.stamp.clone(), it)).collect();
        for (row, epochs) in self.0.tools.store.runs().await? {
            let pane = panes.remove(&row.id);
            self.adopt(row, epochs, pane).await?;
        }
        for (id, pane) in panes {
            // The database lost it; the pane knows enough.
            match row_from_pane(&id, &pane) {
                Some((row, epoch)) => {
                    warn!(run.id = id, "A run was found that the database does not know");
                    self.0.tools.store.note_run(row.clone());
                    self.0.tools.store.note_epoch(id, epoch.clone());
                    self.adopt(row, vec![epoch], Some(pane)).await?;
                }
                None => warn!(run.id = id, "A stamped pane tells too little to be adopted"),
            }
        }
        Ok(())
    }

    async fn adopt(
        &self,
        mut row: RunRow,
        epochs: Vec<EpochRow>,
        pane: Option<PaneStatus>,
    ) -> Result<(), RunError> {
        let Some(place) = self.place(&row.provider) else {
            warn!(run.id = row.id, provider.name = row.provider, "No such provider; left alone");
            return Ok(());
        };
        let place = &place.of(row.home.as_ref());
        let newest = current(&row, &epochs).unwrap_or_else(|| epoch_row(""));
        let listed = epochs.into_iter().map(|it| Epoch {
            id: it.native_id,
            reason: it.reason,
            started_at: it.started_at,
        });
        // A process that lives is no run that ended, whatever was written down.
        let lives = |it: &PaneStatus| it.dead.is_none() || row.ended_at.is_none();
        let seat = match row.guest.filter(|_| row.ended_at.is_none()) {
            Some(guest) => self.guest_seat(&row.id, guest).await,
            None => pane.filter(lives).map(|it| self.own_seat(it.pane)),
        };
        let Some(seat) = seat else {
            if row.ended_at.is_none() {
                info!(run.id = row.id, "A run ended while nobody watched");
                row.ended_at = Some(now());
                row.exit = Some(Exit::default());
                self.0.tools.store.note_run(row.clone());
            }
            self.publish_with_epoch(&row, listed.collect(), &newest.native_id);
            return Ok(());
        };
        (row.ended_at, row.exit) = (None, None);
        self.publish_with_epoch(&row, listed.collect(), &newest.native_id);
        let id = row.id.clone();
        // It may have moved since, and what stands in its old place may be a stub.
        let query = place.provider.locate_transcript(&place.home, &newest.native_id);
        let noted = newest.transcript.map(PathBuf::from).filter(|it| it.is_file());
        let transcript = locate(&*place.provider, &query).or(noted);
        let unfinished = self.0.tools.store.unfinished(id.clone()).await?;
        let (terminal, pane) = (seat.terminal.clone(), seat.pane.clone());
        self.supervise(Start {
            provider: place.provider.clone(),
            home: place.home.clone(),
            seat,
            epoch: newest.native_id,
            transcript,
            deferred_prompt: None,
            began: None,
            resumed: None,
            prompted: false,
            startup_checks: Vec::new(),
            warnings: Vec::new(),
            unfinished,
            row,
        });
        // A pane that died meanwhile tells its exit status here.
        terminal.watch(&pane).await?;
        info!(run.id = id, "Run adopted");
        Ok(())
    }

    pub(super) fn own_seat(&self, pane: Pane) -> Seat {
        Seat { pane, terminal: self.0.tools.terminal.clone(), outside: None }
    }

    pub(super) fn publish_new(&self, row: &RunRow, epochs: Vec<Epoch>) {
        let epoch = epochs.last().map(|it| it.id.clone()).unwrap_or_default();
        self.publish_with_epoch(row, epochs, &epoch);
    }

    pub(super) fn publish_with_epoch(&self, row: &RunRow, epochs: Vec<Epoch>, epoch: &str) {
        let Some(place) = self.place(&row.provider) else {
            return;
        };
        let mut run = summary(row, place.provider.descriptor());
        epoch.clone_into(&mut run.epoch);
        self.hub().add(run, epochs);
    }
}

fn about_the_prompt(error: RunError) -> RunError {
    match error {
        RunError::Seam(SeamError::Invalid { detail, .. }) => {
            SeamError::Invalid { field: "prompt", detail }.into()
        }
        RunError::Seam(error) => RunError::Invalid {
            field: "prompt",
            code: if matches!(error, SeamError::TooLong(_)) { "too_long" } else { "refused" },
            detail: error.to_string(),
            hint: None,
        },
        error => error,
    }
}

pub(super) fn first_epoch(native_id: &str, started_at: &str) -> Epoch {
    Epoch { id: native_id.into(), reason: "startup".into(), started_at: started_at.into() }
}

pub(super) fn epoch_row(native_id: &str) -> EpochRow {
    EpochRow {
        native_id: native_id.into(),
        reason: "startup".into(),
        started_at: now(),
        transcript: None,
    }
}

/// The epoch that the run was in last.
pub(super) fn current(row: &RunRow, epochs: &[EpochRow]) -> Option<EpochRow> {
    let named = epochs.iter().find(|it| Some(&it.native_id) == row.epoch.as_ref());
    named.or(epochs.last()).cloned()
}

fn row_from_pane(id: &str, status: &PaneStatus) -> Option<(RunRow, EpochRow)> {
    let label = |name: &str| status.labels.get(name).cloned();
    let created = jiff::Timestamp::from_second(status.created_at.try_into().ok()?).ok()?;
    let created_at = created.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let row = RunRow {
        id: id.into(),
        provider: label(LABEL_PROVIDER)?,
        title: label(LABEL_TITLE).unwrap_or_else(|| id.into()),
        named: false,
        cwd: status.cwd.to_string_lossy().into_owned(),
        program: String::new(),
        cli_version: None,
        model: None,
        effort: None,
        permission_mode: None,
        origin: Origin::Adopted,
        demo: false,
        session: status.pane.session_name.clone(),
        created_at: created_at.clone(),
        last_activity_at: created_at,
        ended_at: None,
        exit: None,
        epoch: label(LABEL_NATIVE),
        options: std::collections::BTreeMap::new(),
        guest: None,
        branch: None,
        home: None,
    };
    Some((row, epoch_row(&label(LABEL_NATIVE)?)))
}
