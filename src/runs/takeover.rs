//! Makes a conversation that a person started by hand a run of ours.
//!
//! One that is live stays where it is: we type into its pane, or only read if there
//! is none. One of the past is started again in a pane of ours. A person's process,
//! pane and tmux server are never ended for it.

use tracing::info;

use crate::schema::{Origin, Run, Warning};
use crate::seam::{Activity, Sketch};
use crate::store::{EpochRow, GuestRow, RunRow, Unfinished};
use crate::terminal::{FoundPane, Pane, Process, ServerEpoch, Terminal, Whereabouts};

use super::actor::Actor;
use super::adopt::{epoch_row, first_epoch, new_run_id};
use super::archive::blocking;
use super::discover::{Found, Live, outside, title_of};
use super::error::RunError;
use super::input::Input;
use super::now;
use super::place::Place;
use super::start::{Seat, Start};
use super::supervisor::Supervisor;

impl Supervisor {
    /// Takes a conversation over.
    pub async fn adopt_session(&self, provider: &str, native_id: &str) -> Result<Run, RunError> {
        let places = &self.0.config.providers;
        let place = self.place(provider).ok_or_else(|| RunError::UnknownProvider {
            name: provider.to_owned(),
            known: places.iter().map(|it| it.provider.descriptor().id.into()).collect(),
        })?;
        let Some(_claim) = self.0.claims.claim(native_id) else {
            return Err(RunError::ConversationLive { run: None, pid: None });
        };
        self.ensure_unknown(place, native_id)?;
        let nothing = || RunError::NoSession {
            provider: provider.to_owned(),
            native_id: native_id.to_owned(),
        };
        let (found, live) = self.look_at(place).await?.ok_or_else(nothing)?;
        let live = live.into_iter().find(|it| it.is(native_id));
        let found = found.into_iter().find(|it| it.native_id == native_id);
        let (sketches, there) = (self.0.discovery.sketches.clone(), place.clone());
        let told = blocking(move || Ok(sketches.of(&there, found.into_iter().collect()).pop()));
        let told = told.await?;
        let start = match (live, told) {
            (Some(live), told) => self.take_over(place, live, told).await?,
            (None, Some((found, sketch))) => self.go_on(place, &found, sketch).await?,
            (None, None) => return Err(nothing()),
        };
        let id = start.row.id.clone();
        let (terminal, pane) = (start.seat.terminal.clone(), start.seat.pane.clone());
        self.supervise(start);
        if pane.guest.is_some() {
            terminal.watch(&pane).await?;
        }
        info!(run.id = id, "A conversation was adopted");
        self.hub().run(&id).ok_or(RunError::NotFound(id))
    }

    fn ensure_unknown(&self, place: &Place, native_id: &str) -> Result<(), RunError> {
        let Some(run) = self.known(place).remove(native_id) else { return Ok(()) };
        if self.lock().contains_key(&run) {
            return Err(RunError::ConversationLive { run: Some(run), pid: None });
        }
        Err(RunError::ConversationKnown { run })
    }

    /// It is live, and stays where it is.
    async fn take_over(
        &self,
        place: &Place,
        live: Live,
        told: Option<(Found, Sketch)>,
    ) -> Result<Start, RunError> {
        let id = new_run_id();
        let Live { entry, process, at } = live;
        let (found, sketch) = told.map(|(found, sketch)| (Some(found), sketch)).unwrap_or_default();
        let sketch = Sketch { cwd: entry.cwd.clone().or(sketch.cwd), ..sketch };
        let seat = self.seat(&id, process, at).await;
        let row = RunRow {
            cli_version: entry.version.clone(),
            session: seat.pane.session_name.clone(),
            program: std::fs::read_link(format!("/proc/{}/exe", process.pid))
                .map(|it| it.to_string_lossy().into_owned())
                .unwrap_or_default(),
            guest: Some(GuestRow { pid: entry.pid, began: process.began }),
            ..self.row(&id, place, &entry.native_id, &sketch)
        };
        self.0.tools.store.save_run(row.clone()).await?;
        self.0.tools.store.note_epoch(id, epoch_of(&entry.native_id, found.as_ref()));
        self.publish_new(&row, vec![first_epoch(&entry.native_id, &row.created_at)]);
        Ok(Start {
            provider: place.provider.clone(),
            home: place.home.clone(),
            seat,
            epoch: entry.native_id,
            transcript: found.map(|it| it.path),
            deferred_prompt: None,
            began: None,
            resumed: None,
            prompted: false,
            startup_checks: Vec::new(),
            unfinished: Unfinished::default(),
            warnings: Vec::new(),
            row,
        })
    }

    /// Nobody has it, so the CLI is started again on it.
    async fn go_on(&self, place: &Place, found: &Found, sketch: Sketch) -> Result<Start, RunError> {
        let id = new_run_id();
        let row =
            RunRow { ended_at: Some(now()), ..self.row(&id, place, &found.native_id, &sketch) };
        let epoch = epoch_of(&found.native_id, Some(found));
        let store = &self.0.tools.store;
        store.save_run(row.clone()).await?;
        store.note_epoch(id.clone(), epoch.clone());
        match self.start_again(place, row, epoch).await {
            Ok(start) => {
                let first = first_epoch(&found.native_id, &start.row.created_at);
                self.publish_new(&start.row, vec![first]);
                Ok(start)
            }
            Err(error) => {
                store.forget_run(id).await?;
                Err(error)
            }
        }
    }

    fn row(&self, id: &str, place: &Place, native_id: &str, sketch: &Sketch) -> RunRow {
        let at = now();
        RunRow {
            id: id.to_owned(),
            provider: place.provider.descriptor().id.into(),
            title: title_of(sketch, native_id),
            named: false,
            cwd: sketch
                .cwd
                .as_ref()
                .map(|it| it.to_string_lossy().into_owned())
                .unwrap_or_default(),
            program: String::new(),
            cli_version: None,
            model: None,
            effort: None,
            permission_mode: None,
            origin: Origin::Adopted,
            demo: self.0.config.demo,
            session: id.to_owned(),
            created_at: at.clone(),
            last_activity_at: at,
            ended_at: None,
            exit: None,
            epoch: Some(native_id.to_owned()),
            options: std::collections::BTreeMap::new(),
            branch: sketch.branch.clone(),
            guest: None,
            home: Some(place.own_variables()),
        }
    }

    /// The place of a run whose process a person started, after a restart of ours.
    /// `None` if that very process is gone.
    pub(super) async fn guest_seat(&self, run: &str, guest: GuestRow) -> Option<Seat> {
        let process = Process { pid: guest.pid.try_into().ok()?, began: guest.began };
        let at = self.0.discovery.servers.whereabouts(&[process]).await.pop()?;
        if at == Whereabouts::Gone {
            return None;
        }
        Some(self.seat(run, process, at).await)
    }

    async fn seat(&self, run: &str, process: Process, at: Whereabouts) -> Seat {
        let ours = &self.0.tools.terminal;
        let mut why = outside(&at);
        if let (None, Whereabouts::Pane(found)) = (&why, at) {
            let FoundPane { socket, pane } = *found;
            let terminal = Terminal::of_guests(socket, ours);
            let pane = Pane { stamp: run.to_owned(), ..pane };
            match terminal.visit(&pane).await {
                Ok(()) => return Seat { pane, terminal, outside: None },
                Err(error) => {
                    info!(run.id = run, %error, "The pane of a guest cannot be used");
                    why = outside(&Whereabouts::OutsideTmux);
                }
            }
        }
        Seat { pane: no_pane(run, process), terminal: Terminal::nowhere(ours), outside: why }
    }
}

fn epoch_of(native_id: &str, found: Option<&Found>) -> EpochRow {
    EpochRow {
        transcript: found.map(|it| it.path.to_string_lossy().into_owned()),
        ..epoch_row(native_id)
    }
}

/// A process and nothing to type into.
fn no_pane(run: &str, process: Process) -> Pane {
    Pane {
        server: ServerEpoch { pid: 0, start_time: 0 },
        session: String::new(),
        window: String::new(),
        id: String::new(),
        pid: process.pid,
        stamp: run.to_owned(),
        session_name: String::new(),
        guest: Some(process),
    }
}

/// Why a run can only be read, as an error.
pub(super) fn read_only(why: &Warning) -> RunError {
    RunError::ReadOnly { why: why.message.clone(), what_next: why.hint.clone().unwrap_or_default() }
}

impl Actor {
    /// Refuses what would have to be typed where nothing can be.
    pub(super) fn refuse_if_outside(&self, input: Input) -> Option<Input> {
        let Some(why) = &self.outside else { return Some(input) };
        let error = read_only(why);
        match input {
            // Nobody has to wait for it.
            Input::Reply { done, .. } => done.send(Err(error)).ok(),
            Input::Answer { done, .. } => done.send(Err(error)).ok(),
            Input::Interrupt { done, .. } => done.send(Err(error)).ok(),
            other => return Some(other),
        };
        None
    }

    /// No hook tells that a guest took a prompt, and its list says idle for a moment
    /// longer: what it says then is of the time before.
    pub(super) fn note_prompt(&mut self, time: Option<&str>) {
        if self.pane.guest.is_none() || self.facts.registry != Some(Activity::Idle) {
            return;
        }
        let at = time.and_then(|it| it.parse::<jiff::Timestamp>().ok());
        let Some(at) = at.and_then(|it| u64::try_from(it.as_millisecond()).ok()) else { return };
        if self.idle_since.is_some_and(|since| since < at) {
            self.prompted_at = at;
            self.facts.registry = None;
        }
    }

    /// Once its process is gone, it can be resumed like any other run.
    pub(super) fn leave_outside(&mut self) {
        if let Some(why) = self.outside.take() {
            self.warnings.retain(|it| it.code != why.code);
        }
    }
}
