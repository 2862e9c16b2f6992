//! Answers by keys, for when nothing waits at the live door.
//!
//! The same actor that reads and types carries a recipe out, one key at a time,
//! and looks at the screen before each. What is on screen decides whether a key
//! is pressed, never what is told: the outcome is proven by the CLI's record.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;
use tracing::{debug, info, warn};

use crate::schema::{Answer, Channel, Dialog, Door, Receipt, ReceiptKind, ReceiptStatus, ToolCall};
use crate::seam::{Activity, DialogStep, Key, SeamError, Seen, Spot};
use crate::store::AnswerRow;

use super::actor::Actor;
use super::answering::Answered;
use super::error::RunError;
use super::now;
use super::outbox;
use super::typing::terminal_key;

/// The door of a dialog opens in this time, if it does. Nobody should type then.
pub(super) const DOOR_GRACE: Duration = Duration::from_millis(1_000);

/// Between two looks at the screen.
const LOOK: Duration = Duration::from_millis(60);

/// A dialog that is cut off for this long, while nothing moves, is higher than the
/// screen. A CLI that is just drawing must not be disturbed: one of them goes on
/// drawing at its old places, and then the screen says what is not so.
const ROOM_AFTER: Duration = Duration::from_millis(1_000);

/// No dialog is higher than this.
const ROOM: u16 = 300;

/// How long one step may take.
const STEP_LIMIT: Duration = Duration::from_secs(15);

/// And how long a dialog may stay unseen that has had room.
const UNSEEN_LIMIT: Duration = Duration::from_secs(5);

/// A key that shows no effect in this time was swallowed, if the CLI does that.
/// Anything else may still take it.
const SWALLOWED: Duration = Duration::from_millis(2_500);

/// After a second press nobody knows how many are still on their way, until
/// nothing has moved for this long.
const QUIET: Duration = Duration::from_millis(3_000);

/// What is shown has to stay so for this long before a key that counts: what is
/// drawn can be ahead of what the CLI acts on. Seen after words were pasted, when
/// Enter took the field for empty.
const STILL: Duration = Duration::from_millis(120);
const STILL_AFTER_WORDS: Duration = Duration::from_millis(400);

const UNSEEN: &str =
    "the terminal does not show this dialog with what was chosen; look at the terminal";
const UNREAD: &str = "the CLI does not read what is typed; nothing more was pressed";
const UNMOVED: &str = "the CLI does not react to keys; nothing more was pressed";
const CHANGED: &str = "something else came up in the terminal, so the key was not pressed";
const FIRST: &str = "It was answered in the terminal first.";
const CLOSED: &str =
    "The dialog closed before the whole answer was typed; look at what was recorded.";
const UNPROVEN: &str = "The CLI did not take the answer, and the dialog is still open.";

/// An answer that is being typed.
pub(super) struct Keyed {
    pub(super) receipt: Receipt,
    dialog: Dialog,
    answers: Vec<Answer>,
    steps: VecDeque<DialogStep>,
    pub(super) due: Instant,
    /// When the present step began.
    since: Instant,
    /// What was shown when the last key was pressed, and when that was.
    before: Option<(String, Instant)>,
    /// Keys may be on their way that nobody counts on.
    in_doubt: bool,
    /// Keys may be swallowed, as long as none has had an effect.
    is_guarded: bool,
    /// What was shown at the last look, and since when.
    shown: (String, Instant),
    /// The same of the whole screen, while the dialog is cut off.
    screen: (String, Instant),
    has_room: bool,
    /// Something was typed.
    is_begun: bool,
    /// The last thing that was typed were words.
    has_words: bool,
}

impl Keyed {
    /// Nothing on the whole screen has moved for a while.
    fn is_still(&mut self, screen: &str) -> bool {
        if self.screen.0 != screen {
            self.screen = (screen.to_owned(), Instant::now());
        }
        self.screen.1.elapsed() >= ROOM_AFTER
    }

    fn pressed(&mut self) {
        self.is_begun = true;
        self.has_words = false;
        self.before = Some((self.shown.0.clone(), Instant::now()));
    }
}

enum Step {
    Done,
    NotYet,
    /// The answer is handed over.
    Committed,
}

impl Actor {
    /// The open dialogs that really wait, each with the door that an answer
    /// would take.
    pub(super) fn pending(&self, open: Vec<Dialog>, running: Vec<ToolCall>) -> Vec<Dialog> {
        let mut dialogs = self.answering.dialogs();
        dialogs.extend(self.answering.startup.clone());
        let keys = self.provider.dialog_keys().filter(|_| self.answering.waits_for_keys());
        let listed = |dialogs: &[Dialog], id: &str| dialogs.iter().any(|it| it.id == id);
        if let Some(keys) = keys {
            for dialog in self.answering.orphans() {
                if !listed(&dialogs, &dialog.id) {
                    dialogs.push(keys.by_keys(dialog));
                }
            }
        }
        if self.facts.pending_dialogs() > 0 && !self.answering.shows_own_screen() {
            for dialog in open {
                if !listed(&dialogs, &dialog.id) && !self.answering.is_answered(&dialog.id) {
                    dialogs
                        .push(keys.map_or_else(|| dialog.clone(), |it| it.by_keys(dialog.clone())));
                }
            }
        }
        // What waits for a permission is told by nobody but the call itself.
        let keys = keys.filter(|_| !self.answering.waits_for_the_answered());
        if let Some(keys) = keys.filter(|_| dialogs.is_empty()) {
            let waiting = running.iter().filter(|it| !self.answering.is_answered(&it.call_id));
            dialogs.extend(waiting.filter_map(|it| keys.permission(it)));
        }
        dialogs
    }

    /// Nothing tells that it is over. Between two dialogs the terminal waits for
    /// nobody, which says nothing about either.
    fn is_open(&self, dialog: &str) -> bool {
        let hub = &self.tools.hub;
        self.answering.lists(dialog)
            || hub.open_dialogs(&self.row.id).iter().any(|it| it.id == dialog)
            || hub.running_calls(&self.row.id).iter().any(|it| it.call_id == dialog)
    }

    pub(super) fn pending_now(&self) -> Vec<Dialog> {
        let hub = &self.tools.hub;
        self.pending(hub.open_dialogs(&self.row.id), hub.running_calls(&self.row.id))
    }

    pub(super) async fn answer_by_keys(
        &mut self,
        dialog_id: &str,
        answers: Vec<Answer>,
        client_id: Option<String>,
        by: &str,
    ) -> Result<Receipt, RunError> {
        let by_keys = |it: &Dialog| it.id == dialog_id && it.channel == Channel::Keys;
        let Some(dialog) = self.pending_now().into_iter().find(by_keys) else {
            return Err(self.no_such_dialog(dialog_id));
        };
        let keys = self.provider.dialog_keys().ok_or(RunError::Seam(SeamError::NotAnswerable))?;
        let recipe = keys.recipe(&dialog, &answers, self.row.cli_version.as_deref())?;
        if self.answering.keyed.is_some() {
            return Err(SeamError::Refused("another answer is being typed".into()).into());
        }
        let mut receipt = outbox::receipt(ReceiptKind::Answer, by, now(), client_id);
        receipt.dialog_id = Some(dialog_id.to_owned());
        debug_assert_eq!(receipt.door, Door::Keys);
        self.write_down(&receipt, &dialog, &answers).await?;
        let verified =
            self.row.cli_version.as_deref().is_some_and(|it| recipe.verified_on.contains(&it));
        info!(dialog.id, recipe.name, verified, "A dialog is answered by keys");
        let at = Instant::now();
        self.answering.keyed = Some(Keyed {
            receipt: receipt.clone(),
            dialog,
            answers,
            is_guarded: matches!(recipe.steps.first(), Some(DialogStep::Settle(_))),
            steps: recipe.steps.into(),
            due: at,
            since: at,
            before: None,
            in_doubt: std::mem::take(&mut self.answering.has_loose_key),
            shown: (String::new(), at),
            screen: (String::new(), at),
            has_room: false,
            is_begun: false,
            has_words: false,
        });
        self.publish_receipts(vec![receipt.clone()]);
        Ok(receipt)
    }

    /// Written down before the first effect, so that a crash can't lose what was meant.
    pub(super) async fn write_down(
        &self,
        receipt: &Receipt,
        dialog: &Dialog,
        answers: &[Answer],
    ) -> Result<(), RunError> {
        let row = AnswerRow {
            id: receipt.id.clone(),
            run_id: self.row.id.clone(),
            dialog_id: dialog.id.clone(),
            answers: serde_json::to_string(answers).unwrap_or_default(),
            dialog: serde_json::to_string(dialog).unwrap_or_default(),
            by: receipt.by.clone(),
            at: receipt.at.clone(),
        };
        Ok(self.tools.store.save_answer(row, receipt.clone()).await?)
    }

    /// Goes on with the answer that is being typed, as far as it can now.
    pub(super) async fn key_on(&mut self) {
        while let Some(mut keyed) = self.answering.keyed.take_if(|it| it.due <= Instant::now()) {
            if self.outbox.is_typing() {
                keyed.due = Instant::now() + LOOK;
                self.answering.keyed = Some(keyed);
            } else if !self.is_open(&keyed.dialog.id) {
                let why = if keyed.is_begun { CLOSED } else { FIRST };
                self.give_up(keyed, why).await;
            } else {
                match self.key_step(&mut keyed).await {
                    Ok(Step::Done) => {
                        keyed.steps.pop_front();
                        keyed.since = Instant::now();
                        self.answering.keyed = Some(keyed);
                    }
                    Ok(Step::NotYet) => {
                        keyed.due = Instant::now() + LOOK;
                        self.answering.keyed = Some(keyed);
                    }
                    Ok(Step::Committed) => self.committed(keyed).await,
                    Err(error) => self.give_up(keyed, &format!("Not answered: {error}.")).await,
                }
            }
        }
    }

    async fn key_step(&mut self, keyed: &mut Keyed) -> Result<Step, RunError> {
        let Some(step) = keyed.steps.front().cloned() else { return Ok(Step::Committed) };
        if let DialogStep::Settle(time) = step {
            keyed.due = Instant::now() + time;
            return Ok(Step::Done);
        }
        let late = keyed.since.elapsed() >= STEP_LIMIT;
        // A key on top of one that is not read yet would be pressed blindly.
        if self.tools.terminal.unread_input(&self.pane).is_some_and(|it| it > 0) {
            return if late { refuse(UNREAD) } else { Ok(Step::NotYet) };
        }
        let screen = self.tools.terminal.capture(&self.pane).await?;
        let keys = self.provider.dialog_keys();
        let shown = keys.map(|it| it.shown(&screen, &keyed.dialog)).unwrap_or_default();
        if keyed.shown.0 != shown {
            keyed.shown = (shown, Instant::now());
        }
        let still = if keyed.has_words { STILL_AFTER_WORDS } else { STILL };
        let counts = !matches!(step, DialogStep::Reach(_));
        if counts && !late && keyed.shown.1.elapsed() < still {
            return Ok(Step::NotYet);
        }
        match step {
            DialogStep::Reach(spot) => self.reach(keyed, &spot, &screen, late).await,
            DialogStep::Press { key, on } => {
                self.key_press(keyed, key, &on, &screen).await?;
                Ok(Step::Done)
            }
            DialogStep::Commit { key, on } => {
                self.key_press(keyed, key, &on, &screen).await?;
                Ok(Step::Committed)
            }
            DialogStep::Paste { texts, on } => {
                self.still_on(keyed, &on, &screen)?;
                for text in &texts {
                    self.tools.terminal.paste(&self.pane, text).await?;
                }
                keyed.pressed();
                keyed.has_words = true;
                Ok(Step::Done)
            }
            DialogStep::Settle(_) => Ok(Step::Done),
        }
    }

    /// One look, and one key if it leads nearer. A key on top of one that has
    /// had no effect yet could go one row too far, just when Enter follows.
    async fn reach(
        &mut self,
        keyed: &mut Keyed,
        spot: &Spot,
        screen: &str,
        late: bool,
    ) -> Result<Step, RunError> {
        let seen = self.seen(keyed, spot, screen);
        if seen == Seen::Cut && !keyed.has_room && keyed.is_still(screen) {
            self.tools.terminal.give_room(&self.pane, ROOM).await?;
            keyed.has_room = true;
            keyed.since = Instant::now();
            // Drawn anew, all of it, before anything is believed.
            keyed.in_doubt = true;
            return Ok(Step::NotYet);
        }
        let mut again = false;
        if let Some((before, at)) = &keyed.before {
            if !keyed.shown.0.is_empty() && *before != keyed.shown.0 {
                keyed.before = None;
                keyed.is_guarded = false;
            } else if late {
                return refuse(UNMOVED);
            } else if at.elapsed() < SWALLOWED || !keyed.is_guarded {
                return Ok(Step::NotYet);
            } else {
                again = true;
            }
        }
        if keyed.in_doubt && !again && keyed.shown.1.elapsed() < QUIET {
            return if late { refuse(UNSEEN) } else { Ok(Step::NotYet) };
        }
        keyed.in_doubt = again;
        match seen {
            Seen::Yes => {
                keyed.before = None;
                return Ok(Step::Done);
            }
            _ if late => return refuse(UNSEEN),
            Seen::Nearer(key) => {
                debug!(?key, ?spot, "A key toward the answer");
                self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
                keyed.pressed();
            }
            Seen::Cut if keyed.has_room && keyed.since.elapsed() >= UNSEEN_LIMIT => {
                return refuse(UNSEEN);
            }
            Seen::Cut | Seen::No => {}
        }
        Ok(Step::NotYet)
    }

    async fn key_press(
        &self,
        keyed: &mut Keyed,
        key: Key,
        on: &Spot,
        screen: &str,
    ) -> Result<(), RunError> {
        self.still_on(keyed, on, screen)?;
        debug!(?key, ?on, "A key that counts");
        self.tools.terminal.press(&self.pane, terminal_key(key)).await?;
        keyed.pressed();
        Ok(())
    }

    fn still_on(&self, keyed: &Keyed, on: &Spot, screen: &str) -> Result<(), RunError> {
        if self.seen(keyed, on, screen) == Seen::Yes { Ok(()) } else { refuse(CHANGED) }
    }

    fn seen(&self, keyed: &Keyed, spot: &Spot, screen: &str) -> Seen {
        let keys = self.provider.dialog_keys();
        keys.map_or(Seen::No, |it| it.sees(screen, &keyed.dialog, spot))
    }

    async fn committed(&mut self, keyed: Keyed) {
        self.take_room_back(&keyed).await;
        let Keyed { mut receipt, dialog, answers, .. } = keyed;
        receipt.status = ReceiptStatus::Typed;
        self.publish_receipts(vec![receipt.clone()]);
        let is_startup = self.answering.startup.as_ref().is_some_and(|it| it.id == dialog.id);
        if is_startup {
            self.startup_answered();
        }
        let mut answered = Answered::new(receipt, dialog, answers);
        answered.is_startup = is_startup;
        self.answering.answered(answered);
    }

    async fn give_up(&mut self, keyed: Keyed, why: &str) {
        warn!(dialog.id = keyed.dialog.id, why, "A dialog could not be answered by keys");
        self.take_room_back(&keyed).await;
        self.answering.has_loose_key = keyed.before.is_some() || keyed.in_doubt;
        self.publish_receipts(vec![outbox::failed(keyed.receipt, why)]);
    }

    async fn take_room_back(&self, keyed: &Keyed) {
        if keyed.has_room {
            self.heal_room().await;
        }
    }

    /// An earlier life may have ended in the middle of an answer.
    pub(super) async fn begin_keys(&mut self) {
        self.answering.has_loose_key = self.facts.process_since.is_none();
        self.heal_room().await;
    }

    async fn heal_room(&self) {
        if let Err(error) = self.tools.terminal.take_room_back(&self.pane).await {
            warn!(%error, "The terminal could not be given its size back");
        }
    }

    /// An answer whose dialog still waits was not taken.
    pub(super) fn check_proofs(&mut self) {
        let waits = self.facts.registry == Some(Activity::Waiting);
        let failed = self.answering.unproven(Instant::now(), waits);
        let failed = failed.into_iter().map(|it| outbox::failed(it, UNPROVEN));
        self.publish_receipts(failed.collect());
    }
}

fn refuse<T>(why: &str) -> Result<T, RunError> {
    Err(SeamError::Refused(why.to_owned()).into())
}
