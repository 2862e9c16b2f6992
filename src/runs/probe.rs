//! Which CLI is installed, and in which version.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::process::Command;
use tokio::time::timeout;
use tracing::warn;

use crate::schema::{Choice, Installed, ProviderInfo};
use crate::seam::Descriptor;

use super::home::find_program;
use super::place::Place;
use super::publish::compat;

/// A CLI that does not tell its version in this time is of unknown version.
const LIMIT: Duration = Duration::from_secs(10);

/// An installed CLI.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub program: PathBuf,
    pub version: Option<String>,
}

/// Versions that were asked for, as long as the program stays the same file.
#[derive(Default)]
pub(super) struct Probes {
    known: Mutex<HashMap<PathBuf, (Stamp, Option<String>)>>,
}

pub(super) type Stamp = (u64, Option<SystemTime>);

impl Probes {
    /// The CLI of this provider, or `None` if it is not installed.
    pub(super) async fn probe(&self, place: &Place) -> Option<Found> {
        let probe = place.provider.probe();
        let path = place.home.env("PATH").unwrap_or_default();
        let program = match &place.program {
            Some(program) => program.is_file().then(|| program.clone())?,
            None => find_program(probe.programs, path)?,
        };
        let stamp = stamp(&program)?;
        if let Some((at, version)) = self.lock().get(&program)
            && *at == stamp
        {
            return Some(Found { program, version: version.clone() });
        }
        let version = ask(place, &program, probe.args).await;
        self.lock().insert(program.clone(), (stamp, version.clone()));
        Some(Found { program, version })
    }

    /// What the API says about this provider.
    pub(super) async fn info(&self, place: &Place) -> ProviderInfo {
        let descriptor = place.provider.descriptor();
        let found = self.probe(place).await;
        let version = found.as_ref().and_then(|it| it.version.clone());
        ProviderInfo {
            id: descriptor.id.into(),
            display_name: descriptor.display_name.into(),
            compat: compat(version.as_deref(), descriptor),
            pinned_version: descriptor.verified_versions.last().copied().unwrap_or("").into(),
            installed: found.map(|it| Installed {
                path: it.program.to_string_lossy().into_owned(),
                version: it.version.unwrap_or_else(|| "unknown".into()),
            }),
            models: descriptor.models.clone(),
            efforts: descriptor.efforts.clone(),
            permission_modes: modes(descriptor),
            options: descriptor.options.clone(),
            auth: place.auth_kind(),
            open: descriptor.open.clone(),
            capabilities: descriptor.capabilities.iter().map(|it| (*it).into()).collect(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, (Stamp, Option<String>)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same without a server.
pub async fn provider_info(place: &Place) -> ProviderInfo {
    Probes::default().info(place).await
}

/// The default first: a form starts with the first one.
fn modes(descriptor: &Descriptor) -> Vec<Choice> {
    let mut modes = descriptor.permission_modes.clone();
    modes.sort_by_key(|it| it.id != descriptor.default_permission_mode);
    modes
}

/// An upgrade replaces the file, so its size and time tell whether to ask again.
pub(super) fn stamp(program: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(program).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

async fn ask(place: &Place, program: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(args)
        .env_clear()
        .envs(place.home.env.iter().cloned())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    match timeout(LIMIT, output).await {
        Ok(Ok(output)) => place.provider.version(&String::from_utf8_lossy(&output.stdout)),
        Ok(Err(error)) => {
            warn!(program = %program.display(), %error, "A CLI could not be asked for its version");
            None
        }
        Err(_) => {
            warn!(program = %program.display(), "A CLI did not tell its version in time");
            None
        }
    }
}
