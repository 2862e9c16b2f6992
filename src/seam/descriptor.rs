//! Who a provider is, as data.

use crate::schema::{Auth, Choice, OpenLink, RunOption};

use super::seed::SeedLayout;

/// Who a provider is and what a person may choose. The page shows this and
/// knows no provider by name.
#[derive(Clone, Debug)]
pub struct Descriptor {
    /// In URLs, in the database and in configuration. Lower case, never changed.
    pub id: &'static str,
    pub display_name: &'static str,
    pub models: Vec<Choice>,
    pub efforts: Vec<Choice>,
    pub permission_modes: Vec<Choice>,
    /// The mode of a run for which nobody chose one.
    pub default_permission_mode: &'static str,
    pub options: Vec<RunOption>,
    pub auth: Auth,
    pub open: Option<OpenLink>,
    /// Where a folder can be seeded for it, if it can.
    pub seed: Option<SeedLayout>,
    /// Which optional capabilities it offers, by name.
    pub capabilities: Vec<&'static str>,
    /// Versions on which its pins were run, oldest first.
    pub verified_versions: &'static [&'static str],
    /// What to do when the CLI is not installed.
    pub install_hint: &'static str,
}

/// How to find a CLI and ask for its version.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Program names to look for on the PATH, best first.
    pub programs: &'static [&'static str],
    /// The arguments that make it print its version and exit.
    pub args: &'static [&'static str],
}
