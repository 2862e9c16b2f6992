//! Runs that were lost: their processes went away and nobody saw how, as after
//! a reboot of the machine or the death of the tmux server.

use tracing::{info, warn};

use crate::schema::{Exit, Run};

use super::error::RunError;
use super::supervisor::Supervisor;

/// What became of each of them.
#[derive(Debug, Default)]
pub struct Regained {
    pub resumed: Vec<Run>,
    pub failed: Vec<(String, RunError)>,
}

impl Supervisor {
    /// Resumes every run that was lost. One after the other: each start is work for
    /// the machine, and the first ones should be usable soon.
    pub async fn resume_lost(&self) -> Regained {
        let mut regained = Regained::default();
        let mut lost: Vec<Run> = self.hub().runs().into_iter().filter(is_lost).collect();
        lost.sort_by(|a, b| b.last_activity_at.cmp(&a.last_activity_at));
        for run in lost {
            match self.resume(&run.id).await {
                Ok(run) => regained.resumed.push(run),
                Err(error) => {
                    warn!(run.id, %error, "A run that was lost could not be resumed");
                    regained.failed.push((run.id, error));
                }
            }
        }
        let (resumed, failed) = (regained.resumed.len(), regained.failed.len());
        info!(runs.resumed = resumed, runs.failed = failed, "Lost runs resumed");
        regained
    }
}

fn is_lost(run: &Run) -> bool {
    let unseen = |exit: &Exit| exit.code.is_none() && exit.signal.is_none();
    run.ended_at.is_some() && run.exit.as_ref().is_some_and(unseen)
}
