//! What is published: the boards of all runs, and the one doorbell.
//!
//! Every change gets the next revision under one short lock, so a reader that
//! has seen revision N misses nothing by asking for what came after N. The
//! channel carries no data: a reader is rung and reads again from its cursor,
//! however slow it is. Changes of one thing collapse to its newest form.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::schema::{
    Change, Dialog, Epoch, Event, Message, Position, QueuedReply, Receipt, Run, StreamingTail,
    ToolCall, TranscriptStatus,
};
use crate::seam::ToolOutcome;

use super::view::{Page, View, Window, for_wire};

/// Receipts that stay readable, per run.
const RECEIPTS_KEPT: usize = 200;

/// All published boards.
pub struct Hub {
    inner: Mutex<Boards>,
    bell: watch::Sender<u64>,
    /// Names this life of the server: revisions of another life mean nothing.
    birth: String,
}

#[derive(Default)]
struct Boards {
    revision: u64,
    boards: HashMap<String, Board>,
    removed: Vec<(u64, String)>,
}

/// Everything that can be read about one run.
struct Board {
    run: Stamped<Run>,
    epochs: Vec<Epoch>,
    epoch: Stamped<String>,
    view: View,
    /// Views of earlier epochs, once somebody asked for them.
    earlier: HashMap<String, View>,
    dialogs: Stamped<Vec<Dialog>>,
    queue: Stamped<Vec<QueuedReply>>,
    tail: Stamped<Option<StreamingTail>>,
    receipts: Vec<Stamped<Receipt>>,
    transcript: TranscriptStatus,
}

/// A value and the revision that wrote it.
struct Stamped<T> {
    revision: u64,
    value: T,
}

impl<T: PartialEq> Stamped<T> {
    fn new(value: T) -> Self {
        Self { revision: 0, value }
    }

    /// Writes the value if it differs. Equal values make no event.
    fn set(&mut self, value: T, revision: &mut u64) {
        if self.value != value {
            *revision += 1;
            self.revision = *revision;
            self.value = value;
        }
    }
}

/// One conversation as it is now.
#[derive(Debug)]
pub struct Snapshot {
    pub epoch: String,
    pub epochs: Vec<Epoch>,
    pub page: Page,
    pub run: Run,
    pub dialogs: Vec<Dialog>,
    pub queued: Vec<QueuedReply>,
    pub tail: Option<StreamingTail>,
    pub receipts: Vec<Receipt>,
    pub transcript: TranscriptStatus,
    pub revision: u64,
}

impl Hub {
    pub fn new() -> Self {
        Self {
            inner: Mutex::default(),
            bell: watch::Sender::new(0),
            birth: uuid::Uuid::new_v4().simple().to_string(),
        }
    }

    pub fn birth(&self) -> &str {
        &self.birth
    }

    /// Rings at each change with its revision.
    pub fn bell(&self) -> watch::Receiver<u64> {
        self.bell.subscribe()
    }

    pub fn revision(&self) -> u64 {
        self.lock().revision
    }

    fn lock(&self) -> MutexGuard<'_, Boards> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes a run for the first time.
    pub fn add(&self, run: Run, epochs: Vec<Epoch>) {
        self.change(|boards| {
            boards.revision += 1;
            let revision = boards.revision;
            let board = Board {
                epoch: Stamped::new(run.epoch.clone()),
                run: Stamped { revision, value: run },
                epochs,
                view: View::default(),
                earlier: HashMap::new(),
                dialogs: Stamped::new(Vec::new()),
                queue: Stamped::new(Vec::new()),
                tail: Stamped::new(None),
                receipts: Vec::new(),
                transcript: TranscriptStatus::Locating,
            };
            boards.boards.insert(board.run.value.id.clone(), board);
        });
    }

    /// Changes one board. Nothing happens if the run is not there.
    pub fn update(&self, run: &str, write: impl FnOnce(&mut BoardWriter<'_>)) {
        self.change(|boards| {
            let Boards { revision, boards, .. } = boards;
            if let Some(board) = boards.get_mut(run) {
                write(&mut BoardWriter { board, revision });
            }
        });
    }

    fn change(&self, write: impl FnOnce(&mut Boards)) {
        let revision = {
            let mut boards = self.lock();
            write(&mut boards);
            boards.revision
        };
        self.bell.send_if_modified(|rung| {
            let news = *rung < revision;
            *rung = revision.max(*rung);
            news
        });
    }

    pub fn runs(&self) -> Vec<Run> {
        self.lock().boards.values().map(|board| board.run.value.clone()).collect()
    }

    pub fn run(&self, id: &str) -> Option<Run> {
        self.lock().boards.get(id).map(|board| board.run.value.clone())
    }

    /// A page of the current epoch, or of an earlier one that was loaded.
    pub fn snapshot(
        &self,
        id: &str,
        epoch: Option<&str>,
        window: Window,
        limit: usize,
    ) -> Option<Snapshot> {
        let boards = self.lock();
        let board = boards.boards.get(id)?;
        let epoch = epoch.unwrap_or(&board.epoch.value);
        let current = epoch == board.epoch.value;
        let view = if current { &board.view } else { board.earlier.get(epoch)? };
        Some(Snapshot {
            epoch: epoch.to_owned(),
            epochs: board.epochs.clone(),
            page: view.page(window, limit),
            run: board.run.value.clone(),
            dialogs: board.dialogs.value.clone(),
            queued: board.queue.value.clone(),
            tail: board.tail.value.clone().filter(|_| current),
            receipts: board.receipts.iter().map(|it| it.value.clone()).collect(),
            transcript: board.transcript,
            revision: boards.revision,
        })
    }

    pub fn epochs(&self, id: &str) -> Vec<Epoch> {
        self.lock().boards.get(id).map(|board| board.epochs.clone()).unwrap_or_default()
    }

    /// Whether the messages of this epoch are here.
    pub fn has_view(&self, id: &str, epoch: &str) -> bool {
        self.lock().boards.get(id).is_some_and(|board| {
            let current = epoch == board.epoch.value && !board.view.is_empty();
            current || board.earlier.contains_key(epoch)
        })
    }

    /// The messages of an epoch that nobody follows; `None` if its record is gone.
    pub fn fill(&self, id: &str, epoch: &str, view: Option<View>) {
        let mut boards = self.lock();
        let Some(board) = boards.boards.get_mut(id) else {
            return;
        };
        let current = epoch == board.epoch.value;
        if current {
            board.transcript = match view {
                Some(_) => TranscriptStatus::Available,
                None => TranscriptStatus::Gone,
            };
        }
        match view {
            Some(view) if current && board.view.is_empty() => board.view = view,
            Some(view) if !current => {
                board.earlier.insert(epoch.to_owned(), view);
            }
            _ => {}
        }
    }

    /// One message, whole.
    pub fn message(&self, id: &str, epoch: Option<&str>, at: Position) -> Option<Message> {
        let boards = self.lock();
        let board = boards.boards.get(id)?;
        let view = match epoch {
            Some(epoch) if epoch != board.epoch.value => board.earlier.get(epoch)?,
            _ => &board.view,
        };
        view.get(at).cloned()
    }

    pub(super) fn open_dialogs(&self, id: &str) -> Vec<Dialog> {
        self.lock().boards.get(id).map(|board| board.view.open_dialogs()).unwrap_or_default()
    }

    pub(super) fn running_calls(&self, id: &str) -> Vec<ToolCall> {
        let boards = self.lock();
        let Some(board) = boards.boards.get(id) else { return Vec::new() };
        board.view.running_tools().cloned().collect()
    }

    pub(super) fn position_of_call(&self, id: &str, call: &str) -> Option<Position> {
        self.lock().boards.get(id)?.view.position_of_call(call)
    }

    pub fn receipt(&self, run: &str, receipt: &str) -> Option<Receipt> {
        let boards = self.lock();
        let receipts = &boards.boards.get(run)?.receipts;
        receipts.iter().map(|it| &it.value).find(|it| it.id == receipt).cloned()
    }

    /// At most `limit` changes after `revision`, oldest first: summaries of all
    /// runs, and everything else of those that `watched` names.
    pub fn changes_since(&self, revision: u64, watched: &[String], limit: usize) -> Vec<Event> {
        let boards = self.lock();
        let mut events = Vec::new();
        for (at, id) in boards.removed.iter().filter(|(at, _)| *at > revision) {
            events.push(Event { revision: *at, change: Change::Removed { id: id.clone() } });
        }
        for (id, board) in &boards.boards {
            let mut add = |stamp: u64, change: &dyn Fn() -> Change| {
                if stamp > revision {
                    events.push(Event { revision: stamp, change: change() });
                }
            };
            add(board.run.revision, &|| Change::Run { run: Box::new(board.run.value.clone()) });
            if watched.contains(id) {
                board.changes_since(id, revision, limit, &mut add);
            }
        }
        events.sort_by_key(|event| event.revision);
        events.truncate(limit);
        events
    }
}

impl Default for Hub {
    fn default() -> Self {
        Self::new()
    }
}

impl Board {
    fn changes_since(
        &self,
        id: &str,
        revision: u64,
        limit: usize,
        add: &mut dyn FnMut(u64, &dyn Fn() -> Change),
    ) {
        let run_id = || id.to_owned();
        let epoch = || self.epoch.value.clone();
        add(self.epoch.revision, &|| Change::Epoch { run_id: run_id(), epoch: epoch() });
        add(self.dialogs.revision, &|| Change::Dialogs {
            run_id: run_id(),
            pending_dialogs: self.dialogs.value.clone(),
        });
        add(self.queue.revision, &|| Change::Queue {
            run_id: run_id(),
            queued: self.queue.value.clone(),
        });
        add(self.tail.revision, &|| Change::Tail {
            run_id: run_id(),
            epoch: epoch(),
            tail: self.tail.value.clone(),
        });
        for receipt in &self.receipts {
            add(receipt.revision, &|| Change::Receipt {
                run_id: run_id(),
                receipt: receipt.value.clone(),
            });
        }
        for message in self.view.changed_since(revision).take(limit) {
            add(message.revision, &|| Change::Message {
                run_id: run_id(),
                epoch: epoch(),
                message: Box::new(for_wire(message)),
            });
        }
    }
}

/// Writes to one board, under the hub's lock. Only the run's actor holds one.
pub struct BoardWriter<'a> {
    board: &'a mut Board,
    revision: &'a mut u64,
}

impl BoardWriter<'_> {
    pub fn message(&mut self, message: Message) {
        *self.revision += 1;
        self.board.view.put(message, *self.revision);
    }

    pub fn finish_call(&mut self, outcome: ToolOutcome) {
        *self.revision += 1;
        self.board.view.finish_call(outcome, *self.revision);
    }

    pub fn view(&self) -> &View {
        &self.board.view
    }

    pub fn run(&mut self, run: Run) {
        self.board.run.set(run, self.revision);
    }

    pub fn dialogs(&mut self, dialogs: Vec<Dialog>) {
        self.board.dialogs.set(dialogs, self.revision);
    }

    pub fn queue(&mut self, queue: Vec<QueuedReply>) {
        self.board.queue.set(queue, self.revision);
    }

    pub fn tail(&mut self, tail: Option<StreamingTail>) {
        self.board.tail.set(tail, self.revision);
    }

    pub fn transcript(&mut self, status: TranscriptStatus) {
        self.board.transcript = status;
    }

    pub fn receipt(&mut self, receipt: Receipt) {
        *self.revision += 1;
        let revision = *self.revision;
        let receipts = &mut self.board.receipts;
        match receipts.iter_mut().find(|it| it.value.id == receipt.id) {
            Some(known) => *known = Stamped { revision, value: receipt },
            None => receipts.push(Stamped { revision, value: receipt }),
        }
        if receipts.len() > RECEIPTS_KEPT
            && let Some(oldest) = receipts.iter().position(|it| it.value.status.is_final())
        {
            receipts.remove(oldest);
        }
    }

    /// The conversation goes on as another one. The old view stays readable.
    pub fn epoch(&mut self, epoch: Epoch) {
        let old = self.board.epoch.value.clone();
        if old == epoch.id {
            return;
        }
        let view = std::mem::take(&mut self.board.view);
        self.board.earlier.insert(old, view);
        if let Some(view) = self.board.earlier.remove(&epoch.id) {
            self.board.view = view;
        }
        self.board.epoch.set(epoch.id.clone(), self.revision);
        self.board.transcript = TranscriptStatus::Locating;
        if !self.board.epochs.iter().any(|it| it.id == epoch.id) {
            self.board.epochs.push(epoch);
        }
    }

    /// What was read so far is void; the view is filled anew.
    pub fn restart_view(&mut self) {
        self.board.view = View::default();
        *self.revision += 1;
        // An epoch event makes every reader fetch the conversation again.
        self.board.epoch.revision = *self.revision;
    }
}
