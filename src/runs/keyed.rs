//! Answers by keys, for when nothing waits at the live door.
//!
//! The same actor that reads and types carries a recipe out, one key at a time,
//! and looks at the screen before each. What is on screen decides whether a key
//! is pressed, never what is told: the outcome is proven by the CLI's record.

mod steps;

use std::time::Duration;

use tokio::time::Instant;
use tracing::{info, warn};

use crate::schema::{
    Channel, Dialog, Door, Receipt, ReceiptKind, ReceiptStatus, Response, ToolCall,
};
use crate::seam::{Activity, SeamError};
use crate::store::AnswerRow;

use super::actor::Actor;
use super::answering::Answered;
use super::error::RunError;
use super::now;
use super::outbox;

use steps::Step;

pub(super) use steps::Keyed;

/// The door of a dialog opens in this time, if it does. Nobody should type then.
pub(super) const DOOR_GRACE: Duration = Duration::from_millis(1_000);

/// Between two looks at the screen.
const LOOK: Duration = Duration::from_millis(60);

const FIRST: &str = "It was answered in the terminal first.";
const CLOSED: &str =
    "The dialog closed before the whole answer was typed; look at what was recorded.";
const UNPROVEN: &str = "The CLI did not take the answer, and the dialog is still open.";

impl Actor {
    /// The open dialogs that really wait, each with the door that an answer
    /// would take.
    pub(super) fn pending(&self, open: Vec<Dialog>, running: Vec<ToolCall>) -> Vec<Dialog> {
        let mut dialogs = self.answering.dialogs();
        dialogs.extend(self.answering.startup.clone());
        let can_type = self.outside.is_none() && self.answering.waits_for_keys();
        let keys = self.provider.dialog_keys().filter(|_| can_type);
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
        response: Response,
        client_id: Option<String>,
        by: &str,
    ) -> Result<Receipt, RunError> {
        let by_keys = |it: &Dialog| it.id == dialog_id && it.channel == Channel::Keys;
        let Some(dialog) = self.pending_now().into_iter().find(by_keys) else {
            return Err(self.no_such_dialog(dialog_id));
        };
        let keys = self.provider.dialog_keys().ok_or(RunError::Seam(SeamError::NotAnswerable))?;
        let recipe = keys.recipe(&dialog, &response, self.row.cli_version.as_deref())?;
        self.check_words(&response)?;
        if self.answering.keyed.is_some() {
            return Err(SeamError::Refused("another answer is being typed".into()).into());
        }
        let mut receipt = outbox::receipt(ReceiptKind::Answer, by, now(), client_id);
        receipt.dialog_id = Some(dialog_id.to_owned());
        debug_assert_eq!(receipt.door, Door::Keys);
        self.write_down(&receipt, &dialog, &response).await?;
        let verified =
            self.row.cli_version.as_deref().is_some_and(|it| recipe.verified_on.contains(&it));
        info!(dialog.id, recipe.name, verified, "A dialog is answered by keys");
        let in_doubt = std::mem::take(&mut self.answering.has_loose_key);
        let keyed = Keyed::new(receipt.clone(), dialog, response, recipe, in_doubt);
        self.answering.keyed = Some(keyed);
        self.publish_receipts(vec![receipt.clone()]);
        Ok(receipt)
    }

    /// Written down before the first effect, so that a crash can't lose what was meant.
    pub(super) async fn write_down(
        &self,
        receipt: &Receipt,
        dialog: &Dialog,
        response: &Response,
    ) -> Result<(), RunError> {
        let row = AnswerRow {
            id: receipt.id.clone(),
            run_id: self.row.id.clone(),
            dialog_id: dialog.id.clone(),
            answers: serde_json::to_string(response).unwrap_or_default(),
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

    async fn committed(&mut self, keyed: Keyed) {
        self.take_room_back(&keyed).await;
        let Keyed { mut receipt, dialog, response, .. } = keyed;
        receipt.status = ReceiptStatus::Typed;
        self.publish_receipts(vec![receipt.clone()]);
        let is_startup = self.answering.startup.as_ref().is_some_and(|it| it.id == dialog.id);
        if is_startup {
            self.startup_answered();
        }
        let mut answered = Answered::new(receipt, dialog, response);
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
