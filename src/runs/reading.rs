//! What the actor learns: from the transcript, from signals, and from the
//! CLI's list of live processes.

use tracing::{debug, warn};

use crate::schema::{Role, TranscriptStatus, Warning};
use crate::seam::{Fact, Mapped, Record, Signal, SignalKind};
use crate::transcript::{Follower, Progress};

use super::actor::Actor;
use super::now;
use super::state::ends_turn;
use super::view::Over;
use super::wall::epoch_millis;

/// How much of a transcript is read before everything else gets a turn.
const READ_BUDGET: usize = 1024 * 1024;

impl Actor {
    /// Backs up the watchers.
    pub(super) fn rescan(&mut self) {
        let place = |it: &Follower| (it.path().to_owned(), it.next());
        let before = self.follower.as_ref().map(place);
        self.read_registry();
        self.read_transcript();
        let now = self.follower.as_ref().map(place);
        if let Some((path, _)) = now.filter(|it| Some(it) != before.as_ref()) {
            self.tools.watcher.renew(&path);
        }
    }

    pub(super) fn read_transcript(&mut self) {
        self.forget_time_ahead();
        if self.follower.is_none() {
            self.follow(None);
        }
        if !self.is_open
            && let Err(error) = self.open_transcript()
        {
            warn!(%error, "The transcript could not be opened from its end");
        }
        let Some(follower) = &mut self.follower else {
            return;
        };
        let mut mapped = Vec::new();
        let mapper = &mut self.mapper;
        let stood = follower.path().to_owned();
        let progress = follower.read(READ_BUDGET, |at, bytes| {
            let facts = mapper.map(Record { at, bytes });
            if facts != Mapped::default() {
                mapped.push(facts);
            }
        });
        self.more_to_read = matches!(progress, Ok(Progress::More));
        let stands = follower.path().to_owned();
        if stands != stood {
            self.watch(&stands);
            self.more_to_read = true; // What was written before the new place was watched.
        }
        self.apply(mapped, None);
        if matches!(progress, Ok(Progress::Current)) {
            self.leave_the_past();
        }
        match progress {
            Ok(Progress::Current | Progress::More) => {
                self.transcript = TranscriptStatus::Available;
                self.note_folder();
            }
            Ok(Progress::Missing) => {
                if self.transcript == TranscriptStatus::Available {
                    self.transcript = TranscriptStatus::Gone;
                }
            }
            Ok(Progress::Replaced) => {
                warn!(epoch.id = self.epoch, "The transcript was replaced; it is read anew");
                self.read_anew();
            }
            Err(error) => {
                warn!(%error, "The transcript could not be read");
                self.note_unreadable(Some((stands, error)));
            }
        }
    }

    /// Takes what records mean. If they are not the first ones, but those from
    /// `start` on, the view begins there.
    pub(super) fn apply(&mut self, mapped: Vec<Mapped>, start: Option<u64>) {
        if mapped.is_empty() && start.is_none() {
            return;
        }
        let mut proven = Vec::new();
        for message in mapped.iter().flat_map(|it| &it.messages) {
            match (message.role, &message.text) {
                (Some(Role::User), Some(text)) => {
                    proven.extend(self.outbox.recorded(text, message.position));
                    self.last_prompt = Some((text.clone(), false));
                    self.outbox.was_said(text);
                    self.first_prompt_due = false;
                }
                (Some(Role::Assistant), Some(text)) if !message.thinking => {
                    self.tail.recorded(text);
                }
                _ => {}
            }
            if message.role == Some(Role::Assistant)
                && let Some((_, answered)) = &mut self.last_prompt
            {
                *answered = true;
            }
        }
        for it in mapped.iter().filter(|it| it.facts.iter().any(|it| matches!(it, Fact::Prompt(_))))
        {
            self.note_prompt(it.messages.iter().find_map(|it| it.time.as_deref()));
        }
        // When something was said, not when we read it: a long history is no news.
        let times = mapped.iter().flat_map(|it| &it.messages).filter_map(|it| it.time.as_ref());
        if let Some(newest) = times.max()
            && *newest > self.row.last_activity_at
        {
            self.row.last_activity_at.clone_from(newest);
        }
        let mut facts = Vec::new();
        let mut proofs = Vec::new();
        let over = self.over();
        let open_dialogs = &mut self.facts.open_dialogs;
        self.tools.hub.update(&self.row.id, |board| {
            // Not before its messages: nobody may see a view without its end.
            if let Some(start) = start {
                board.start_view_at(start);
            }
            for mapped in mapped {
                mapped.messages.into_iter().for_each(|message| board.message(message));
                for fact in mapped.facts {
                    match fact {
                        Fact::ToolEnded(outcome) => {
                            proofs.push(Fact::ToolEnded(outcome.clone()));
                            board.finish_call(*outcome);
                        }
                        // In the order of the records: it says what the end means.
                        decided @ Fact::Decided { .. } => proofs.push(decided),
                        Fact::Abandoned { from, to } => board.abandon(from, to),
                        fact => {
                            if ends_turn(&fact) {
                                board.end_open(&Over::Everything);
                            }
                            facts.push(fact);
                        }
                    }
                }
            }
            board.end_open(&over);
            *open_dialogs = board.view().open_dialogs().len();
        });
        for proof in proofs {
            match proof {
                Fact::ToolEnded(outcome) => self.prove_answer(&outcome),
                Fact::Decided { call_id, allowed } => self.prove_decision(&call_id, allowed),
                _ => {}
            }
        }
        for fact in facts {
            if self.may_tell(&fact) {
                self.take_fact(fact);
            }
        }
        for receipt in &mut proven {
            receipt.epoch = Some(self.epoch.clone());
        }
        self.publish_receipts(proven);
        self.name_agents();
    }

    /// A clock that was set back would make all of this process look older than its
    /// start. What an earlier one left was read at that start.
    fn forget_time_ahead(&mut self) {
        if let Some(since) = self.facts.process_since.as_mut().filter(|it| **it > now()) {
            since.clear(); // Nothing is older than that.
        }
    }

    /// What another process left open stays as it is.
    pub(super) fn over(&self) -> Over {
        let since = self.facts.process_since.as_ref().filter(|_| self.resumed.is_some());
        since.map_or(Over::Nothing, |it| Over::Before(it.clone()))
    }

    fn take_fact(&mut self, fact: Fact) {
        self.facts.take_fact(&fact);
        match fact {
            Fact::CliQueued { text } => {
                let queued = self.outbox.queued_by_cli(&text);
                self.publish_receipts(queued.into_iter().collect());
            }
            Fact::Interrupted => {
                self.answering.all_settled();
                self.early_interrupt = None;
                self.tail.clear();
                self.prove_interrupt(None);
            }
            Fact::Blocked(block) => self.block(&block),
            Fact::Usage(usage) => {
                self.usage = Some(usage);
                self.unblock(); // The model has answered.
            }
            Fact::Model(model) => self.take_model(model),
            Fact::PermissionMode(mode) => self.row.permission_mode = Some(mode),
            Fact::Branch(branch) => self.row.branch = Some(branch).filter(|it| !it.is_empty()),
            Fact::Title(title) if !self.row.named => self.row.title = title,
            Fact::UnknownRecord(kind) => {
                debug!(record.kind = kind, "A record of an unknown type");
                self.tools.metrics.unknown_record(&self.row.provider, &kind);
            }
            Fact::CliReturned { text: Some(text) } => {
                let returned = self.outbox.returned_by_cli(&text);
                self.publish_receipts(returned.into_iter().collect());
            }
            Fact::Abandoned { .. }
            | Fact::CliReturned { text: None }
            | Fact::BackgroundStarted { .. }
            | Fact::BackgroundEnded { .. } => {}
            Fact::ToolEnded(_)
            | Fact::Decided { .. }
            | Fact::Prompt(_)
            | Fact::TurnEnded
            | Fact::TurnGoesOn
            | Fact::Title(_) => {}
        }
    }

    /// The record leaves out what the start or the CLI's own words said beside the
    /// name, and a resume would lose it.
    pub(super) fn take_model(&mut self, recorded: String) {
        let known = self.row.model.as_ref();
        if !known.is_some_and(|known| self.provider.names_more(known, &recorded)) {
            self.row.model = Some(recorded);
        }
    }

    pub(super) fn take_signal(&mut self, payload: &[u8], late: bool) {
        let Some(signal) = self.provider.live().and_then(|live| live.signal(payload)) else {
            debug!(bytes = payload.len(), "A signal that is none");
            return;
        };
        // Whatever it says, something may have been written just before.
        let Signal { native_id, transcript, permission_mode, agent, kind } = signal;
        if let SignalKind::TextDelta { text, .. } = &kind {
            if agent.is_none() && !late {
                self.tail.piece(text);
            }
            return;
        }
        if !late && agent.is_none() {
            self.facts.take_signal(&kind);
            if let Some(mode) = permission_mode {
                self.compare_mode(&mode);
                self.row.permission_mode = Some(mode);
            }
        }
        match &kind {
            SignalKind::ToolStarting { call_id, mark, .. } => {
                self.answering.began(call_id.as_deref(), *mark);
            }
            SignalKind::ToolEnded { call_id: Some(call) } => self.answering.settled(call),
            _ => {}
        }
        match kind {
            SignalKind::ConversationStarted { reason, model } => {
                self.door_deadline = None;
                self.startup_proven();
                self.warnings.retain(|it| !START_WARNINGS.contains(&it.code.as_str()));
                if let Some(model) = model {
                    self.compare_model(&model);
                    self.row.model = Some(model);
                }
                if let Some(native_id) = native_id {
                    self.begin_epoch(&native_id, reason, transcript, late);
                }
            }
            SignalKind::PromptSubmitted { .. } => {
                self.first_prompt_due = false;
                self.prompted_at = epoch_millis();
                self.tail.clear();
            }
            SignalKind::Unknown { name } => {
                debug!(signal.name = name, "A signal of an unknown kind");
            }
            _ => {
                if let (Some(native_id), Some(path)) = (native_id, transcript)
                    && native_id == self.epoch
                    && agent.is_none()
                {
                    self.follow(Some(path));
                }
            }
        }
        self.row.last_activity_at = now();
        self.read_transcript();
    }

    pub(super) fn warn(&mut self, code: &str, message: &str, hint: Option<&str>) {
        self.add_warning(Warning {
            code: code.to_owned(),
            message: message.to_owned(),
            hint: hint.map(Into::into),
        });
    }

    pub(super) fn add_warning(&mut self, warning: Warning) {
        self.warnings.retain(|it| it.code != warning.code);
        self.warnings.push(warning);
    }
}

/// Warnings that a working live door takes back.
const START_WARNINGS: &[&str] = &["setup_pending", "trust_pending", "door_silent"];
