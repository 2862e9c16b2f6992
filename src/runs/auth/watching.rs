//! Notices when somebody signs a CLI in or out elsewhere.

use std::path::PathBuf;
use std::time::SystemTime;

use tracing::debug;

use super::super::place::Place;
use super::super::supervisor::Supervisor;

/// Size and time of each file that tells; a file that is not there has none.
type Marks = Vec<Option<(u64, SystemTime)>>;

impl Supervisor {
    /// Looks at the witnesses of every provider for as long as the server lives.
    pub(in super::super) fn watch_logins(&self) {
        for place in &self.0.config.providers {
            let Some(flow) = place.provider.auth() else { continue };
            let files = flow.witnesses(&place.home);
            let watching = self.clone().watch_login(place.clone(), files);
            let stop = self.0.stop.clone();
            self.0.tasks.spawn(async move {
                stop.run_until_cancelled(watching).await;
            });
        }
    }

    async fn watch_login(self, place: Place, files: Vec<PathBuf>) {
        let mut before = marks(&files);
        let bell = self.0.tools.watcher.all(&files, &[]);
        loop {
            bell.rung().await;
            let now = marks(&files);
            if now == before {
                continue;
            }
            before = now;
            let id = place.provider.descriptor().id;
            let was_known = self.0.logins.known().contains_key(id);
            match self.ask_status(&place).await {
                // Nobody knows whether it is another one than before.
                Ok(_) if !was_known => self.hub().auth_changed(id),
                Ok(_) => {}
                Err(error) => debug!(%error, "A CLI did not tell whether it is signed in"),
            }
        }
    }
}

fn marks(files: &[PathBuf]) -> Marks {
    let mark = |path: &PathBuf| {
        let meta = std::fs::metadata(path).ok()?;
        Some((meta.len(), meta.modified().ok()?))
    };
    files.iter().map(mark).collect()
}
