//! A person's key for a model, by the file that they keep it in.
//!
//! The file is read at each start of a CLI and nowhere else, so a key that was changed
//! there is the next run's. What is configured reaches the CLI by a file that only its owner
//! can read; the key stands in no argument, log, event or answer.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::schema::{Auth, AuthKind};
use crate::seam::AgentHome;

use super::error::RunError;
use super::place::Place;

const LONGEST_KEY: u64 = 4096;

impl Place {
    /// The home of a start that happens now, with the key if one is kept in a file.
    pub(crate) fn home_with_key(&self) -> Result<AgentHome, RunError> {
        let mut home = self.home.clone();
        let Some(path) = &self.api_key_file else { return Ok(home) };
        let name = self.provider.descriptor().display_name;
        let variable = self.provider.api_key_variable().ok_or_else(|| {
            unusable(format!("{name} takes no key"), "leave api-key-file out of its settings")
        })?;
        home.configured.retain(|(name, _)| name != variable);
        home.configured.push((variable.to_owned(), read(path)?));
        Ok(home)
    }

    /// How its CLI is signed in here.
    pub(super) fn auth_kind(&self) -> Auth {
        let auth = self.provider.descriptor().auth.clone();
        let Some(path) = &self.api_key_file else { return auth };
        Auth {
            kind: AuthKind::ApiKey,
            instructions: Some("Each run is given the key that stands in this file.".into()),
            credential_ref: Some(path.display().to_string()),
        }
    }
}

fn read(path: &Path) -> Result<String, RunError> {
    let at = path.display();
    let unreadable = |error: io::Error| {
        unusable(
            format!("the key file {at} cannot be read: {error}"),
            "make it, with the key in it",
        )
    };
    let file = File::open(path).map_err(unreadable)?;
    let meta = file.metadata().map_err(unreadable)?;
    if !meta.is_file() || meta.uid() != rustix::process::getuid().as_raw() {
        return Err(unusable(format!("the key file {at} is not a file of yours"), "make one"));
    }
    if meta.mode() & 0o077 != 0 {
        let what = format!("others can read the key file {at}");
        return Err(unusable(
            what,
            &format!("chmod 600 {at}, and change the key if somebody may have it"),
        ));
    }
    let mut text = String::new();
    file.take(LONGEST_KEY).read_to_string(&mut text).map_err(unreadable)?;
    let key = text.trim();
    if key.is_empty() || key.contains(|it: char| it.is_whitespace() || it.is_control()) {
        let what = format!("the key file {at} does not hold one key");
        return Err(unusable(what, "write the key into it, on one line, and nothing else"));
    }
    Ok(key.to_owned())
}

fn unusable(detail: String, hint: &str) -> RunError {
    RunError::Invalid {
        field: "provider",
        code: "api_key_unusable",
        detail,
        hint: Some(hint.to_owned()),
    }
}
