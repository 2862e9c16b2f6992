//! Forgets a run that ended. The CLI's own record stays.

use tracing::{info, warn};

use crate::schema::{Forgotten, RunState, WorktreeLeft};
use crate::workspace::{Parked, Removal};

use super::adopt::current;
use super::error::RunError;
use super::supervisor::Supervisor;

impl Supervisor {
    /// Takes a run out of every list, with what was written for it. Its worktree goes
    /// too, unless something in it would be lost.
    pub async fn forget(&self, id: &str) -> Result<Forgotten, RunError> {
        let known = self.hub().run(id).ok_or_else(|| RunError::NotFound(id.into()))?;
        if known.state != RunState::Ended {
            return Err(RunError::Live);
        }
        self.left(id).await;
        let stored = self.0.tools.store.run(id.into()).await?;
        let (row, epochs) = stored.ok_or_else(|| RunError::NotFound(id.into()))?;
        // Nobody resumes it meanwhile.
        let conversation = current(&row, &epochs).map_or_else(|| id.into(), |it| it.native_id);
        let Some(_claim) = self.0.claims.claim(&conversation) else {
            return Err(RunError::Live);
        };
        if self.lock().contains_key(id) {
            return Err(RunError::Live);
        }
        self.remove_remains(id).await?;
        let removed = self.remove_site(id).await?;
        self.0.tools.store.forget_run(id.into()).await?;
        self.hub().remove(id);
        let files = self.0.config.state_dir.join("runs").join(id);
        if let Err(error) = tokio::fs::remove_dir_all(&files).await {
            warn!(run.id = id, %error, "The files of a forgotten run could not be removed");
        }
        info!(run.id = id, ?removed, "Run forgotten");
        let worktree = removed.map(|(branch, removal)| left(branch, removal));
        Ok(Forgotten { id: id.into(), worktree })
    }
}

fn left(branch: String, removal: Removal) -> WorktreeLeft {
    match removal {
        Removal::Removed { branch_too } => WorktreeLeft {
            branch,
            branch_removed: branch_too,
            parked: false,
            path: None,
            reasons: Vec::new(),
            hint: None,
        },
        Removal::Parked(Parked { path, reasons, by_hand }) => WorktreeLeft {
            branch,
            branch_removed: false,
            parked: true,
            path: Some(path.to_string_lossy().into_owned()),
            reasons,
            hint: Some(format!("once nothing in it matters, remove it with: {by_hand}")),
        },
    }
}
