//! The running server, as the commands that talk to it see it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::Value;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};

use super::super::SettingsArgs;
use super::super::config::Config;
use super::super::ui::Advice;

/// Where a server that runs writes down how it is reached.
pub(in super::super) const URL_FILE: &str = "url";

const CONNECT: Duration = Duration::from_secs(5);
/// A start of a run takes a moment; nothing takes longer than this.
const ANSWER: Duration = Duration::from_secs(120);

/// Which server is meant.
#[derive(Args, Clone, Default)]
pub(in super::super) struct ServerArgs {
    /// The state folder of the server, if it is not the usual one
    #[arg(long, value_name = "DIR")]
    pub(super) state_dir: Option<PathBuf>,
    /// The server of `seamux demo`
    #[arg(long)]
    pub(super) demo: bool,
    /// A server elsewhere; its token is read from SEAMUX_TOKEN
    #[arg(long, env = "SEAMUX_URL", value_name = "URL", conflicts_with = "demo")]
    pub(super) url: Option<String>,
}

impl ServerArgs {
    pub(in super::super) fn of_state(state_dir: PathBuf) -> Self {
        Self { state_dir: Some(state_dir), ..Self::default() }
    }
}

/// A server, and what opens it.
pub(in super::super) struct Server {
    url: String,
    token: String,
    agent: Agent,
}

impl Server {
    pub(in super::super) fn find(args: &ServerArgs) -> anyhow::Result<Self> {
        let (url, token) = match &args.url {
            Some(url) if url.starts_with("https:") => {
                let next =
                    "reach it through a tunnel, such as ssh -L, and give the address of that";
                bail!(Advice::new("the command line speaks no TLS", next));
            }
            Some(url) => (url.trim_end_matches('/').to_owned(), token_elsewhere()?),
            None => local(args)?,
        };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(ANSWER))
            .build()
            .new_agent();
        Ok(Self { url, token, agent })
    }

    pub(in super::super) fn url(&self) -> &str {
        &self.url
    }

    pub(in super::super) fn get(&self, path: &str) -> anyhow::Result<Value> {
        self.send("GET", path, None)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> anyhow::Result<Value> {
        self.send("POST", path, Some(body))
    }

    /// An answer that never ends by itself.
    pub(super) fn open(&self, path: &str) -> anyhow::Result<Body> {
        let response = self.call("GET", path, None)?;
        if response.status().is_success() {
            return Ok(response.into_body());
        }
        Err(refused(response).into())
    }

    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let mut response = self.call(method, path, body)?;
        if !response.status().is_success() {
            return Err(refused(response).into());
        }
        let text = response.body_mut().with_config().limit(256 << 20).read_to_string();
        let text = text.with_context(|| format!("the answer of {} broke off", self.url))?;
        match text.trim() {
            "" => Ok(Value::Null),
            text => serde_json::from_str(text).map_err(|_| self.is_another()),
        }
    }

    fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Response<Body>> {
        let request = Request::builder()
            .method(method)
            .uri(format!("{}/api/v1{path}", self.url))
            .header("authorization", format!("Bearer {}", self.token));
        let sent = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                self.agent.run(request.body(body.to_string()).map_err(|_| self.no_address())?)
            }
            None => self.agent.run(request.body(()).map_err(|_| self.no_address())?),
        };
        sent.map_err(|error| {
            let what = format!("no server answers at {}: {error}", self.url);
            Advice::new(what, "start it with `seamux serve`, or name another one with --url").into()
        })
    }

    fn no_address(&self) -> anyhow::Error {
        let next = "give it like http://127.0.0.1:7333";
        Advice::new(format!("`{}` is not the address of a server", self.url), next).into()
    }

    fn is_another(&self) -> anyhow::Error {
        let next = "check the address; `seamux serve` prints its own";
        Advice::new(format!("what answers at {} is no seamux", self.url), next).into()
    }
}

fn token_elsewhere() -> anyhow::Result<String> {
    let token = std::env::var("SEAMUX_TOKEN").ok().filter(|it| !it.trim().is_empty());
    let token = token.ok_or_else(|| {
        let next = "set SEAMUX_TOKEN to what stands in the file `token` of its state folder";
        Advice::new("a server elsewhere needs its token", next)
    })?;
    Ok(token.trim().to_owned())
}

/// The server of a state folder on this machine. Its token is given to nobody else: a
/// port that it left may be somebody's by now.
fn local(args: &ServerArgs) -> anyhow::Result<(String, String)> {
    let name = if args.demo { "seamux-demo" } else { "seamux" };
    let settings = SettingsArgs { state_dir: args.state_dir.clone(), ..SettingsArgs::default() };
    let state = Config::load(name, &settings)?.state_dir;
    let start = if args.demo { "seamux demo" } else { "seamux serve" };
    let url = std::fs::read_to_string(state.join(URL_FILE)).ok();
    let url = url.filter(|_| is_running(&state)).ok_or_else(|| {
        let what = format!("no server is running with the state folder {}", state.display());
        Advice::new(what, format!("start it with `{start}`, or name another one with --state-dir"))
    })?;
    let path = state.join("token");
    let token = std::fs::read_to_string(&path);
    let token = token.with_context(|| format!("could not read {}", path.display()))?;
    Ok((url.trim().to_owned(), token.trim().to_owned()))
}

/// A server holds the lock of its state folder for as long as it lives.
pub(in super::super) fn is_running(state: &Path) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let Ok(lock) = File::open(state.join("lock")) else { return false };
    flock(&lock, FlockOperation::NonBlockingLockShared).is_err()
}

/// The server's own words for why it did not do it.
fn refused(mut response: Response<Body>) -> Advice {
    let status = response.status();
    let text = response.body_mut().read_to_string().unwrap_or_default();
    let problem: Value = serde_json::from_str(&text).unwrap_or_default();
    let words = |name: &str| problem[name].as_str().map(str::to_owned);
    let detail = words("detail").unwrap_or_else(|| format!("the server answered {status}"));
    let next = words("hint").unwrap_or_else(|| match problem["code"].as_str() {
        Some(code) => format!("docs/api.md says more about `{code}`"),
        None => "look into the server's log".to_owned(),
    });
    Advice::new(detail.trim_end_matches('.'), next)
}

/// A text as a part of an address.
pub(super) fn encode(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let encoded = text.bytes().map(|it| match it {
        it if plain(it) => char::from(it).to_string(),
        it => format!("%{it:02X}"),
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_part_of_an_address() {
        assert_eq!(encode("r-1/ä ?"), "r-1%2F%C3%A4%20%3F");
    }
}
