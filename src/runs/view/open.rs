//! What waits for an end: calls that run and dialogs without an outcome, and
//! when none will come any more.

use crate::schema::{Dialog, Message, Position, ToolCall, ToolStatus, ToolView};
use crate::seam::ToolOutcome;

use super::{View, call_of};

/// Which calls and dialogs without an end will never have one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Over {
    #[default]
    Nothing,
    /// Those from before this time: the process that had them is gone.
    Before(String),
    Everything,
}

impl Over {
    fn holds(&self, message: &Message) -> bool {
        match self {
            Self::Nothing => false,
            // Times of one form and one zone order like their text.
            Self::Before(time) => message.time.as_ref().is_some_and(|it| it < time),
            Self::Everything => true,
        }
    }
}

impl View {
    /// Dialogs without an outcome, oldest first.
    pub fn open_dialogs(&self) -> Vec<Dialog> {
        let on_the_main_line = self.open.iter().filter_map(|at| self.get(*at));
        let open = on_the_main_line.filter(|it| !it.abandoned).filter_map(|it| it.dialog.as_ref());
        open.filter(|it| it.outcome.is_none()).cloned().collect()
    }

    /// Calls that still run.
    pub fn running_tools(&self) -> impl Iterator<Item = &ToolCall> {
        let open = self.open.iter().filter_map(|at| self.get(*at)?.tool.as_ref());
        open.filter(|it| it.status == ToolStatus::Running)
    }

    /// Those whose subagent is not known yet, by their ids. `None` if there is no
    /// subagent at all.
    pub fn unnamed_agents(&self) -> Option<Vec<String>> {
        let is_agent = |it: &ToolCall| matches!(it.view, Some(ToolView::Subagent { .. }));
        self.running_tools().any(is_agent).then_some(())?;
        let unnamed =
            |it: &&ToolCall| matches!(it.view, Some(ToolView::Subagent { agent: None, .. }));
        Some(self.running_tools().filter(unnamed).map(|it| it.call_id.clone()).collect())
    }

    /// Tells which subagent a call started.
    pub fn name_agent(&mut self, call: &str, agent: &str, revision: u64) {
        let Some(mut kept) = self.position_of_call(call).and_then(|at| self.remove(at)) else {
            return;
        };
        self.calls.insert(call.to_owned(), kept.message.position);
        if let Some(ToolView::Subagent { agent: name, .. }) =
            kept.message.tool.as_mut().and_then(|it| it.view.as_mut())
        {
            *name = Some(agent.to_owned());
            kept.message.revision = revision;
        }
        self.insert(kept);
    }

    /// Their ids, for when the process that ran them is gone.
    pub fn running_calls(&self) -> Vec<String> {
        self.running_tools().map(|it| it.call_id.clone()).collect()
    }

    /// Ends what will not end by itself: the process that ran these calls and asked
    /// these questions is gone, or goes on with something else.
    pub fn end_open(&mut self, over: &Over, mut revision: impl FnMut() -> u64) {
        let open = self.open.iter().filter_map(|at| self.get(*at));
        let ended: Vec<String> = open.filter(|it| over.holds(it)).filter_map(call_of).collect();
        for call_id in ended {
            let cancelled = ToolOutcome {
                call_id,
                status: ToolStatus::Cancelled,
                output: None,
                view: None,
                ended_at: None,
                dialog: None,
            };
            self.finish_call(cancelled, revision());
        }
    }

    /// Whether the message at this place still waits for an end.
    pub fn is_open(&self, at: Position) -> bool {
        self.open.contains(&at)
    }
}

/// Whether it waits for something that is still to come.
pub(super) fn is_open(message: &Message) -> bool {
    let runs = message.tool.as_ref().is_some_and(|it| it.status == ToolStatus::Running);
    runs || message.dialog.as_ref().is_some_and(|it| it.outcome.is_none())
}
