//! The board of one run: everything that can be read about it, and the hand
//! that writes it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::runs::source::Source;
use crate::runs::view::{Over, View};
use crate::schema::{
    Change, Dialog, Epoch, Message, Position, QueuedReply, Receipt, Run, StreamingTail,
    TranscriptStatus,
};
use crate::seam::ToolOutcome;

/// Receipts that stay readable, per run.
const RECEIPTS_KEPT: usize = 200;

/// Everything that can be read about one run.
pub(super) struct Board {
    pub(super) run: Stamped<Run>,
    pub(super) epochs: Vec<Epoch>,
    pub(super) epoch: Stamped<String>,
    pub(super) conversation: Conversation,
    /// Earlier epochs, once somebody asked for them.
    pub(super) earlier: HashMap<String, Conversation>,
    pub(super) dialogs: Stamped<Vec<Dialog>>,
    pub(super) queue: Stamped<Vec<QueuedReply>>,
    pub(super) tail: Stamped<Option<StreamingTail>>,
    pub(super) receipts: Vec<Stamped<Receipt>>,
    pub(super) transcript: TranscriptStatus,
}

/// The newest messages of one epoch, and where the others are.
#[derive(Default)]
pub(in crate::runs) struct Conversation {
    pub(in crate::runs) view: View,
    pub(in crate::runs) source: Option<Arc<Source>>,
}

/// Takes the revision of a change, whether its form is worth keeping for other
/// readers, and how to make it.
pub(super) type Add<'a> = dyn FnMut(u64, bool, &dyn Fn() -> Change) + 'a;

/// A value and the revision that wrote it.
pub(super) struct Stamped<T> {
    pub(super) revision: u64,
    pub(super) value: T,
}

impl<T: PartialEq> Stamped<T> {
    pub(super) fn new(value: T) -> Self {
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

impl Board {
    pub(super) fn new(run: Run, epochs: Vec<Epoch>, revision: u64) -> Self {
        Self {
            epoch: Stamped::new(run.epoch.clone()),
            run: Stamped { revision, value: run },
            epochs,
            conversation: Conversation::default(),
            earlier: HashMap::new(),
            dialogs: Stamped::new(Vec::new()),
            queue: Stamped::new(Vec::new()),
            tail: Stamped::new(None),
            receipts: Vec::new(),
            transcript: TranscriptStatus::Locating,
        }
    }

    /// The epoch and what there is of it; the current one if none is named.
    pub(super) fn conversation(&self, epoch: Option<&str>) -> Option<(&str, &Conversation)> {
        match epoch {
            Some(epoch) if epoch != self.epoch.value => {
                self.earlier.get_key_value(epoch).map(|(id, it)| (id.as_str(), it))
            }
            _ => Some((&self.epoch.value, &self.conversation)),
        }
    }

    pub(super) fn changes_since(&self, id: &str, revision: u64, limit: usize, add: &mut Add<'_>) {
        let run_id = || id.to_owned();
        let epoch = || self.epoch.value.clone();
        add(self.epoch.revision, false, &|| Change::Epoch { run_id: run_id(), epoch: epoch() });
        add(self.dialogs.revision, false, &|| Change::Dialogs {
            run_id: run_id(),
            pending_dialogs: self.dialogs.value.clone(),
        });
        add(self.queue.revision, false, &|| Change::Queue {
            run_id: run_id(),
            queued: self.queue.value.clone(),
        });
        add(self.tail.revision, false, &|| Change::Tail {
            run_id: run_id(),
            epoch: epoch(),
            tail: self.tail.value.clone(),
        });
        for receipt in &self.receipts {
            add(receipt.revision, false, &|| Change::Receipt {
                run_id: run_id(),
                receipt: receipt.value.clone(),
            });
        }
        let view = &self.conversation.view;
        // Changes up to here can't be told one by one any more.
        add(view.lost(), false, &|| Change::Resync { run: run_id() });
        for message in view.changed_since(revision.max(view.lost())).take(limit) {
            add(message.revision, true, &|| Change::Message {
                run_id: run_id(),
                epoch: epoch(),
                message: Box::new(message.clone()),
            });
        }
    }
}

/// Writes to one board, under the hub's lock. Only the run's actor holds one.
pub(in crate::runs) struct BoardWriter<'a> {
    pub(super) board: &'a mut Board,
    pub(super) revision: &'a mut u64,
}

impl BoardWriter<'_> {
    pub(in crate::runs) fn message(&mut self, message: Message) {
        *self.revision += 1;
        self.board.conversation.view.put(message, *self.revision);
    }

    pub(in crate::runs) fn finish_call(&mut self, outcome: ToolOutcome) {
        *self.revision += 1;
        self.board.conversation.view.finish_call(outcome, *self.revision);
    }

    pub(in crate::runs) fn name_agent(&mut self, call: &str, agent: &str) {
        *self.revision += 1;
        self.board.conversation.view.name_agent(call, agent, *self.revision);
    }

    pub(in crate::runs) fn view(&self) -> &View {
        &self.board.conversation.view
    }

    pub(in crate::runs) fn run(&mut self, run: Run) {
        self.board.run.set(run, self.revision);
    }

    pub(in crate::runs) fn dialogs(&mut self, dialogs: Vec<Dialog>) {
        self.board.dialogs.set(dialogs, self.revision);
    }

    pub(in crate::runs) fn queue(&mut self, queue: Vec<QueuedReply>) {
        self.board.queue.set(queue, self.revision);
    }

    pub(in crate::runs) fn tail(&mut self, tail: Option<StreamingTail>) {
        self.board.tail.set(tail, self.revision);
    }

    pub(in crate::runs) fn transcript(&mut self, status: TranscriptStatus) {
        self.board.transcript = status;
    }

    pub(in crate::runs) fn receipt(&mut self, receipt: Receipt) {
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

    /// A person went back to before these messages.
    pub(in crate::runs) fn abandon(&mut self, from: Position, to: Position) {
        let revision = &mut *self.revision;
        self.board.conversation.view.abandon(from, to, || {
            *revision += 1;
            *revision
        });
    }

    /// Ends what will not end by itself.
    pub(in crate::runs) fn end_open(&mut self, over: &Over) {
        let revision = &mut *self.revision;
        self.board.conversation.view.end_open(over, || {
            *revision += 1;
            *revision
        });
    }

    /// Where the messages are that the view does not hold.
    pub(in crate::runs) fn source(&mut self, source: Arc<Source>) {
        self.board.conversation.source = Some(source);
    }

    /// The view begins in the middle of the record, for now.
    pub(in crate::runs) fn start_view_at(&mut self, record: u64) {
        self.board.conversation.view = View::starting_at(record);
    }

    /// The whole record was read. What that tells better is a change.
    pub(in crate::runs) fn better_view(&mut self, view: View) {
        self.board.conversation.view.succeeded_by(view, self.revision);
    }

    /// The conversation goes on as another one. The old one stays readable.
    pub(in crate::runs) fn epoch(&mut self, epoch: Epoch) {
        let old = self.board.epoch.value.clone();
        if old == epoch.id {
            return;
        }
        self.end_open(&Over::Everything);
        let mut conversation = std::mem::take(&mut self.board.conversation);
        conversation.view.shrink();
        self.board.earlier.insert(old, conversation);
        if let Some(conversation) = self.board.earlier.remove(&epoch.id) {
            self.board.conversation = conversation;
        }
        self.board.epoch.set(epoch.id.clone(), self.revision);
        self.board.transcript = TranscriptStatus::Locating;
        if !self.board.epochs.iter().any(|it| it.id == epoch.id) {
            self.board.epochs.push(epoch);
        }
    }

    /// Why an epoch began. Readers learn it with the next page.
    pub(in crate::runs) fn reason(&mut self, epoch: &str, reason: &str) {
        let known = self.board.epochs.iter_mut().find(|it| it.id == epoch);
        if let Some(known) = known.filter(|it| it.reason != reason) {
            reason.clone_into(&mut known.reason);
            *self.revision += 1;
            self.board.epoch.revision = *self.revision;
        }
    }

    /// What was read so far is void; the view is filled anew.
    pub(in crate::runs) fn restart_view(&mut self) {
        self.board.conversation = Conversation::default();
        *self.revision += 1;
        // An epoch event makes every reader fetch the conversation again.
        self.board.epoch.revision = *self.revision;
    }
}
