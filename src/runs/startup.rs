//! A CLI that starts and says nothing: it asks something of its own first.

use tokio::time::Instant;
use tracing::{info, warn};

use crate::schema::ReceiptStatus;
use crate::seam::StartupCheck;

use super::actor::{Actor, DOOR_LIMIT};

impl Actor {
    /// The door is silent: says why, and raises the question that can be answered.
    pub(super) fn report_silent_door(&mut self) {
        self.must_seek = true;
        self.read_transcript();
        let files = self
            .startup_checks
            .iter()
            .map(|path| (path.clone(), std::fs::read_to_string(path).ok()))
            .collect();
        let check = StartupCheck {
            cwd: self.row.cwd.clone().into(),
            files,
            permission_mode: self.row.permission_mode.clone(),
            api_key: self.provider.api_key(&self.home),
        };
        if let Some(live) = self.provider.live() {
            let warning = live.silent_start(&check);
            warn!(warning.code, "The CLI started, but its live door is silent");
            self.add_warning(warning);
        }
        self.answering.startup = self.provider.dialog_keys().and_then(|it| it.startup(&check));
        if let Some(dialog) = &self.answering.startup {
            info!(dialog.id, "The CLI asks before it starts");
        }
    }

    /// An answer to such a question is on its way. Another one may follow it.
    pub(super) fn startup_answered(&mut self) {
        self.answering.startup = None;
        self.door_deadline = Some(Instant::now() + DOOR_LIMIT);
    }

    /// The door opened, or the process ended as it was told to.
    pub(super) fn startup_proven(&mut self) {
        self.answering.startup = None;
        let mut proven = self.answering.take_startup_answers();
        proven.iter_mut().for_each(|it| it.status = ReceiptStatus::Recorded);
        self.publish_receipts(proven);
    }
}
