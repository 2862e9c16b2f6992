//! The slash commands that a run's CLI has in the run's folder.
//!
//! What the CLI came with, it is asked once for each version. The files of a person, a
//! project and plugins are read again when one of them changed, and otherwise from time
//! to time, since a watch can miss what lies behind a link.

mod asking;
mod walk;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::schema::{CommandSpec, Run};
use crate::seam::CommandsFound;
use crate::transcript::Bell;

use super::error::RunError;
use super::place::Place;
use super::supervisor::Supervisor;
use asking::Asked;

/// What no watch told of is seen after this time.
const STALE: Duration = Duration::from_secs(30);

/// Folders whose commands are remembered.
const MOST: usize = 64;

/// Catalogues that were made, and what the CLIs said.
pub(super) struct Catalogues {
    asked: Asked,
    known: Mutex<HashMap<Key, Known>>,
}

/// What a catalogue depends on.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    provider: String,
    cwd: PathBuf,
    version: Option<String>,
    /// Where the CLI keeps its things.
    home: BTreeMap<String, String>,
}

struct Known {
    at: Instant,
    bell: Bell,
    commands: Vec<CommandSpec>,
}

impl Catalogues {
    pub(super) fn new(state_dir: &Path) -> Self {
        Self { asked: Asked::new(state_dir), known: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fresh(&self, key: &Key) -> Option<Vec<CommandSpec>> {
        let known = self.lock();
        let known = known.get(key).filter(|it| it.at.elapsed() < STALE && !it.bell.has_rung())?;
        Some(known.commands.clone())
    }
}

impl Supervisor {
    /// Every command of a run, by name.
    pub async fn commands(&self, run: &str) -> Result<Vec<CommandSpec>, RunError> {
        let run = self.hub().run(run).ok_or_else(|| RunError::NotFound(run.into()))?;
        let Some(place) = self.place_of(&run).await? else { return Ok(Vec::new()) };
        if place.provider.commands().is_none() {
            return Ok(Vec::new());
        }
        let key = Key {
            provider: run.provider.clone(),
            cwd: PathBuf::from(&run.cwd),
            version: run.cli_version.clone(),
            home: place.own_variables(),
        };
        let catalogues = &self.0.catalogues;
        if let Some(commands) = catalogues.fresh(&key) {
            return Ok(commands);
        }
        let known = self.find_commands(&place, &run).await?;
        let commands = known.commands.clone();
        let mut all = catalogues.lock();
        if all.len() >= MOST {
            all.clear();
        }
        all.insert(key, known);
        Ok(commands)
    }

    async fn find_commands(&self, place: &Place, run: &Run) -> Result<Known, RunError> {
        let installed = self.0.probes.probe(place).await;
        let version = run.cli_version.clone();
        let version = version.or_else(|| installed.as_ref()?.version.clone());
        let answer = match installed.filter(|it| it.version == version) {
            Some(it) => self.0.catalogues.asked.ask(place, &it.program).await,
            // The program was replaced under a run that goes on with the old one.
            None => None,
        };
        let (place, cwd) = (place.clone(), PathBuf::from(&run.cwd));
        let watcher = self.0.tools.watcher.clone();
        let known = tokio::task::spawn_blocking(move || {
            let walk = walk::Walk::begin(&place, &cwd);
            // First the bell, then the look: what changes in between rings.
            let bell = watcher.all(&walk.files_to_watch(), &walk.folders_to_watch());
            bell.has_rung();
            let found = CommandsFound { version, answer, files: walk.read() };
            let commands = place.provider.commands().map(|it| it.commands(&found));
            Known { at: Instant::now(), bell, commands: commands.unwrap_or_default() }
        });
        known.await.map_err(|_| RunError::Stopping)
    }
}
