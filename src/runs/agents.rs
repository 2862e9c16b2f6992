//! Which subagent a running call started. The record of the call tells only when
//! it has ended; the CLI notes it beside the conversation at once.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::seam::AgentNote;
use crate::transcript::Bell;

use super::actor::Actor;
use super::now;

/// What was read of the notes so far.
#[derive(Default)]
pub(super) struct Agents {
    dir: PathBuf,
    /// Rings while agents work, when one is noted or has done something.
    pub(super) bell: Option<Bell>,
    read: HashSet<PathBuf>,
    by_call: HashMap<String, String>,
}

impl Actor {
    /// Names the agents of running calls, and waits for those that are not noted yet.
    pub(super) fn name_agents(&mut self) {
        let running = self.tools.hub.unnamed_agents(&self.row.id);
        if running.is_none() && self.facts.background.is_empty() {
            self.agents.bell = None;
            return;
        }
        let mut unnamed = running.unwrap_or_default();
        if !unnamed.is_empty() || self.agents.bell.is_none() {
            self.read_agent_notes();
        }
        let known = &self.agents.by_call;
        let named = unnamed.extract_if(.., |call| known.contains_key(call));
        let named: Vec<_> = named.filter_map(|call| known.get_key_value(&call)).collect();
        if !named.is_empty() {
            self.tools.hub.update(&self.row.id, |board| {
                named.iter().for_each(|(call, agent)| board.name_agent(call, agent));
            });
        }
    }

    /// Something changed beside the conversation: an agent was noted, or it said or did
    /// something. Whoever looks at it reads it again.
    pub(super) fn look_at_agents(&mut self) {
        self.name_agents();
        self.row.last_activity_at = now();
    }

    fn read_agent_notes(&mut self) {
        let (Some(reader), Some(follower)) = (self.provider.subagents(), &self.follower) else {
            return;
        };
        let Some(place) = reader.notes(follower.path()) else { return };
        if self.agents.dir != place.dir {
            self.agents = Agents { dir: place.dir, ..Agents::default() };
        }
        let dir = &self.agents.dir;
        // A new bell rings once by itself: one for each wait, and not for each look.
        self.agents.bell.get_or_insert_with(|| self.tools.watcher.folder(dir));
        let files = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|it| it.path());
        for path in files.filter(|it| it.to_string_lossy().ends_with(place.suffix)) {
            if self.agents.read.contains(&path) {
                continue;
            }
            let note = std::fs::read(&path).ok().and_then(|it| reader.note(&path, &it));
            // One that is half written is read again.
            if let Some(AgentNote { agent, call_id }) = note {
                self.agents.by_call.insert(call_id, agent);
                self.agents.read.insert(path);
            }
        }
    }
}
