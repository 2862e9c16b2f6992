//! Conversations of subagents, where the CLI records them apart. Read from the
//! record whenever somebody asks: nobody follows them.

use std::io;
use std::path::PathBuf;

use crate::schema::{Message, Position, Run, RunState, TranscriptStatus};
use crate::seam::{AgentProvider, Record};
use crate::transcript::{Follower, find};

use super::archive::{blocking, no_message};
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
        let (known, view) = self.read_agent(run, agent, Keep::records(0..u64::MAX, false)).await?;
        let transcript =
            if view.is_some() { TranscriptStatus::Available } else { TranscriptStatus::Locating };
        let view = view.unwrap_or_default();
        Ok(Snapshot {
            epoch: agent.to_owned(),
            epochs: Vec::new(),
            page: view.page(window, limit).page,
            run: known,
            dialogs: Vec::new(),
            queued: Vec::new(),
            tail: None,
            receipts: Vec::new(),
            transcript,
            revision: self.hub().revision(),
        })
    }

    /// One message of a subagent, with nothing cut.
    pub async fn subagent_message(
        &self,
        run: &str,
        agent: &str,
        at: Position,
    ) -> Result<Message, RunError> {
        let record = at.record..at.record.saturating_add(1);
        let (_, view) = self.read_agent(run, agent, Keep::records(record, true)).await?;
        view.and_then(|it| it.get(at).cloned()).ok_or_else(|| no_message(at))
    }

    /// Reads a subagent's record, as far as `keep` wants it. An agent that has only
    /// just been started has none yet.
    async fn read_agent(
        &self,
        run: &str,
        agent: &str,
        keep: Keep,
    ) -> Result<(Run, Option<View>), RunError> {
        let unknown = || RunError::Invalid {
            field: "agent",
            code: "agent_not_found",
            detail: format!("there is no subagent {agent} in this run"),
            hint: Some("the view of a tool call names its subagent".into()),
        };
        let known = self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        let place = self.place_of(&known).await?.ok_or_else(unknown)?;
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
            read(&*place.provider, path, keep, ended).map(Some)
        })
        .await?;
        if found.is_none() && !self.hub().runs_agent(run, agent) {
            return Err(unknown());
        }
        Ok((known, found))
    }
}

/// Maps all of it. Blocking: for a thread that may wait.
fn read(provider: &dyn AgentProvider, path: PathBuf, keep: Keep, ended: bool) -> io::Result<View> {
    let mut view = View::new(keep);
    let Some(reader) = provider.subagents() else { return Ok(view) };
    let mut mapper = reader.mapper();
    Follower::new(path)
        .read(usize::MAX, |at, bytes| drop(view.take(mapper.map(Record { at, bytes }))))?;
    if ended {
        view.end_open(&Over::Everything, || 0);
    }
    Ok(view)
}
