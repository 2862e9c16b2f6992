//! Conversations of subagents, where the CLI records them apart. Read from the
//! record whenever somebody asks: nobody follows them.

use std::io;
use std::path::PathBuf;

use crate::schema::{RunState, TranscriptStatus};
use crate::seam::{AgentProvider, Record};
use crate::transcript::{Follower, find};

use super::archive::blocking;
use super::error::RunError;
use super::hub::Snapshot;
use super::supervisor::Supervisor;
use super::view::{Keep, Over, View, Window};

impl Supervisor {
    /// One page of what a subagent said and did.
    pub async fn subagent(
        &self,
        run: &str,
        agent: &str,
        window: Window,
        limit: usize,
    ) -> Result<Snapshot, RunError> {
        let unknown = || RunError::Invalid {
            field: "agent",
            code: "agent_not_found",
            detail: format!("there is no subagent {agent} in this run"),
            hint: Some("the view of a tool call names its subagent".into()),
        };
        let known = self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        let place = self.place(&known.provider).ok_or_else(unknown)?.clone();
        let reader = place.provider.subagents().ok_or_else(unknown)?;
        // The newest conversation first; an older one may have had the agent too.
        let epochs = self.hub().epochs(run);
        let queries: Vec<_> = epochs
            .iter()
            .rev()
            .filter_map(|epoch| reader.locate(&place.home, &epoch.id, agent))
            .collect();
        let ended = known.state == RunState::Ended;
        let found = blocking(move || {
            let Some(path) = queries.iter().find_map(find) else { return Ok(None) };
            read(&*place.provider, path, ended).map(Some)
        })
        .await?;
        let view = found.ok_or_else(unknown)?;
        let page = view.page(window, limit).page;
        Ok(Snapshot {
            epoch: agent.to_owned(),
            epochs: Vec::new(),
            page,
            run: known,
            dialogs: Vec::new(),
            queued: Vec::new(),
            tail: None,
            receipts: Vec::new(),
            transcript: TranscriptStatus::Available,
            revision: self.hub().revision(),
        })
    }
}

/// Maps all of it. Blocking: for a thread that may wait.
fn read(provider: &dyn AgentProvider, path: PathBuf, ended: bool) -> io::Result<View> {
    let mut view = View::new(Keep::records(0..u64::MAX, false));
    let Some(reader) = provider.subagents() else { return Ok(view) };
    let mut mapper = reader.mapper();
    Follower::new(path)
        .read(usize::MAX, |at, bytes| drop(view.take(mapper.map(Record { at, bytes }))))?;
    if ended {
        view.end_open(&Over::Everything, || 0);
    }
    Ok(view)
}
