//! What the actor tells the world.

use crate::schema::{Attach, CompatVerdict, ContextUsage, Receipt, Run};
use crate::seam::Descriptor;
use crate::store::RunRow;
use crate::terminal::AttachCommand;

use super::actor::Actor;
use super::view::shorten;

impl Actor {
    /// Publishes the run as it is now. What did not change makes no event.
    pub(super) fn publish(&mut self) {
        self.note_row();
        let queued = self.queue.published();
        let mut run = summary(&self.row, self.provider.descriptor());
        run.state = self.facts.state();
        run.epoch.clone_from(&self.epoch);
        run.queued = queued.len();
        let limit = self.row.model.as_ref().and_then(|it| self.provider.context_limit(it));
        run.context_usage = self
            .usage
            .map(|it| ContextUsage { limit: limit.unwrap_or_default().max(it.limit), ..it });
        run.warnings.clone_from(&self.warnings);
        run.read_only = self.outside.is_some();
        if !self.facts.ended && !run.read_only {
            run.attach = Some(attach(&self.tools.terminal.attach(&self.pane)));
        }
        let tail = self.tail.now();
        let transcript = self.transcript;
        self.tools.hub.update(&self.row.id, |board| {
            let dialogs = {
                let view = board.view();
                self.pending(view.open_dialogs(), view.running_tools().cloned().collect())
            };
            run.pending_dialogs = dialogs.len();
            run.last_line = board.view().last_line();
            board.dialogs(dialogs);
            board.queue(queued);
            board.tail(tail);
            board.transcript(transcript);
            board.run(run);
        });
    }

    /// Publishes receipts, and keeps them over a restart.
    pub(super) fn publish_receipts(&self, receipts: Vec<Receipt>) {
        if !receipts.is_empty() {
            receipts.iter().for_each(|it| self.tools.metrics.receipt(it));
            self.tools.store.note_receipts(self.row.id.clone(), receipts.clone());
            self.show_receipts(receipts);
        }
    }

    /// Publishes what the database has.
    pub(super) fn show_receipts(&self, receipts: Vec<Receipt>) {
        if receipts.is_empty() {
            return;
        }
        self.tools.hub.update(&self.row.id, |board| {
            receipts.into_iter().for_each(|receipt| board.receipt(receipt));
        });
    }

    /// Keeps what a restart should know. The time of the last activity alone is
    /// no reason to write: the transcript tells it again.
    fn note_row(&mut self) {
        self.row.epoch = Some(self.epoch.clone());
        self.saved.last_activity_at.clone_from(&self.row.last_activity_at);
        if self.saved != self.row {
            self.saved.clone_from(&self.row);
            self.tools.store.note_run(self.row.clone());
        }
    }

    pub(super) async fn save_row(&self) {
        if let Err(error) = self.tools.store.save_run(self.row.clone()).await {
            tracing::error!(error = &error as &dyn std::error::Error, "A run could not be saved");
            self.tools.store.note_run(self.row.clone()); // Tried again, if that may help.
        }
    }
}

/// A run as the database knows it; the rest is for its actor to fill in.
pub(super) fn summary(row: &RunRow, descriptor: &Descriptor) -> Run {
    let ended = row.ended_at.is_some();
    Run {
        id: row.id.clone(),
        provider: row.provider.clone(),
        title: shorten(&row.title, 200),
        state: if ended { crate::schema::RunState::Ended } else { crate::schema::RunState::Idle },
        cwd: row.cwd.clone(),
        branch: row.branch.clone(),
        model: row.model.clone(),
        effort: row.effort.clone(),
        permission_mode: row.permission_mode.clone(),
        origin: row.origin,
        epoch: String::new(),
        created_at: row.created_at.clone(),
        last_activity_at: row.last_activity_at.clone(),
        ended_at: row.ended_at.clone(),
        exit: row.exit.clone(),
        pending_dialogs: 0,
        queued: 0,
        context_usage: None,
        cli_version: row.cli_version.clone(),
        compat: compat(row.cli_version.as_deref(), descriptor),
        attach: None,
        warnings: Vec::new(),
        last_line: None,
        read_only: false,
        demo: row.demo,
    }
}

pub(super) fn compat(version: Option<&str>, descriptor: &Descriptor) -> CompatVerdict {
    let verified = version.is_some_and(|it| descriptor.verified_versions.contains(&it));
    if verified { CompatVerdict::Verified } else { CompatVerdict::Untested }
}

pub(super) fn attach(command: &AttachCommand) -> Attach {
    Attach {
        command: command.command.clone(),
        socket: command.socket.to_string_lossy().into_owned(),
        session: command.session.clone(),
    }
}
