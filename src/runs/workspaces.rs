//! Where a run works: in a folder, or in a worktree of its own, and what is seeded there.
//!
//! A worktree is in the database before git makes it. What a kill left half-made is
//! found at the next start and taken away, if nothing in it can be anybody's work.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tracing::{info, warn};
use utoipa::ToSchema;

use crate::schema::{RunState, Warning};
use crate::seam::SeedLayout;
use crate::store::{WorktreePhase, WorktreeRow};
use crate::workspace::seeding::{Planted, Planting};
use crate::workspace::{self, Found, Git, Parked, Plan, Removal, Wanted, Worktree};

use super::error::RunError;
use super::place::Place;
use super::supervisor::Supervisor;

/// What is seeded into the folders of runs, and when.
#[derive(Clone, Debug, Default)]
pub struct SeedConfig {
    /// The person's folder of instructions, skills and prompts.
    pub dir: Option<PathBuf>,
    /// Also for runs that say nothing about it.
    pub always: bool,
}

/// A worktree that a person asks for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWorktree {
    pub branch: String,
    /// Where a new branch begins; the commit of the folder if nothing is said.
    pub base: Option<String>,
}

/// Where a run is going to work. Nothing of it is made yet.
pub(super) struct Site {
    pub(super) cwd: PathBuf,
    worktree: Option<Worktree>,
    seed: Option<(PathBuf, SeedLayout)>,
}

/// What was made of it.
#[derive(Default)]
pub(super) struct Made {
    pub(super) branch: Option<String>,
    pub(super) warnings: Vec<Warning>,
}

impl Supervisor {
    /// Looks whether it can be made.
    pub(super) async fn plan_site(
        &self,
        place: &Place,
        id: &str,
        cwd: PathBuf,
        worktree: Option<&NewWorktree>,
        seed: Option<bool>,
    ) -> Result<Site, RunError> {
        let seed = self.seed_for(place, seed)?;
        let Some(NewWorktree { branch, base }) = worktree else {
            return Ok(Site { cwd, worktree: None, seed });
        };
        let state = std::fs::canonicalize(&self.0.config.state_dir)
            .map_err(|error| RunError::io("open the state folder", error))?;
        let wanted =
            Wanted { cwd, branch: branch.clone(), base: base.clone().filter(|it| !it.is_empty()) };
        let Plan { worktree, cwd } =
            workspace::plan(&self.git(), &state.join("worktrees"), id, &wanted).await?;
        Ok(Site { cwd, worktree: Some(worktree), seed })
    }

    fn seed_for(
        &self,
        place: &Place,
        asked: Option<bool>,
    ) -> Result<Option<(PathBuf, SeedLayout)>, RunError> {
        let config = &self.0.config.seed;
        if !asked.unwrap_or(config.always) {
            return Ok(None);
        }
        let descriptor = place.provider.descriptor();
        match (&config.dir, descriptor.seed) {
            (Some(dir), Some(layout)) => Ok(Some((dir.clone(), layout))),
            // Only who asked for it is told.
            _ if asked.is_none() => Ok(None),
            (None, _) => Err(RunError::Invalid {
                field: "seed",
                code: "seed_not_configured",
                detail: "there is no seed folder".into(),
                hint: Some(
                    "start the server with --seed-dir, or set seed-dir in its settings".into(),
                ),
            }),
            (_, None) => Err(RunError::Invalid {
                field: "seed",
                code: "seed_unsupported",
                detail: format!("{} has no place for seeds", descriptor.display_name),
                hint: None,
            }),
        }
    }

    /// Makes the worktree, and seeds. After an error [`Supervisor::leave_site`]
    /// takes away what there is of it.
    pub(super) async fn make_site(&self, id: &str, site: &Site) -> Result<Made, RunError> {
        let git = self.git();
        if let Some(worktree) = &site.worktree {
            let store = &self.0.tools.store;
            store.save_worktree(row_of(id, worktree, WorktreePhase::Making)).await?;
            workspace::create(&git, worktree).await?;
            store.save_worktree(row_of(id, worktree, WorktreePhase::Ready)).await?;
            info!(run.id = id, path = %worktree.path.display(), "Worktree made");
        }
        let mut made =
            Made { branch: workspace::current_branch(&git, &site.cwd).await, warnings: Vec::new() };
        if let Some((source, layout)) = &site.seed {
            let job = Planting {
                source: source.clone(),
                layout: *layout,
                workspace: site.cwd.clone(),
                run: id.into(),
            };
            // A run without its seed is still a run; the person is told.
            match self.0.seeds.plant(&git, &job).await {
                Ok(planted) => made.warnings.extend(skipped(&planted)),
                Err(error) => made.warnings.push(Warning {
                    code: "seed_failed".into(),
                    message: format!("The folder was not seeded: {error}."),
                    hint: error.hint(),
                }),
            }
        }
        Ok(made)
    }

    /// The run did not come to be, so nothing was ever done in its worktree.
    pub(super) async fn leave_site(&self, id: &str) {
        let left = async {
            let panes = self.0.tools.terminal.panes().await?;
            if panes.iter().any(|it| it.pane.stamp == id) {
                return Ok(()); // Its process came to be all the same, and works there.
            }
            if let Some(row) = self.0.tools.store.worktree(id.into()).await? {
                self.clear_stray(row).await?;
            }
            self.0.seeds.lift(&self.git(), id).await.map_err(RunError::from)
        };
        if let Err(error) = left.await {
            warn!(run.id = id, error = &error as &dyn std::error::Error, "A workspace was left");
        }
    }

    /// Takes away what belongs to no run. `strays` are from before this start.
    pub(super) async fn clear_strays(self, strays: Vec<WorktreeRow>) {
        for row in strays {
            let (id, parked) = (row.run_id.clone(), row.phase == WorktreePhase::Parked);
            if parked && Path::new(&row.path).exists() {
                continue; // It was kept for what is in it, and still is.
            }
            if let Err(error) = self.clear_stray(row).await {
                warn!(run.id = id, error = &error as &dyn std::error::Error, "A worktree was left");
            }
        }
    }

    async fn clear_stray(&self, row: WorktreeRow) -> Result<(), RunError> {
        let (id, worktree) = (row.run_id.clone(), worktree_of(&row));
        let was_made = row.phase != WorktreePhase::Making;
        match workspace::recover(&self.git(), &worktree, &self.0.seeds, was_made).await {
            Found::Cleared => {
                info!(run.id = id, path = row.path, "A worktree that no run has was removed");
                self.0.tools.store.forget_worktree(id.clone()).await?;
                self.0.seeds.lift(&self.git(), &id).await?;
            }
            Found::Parked(Parked { reasons, by_hand, .. }) => {
                warn!(
                    run.id = id,
                    path = row.path,
                    ?reasons,
                    by_hand,
                    "A worktree that no run has is kept"
                );
                let row = WorktreeRow { phase: WorktreePhase::Parked, ..row };
                self.0.tools.store.save_worktree(row).await?;
            }
        }
        Ok(())
    }

    /// Removes the worktree of a run that ended, or keeps it and says why.
    pub(super) async fn remove_site(
        &self,
        id: &str,
    ) -> Result<Option<(String, Removal)>, RunError> {
        let Some(row) = self.0.tools.store.worktree(id.into()).await? else {
            self.0.seeds.lift(&self.git(), id).await?;
            return Ok(None);
        };
        let worktree = worktree_of(&row);
        let removal = match self.works_in(id, &worktree.path) {
            Some(other) => {
                Removal::Parked(Parked::because(&worktree, format!("run {other} works in it")))
            }
            None => workspace::remove(&self.git(), &worktree, &self.0.seeds).await,
        };
        match &removal {
            Removal::Removed { .. } => {
                self.0.tools.store.forget_worktree(id.into()).await?;
                self.0.seeds.lift(&self.git(), id).await?;
            }
            // Its seeds stay with it.
            Removal::Parked(_) => {
                let row = WorktreeRow { phase: WorktreePhase::Parked, ..row.clone() };
                self.0.tools.store.save_worktree(row).await?;
            }
        }
        Ok(Some((row.branch, removal)))
    }

    /// Another run that is alive in this folder.
    fn works_in(&self, id: &str, folder: &Path) -> Option<String> {
        let runs = self.hub().runs().into_iter();
        let mut others = runs.filter(|it| it.id != id && it.state != RunState::Ended);
        others.find(|it| Path::new(&it.cwd).starts_with(folder)).map(|it| it.id)
    }

    /// Refuses if the run's worktree is gone: the CLI would start in no folder.
    pub(super) async fn ensure_site(&self, id: &str) -> Result<(), RunError> {
        match self.0.tools.store.worktree(id.into()).await? {
            Some(row) if !Path::new(&row.path).is_dir() => Err(RunError::WorktreeGone {
                path: row.path.into(),
                branch: row.branch,
                repository: row.repository.into(),
            }),
            _ => Ok(()),
        }
    }

    fn git(&self) -> Git {
        let place = self.0.config.providers.first();
        Git::new(place.map_or(&self.0.config.server_env, |it| &it.home.env))
    }
}

fn skipped(planted: &Planted) -> Option<Warning> {
    let all = planted.skipped.join("; ");
    (!planted.skipped.is_empty()).then(|| Warning {
        code: "seed_incomplete".into(),
        message: format!("Not everything was seeded as it stands in the seed folder: {all}."),
        hint: None,
    })
}

fn row_of(id: &str, worktree: &Worktree, phase: WorktreePhase) -> WorktreeRow {
    WorktreeRow {
        run_id: id.into(),
        repository: worktree.repository.to_string_lossy().into_owned(),
        path: worktree.path.to_string_lossy().into_owned(),
        branch: worktree.branch.clone(),
        start: worktree.start.clone(),
        makes_branch: worktree.makes_branch,
        phase,
    }
}

fn worktree_of(row: &WorktreeRow) -> Worktree {
    Worktree {
        repository: row.repository.clone().into(),
        path: row.path.clone().into(),
        branch: row.branch.clone(),
        start: row.start.clone(),
        makes_branch: row.makes_branch,
    }
}
