//! Signing a CLI in and out, as the CLI itself does it.

use std::path::PathBuf;

use crate::schema::AuthStatus;

use super::{AgentHome, SeamError};

/// How a CLI is asked whether it is signed in, and signed in and out.
///
/// # Contract
///
/// - **Pure**, like the rest of the seam: the caller runs the commands, in the home and
///   with the environment that runs get.
/// - **The CLI's own commands.** No credential is read, copied or refreshed by us: a copied
///   one signs every other copy out.
/// - **No secret comes out.** What these functions return may be shown and logged.
/// - **Unknown is no answer.** What is not the CLI's answer is an error, never "signed out".
pub trait AuthFlow: Send + Sync {
    /// The arguments that print whether it is signed in.
    fn status(&self) -> &'static [&'static str];

    /// Reads that answer, whatever the exit code was.
    fn read_status(&self, stdout: &str) -> Result<Standing, SeamError>;

    /// The arguments that sign in. The process tells on its output what a person has to do,
    /// reads a code from its input if it needs one, and ends with 0 when it is done.
    fn login(&self) -> &'static [&'static str];

    /// What a login has said so far, or since the last code. It may be cut anywhere.
    fn read_login(&self, output: &str) -> LoginSeen;

    /// The code as the login reads it, or [`SeamError::InvalidCode`] or
    /// [`SeamError::CodeUnsupported`].
    fn code(&self, code: &str) -> Result<Vec<u8>, SeamError>;

    /// The arguments that sign out.
    fn logout(&self) -> &'static [&'static str];

    /// Files that change when somebody signs in or out, wherever they do it.
    fn witnesses(&self, home: &AgentHome) -> Vec<PathBuf>;
}

/// What a CLI says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub logged_in: bool,
    pub account: Option<String>,
    pub method: Option<String>,
}

impl Standing {
    /// As of a moment.
    pub fn at(self, checked_at: String) -> AuthStatus {
        let Self { logged_in, account, method } = self;
        AuthStatus { logged_in, account, method, checked_at }
    }
}

/// What the output of a login means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoginSeen {
    /// Where a person goes.
    pub url: Option<String>,
    /// What a person types there.
    pub user_code: Option<String>,
    /// The code was not one, and the login waits for another.
    pub refused_code: bool,
    /// Why it gave up.
    pub failed: Option<SeamError>,
}
