//! What is published: the boards of all runs, and the one doorbell.
//!
//! Every change gets the next revision under one short lock, so a reader that
//! has seen revision N misses nothing by asking for what came after N. The
//! channel carries no data: a reader is rung and reads again from its cursor,
//! however slow it is. Changes of one thing collapse to its newest form.

mod board;
mod frames;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::watch;

use crate::schema::{
    Change, Dialog, Epoch, Message, Position, QueuedReply, Receipt, Run, StreamingTail, ToolCall,
    ToolView, TranscriptStatus,
};

use super::source::Source;
use super::view::{Page, Partial, Window};

use board::Board;
pub(super) use board::{BoardWriter, Conversation};
use frames::Frames;
pub use frames::Wire;

/// All published boards.
pub struct Hub {
    inner: Mutex<Boards>,
    bell: watch::Sender<u64>,
    /// When it rang last.
    rung_at: Mutex<Instant>,
    /// Names this life of the server: revisions of another life mean nothing.
    birth: String,
    frames: Frames,
}

/// A change that a reader has not seen.
enum News {
    /// Somebody else got it before.
    Known(Wire),
    New {
        revision: u64,
        change: Change,
        keep: bool,
    },
}

impl News {
    fn revision(&self) -> u64 {
        match self {
            Self::Known(wire) => wire.revision,
            Self::New { revision, .. } => *revision,
        }
    }
}

#[derive(Default)]
struct Boards {
    revision: u64,
    boards: HashMap<String, Board>,
    removed: Vec<(u64, String)>,
    /// Providers whose login changed, and when it did last.
    logins: HashMap<String, u64>,
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

/// A page, and the part of it that is still to be read.
pub(super) struct Unread {
    pub(super) partial: Partial,
    pub(super) source: Option<Arc<Source>>,
}

/// What is known of one message.
#[derive(Default)]
pub(super) struct Lookup {
    pub(super) held: Option<Message>,
    /// Where it has to be read, if it is not held whole.
    pub(super) source: Option<Arc<Source>>,
    /// It may still get its end: a result, or an answer.
    pub(super) is_open: bool,
    /// It is on a branch that a person went back from.
    pub(super) left: bool,
}

impl Hub {
    pub fn new() -> Self {
        Self {
            inner: Mutex::default(),
            bell: watch::Sender::new(0),
            rung_at: Mutex::new(Instant::now()),
            birth: uuid::Uuid::new_v4().simple().to_string(),
            frames: Frames::default(),
        }
    }

    pub fn birth(&self) -> &str {
        &self.birth
    }

    /// Rings at each change with its revision.
    pub fn bell(&self) -> watch::Receiver<u64> {
        self.bell.subscribe()
    }

    pub fn rung_at(&self) -> Instant {
        *self.rung_at.lock().unwrap_or_else(PoisonError::into_inner)
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
            let board = Board::new(run, epochs, revision);
            boards.boards.insert(board.run.value.id.clone(), board);
        });
    }

    /// Takes a run off for good.
    pub(super) fn remove(&self, id: &str) {
        self.change(|boards| {
            if boards.boards.remove(id).is_some() {
                boards.revision += 1;
                boards.removed.push((boards.revision, id.to_owned()));
            }
        });
    }

    /// Tells that a provider's CLI was signed in or out.
    pub(super) fn auth_changed(&self, provider: &str) {
        self.change(|boards| {
            boards.revision += 1;
            boards.logins.insert(provider.to_owned(), boards.revision);
        });
    }

    /// Changes one board. Nothing happens if the run is not there.
    pub(super) fn update(&self, run: &str, write: impl FnOnce(&mut BoardWriter<'_>)) {
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
            if news {
                *self.rung_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
            }
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

    /// A page of the current epoch, or of an earlier one that was loaded. Part
    /// of it may have to be read: then the page of the snapshot is still empty.
    pub(super) fn snapshot(
        &self,
        id: &str,
        epoch: Option<&str>,
        window: Window,
        limit: usize,
    ) -> Option<(Snapshot, Unread)> {
        let boards = self.lock();
        let board = boards.boards.get(id)?;
        let (epoch, conversation) = board.conversation(epoch)?;
        let current = epoch == board.epoch.value;
        let unread = Unread {
            partial: conversation.view.page(window, limit),
            source: conversation.source.clone(),
        };
        let snapshot = Snapshot {
            epoch: epoch.to_owned(),
            epochs: board.epochs.clone(),
            page: Page::default(),
            run: board.run.value.clone(),
            dialogs: board.dialogs.value.clone(),
            queued: board.queue.value.clone(),
            tail: board.tail.value.clone().filter(|_| current),
            receipts: board.receipts.iter().map(|it| it.value.clone()).collect(),
            transcript: board.transcript,
            revision: boards.revision,
        };
        Some((snapshot, unread))
    }

    pub fn epochs(&self, id: &str) -> Vec<Epoch> {
        self.lock().boards.get(id).map(|board| board.epochs.clone()).unwrap_or_default()
    }

    /// Whether the messages of this epoch are here, and still those of its record.
    pub(super) fn is_loaded(&self, id: &str, epoch: &str) -> bool {
        let (source, is_empty) = {
            let boards = self.lock();
            let known = boards.boards.get(id).and_then(|it| it.conversation(Some(epoch)));
            let Some((_, known)) = known else { return false };
            (known.source.clone(), known.view.is_empty())
        };
        source.map_or(!is_empty, |it| !it.has_changed())
    }

    /// The messages of an epoch that nobody follows; `None` if its record is gone.
    pub(super) fn fill(&self, id: &str, epoch: &str, loaded: Option<Conversation>) {
        let mut boards = self.lock();
        let Some(board) = boards.boards.get_mut(id) else {
            return;
        };
        let current = epoch == board.epoch.value;
        if current {
            board.transcript = match loaded {
                Some(_) => TranscriptStatus::Available,
                None => TranscriptStatus::Gone,
            };
        }
        match loaded {
            Some(loaded) if current => board.conversation = loaded,
            Some(loaded) => {
                board.earlier.insert(epoch.to_owned(), loaded);
            }
            None => {}
        }
    }

    /// One message, whole as far as it is here, and where the rest of it is.
    pub(super) fn message(&self, id: &str, epoch: Option<&str>, at: Position) -> Lookup {
        let boards = self.lock();
        let known = boards.boards.get(id).and_then(|it| Some((it, it.conversation(epoch)?)));
        let Some((_, (_, conversation))) = known else {
            return Lookup::default();
        };
        let held = conversation.view.get(at).cloned();
        let lacks = held.as_ref().map_or(conversation.view.may_lack(at), |it| it.cut);
        Lookup {
            held,
            source: conversation.source.clone().filter(|_| lacks),
            is_open: conversation.view.is_open(at),
            left: conversation.view.is_left(at),
        }
    }

    pub(super) fn open_dialogs(&self, id: &str) -> Vec<Dialog> {
        self.lock()
            .boards
            .get(id)
            .map(|board| board.conversation.view.open_dialogs())
            .unwrap_or_default()
    }

    pub(super) fn running_calls(&self, id: &str) -> Vec<ToolCall> {
        let boards = self.lock();
        let Some(board) = boards.boards.get(id) else { return Vec::new() };
        board.conversation.view.running_tools().cloned().collect()
    }

    /// Running calls whose subagents have no name yet; `None` if no subagent runs.
    pub(super) fn unnamed_agents(&self, id: &str) -> Option<Vec<String>> {
        self.lock().boards.get(id)?.conversation.view.unnamed_agents()
    }

    /// Whether a running call is known to have started this agent.
    pub(super) fn runs_agent(&self, id: &str, agent: &str) -> bool {
        let boards = self.lock();
        let is_it = |it: &ToolCall| matches!(&it.view, Some(ToolView::Subagent { agent: Some(name), .. }) if name == agent);
        boards.boards.get(id).is_some_and(|it| it.conversation.view.running_tools().any(is_it))
    }

    pub(super) fn position_of_call(&self, id: &str, call: &str) -> Option<Position> {
        self.lock().boards.get(id)?.conversation.view.position_of_call(call)
    }

    pub fn receipt(&self, run: &str, receipt: &str) -> Option<Receipt> {
        let boards = self.lock();
        let receipts = &boards.boards.get(run)?.receipts;
        receipts.iter().map(|it| &it.value).find(|it| it.id == receipt).cloned()
    }

    /// The receipt of what a sender sent under its own id.
    pub(super) fn receipt_of(&self, run: &str, client_id: &str) -> Option<Receipt> {
        let boards = self.lock();
        let mut receipts = boards.boards.get(run)?.receipts.iter().map(|it| &it.value);
        receipts.find(|it| it.client_id.as_deref() == Some(client_id)).cloned()
    }

    pub fn queued(&self, run: &str) -> Option<Vec<QueuedReply>> {
        Some(self.lock().boards.get(run)?.queue.value.clone())
    }

    /// At most `limit` changes after `revision`, oldest first: summaries of all
    /// runs, and everything else of those that `watched` names.
    pub fn changes_since(
        &self,
        revision: u64,
        watched: &HashSet<String>,
        limit: usize,
    ) -> Vec<Wire> {
        // Written outside of the lock.
        self.news_since(revision, watched, limit)
            .into_iter()
            .map(|news| match news {
                News::Known(wire) => wire,
                News::New { revision, change, keep } => {
                    let wire = Wire::new(revision, &change);
                    if keep {
                        self.frames.keep(&wire);
                    }
                    wire
                }
            })
            .collect()
    }

    fn news_since(&self, revision: u64, watched: &HashSet<String>, limit: usize) -> Vec<News> {
        let boards = self.lock();
        let mut news = Vec::new();
        for (at, id) in boards.removed.iter().filter(|(at, _)| *at > revision) {
            let change = Change::Removed { id: id.clone() };
            news.push(News::New { revision: *at, change, keep: false });
        }
        for (provider, at) in boards.logins.iter().filter(|(_, at)| **at > revision) {
            let change = Change::Auth { provider: provider.clone() };
            news.push(News::New { revision: *at, change, keep: false });
        }
        for (id, board) in &boards.boards {
            let mut add = |stamp: u64, keep: bool, change: &dyn Fn() -> Change| {
                if stamp > revision {
                    let known = self.frames.get(stamp).filter(|_| keep).map(News::Known);
                    let new = || News::New { revision: stamp, change: change(), keep };
                    news.push(known.unwrap_or_else(new));
                }
            };
            let run = &board.run;
            add(run.revision, true, &|| Change::Run { run: Box::new(run.value.clone()) });
            if watched.contains(id) {
                board.changes_since(id, revision, limit, &mut add);
            }
        }
        news.sort_by_key(News::revision);
        news.truncate(limit);
        news
    }
}

impl Default for Hub {
    fn default() -> Self {
        Self::new()
    }
}
