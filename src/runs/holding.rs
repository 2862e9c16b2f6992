//! Held replies: when the next one goes out, and what a restart must know.
//!
//! What is about to be typed is written down first. A later life of ours then
//! finds each reply as held, as being typed or as typed, and its record, its
//! draft or the lack of both tells what became of it.

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::schema::{HoldCause, Position, Receipt, ReceiptKind, ReceiptStatus, RunState};
use crate::seam::{Activity, Composer, Recipe, Step};
use crate::store::{Phase, ReplyRow, StoreError, Unfinished};

use super::actor::Actor;
use super::outbox::{LONG_DRAFT, Late, failed};
use super::queue::{Held, Moment};

const BEING_TYPED: &str = "It is being typed. A long text takes the agent a while.";

impl Actor {
    fn moment<'a>(&self, epoch: &'a str) -> Moment<'a> {
        let at_rest = self.facts.registry.is_none_or(|it| it == Activity::Idle)
            && self.facts.state() != RunState::Working;
        Moment {
            obstacle: self.obstacle(),
            at_rest,
            is_free: self.outbox.is_free(),
            is_quiet: self.outbox.is_quiet(),
            draft: None,
            blocked: self.blocked,
            epoch,
        }
    }

    /// Begins with the next held reply, if the terminal shows a composer that
    /// is empty: a paste anywhere else would go into a dialog or a draft.
    pub(super) async fn start_next(&mut self) {
        let epoch = self.epoch.clone();
        let mut moment = self.moment(&epoch);
        let mut set_aside = None;
        let mut look = None;
        if self.queue.next(&moment).is_some() {
            let screen = self.tools.terminal.capture_styled(&self.pane).await;
            let composer = screen.ok().and_then(|screen| self.provider.composer(&screen));
            if composer == Some(Composer::Empty) {
                self.outbox.nothing_is_left();
            }
            let left = match composer {
                Some(Composer::Empty) => None,
                _ => self.shows_what_was_left().await,
            };
            if left.is_some_and(|age| age < TAKES_IN) {
                // A key now would act on what is about to go away.
                self.composer_look = Some(Look::soon(Instant::now()));
                return;
            }
            let clear = left.and_then(|_| self.clear_left());
            match composer {
                // Somebody types, and the screen does not show it yet.
                Some(_) if self.has_unread_input() => {
                    moment.obstacle = Some((HoldCause::Screen, UNREAD));
                }
                Some(Composer::Empty) => {}
                _ if clear.is_some() => set_aside = clear,
                Some(Composer::Draft { can_be_set_aside }) => {
                    set_aside = self.provider.set_aside().filter(|_| can_be_set_aside);
                    moment.draft = Some(set_aside.is_some());
                }
                None => moment.obstacle = Some((HoldCause::Screen, NO_COMPOSER)),
            }
            let now = Instant::now();
            look = Some(self.composer_look.map_or_else(|| Look::first(now), |it| it.next(now)));
        }
        let changed = self.queue.explain(&moment);
        self.publish_receipts(changed);
        self.composer_look = None;
        let next = self.queue.next(&moment).map(|it| it.receipt.id.clone());
        match next.and_then(|id| self.queue.remove(&id)) {
            Some(held) => self.begin(held, set_aside, look).await,
            None => self.composer_look = look,
        }
    }

    /// How long ago that was said which the composer still shows.
    async fn shows_what_was_left(&self) -> Option<Duration> {
        let (left, age) = self.outbox.left_behind()?;
        let screen = self.tools.terminal.capture(&self.pane).await.ok()?;
        (self.provider.holds_draft(&screen, left) == Some(true)).then_some(age)
    }

    fn clear_left(&self) -> Option<Recipe> {
        let (left, _) = self.outbox.left_behind()?;
        info!("What was said before still stands in the composer; clearing it");
        Some(self.provider.clear(left))
    }

    /// Writes down that it is being typed, and only then types. If that cannot be
    /// written, it waits until `again`: the next life of ours would find it held.
    async fn begin(&mut self, mut held: Held, set_aside: Option<Recipe>, again: Option<Look>) {
        if held.text.len() > LONG_DRAFT {
            held.receipt.status = ReceiptStatus::Accepted;
            held.receipt.detail = Some(BEING_TYPED.to_owned());
            self.publish_receipts(vec![held.receipt.clone()]);
        }
        // What was recorded up to here proves nothing about it.
        self.read_transcript();
        let after = self.follower.as_ref().map(|it| Position::new(it.next(), 0));
        let row = ReplyRow {
            after: after.map(|it| format!("{} {it}", self.epoch)),
            ..held.row(Phase::Typing, &self.process())
        };
        match self.tools.store.save_reply(self.row.id.clone(), row).await {
            Ok(()) => {
                let before = set_aside.map(|it| it.steps).unwrap_or_default();
                let still = [Step::Settle(STILL_EMPTY), Step::AwaitEmpty { limit: Duration::ZERO }];
                let before = before.into_iter().chain(still).collect();
                self.outbox.start(held, before, after, Instant::now());
            }
            Err(error) => {
                warn!(error = &error as &dyn std::error::Error, "A reply waits for the disk");
                let changed = self.queue.put_back_unsaved(held);
                self.publish_receipts(changed.into_iter().collect());
                self.composer_look = again;
            }
        }
    }

    /// Nothing of it was typed.
    pub(super) async fn hold_again(&mut self, held: Held) {
        self.queue.put_back(held);
        self.composer_look = Some(Look::first(Instant::now()));
        if let Err(error) = self.save_queue().await {
            warn!(%error, "The queue could not be saved");
        }
    }

    /// From now on the reply outlives us.
    pub(super) async fn book(&self, held: &Held) -> Result<(), StoreError> {
        let row = held.row(Phase::Held, &self.process());
        let (receipt, text) = (held.receipt.clone(), held.text.clone());
        self.tools.store.hold_reply(self.row.id.clone(), receipt, text, row).await
    }

    pub(super) async fn save_queue(&self) -> Result<(), StoreError> {
        let rows = self.queue.rows(&self.process());
        self.tools.store.save_queue(self.row.id.clone(), rows).await
    }

    pub(super) fn note_typed(&self, receipt: &Receipt) {
        if receipt.kind == ReceiptKind::Reply {
            self.tools.store.note_typed(receipt.id.clone());
        }
    }

    /// Names the process: a reply goes to no other.
    fn process(&self) -> String {
        let server = self.pane.server;
        format!("{}.{}.{}", server.pid, server.start_time, self.pane.process())
    }

    /// Goes on with what another life of ours left unfinished.
    pub(super) fn recover(&mut self, unfinished: Unfinished) {
        self.show_receipts(unfinished.receipts);
        let process = self.process();
        let mut over = Vec::new();
        for (receipt, text, row) in unfinished.replies {
            if row.process != process {
                over.push(failed(receipt, "The process that it was meant for has ended."));
                continue;
            }
            let plan = match self.provider.reply(&text) {
                Ok(plan) => plan,
                Err(error) => {
                    over.push(failed(receipt, &format!("Not sent: {error}.")));
                    continue;
                }
            };
            info!(receipt.id = receipt.id, phase = ?row.phase, "A reply of before");
            let held = Held {
                receipt,
                text,
                plan,
                when: row.when,
                force: row.force,
                epoch: row.epoch,
                cause: HoldCause::Order,
                in_doubt: false,
            };
            let after = row.after.as_deref().and_then(|it| it.split_once(' '));
            let after = after.filter(|it| it.0 == self.epoch).and_then(|it| it.1.parse().ok());
            match row.phase {
                Phase::Held => self.queue.push(held),
                phase => {
                    let interrupted = phase == Phase::Typing;
                    self.outbox.resume(held, after, interrupted, Instant::now());
                }
            }
        }
        self.publish_receipts(over);
        self.recover_answers(unfinished.answers);
    }

    /// What was not proven in time has failed. If seamux stopped in the middle
    /// of it, and there is no trace of it either, it was never sent.
    pub(super) async fn take_late(&mut self, late: Vec<Late>) {
        for Late { receipt, interrupted } in late {
            let Some(mut held) = interrupted else {
                self.publish_receipts(vec![receipt]);
                continue;
            };
            held.in_doubt = !self.has_no_trace().await;
            warn!(receipt.id = receipt.id, held.in_doubt, "A reply was not typed to its end");
            self.hold_again(held).await;
        }
    }

    /// The composer is empty, and the process has read all that was typed.
    async fn has_no_trace(&self) -> bool {
        let screen = self.tools.terminal.capture_styled(&self.pane).await;
        let composer = screen.ok().and_then(|screen| self.provider.composer(&screen));
        composer == Some(Composer::Empty) && self.tools.terminal.unread_input(&self.pane) == Some(0)
    }

    fn has_unread_input(&self) -> bool {
        self.tools.terminal.unread_input(&self.pane).is_some_and(|bytes| bytes > 0)
    }
}

/// When to look at the composer again, while a reply waits for it: soon at
/// first, and more and more seldom. A screen tells nobody when it changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) at: Instant,
    wait: Duration,
}

impl Look {
    fn first(now: Instant) -> Self {
        Self { at: now + FIRST_LOOK, wait: FIRST_LOOK }
    }

    fn soon(now: Instant) -> Self {
        Self { at: now + SOON, wait: FIRST_LOOK }
    }

    /// Looks in between change nothing.
    fn next(self, now: Instant) -> Self {
        if now < self.at {
            return self;
        }
        let wait = (self.wait * 3 / 2).min(LAST_LOOK);
        Self { at: now + wait, wait }
    }
}

/// A composer that was emptied a moment ago shows as empty before the CLI has
/// forgotten what stood in it; what is pasted then is pasted into that.
pub(super) const STILL_EMPTY: Duration = Duration::from_millis(120);

/// So long may a CLI show in its composer what it has recorded already.
const TAKES_IN: Duration = Duration::from_secs(3);
const SOON: Duration = Duration::from_millis(100);
const FIRST_LOOK: Duration = Duration::from_millis(400);
const LAST_LOOK: Duration = Duration::from_secs(5);

const UNREAD: &str = "The agent has not read what was typed in the terminal before.";
const NO_COMPOSER: &str = "The terminal shows something else than its composer.";
