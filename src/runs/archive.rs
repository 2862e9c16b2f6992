//! Conversations that nobody follows any more: earlier epochs, and runs that
//! ended before this server started. Read from the CLI's record when asked for.

use std::path::PathBuf;
use std::sync::Arc;

use crate::schema::ToolStatus;
use crate::seam::{AgentProvider, Fact, Record, ToolOutcome};
use crate::transcript::{Follower, Progress, find};

use super::error::RunError;
use super::supervisor::Supervisor;
use super::view::View;

/// Maps the whole record. Blocking: for a thread that may wait.
pub(super) fn read(provider: &Arc<dyn AgentProvider>, path: PathBuf) -> Result<View, RunError> {
    let mut view = View::default();
    let mut mapper = provider.mapper();
    let mut follower = Follower::new(path.clone());
    let progress = follower
        .read(usize::MAX, |at, bytes| {
            let mapped = mapper.map(Record { at, bytes });
            mapped.messages.into_iter().for_each(|message| view.put(message, 0));
            for fact in mapped.facts {
                if let Fact::ToolEnded(outcome) = fact {
                    view.finish_call(*outcome, 0);
                }
            }
        })
        .map_err(|error| RunError::io(format!("read {}", path.display()), error))?;
    if progress == Progress::Missing {
        return Err(crate::seam::SeamError::TranscriptGone.into());
    }
    for call_id in view.running_calls() {
        view.finish_call(cancelled(call_id), 0);
    }
    Ok(view)
}

impl Supervisor {
    /// Reads a conversation that no actor follows, if it was not read yet.
    pub(super) async fn load(&self, run: &str, epoch: Option<&str>) -> Result<(), RunError> {
        let known = self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        let epoch = epoch.unwrap_or(&known.epoch).to_owned();
        let followed = epoch == known.epoch && self.lock().contains_key(run);
        if followed || self.hub().has_view(run, &epoch) {
            return Ok(());
        }
        let Some(place) = self.place(&known.provider) else {
            return Ok(());
        };
        if !self.hub().epochs(run).iter().any(|it| it.id == epoch) {
            return Err(no_epoch(&epoch));
        }
        let (provider, query) =
            (place.provider.clone(), place.provider.locate_transcript(&place.home, &epoch));
        let read = tokio::task::spawn_blocking(move || {
            find(&query).map(|path| read(&provider, path)).transpose()
        });
        let view = match read.await {
            Ok(view) => view?,
            Err(error) => {
                return Err(RunError::io("read the transcript", std::io::Error::other(error)));
            }
        };
        self.hub().fill(run, &epoch, view);
        Ok(())
    }
}

pub(super) fn no_epoch(epoch: &str) -> RunError {
    RunError::Invalid {
        field: "epoch",
        code: "epoch_not_found",
        detail: format!("this run has no epoch {epoch}"),
        hint: Some("`epochs` in the answer without `epoch` lists them".into()),
    }
}

/// A call whose process is gone.
pub(super) fn cancelled(call_id: String) -> ToolOutcome {
    ToolOutcome {
        call_id,
        status: ToolStatus::Cancelled,
        output: None,
        view: None,
        ended_at: None,
        dialog: None,
    }
}
