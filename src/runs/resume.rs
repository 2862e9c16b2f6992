//! Starts the CLI again on the conversation of a run that ended.
//!
//! One native conversation is live in one place only: the CLI itself would let a
//! second process write into the same record. So a conversation is claimed while
//! it is being started, and whoever has it already is named.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::info;

use crate::schema::{Epoch, RunState, TranscriptStatus, Warning};
use crate::seam::{AgentProvider, Launch, RegistryEntry, SpawnSpec};
use crate::store::{EpochRow, RunRow};

use super::actor::Actor;
use super::adopt::current;
use super::archive::blocking;
use super::discover::live_entries;
use super::error::RunError;
use super::locate::locate;
use super::now;
use super::place::Place;
use super::publish::summary;
use super::spawn::{folder, make_private_dir, write_files};
use super::start::Start;
use super::supervisor::Supervisor;

/// What a run had before it was resumed.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    pub(super) model: Option<String>,
    pub(super) permission_mode: Option<String>,
    /// There was nothing to resume, so the conversation begins anew.
    pub(super) nothing: bool,
    /// Everything in the record was read that was there before.
    pub(super) is_read: bool,
}

impl Supervisor {
    /// A run that has ended, for whoever is going to do something about it.
    pub(super) async fn claim_ended(&self, id: &str) -> Result<ClaimedRun, RunError> {
        let known = self.hub().run(id).ok_or_else(|| RunError::NotFound(id.into()))?;
        if known.state != RunState::Ended {
            return Err(RunError::Live);
        }
        self.left(id).await;
        let stored = self.0.tools.store.run(id.into()).await?;
        let (row, epochs) = stored.ok_or_else(|| RunError::NotFound(id.into()))?;
        let epoch = current(&row, &epochs);
        let conversation = epoch.as_ref().map_or(id, |it| &it.native_id);
        let claim = self.0.claims.claim(conversation).ok_or(RunError::Live)?;
        // Only now: another request may have been through meanwhile.
        if self.lock().contains_key(id) {
            return Err(RunError::Live);
        }
        Ok(ClaimedRun { row, epoch, _claim: claim })
    }

    /// Starts the CLI again on the conversation that the run was in last.
    pub async fn resume(&self, id: &str) -> Result<crate::schema::Run, RunError> {
        let ClaimedRun { row, epoch, _claim } = self.claim_ended(id).await?;
        let epoch = epoch.ok_or_else(|| RunError::NotFound(id.into()))?;
        let place = self.place(&row.provider).ok_or_else(|| RunError::UnknownProvider {
            name: row.provider.clone(),
            known: Vec::new(),
        })?;
        let place = &place.of(row.home.as_ref());
        self.ensure_free(place, id, &epoch.native_id).await?;
        self.ensure_site(id).await?;
        let start = self.start_again(place, row, epoch).await?;
        self.supervise(start);
        info!(run.id = id, "Run resumed");
        self.hub().run(id).ok_or_else(|| RunError::NotFound(id.into()))
    }

    /// Waits until the actor of a run that ended has left its place.
    pub(super) async fn left(&self, id: &str) {
        let inbox = self.lock().get(id).cloned();
        if let Some(inbox) = inbox {
            inbox.closed().await; // It ends by itself once its run has ended.
            self.leave(id);
        }
    }

    /// Refuses if this conversation is live: in another run, or in a process that
    /// somebody started by hand.
    pub(super) async fn ensure_free(
        &self,
        place: &Place,
        id: &str,
        native_id: &str,
    ) -> Result<(), RunError> {
        let provider = place.provider.descriptor().id;
        let other = self.hub().runs().into_iter().find(|it| {
            it.id != id
                && it.provider == provider
                && it.epoch == native_id
                && it.state != RunState::Ended
        });
        if let Some(other) = other {
            return Err(RunError::ConversationLive { run: Some(other.id), pid: None });
        }
        let (place, native_id) = (place.clone(), native_id.to_owned());
        let holder = blocking(move || Ok(holder(&place, &native_id))).await?;
        match holder {
            Some(entry) => Err(RunError::ConversationLive { run: None, pid: Some(entry.pid) }),
            None => Ok(()),
        }
    }

    pub(super) async fn start_again(
        &self,
        place: &Place,
        old: RunRow,
        epoch: EpochRow,
    ) -> Result<Start, RunError> {
        let descriptor = place.provider.descriptor();
        let found = self.0.probes.probe(place).await.ok_or_else(|| RunError::ProviderMissing {
            name: descriptor.display_name.into(),
            install_hint: descriptor.install_hint.into(),
        })?;
        let cwd = folder(&old.cwd, &place.home.home)?;
        let home = place.home_with_key()?;
        let native_id = epoch.native_id.clone();
        let query = place.provider.locate_transcript(&place.home, &native_id);
        let provider = place.provider.clone();
        let transcript = blocking(move || Ok(locate(&*provider, &query))).await?;
        // A CLI can't resume what it never wrote down.
        let launch = match &transcript {
            Some(_) => Launch::Resume { native_id: native_id.clone() },
            None => Launch::New { native_id: native_id.clone() },
        };
        let knows = |mode: &String| descriptor.permission_modes.iter().any(|it| it.id == *mode);
        let mode = old.permission_mode.clone().filter(knows);
        let run_dir = self.0.config.state_dir.join("runs").join(&old.id);
        let prepared = place.provider.prepare(&SpawnSpec {
            program: found.program.clone(),
            version: found.version.clone(),
            cwd,
            home: home.clone(),
            launch,
            prompt: None,
            model: old.model.clone(),
            effort: old.effort.clone(),
            permission_mode: mode,
            options: old.options.clone(),
            door: self.hook_door(&old.id),
            run_dir: run_dir.clone(),
        })?;
        make_private_dir(&run_dir)?;
        write_files(&prepared.files)?;

        let native_id = prepared.native_id.clone().unwrap_or(native_id);
        let row = RunRow {
            program: found.program.to_string_lossy().into_owned(),
            cli_version: found.version,
            last_activity_at: now(),
            ended_at: None,
            exit: None,
            epoch: Some(native_id.clone()),
            session: old.id.clone(),
            guest: None,
            home: Some(place.own_variables()),
            ..old.clone()
        };
        self.remove_remains(&row.id).await?;
        self.0.tools.store.save_run(row.clone()).await?;
        let began = std::time::SystemTime::now();
        let pane = match self.open_pane(&row, &native_id, &prepared).await {
            Ok(pane) => pane,
            Err(error) => {
                self.0.tools.store.save_run(old).await?;
                return Err(error);
            }
        };
        self.publish_again(&row, &native_id, &*place.provider);
        let unfinished = self.0.tools.store.unfinished(row.id.clone()).await?;
        Ok(Start {
            provider: place.provider.clone(),
            home,
            seat: self.own_seat(pane),
            epoch: native_id,
            deferred_prompt: None,
            began: Some(began),
            resumed: Some(Before {
                model: row.model.clone(),
                permission_mode: row.permission_mode.clone(),
                nothing: transcript.is_none(),
                is_read: false,
            }),
            transcript,
            prompted: false,
            startup_checks: prepared.startup_checks,
            warnings: Vec::new(),
            unfinished,
            row,
        })
    }

    /// A pane whose process is gone, left by a server that was killed between two
    /// steps. It would hold the name.
    pub(super) async fn remove_remains(&self, id: &str) -> Result<(), RunError> {
        let panes = self.0.tools.terminal.panes().await?;
        for status in panes.into_iter().filter(|it| it.pane.stamp == id) {
            if status.dead.is_none() {
                return Err(RunError::Live);
            }
            self.0.tools.terminal.kill(&status.pane).await?;
        }
        Ok(())
    }

    fn publish_again(&self, row: &RunRow, epoch: &str, provider: &dyn AgentProvider) {
        let mut run = summary(row, provider.descriptor());
        // Something was said in it, and it will be able to take more.
        run.state = RunState::NeedsInput;
        epoch.clone_into(&mut run.epoch);
        let next = Epoch { id: epoch.into(), reason: "resume".into(), started_at: now() };
        self.hub().update(&row.id, |board| {
            board.epoch(next);
            board.restart_view();
            board.transcript(TranscriptStatus::Locating);
            board.run(run);
        });
    }
}

/// The living process that has this conversation, by the CLI's own list.
fn holder(place: &Place, native_id: &str) -> Option<RegistryEntry> {
    live_entries(place).into_iter().find(|entry| entry.native_id == native_id)
}

impl Actor {
    /// The old part of the record was read. A turn that the old process was in, and
    /// a prompt that it did not answer, ended with it.
    pub(super) fn leave_the_past(&mut self) {
        let Some(before) = &mut self.resumed else { return };
        if !std::mem::replace(&mut before.is_read, true) {
            self.facts.transcript = None;
            self.last_prompt = None;
        }
    }

    /// Tells what came out differently than it was before.
    pub(super) fn compare_model(&mut self, model: &str) {
        let Some(before) = self.resumed.as_mut().and_then(|it| it.model.take()) else { return };
        let same = |one: &str, other: &str| one == other || self.provider.names_more(one, other);
        if !same(&before, model) && !same(model, &before) {
            self.add_warning(changed("model", &before, model));
        }
    }

    pub(super) fn compare_mode(&mut self, mode: &str) {
        let before = self.resumed.as_mut().and_then(|it| it.permission_mode.take());
        if let Some(before) = before.filter(|it| it != mode) {
            self.add_warning(changed("mode", &before, mode));
        }
    }
}

fn changed(what: &str, before: &str, now: &str) -> Warning {
    Warning {
        code: format!("resumed_{what}"),
        message: format!("Before the resume the {what} was {before}; now it is {now}."),
        hint: None,
    }
}

/// There was no record to go on from.
pub(super) fn nothing_to_resume() -> Warning {
    Warning {
        code: "nothing_to_resume".into(),
        message: "Nothing of this conversation was on disk, so it begins anew.".into(),
        hint: None,
    }
}

/// A run that has ended, and that nobody else resumes or forgets meanwhile.
pub(super) struct ClaimedRun {
    pub(super) row: RunRow,
    /// The conversation that it was in last.
    pub(super) epoch: Option<EpochRow>,
    pub(super) _claim: Claim,
}

/// Conversations that are being started right now.
#[derive(Default)]
pub(super) struct Claims(Arc<Mutex<HashSet<String>>>);

/// One of them. Dropping it gives it back.
pub(super) struct Claim {
    claims: Arc<Mutex<HashSet<String>>>,
    native_id: String,
}

impl Claims {
    /// `None` if somebody else is starting it.
    pub(super) fn claim(&self, native_id: &str) -> Option<Claim> {
        let is_new = lock(&self.0).insert(native_id.to_owned());
        is_new.then(|| Claim { claims: self.0.clone(), native_id: native_id.to_owned() })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        lock(&self.claims).remove(&self.native_id);
    }
}

fn lock(claims: &Mutex<HashSet<String>>) -> MutexGuard<'_, HashSet<String>> {
    claims.lock().unwrap_or_else(PoisonError::into_inner)
}
