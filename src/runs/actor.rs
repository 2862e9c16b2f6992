//! The run actor: one task that owns everything that changes about a run.
//!
//! # Theory of operation
//!
//! Everything that can happen to a run is an [`Input`], or a bell that says
//! "look again". The loop takes one, finishes with it, and takes the next, so
//! there is no lock and no moment at which two things are half done.
//!
//! ```text
//! commands ───┐
//! signals  ───┤
//! terminal ───┼─▶ handle ─▶ hub (what everybody reads)
//! transcript ─┤       └───▶ terminal (one step of one recipe)
//! registry ───┤
//! clock    ───┘
//! ```
//!
//! The actor never waits for the CLI. What takes time (a text that has to
//! settle before Enter, a record that has to appear) is a deadline in the
//! outbox, and the loop goes on.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::schema::{ContextUsage, TranscriptStatus, Warning};
use crate::seam::{AgentHome, AgentProvider, BlockCause, RecordMapper, RegistryPlace};
use crate::store::{RunRow, Store};
use crate::terminal::{self, Pane, PaneSignal, Terminal};
use crate::transcript::{Bell, Follower, Watcher};

use super::agents::Agents;
use super::answering::Answering;
use super::background::Background;
use super::error::RunError;
use super::holding::Look;
use super::hub::Hub;
use super::input::Input;
use super::metrics::Metrics;
use super::opening::{Reading, read_through};
use super::outbox::Outbox;
use super::queue::Queue;
use super::rescan::Rescan;
use super::resume::{Before, nothing_to_resume};
use super::rfc3339;
use super::sending::NewReply;
use super::start::Start;
use super::state::StateFacts;
use super::tail::Tail;

/// A CLI whose live door is silent this long after the start is stuck in a
/// start-up question.
pub(super) const DOOR_LIMIT: Duration = Duration::from_secs(6);

/// How long a polite stop may take before it becomes a firm one.
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// What everybody who works on runs shares.
#[derive(Clone)]
pub(super) struct Tools {
    pub hub: Arc<Hub>,
    pub store: Store,
    pub terminal: Terminal,
    pub watcher: Watcher,
    pub background: Background,
    pub rescan: Rescan,
    pub metrics: Arc<Metrics>,
}

pub(super) struct Actor {
    pub(super) tools: Tools,
    pub(super) row: RunRow,
    /// The row as the database has it.
    pub(super) saved: RunRow,
    pub(super) provider: Arc<dyn AgentProvider>,
    pub(super) home: AgentHome,
    pub(super) pane: Pane,
    pub(super) epoch: String,
    pub(super) mapper: Box<dyn RecordMapper>,
    pub(super) follower: Option<Follower>,
    /// The file of the follower was opened.
    pub(super) is_open: bool,
    /// The whole of a long transcript is being read.
    pub(super) reading: Option<Reading>,
    pub(super) transcript_bell: Option<Bell>,
    /// Nobody tells where the conversation is recorded.
    pub(super) must_seek: bool,
    pub(super) sought: Option<(PathBuf, Vec<PathBuf>)>,
    pub(super) registry: Option<RegistryPlace>,
    pub(super) registry_file: Option<PathBuf>,
    pub(super) registry_bell: Option<Bell>,
    /// Older entries of the list of live processes are of another process.
    pub(super) not_before: Option<SystemTime>,
    pub(super) facts: StateFacts,
    pub(super) queue: Queue,
    pub(super) outbox: Outbox,
    pub(super) answering: Answering,
    pub(super) tail: Tail,
    pub(super) agents: Agents,
    pub(super) ready: bool,
    /// The CLI was started with a first message and has not taken it yet. What
    /// is typed before that is lost.
    pub(super) first_prompt_due: bool,
    pub(super) door_deadline: Option<Instant>,
    pub(super) startup_checks: Vec<PathBuf>,
    pub(super) early_interrupt: Option<Instant>,
    /// Why the model takes no prompts.
    pub(super) blocked: Option<BlockCause>,
    pub(super) settle_deadline: Option<Instant>,
    /// When to look whether the composer shows, while a reply waits for it.
    pub(super) composer_look: Option<Look>,
    /// When the CLI told that it took a prompt, in milliseconds since 1970.
    pub(super) prompted_at: u64,
    /// Since when the CLI's list says idle, on the same clock.
    pub(super) idle_since: Option<u64>,
    pub(super) resumed: Option<Before>,
    /// The newest prompt, and whether the agent has said anything since.
    pub(super) last_prompt: Option<(String, bool)>,
    pub(super) warnings: Vec<Warning>,
    /// Why nothing can be typed, if it can only be read.
    pub(super) outside: Option<Warning>,
    pub(super) usage: Option<ContextUsage>,
    pub(super) transcript: TranscriptStatus,
    pub(super) more_to_read: bool,
    /// A first message that has to be typed.
    deferred_prompt: Option<String>,
    stop_deadline: Option<Instant>,
    pub(super) ended: bool,
}

impl Actor {
    pub(super) fn new(mut tools: Tools, start: Start) -> Self {
        let live = start.provider.live();
        let registry = live.and_then(|live| live.registry(&start.home));
        let registry_bell = registry.as_ref().map(|place| tools.watcher.folder(&place.dir));
        // Whoever was started by hand has none of our hooks.
        let has_door = live.is_some() && start.seat.pane.guest.is_none();
        tools.terminal = start.seat.terminal;
        let nothing = start.resumed.as_ref().is_some_and(|it| it.nothing);
        let mut actor = Self {
            mapper: start.provider.mapper(),
            follower: None,
            is_open: false,
            reading: None,
            transcript_bell: None,
            must_seek: !has_door,
            sought: None,
            registry_file: None,
            registry_bell,
            not_before: start.began,
            facts: StateFacts {
                process_since: start.began.map(rfc3339),
                spoken: start.resumed.as_ref().is_some_and(|it| !it.nothing),
                ..StateFacts::default()
            },
            first_prompt_due: start.prompted && start.deferred_prompt.is_none(),
            queue: Queue::default(),
            outbox: Outbox::default(),
            answering: Answering::default(),
            tail: Tail::default(),
            agents: Agents::default(),
            // Without a list of live processes nobody tells when it is ready.
            ready: registry.is_none(),
            door_deadline: (start.began.is_some() && has_door).then(|| Instant::now() + DOOR_LIMIT),
            startup_checks: start.startup_checks,
            early_interrupt: None,
            blocked: None,
            settle_deadline: None,
            composer_look: None,
            prompted_at: 0,
            idle_since: None,
            resumed: start.resumed,
            last_prompt: None,
            warnings: start
                .warnings
                .into_iter()
                .chain(nothing.then(nothing_to_resume))
                .chain(start.seat.outside.clone())
                .collect(),
            outside: start.seat.outside,
            usage: None,
            transcript: TranscriptStatus::Locating,
            more_to_read: false,
            stop_deadline: None,
            ended: false,
            registry,
            saved: start.row.clone(),
            row: start.row,
            provider: start.provider,
            home: start.home,
            pane: start.seat.pane,
            epoch: start.epoch,
            deferred_prompt: start.deferred_prompt,
            tools,
        };
        actor.recover(start.unfinished);
        actor.follow(start.transcript);
        actor
    }

    /// Runs until the process has ended or `stop` is asked for. A stop of
    /// seamux leaves the process alone.
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<Input>, stop: CancellationToken) {
        info!("Run supervised");
        if let Some(text) = self.deferred_prompt.take() {
            let first = NewReply { text, ..NewReply::default() };
            let held = self.hold_reply(first, "seamux").await;
            held.inspect_err(|error| warn!(%error, "The first message is not held")).ok();
        }
        self.begin_keys().await;
        self.read_registry();
        self.read_transcript();
        self.settle().await;
        let mut rescan = self.tools.rescan.next();
        while !self.ended {
            let wake_at = self.wake_at().map_or(rescan, |at| at.min(rescan));
            let more = self.more_to_read;
            // Biased: a stop goes first, and the transcript last, because only it can flood.
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                input = inbox.recv() => match input {
                    Some(input) => self.take(input).await,
                    None => break,
                },
                () = rung(self.registry_bell.as_ref()) => self.read_registry(),
                () = sleep_until(wake_at) => {
                    if Instant::now() >= rescan {
                        rescan = self.tools.rescan.next();
                        self.rescan();
                    }
                    self.check_deadlines().await;
                },
                () = rung(self.agents.bell.as_ref()) => self.look_at_agents(),
                pass = read_through(self.reading.as_mut()) => self.take_over(pass),
                () = rung(self.transcript_bell.as_ref()) => self.read_transcript(),
                () = std::future::ready(()), if more => self.read_transcript(),
            }
            self.settle().await;
        }
        info!(run.ended = self.ended, "Run no longer supervised");
    }

    async fn take(&mut self, input: Input) {
        let Some(input) = self.refuse_if_outside(input) else { return };
        match input {
            Input::Reply { new, by, done } => {
                done.send(self.hold_reply(new, &by).await).ok(); // Nobody has to wait for it.
            }
            Input::Queue { entry, change, by, done } => {
                done.send(self.change_queue(&entry, change, &by).await).ok();
            }
            Input::Interrupt { by, done } => {
                done.send(Ok(self.interrupt(&by))).ok();
            }
            Input::Rename { title, done } => {
                done.send(self.rename(title).await).ok();
            }
            Input::Stop { force, done } => {
                done.send(self.stop(force).await).ok();
            }
            Input::Signal { payload, late } => self.take_signal(&payload, late),
            Input::Asked { payload, asker } => self.raise(payload, asker),
            Input::AskerGone { id } => self.answering.gone(id),
            Input::Answer { dialog_id, response, client_id, by, done } => {
                let outcome = self.answer(&dialog_id, response, client_id, &by).await;
                done.send(outcome).ok();
            }
            // A run that was resumed has had another process before.
            Input::Exited(pane, exit) if pane == self.pane => self.finish(exit).await,
            Input::Exited(..) => {}
            // A person's own tmux server is another one.
            Input::ServerGone if self.pane.guest.is_some() => {}
            Input::ServerGone => {
                self.warn("tmux_gone", "The tmux server ended, and the agent with it.", None);
                self.finish(terminal::Exit::Unknown).await;
            }
        }
    }

    async fn stop(&mut self, force: bool) -> Result<(), RunError> {
        let signal = if force { PaneSignal::Kill } else { PaneSignal::Terminate };
        self.tools.terminal.signal(&self.pane, signal).await?;
        // In a person's own terminal nothing is ended by force unless they say so: it
        // would be left as the CLI had set it.
        let firm = !force && self.pane.guest.is_none();
        self.stop_deadline = firm.then(|| Instant::now() + STOP_LIMIT);
        Ok(())
    }

    /// Types what can be typed now, and publishes what changed.
    async fn settle(&mut self) {
        self.facts.live_dialogs =
            self.answering.dialogs().len() + usize::from(self.answering.startup.is_some());
        self.release_interrupt();
        self.say_on().await;
        self.type_on().await;
        self.key_on().await;
        self.note_terminal_dialog();
        self.publish();
    }

    fn wake_at(&self) -> Option<Instant> {
        let deadlines = [
            self.outbox.wake_at(),
            self.door_deadline,
            self.early_interrupt,
            self.settle_deadline,
            self.composer_look.map(|it| it.at),
            self.answering.wake_at(Instant::now()),
            self.stop_deadline,
        ];
        deadlines.into_iter().flatten().min()
    }

    async fn check_deadlines(&mut self) {
        let now = Instant::now();
        let passed = |deadline: &mut Option<Instant>| {
            let passed = deadline.is_some_and(|at| at <= now);
            if passed {
                *deadline = None;
            }
            passed
        };
        if passed(&mut self.door_deadline) {
            self.report_silent_door();
        }
        if passed(&mut self.settle_deadline) {
            self.facts.settling = false;
        }
        if passed(&mut self.early_interrupt) {
            self.finish_early_interrupt();
        }
        if passed(&mut self.stop_deadline)
            && let Err(error) = self.tools.terminal.signal(&self.pane, PaneSignal::Kill).await
        {
            warn!(%error, "The CLI did not stop, and could not be killed");
        }
        self.look_after_submit().await;
        self.look_after_interrupt();
        self.check_proofs();
        let late = self.outbox.overdue(now);
        self.take_late(late).await;
    }
}

/// Never resolves without a bell.
async fn rung(bell: Option<&Bell>) {
    match bell {
        Some(bell) => bell.rung().await,
        None => std::future::pending().await,
    }
}
