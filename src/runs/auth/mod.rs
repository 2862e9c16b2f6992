//! Signing providers' CLIs in and out, by the CLIs' own commands.

mod login;
mod watching;

use std::collections::HashMap;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::process::Command;
use tokio::time::timeout;

use crate::schema::{AuthStatus, LoginStarted};
use crate::seam::{AuthFlow, SeamError};

use super::error::RunError;
use super::now;
use super::place::Place;
use super::supervisor::Supervisor;
use login::Login;

/// A CLI that does not answer in this time does not.
const LIMIT: Duration = Duration::from_secs(30);

/// What no file tells of is asked again after this time.
const STALE: Duration = Duration::from_secs(300);

/// What is known of each provider, and the logins that wait for a person.
#[derive(Default)]
pub(super) struct Logins {
    known: Mutex<HashMap<String, (Instant, AuthStatus)>>,
    running: Mutex<HashMap<String, Arc<Login>>>,
}

impl Logins {
    fn known(&self) -> MutexGuard<'_, HashMap<String, (Instant, AuthStatus)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, Arc<Login>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Supervisor {
    /// Whether the CLI says that it is signed in; asked anew with `force`.
    pub async fn auth_status(&self, provider: &str, force: bool) -> Result<AuthStatus, RunError> {
        let place = self.auth_place(provider)?;
        let known = self.0.logins.known().get(provider).cloned();
        match known {
            Some((at, status)) if !force && at.elapsed() < STALE => Ok(status),
            _ => self.ask_status(&place).await,
        }
    }

    /// Begins a login, or goes on with the one that waits.
    pub async fn auth_login(&self, provider: &str) -> Result<LoginStarted, RunError> {
        let place = self.auth_place(provider)?;
        let waiting = self.0.logins.running().get(provider).filter(|it| it.is_alive()).cloned();
        let login = match waiting {
            Some(login) => login,
            None => {
                let command = self.auth_command(&place, flow(&place)?.login()).await?;
                self.start_login(provider, command)?
            }
        };
        let started = login.told(flow(&place)?).await?;
        if started.url.is_none() && started.user_code.is_none() {
            // It is through already: some logins need no person.
            self.ask_status(&place).await?;
        }
        Ok(started)
    }

    /// Of two devices that begin at once, the second goes on with the login of the first.
    fn start_login(&self, provider: &str, command: Command) -> Result<Arc<Login>, RunError> {
        let mut running = self.0.logins.running();
        if let Some(login) = running.get(provider).filter(|it| it.is_alive()) {
            return Ok(login.clone());
        }
        let login = Arc::new(Login::start(command, &self.0.tasks, self.0.stop.clone())?);
        running.insert(provider.to_owned(), login.clone());
        Ok(login)
    }

    /// Hands the code over that a person brought back.
    pub async fn auth_code(&self, provider: &str, code: &str) -> Result<AuthStatus, RunError> {
        let place = self.auth_place(provider)?;
        let flow = flow(&place)?;
        let words = flow.code(code)?;
        let waiting = self.0.logins.running().get(provider).filter(|it| it.is_alive()).cloned();
        let login = waiting.ok_or(RunError::NoLogin)?;
        login.hand(flow, words).await?;
        self.ask_status(&place).await
    }

    pub async fn auth_logout(&self, provider: &str) -> Result<AuthStatus, RunError> {
        let place = self.auth_place(provider)?;
        if let Some(login) = self.0.logins.running().remove(provider) {
            login.give_up();
        }
        let mut command = self.auth_command(&place, flow(&place)?.logout()).await?;
        let output = finish(&mut command).await?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(SeamError::AuthUnknown(one_line(&words)).into());
        }
        self.ask_status(&place).await
    }

    /// Asks the CLI, and tells everybody if the answer is another one than before.
    async fn ask_status(&self, place: &Place) -> Result<AuthStatus, RunError> {
        let flow = flow(place)?;
        let mut command = self.auth_command(place, flow.status()).await?;
        let output = finish(&mut command).await?;
        let standing = flow.read_status(&String::from_utf8_lossy(&output.stdout))?;
        let status = standing.at(now());
        let id = place.provider.descriptor().id;
        let before = self.0.logins.known().insert(id.to_owned(), (Instant::now(), status.clone()));
        let same = |(_, old): &(Instant, AuthStatus)| {
            (old.logged_in, &old.account, &old.method)
                == (status.logged_in, &status.account, &status.method)
        };
        if before.as_ref().is_some_and(|it| !same(it)) {
            self.hub().auth_changed(id);
        }
        Ok(status)
    }

    fn auth_place(&self, provider: &str) -> Result<Place, RunError> {
        self.place(provider).cloned().ok_or_else(|| RunError::Invalid {
            field: "id",
            code: "provider_not_found",
            detail: format!("there is no provider `{provider}`"),
            hint: Some("GET /api/v1/providers lists them".into()),
        })
    }

    /// The CLI with these arguments, in the home and the environment that runs get.
    async fn auth_command(&self, place: &Place, args: &[&str]) -> Result<Command, RunError> {
        let found = self.0.probes.probe(place).await;
        let descriptor = place.provider.descriptor();
        let found = found.ok_or_else(|| RunError::ProviderMissing {
            name: descriptor.display_name.into(),
            install_hint: descriptor.install_hint.into(),
        })?;
        let mut command = Command::new(found.program);
        command
            .args(args)
            .env_clear()
            .envs(place.home.env.iter().cloned())
            .envs(place.home_with_key()?.configured)
            .current_dir(&place.home.home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        Ok(command)
    }
}

fn flow(place: &Place) -> Result<&dyn AuthFlow, RunError> {
    place.provider.auth().ok_or_else(|| {
        let name = place.provider.descriptor().display_name;
        SeamError::Refused(format!("{name} is signed in in a terminal and not from here")).into()
    })
}

async fn finish(command: &mut Command) -> Result<Output, RunError> {
    match timeout(LIMIT, command.output()).await {
        Ok(output) => output.map_err(|error| RunError::io("run the CLI", error)),
        Err(_) => Err(SeamError::AuthUnknown("it did not answer in time".into()).into()),
    }
}

/// Words of a CLI, fit for an error.
fn one_line(words: &str) -> String {
    let line: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|it| !it.is_control()).take(200).collect()
}
