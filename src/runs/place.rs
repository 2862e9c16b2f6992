//! A provider, and where its CLI lives here.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::seam::{AgentHome, AgentProvider};

#[derive(Clone)]
pub struct Place {
    pub provider: Arc<dyn AgentProvider>,
    pub home: AgentHome,
    /// The program to run, instead of the one on the PATH.
    pub program: Option<PathBuf>,
    /// Where the person keeps the key that its CLI is given, if they do.
    pub api_key_file: Option<PathBuf>,
}

impl Place {
    /// The variables that say where the CLI keeps its things.
    pub(super) fn own_variables(&self) -> BTreeMap<String, String> {
        let get = |name: &str| self.home.env(name).map(str::to_owned);
        self.provider.home_env(&get).into_iter().collect()
    }

    /// The same for a run that began with `home`: a later start of ours may find other
    /// variables, and its conversation is still where it was.
    pub(super) fn of(&self, home: Option<&BTreeMap<String, String>>) -> Self {
        let mut place = self.clone();
        if let Some(home) = home {
            let own = self.own_variables();
            place.home.env.retain(|(name, _)| !own.contains_key(name));
            place.home.env.extend(home.clone());
        }
        place
    }
}
