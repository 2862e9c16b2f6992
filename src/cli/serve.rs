//! `seamux serve`: start in order, stop in the opposite order.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::http::{self, Access, App, Token, router};
use crate::runs::{Hub, Place, SeedConfig, Supervisor, SupervisorConfig, base_env};
use crate::seam::AgentHome;

use super::client::URL_FILE;
use super::config::Config;
use super::ui::{Advice, Ready};
use super::{ServeArgs, providers};

/// A reader that has stopped reading must not keep the server from ending.
const GRACE: Duration = Duration::from_millis(700);

/// The size of a new terminal: wide enough that menus do not wrap.
const TERMINAL_SIZE: (u16, u16) = (120, 40);

pub(super) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let config = Config::load("seamux", &args.settings)?;
    let places = places(&config)?;
    let server = Server::prepare(config, places, false)?;
    runtime()?.block_on(async {
        let running = server.start().await?;
        running.announce(None, args);
        running.until_stopped().await
    })
}

/// Every provider, and where its CLI lives on this machine.
pub(super) fn places(config: &Config) -> anyhow::Result<Vec<Place>> {
    let env = base_env(std::env::vars());
    let home = std::env::var_os("HOME").map(PathBuf::from).context("HOME is not set")?;
    let places = providers()
        .into_iter()
        .map(|provider| {
            let layer = config.providers.get(provider.descriptor().id).cloned().unwrap_or_default();
            let mut env = env.clone();
            // Where a person's CLI keeps its things is theirs to say.
            env.extend(provider.home_env(&|name| std::env::var(name).ok()));
            Place {
                home: AgentHome {
                    home: home.clone(),
                    env,
                    configured: layer.env.into_iter().collect(),
                    private: false,
                },
                program: layer.program,
                api_key_file: layer.api_key_file,
                provider,
            }
        })
        .collect();
    Ok(places)
}

/// Every reader is an open file, and 1,024 are usual. Not as many as there could be:
/// the agents inherit it, and some programs look at each possible file.
const OPEN_FILES: u64 = 8192;

fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.map_or(OPEN_FILES, |it| it.min(OPEN_FILES));
    if limit.current.is_none_or(|it| it >= most) {
        return;
    }
    let more = Rlimit { current: Some(most), maximum: limit.maximum };
    if let Err(error) = setrlimit(Resource::Nofile, more) {
        warn!(%error, "The limit of open files could not be raised");
    }
}

pub(super) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.context("the runtime could not be started")
}

/// A server that holds its state folder and is not started yet.
pub(super) struct Server {
    pub config: Config,
    places: Vec<Place>,
    token: String,
    log: PathBuf,
    demo: bool,
    lock: File,
}

/// A server that answers.
pub(super) struct Running {
    pub supervisor: Supervisor,
    url: String,
    token: String,
    log: PathBuf,
    demo: bool,
    stop: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
    interrupt: Signal,
    terminate: Signal,
    _url_file: UrlFile,
    _lock: File,
}

impl Server {
    pub(super) fn prepare(config: Config, places: Vec<Place>, demo: bool) -> anyhow::Result<Self> {
        for dir in [&config.state_dir, &config.runtime_dir] {
            std::fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(dir)
                .with_context(|| format!("the folder {} could not be made", dir.display()))?;
        }
        let lock = lock_state(&config.state_dir)?;
        let log = config.state_dir.join("seamux.log");
        start_log(&log, &config.log)?;
        let token = token(&config.state_dir)?;
        Ok(Self { config, places, token, log, demo, lock })
    }

    pub(super) fn set_places(&mut self, places: Vec<Place>) {
        self.places = places;
    }

    pub(super) async fn start(self) -> anyhow::Result<Running> {
        allow_many_files();
        let config = self.config;
        // Before anything is adopted: a taken port should not cost a start.
        let listener = TcpListener::bind(config.listen).await.map_err(|error| {
            anyhow::Error::new(Advice::new(
                format!("could not listen on {}: {error}", config.listen),
                "choose another port with --listen 127.0.0.1:PORT (0 picks a free one), or stop what uses it",
            ))
        })?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            warn!(%address, "Other machines can reach this server; put TLS in front of it");
        }
        let state_dir = config.state_dir.clone();
        let supervisor = Supervisor::start(
            SupervisorConfig {
                state_dir: config.state_dir,
                runtime_dir: config.runtime_dir,
                tmux_socket: config.tmux_socket,
                providers: self.places,
                hook_program: std::env::current_exe().context("our own program cannot be found")?,
                size: TERMINAL_SIZE,
                seed: SeedConfig { dir: config.seed_dir, always: config.seed },
                server_env: server_env(),
                demo: self.demo,
            },
            Arc::new(Hub::new()),
        )
        .await?;
        let url = format!("http://{}", shown(address));
        let url_file = UrlFile::write(&state_dir, &url)?;
        let stop = CancellationToken::new();
        let mut hosts = config.allow_hosts;
        if !address.ip().is_unspecified() {
            hosts.push(address.ip().to_string());
        }
        let access = Arc::new(Access { token: Token::new(&self.token), hosts });
        let app = App { supervisor: supervisor.clone(), access, stop: stop.clone() };
        // Before anybody is answered: who saw us up may ask us to stop.
        let (interrupt, terminate) =
            (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        let serving = tokio::spawn(http::serve(listener, router(app), stop.clone()));
        info!(%address, "Listening");
        Ok(Running {
            supervisor,
            url,
            _url_file: url_file,
            token: self.token,
            log: self.log,
            demo: self.demo,
            stop,
            serving,
            interrupt,
            terminate,
            _lock: self.lock,
        })
    }
}

impl Running {
    pub(super) fn announce(&self, run_id: Option<&str>, args: &ServeArgs) {
        let attach = run_id.and_then(|id| self.supervisor.attach(id).ok());
        Ready {
            url: self.url.clone(),
            token: &self.token,
            run_id,
            demo: self.demo,
            attach: attach.map(|it| it.command),
            log: &self.log,
        }
        .announce(args.json, !args.no_open);
    }

    /// Serves until a signal, then stops in the opposite order of the start.
    pub(super) async fn until_stopped(mut self) -> anyhow::Result<()> {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            ended = &mut self.serving => {
                ended.context("the server broke")?;
            }
        }
        info!("Stopping; agents run on in tmux");
        self.stop.cancel();
        if !self.serving.is_finished() && timeout(GRACE, &mut self.serving).await.is_err() {
            warn!("Some readers did not let go in time");
        }
        self.supervisor.shutdown().await;
        Ok(())
    }
}

/// Says to the other commands where the server is, for as long as it is there.
struct UrlFile(PathBuf);

impl UrlFile {
    fn write(state_dir: &Path, url: &str) -> anyhow::Result<Self> {
        let path = state_dir.join(URL_FILE);
        std::fs::write(&path, url)
            .with_context(|| format!("could not write {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for UrlFile {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok(); // Nobody believes it without the lock.
    }
}

/// A wildcard address is not one that a browser can open.
fn shown(address: std::net::SocketAddr) -> String {
    if address.ip().is_unspecified() {
        return format!("127.0.0.1:{}", address.port());
    }
    address.to_string()
}

/// What the tmux server itself needs. What an agent needs is given to its pane.
fn server_env() -> Vec<(String, String)> {
    const NEEDED: &[&str] = &["PATH", "HOME", "LANG", "LC_ALL", "USER", "SHELL", "TMPDIR"];
    let mut env = base_env(std::env::vars());
    env.retain(|(name, _)| NEEDED.contains(&name.as_str()));
    env
}

/// Two servers on one state folder would fight over every run.
fn lock_state(state_dir: &Path) -> anyhow::Result<File> {
    let path = state_dir.join("lock");
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)?;
    let free = rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    if free.is_err() {
        let mut pid = String::new();
        file.read_to_string(&mut pid).ok(); // It only makes the message better.
        let what = format!(
            "another seamux (pid {}) uses the state folder {}",
            if pid.trim().is_empty() { "unknown" } else { pid.trim() },
            state_dir.display()
        );
        return Err(Advice::new(what, "stop it first, or give this one its own --state-dir").into());
    }
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{}", std::process::id())?;
    Ok(file)
}

/// The token of this state folder, made at the first start.
fn token(state_dir: &Path) -> anyhow::Result<String> {
    let path = state_dir.join("token");
    match std::fs::read_to_string(&path) {
        Ok(token) if token.trim().len() >= 32 => return Ok(token.trim().to_owned()),
        Ok(_) => {
            let what = format!("{} does not hold a token", path.display());
            return Err(
                Advice::new(what, "remove the file; the next start makes a new token").into()
            );
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => {
            return Err(error).with_context(|| format!("could not read {}", path.display()));
        }
    }
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(token.as_bytes())?;
    Ok(token)
}

/// The log goes to a file, so that the terminal shows only what a person needs;
/// what is wrong goes to stderr too. `filter` is a level, or one like `seamux=debug`.
fn start_log(path: &Path, filter: &str) -> anyhow::Result<()> {
    use tracing_subscriber::prelude::*;
    use tracing_subscriber::{EnvFilter, fmt};
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .with_context(|| format!("could not write {}", path.display()))?;
    let filter = EnvFilter::try_new(filter).map_err(|error| {
        let what = format!("`{filter}` is no log filter: {error}");
        Advice::new(
            what,
            "say error, warn, info, debug or trace, or a filter like seamux=debug,warn",
        )
    })?;
    let registry = tracing_subscriber::registry().with(filter);
    registry
        .with(fmt::layer().with_ansi(false).with_writer(Arc::new(file)))
        .with(
            fmt::layer()
                .with_ansi(false)
                .with_writer(std::io::stderr)
                .with_filter(tracing_subscriber::filter::LevelFilter::WARN),
        )
        .try_init()
        .context("the log could not be started")
}
