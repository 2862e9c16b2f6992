//! Forgets a run that ended. The CLI's own record stays.

use std::path::Path;

use tracing::{info, warn};

use crate::schema::{Forgotten, WorktreeLeft};
use crate::store::{WorktreePhase, WorktreeRow};
use crate::workspace::{Parked, Removal};

use super::error::RunError;
use super::supervisor::Supervisor;

impl Supervisor {
    /// Takes a run out of every list, with what was written for it. Its worktree goes
    /// too, unless something in it would be lost.
    pub async fn forget(&self, id: &str) -> Result<Forgotten, RunError> {
        let claimed = match self.claim_ended(id).await {
            Err(RunError::NotFound(id)) => return self.forget_parked(id).await,
            claimed => claimed?,
        };
        self.remove_remains(id).await?;
        let removed = self.remove_site(id).await?;
        self.0.tools.store.forget_run(id.into()).await?;
        self.hub().remove(id);
        let files = self.0.config.state_dir.join("runs").join(id);
        if let Err(error) = tokio::fs::remove_dir_all(&files).await {
            warn!(run.id = id, %error, "The files of a forgotten run could not be removed");
        }
        info!(run.id = id, ?removed, "Run forgotten");
        self.try_parked_again(Path::new(&claimed.row.cwd)).await;
        let worktree = removed.map(|(branch, removal)| left(branch, removal));
        Ok(Forgotten { id: id.into(), worktree })
    }

    /// The run is gone already, and its worktree was kept: it is tried once more.
    async fn forget_parked(&self, id: String) -> Result<Forgotten, RunError> {
        let kept = self.0.tools.store.worktree(id.clone()).await?;
        if !kept.is_some_and(|it| it.phase == WorktreePhase::Parked) {
            return Err(RunError::NotFound(id));
        }
        let removed = self.remove_site(&id).await?;
        info!(run.id = id, ?removed, "A worktree that was kept was tried again");
        let worktree = removed.map(|(branch, removal)| left(branch, removal));
        Ok(Forgotten { id, worktree })
    }

    /// A run that worked in the kept worktree of another one was what kept it, perhaps.
    async fn try_parked_again(&self, folder: &Path) {
        let strays = match self.0.tools.store.stray_worktrees().await {
            Ok(strays) => strays,
            Err(error) => return warn!(%error, "The kept worktrees could not be listed"),
        };
        let kept = |it: &WorktreeRow| it.phase == WorktreePhase::Parked;
        for row in strays.into_iter().filter(|it| kept(it) && folder.starts_with(&it.path)) {
            match self.remove_site(&row.run_id).await {
                Ok(removed) => info!(run.id = row.run_id, ?removed, "A kept worktree"),
                Err(error) => warn!(run.id = row.run_id, %error, "A kept worktree stays"),
            }
        }
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
