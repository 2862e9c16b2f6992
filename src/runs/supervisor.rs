//! Knows which runs exist; starts, adopts and stops them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, info_span, warn};

use crate::schema::{Attach, ProviderInfo, Receipt, Response, Run};
use crate::seam::HookDoor;
use crate::signals::{HookHttp, HookSocket, wire};
use crate::store::{AuditRow, Store};
use crate::terminal::{Terminal, TerminalConfig};
use crate::transcript::Watcher;
use crate::workspace::seeding::Seeds;

use super::actor::{Actor, Tools};
use super::auth::Logins;
use super::background::Background;
use super::commands::Catalogues;
use super::discover::Discovery;
use super::error::RunError;
use super::hub::Hub;
use super::input::{Answer as Done, Input};
use super::metrics::Metrics;
use super::place::Place;
use super::probe::Probes;
use super::rescan::Rescan;
use super::resume::Claims;
use super::sending::{NewReply, QueueChange};
use super::spawn::make_private_dir;
use super::start::Start;
use super::takeover::read_only;
use super::tokens::Tokens;
use super::workspaces::SeedConfig;
use super::{adopt, spawn};

const INBOX: usize = 1024;
const DELIVERIES: usize = 4096;

/// Everything that the supervisor is told from outside.
pub struct SupervisorConfig {
    pub state_dir: PathBuf,
    pub runtime_dir: PathBuf,
    pub tmux_socket: String,
    pub providers: Vec<Place>,
    /// The program that a CLI's hooks run.
    pub hook_program: PathBuf,
    /// Columns and rows of a new terminal.
    pub size: (u16, u16),
    /// The environment of the tmux server.
    pub server_env: Vec<(String, String)>,
    pub seed: SeedConfig,
    /// Runs of this server play a script.
    pub demo: bool,
}

/// Knows the runs. Cheap to clone.
#[derive(Clone)]
pub struct Supervisor(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) config: SupervisorConfig,
    pub(super) tools: Tools,
    pub(super) probes: Probes,
    pub(super) door: Door,
    inboxes: Mutex<HashMap<String, mpsc::Sender<Input>>>,
    /// Conversations that are being started.
    pub(super) claims: Claims,
    pub(super) discovery: Discovery,
    pub(super) catalogues: Catalogues,
    pub(super) logins: Logins,
    pub(super) seeds: Seeds,
    tokens: Tokens,
    pub(super) tasks: TaskTracker,
    pub(super) stop: CancellationToken,
}

/// What the CLIs' signals need to find us.
pub(super) struct Door {
    socket: PathBuf,
    pub(super) spool: PathBuf,
    url_base: String,
    authorization: String,
}

impl Supervisor {
    /// Opens everything, adopts what runs, and takes what the spool holds.
    pub async fn start(config: SupervisorConfig, hub: Arc<Hub>) -> anyhow::Result<Self> {
        use anyhow::Context;
        make_private_dir(&config.state_dir)?;
        make_private_dir(&config.runtime_dir)?;
        let spool = config.state_dir.join(wire::SPOOL);
        make_private_dir(&spool)?;
        let store = Store::open(&config.state_dir.join("seamux.db"))?;
        let watcher = Watcher::new().context("file watching is not available")?;
        let (terminal, events) = Terminal::open(TerminalConfig {
            socket_name: config.tmux_socket.clone(),
            runtime_dir: config.runtime_dir.clone(),
            env: config.server_env.clone(),
        })
        .await?;
        let socket = HookSocket::bind(&config.runtime_dir).with_context(|| {
            format!("the hook socket could not be opened in {}", config.runtime_dir.display())
        })?;
        let http = HookHttp::bind(&config.state_dir).await.context("no loopback port is free")?;
        let authorization = door_secret(&config.state_dir)?;
        let door = Door {
            socket: socket.path().to_owned(),
            spool: spool.clone(),
            url_base: http.url(""),
            authorization: authorization.clone(),
        };
        let tokens = Tokens::load(store.clone()).await?;
        let supervisor = Self(Arc::new(Inner {
            tokens,
            tools: Tools {
                hub,
                store,
                terminal,
                watcher,
                background: Background::default(),
                rescan: Rescan::new(),
                metrics: Arc::new(Metrics::new()),
            },
            probes: Probes::default(),
            door,
            inboxes: Mutex::default(),
            claims: Claims::default(),
            discovery: Discovery::default(),
            catalogues: Catalogues::new(&config.state_dir),
            logins: Logins::default(),
            seeds: Seeds::new(&config.state_dir),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            config,
        }));
        supervisor.adopt_all().await?;

        let inner = &supervisor.0;
        let strays = inner.tools.store.stray_worktrees().await?;
        let (deliveries, incoming) = mpsc::channel(DELIVERIES);
        let stop = &inner.stop;
        inner.tasks.spawn(socket.serve(deliveries.clone(), stop.clone()));
        inner.tasks.spawn(http.serve(authorization, deliveries, stop.clone()));
        inner.tasks.spawn(supervisor.clone().route(incoming, events));
        inner.tasks.spawn(supervisor.clone().take_spool());
        inner.tasks.spawn(supervisor.clone().clear_strays(strays));
        supervisor.watch_logins();
        Ok(supervisor)
    }

    pub fn hub(&self) -> &Arc<Hub> {
        &self.0.tools.hub
    }

    /// Ends all tasks. The CLIs run on in tmux.
    pub async fn shutdown(&self) {
        self.0.stop.cancel();
        self.0.tasks.close();
        if timeout(Duration::from_secs(2), self.0.tasks.wait()).await.is_err() {
            warn!(tasks.left = self.0.tasks.len(), "Stopped before all tasks had ended");
        }
        self.0.tools.terminal.clone().shutdown().await;
    }

    pub async fn providers(&self) -> Vec<ProviderInfo> {
        let mut infos = Vec::new();
        for place in &self.0.config.providers {
            infos.push(self.0.probes.info(place).await);
        }
        infos
    }

    /// Starts a run.
    pub async fn create(&self, new: spawn::NewRun) -> Result<Run, RunError> {
        let id = adopt::new_run_id();
        let start = match self.launch(&id, new).await {
            Ok(start) => start,
            Err(error) => {
                self.leave_site(&id).await;
                return Err(error);
            }
        };
        self.supervise(start);
        self.hub().run(&id).ok_or(RunError::NotFound(id))
    }

    pub async fn reply(&self, run: &str, new: NewReply, by: String) -> Result<Receipt, RunError> {
        self.ask(run, |done| Input::Reply { new, by, done }).await
    }

    /// Changes what is held for a run, or takes it out.
    pub async fn change_queue(
        &self,
        run: &str,
        entry: String,
        change: QueueChange,
        by: String,
    ) -> Result<Receipt, RunError> {
        self.ask(run, |done| Input::Queue { entry, change, by, done }).await
    }

    pub async fn receipt(&self, run: &str, id: &str) -> Result<Option<Receipt>, RunError> {
        match self.hub().receipt(run, id) {
            Some(known) => Ok(Some(known)),
            None => Ok(self.0.tools.store.receipt(run.into(), id.into()).await?),
        }
    }

    /// Everything that was sent to a run, oldest first.
    pub async fn audit(&self, run: &str) -> Result<Vec<AuditRow>, RunError> {
        self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        Ok(self.0.tools.store.audit(run.into()).await?)
    }

    /// Answers a dialog through the door that it waits at.
    pub async fn answer(
        &self,
        run: &str,
        dialog_id: String,
        response: Response,
        client_id: Option<String>,
        by: String,
    ) -> Result<Receipt, RunError> {
        self.ask(run, |done| Input::Answer { dialog_id, response, client_id, by, done }).await
    }

    pub async fn interrupt(&self, run: &str, by: String) -> Result<Receipt, RunError> {
        self.ask(run, |done| Input::Interrupt { by, done }).await
    }

    /// Asks the process to end; it is gone when the run's state says so.
    pub async fn stop_run(&self, run: &str, force: bool) -> Result<(), RunError> {
        self.ask(run, |done| Input::Stop { force, done }).await
    }

    pub fn attach(&self, run: &str) -> Result<Attach, RunError> {
        let run = self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        let outside = run.warnings.iter().find(|_| run.read_only);
        run.attach.ok_or_else(|| outside.map_or(RunError::Ended, read_only))
    }

    /// Who may call beside the owner.
    pub fn tokens(&self) -> &Tokens {
        &self.0.tokens
    }

    pub fn metrics(&self) -> Arc<Metrics> {
        self.0.tools.metrics.clone()
    }

    pub fn metrics_text(&self) -> String {
        self.0.tools.metrics.text(self.hub())
    }

    pub(super) fn place(&self, provider: &str) -> Option<&Place> {
        self.0.config.providers.iter().find(|it| it.provider.descriptor().id == provider)
    }

    /// Where the CLI of this run lives, also if that is not where a new one would.
    pub(super) async fn place_of(&self, run: &Run) -> Result<Option<Place>, RunError> {
        let Some(place) = self.place(&run.provider) else { return Ok(None) };
        let row = self.0.tools.store.run(run.id.clone()).await?;
        Ok(Some(place.of(row.and_then(|(row, _)| row.home).as_ref())))
    }

    pub(super) fn hook_door(&self, run: &str) -> HookDoor {
        let door = &self.0.door;
        let words: [OsString; 5] = [
            self.0.config.hook_program.clone().into(),
            "hook".into(),
            door.socket.clone().into(),
            door.spool.clone().into(),
            run.into(),
        ];
        HookDoor {
            command: words.into(),
            url: Some(format!("{}{run}", door.url_base)),
            authorization: door.authorization.clone(),
        }
    }

    /// Gives a run its actor.
    pub(super) fn supervise(&self, start: Start) {
        let id = start.row.id.clone();
        let (inbox, inputs) = mpsc::channel(INBOX);
        self.lock().insert(id.clone(), inbox);
        let span = info_span!("run", run.id = %id, provider.name = start.provider.descriptor().id);
        let mut actor = Actor::new(self.0.tools.clone(), start);
        actor.publish();
        let (supervisor, stop) = (self.clone(), self.0.stop.clone());
        self.0.tasks.spawn(
            async move {
                actor.run(inputs, stop).await;
                supervisor.leave(&id);
            }
            .instrument(span),
        );
    }

    /// Takes away the inbox of an actor that is gone, and no other: the run may
    /// have a new one by now.
    pub(super) fn leave(&self, id: &str) {
        let mut inboxes = self.lock();
        if inboxes.get(id).is_some_and(mpsc::Sender::is_closed) {
            inboxes.remove(id);
        }
    }

    pub(super) async fn ask<T>(
        &self,
        run: &str,
        input: impl FnOnce(Done<T>) -> Input,
    ) -> Result<T, RunError> {
        let inbox = self.lock().get(run).cloned();
        let Some(inbox) = inbox else {
            return Err(match self.hub().run(run) {
                Some(_) => RunError::Ended,
                None => RunError::NotFound(run.into()),
            });
        };
        let (done, answer) = oneshot::channel();
        inbox.send(input(done)).await.map_err(|_| RunError::Ended)?;
        answer.await.map_err(|_| RunError::Ended)?
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<Input>>> {
        self.0.inboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a CLI has to show when it posts. Kept, because the CLIs that run on
/// while we are away know it.
fn door_secret(state_dir: &std::path::Path) -> anyhow::Result<String> {
    let path = state_dir.join("hook-secret");
    if let Ok(secret) = std::fs::read_to_string(&path)
        && !secret.trim().is_empty()
    {
        return Ok(format!("Bearer {}", secret.trim()));
    }
    let secret = uuid::Uuid::new_v4().simple().to_string();
    spawn::write_private(&path, secret.as_bytes())?;
    Ok(format!("Bearer {secret}"))
}
