//! Settings: defaults, then the file, then the environment, then flags.

pub(super) mod show;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use etcetera::{BaseStrategy, choose_base_strategy};
use serde::{Deserialize, Serialize};

use super::SettingsArgs;
use super::ui::Advice;

/// One source of settings. Each source has the same names and the same errors.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Layer {
    pub listen: Option<SocketAddr>,
    pub expose: Option<bool>,
    pub allow_hosts: Option<Vec<String>>,
    pub state_dir: Option<PathBuf>,
    pub runtime_dir: Option<PathBuf>,
    pub tmux_socket: Option<String>,
    /// A folder of instructions, skills and prompts for the folders of runs.
    pub seed_dir: Option<PathBuf>,
    /// Seeds every run that does not say otherwise.
    pub seed: Option<bool>,
    /// What is logged: a level, or a filter like `seamux=debug,warn`.
    pub log: Option<String>,
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderLayer>,
}

/// Settings of one provider.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct ProviderLayer {
    /// The program, instead of the one on the PATH.
    pub program: Option<PathBuf>,
    /// A file of the person's (mode 0600) that holds the key for the model, and nothing else.
    pub api_key_file: Option<PathBuf>,
    /// Given to the CLI; may hold secrets.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// What the server runs with.
#[derive(Clone, Debug)]
pub(super) struct Config {
    pub listen: SocketAddr,
    pub expose: bool,
    pub allow_hosts: Vec<String>,
    pub state_dir: PathBuf,
    pub runtime_dir: PathBuf,
    pub tmux_socket: String,
    pub seed_dir: Option<PathBuf>,
    pub seed: bool,
    pub log: String,
    pub providers: BTreeMap<String, ProviderLayer>,
}

impl Config {
    /// Reads nothing by itself: the caller brings the sources, later ones win.
    fn from_layers(base: Self, layers: impl IntoIterator<Item = Layer>) -> Self {
        let mut config = base;
        for layer in layers {
            config.listen = layer.listen.unwrap_or(config.listen);
            config.expose = layer.expose.unwrap_or(config.expose);
            config.allow_hosts = layer.allow_hosts.unwrap_or(config.allow_hosts);
            if let Some(state_dir) = layer.state_dir {
                // Two servers with different state never meet, so the sockets go along.
                config.runtime_dir = state_dir.join("run");
                config.state_dir = state_dir;
            }
            config.runtime_dir = layer.runtime_dir.unwrap_or(config.runtime_dir);
            config.tmux_socket = layer.tmux_socket.unwrap_or(config.tmux_socket);
            config.seed_dir = layer.seed_dir.or(config.seed_dir);
            config.seed = layer.seed.unwrap_or(config.seed);
            config.log = layer.log.unwrap_or(config.log);
            config.providers.extend(layer.providers);
        }
        config
    }

    /// `name` keeps the demo apart from real work in every folder.
    pub(super) fn load(name: &str, args: &SettingsArgs) -> anyhow::Result<Self> {
        Sources::read(name, args)?.merged().check()
    }

    fn check(self) -> anyhow::Result<Self> {
        let name = &self.tmux_socket;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.len() > 40 || !name.chars().all(is_plain) || name == "default" {
            let what = format!("`{name}` cannot name a private tmux server");
            return Err(
                Advice::new(what, "use letters, digits and dashes, and not `default`").into()
            );
        }
        if let Some(dir) = self.seed_dir.as_ref().filter(|it| !it.is_dir()) {
            let what = format!("there is no seed folder {}", dir.display());
            return Err(Advice::new(what, "make it, or leave seed-dir out").into());
        }
        if self.seed && self.seed_dir.is_none() {
            let what = "runs should be seeded, but there is no seed folder";
            return Err(Advice::new(what, "name it with --seed-dir, or leave seed out").into());
        }
        if !self.listen.ip().is_loopback() && !self.expose {
            let what = format!("{} can be reached from other machines", self.listen.ip());
            let next = "add --expose if that is what you want, and put TLS in front of it";
            return Err(Advice::new(what, next).into());
        }
        Ok(self)
    }
}

/// Where the settings come from; later ones win.
#[derive(Clone)]
struct Sources {
    base: Config,
    layers: [(Origin, Layer); 3],
}

#[derive(Clone, Debug)]
enum Origin {
    File(PathBuf),
    Environment,
    Flags,
}

impl Sources {
    fn read(name: &str, args: &SettingsArgs) -> anyhow::Result<Self> {
        let dirs = choose_base_strategy().context("there is no home folder")?;
        let state_home = dirs.state_dir().unwrap_or_else(|| dirs.data_dir());
        let state_dir = state_home.join(name);
        let runtime_dir = match dirs.runtime_dir() {
            Some(dir) => dir.join(name),
            None => state_dir.join("run"),
        };
        let base = Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7333)),
            expose: false,
            allow_hosts: Vec::new(),
            state_dir,
            runtime_dir,
            tmux_socket: name.to_owned(),
            seed_dir: None,
            seed: false,
            log: "seamux=info,warn".into(),
            providers: BTreeMap::new(),
        };
        let file = dirs.config_dir().join("seamux").join("config.toml");
        let layers = [
            (Origin::File(file.clone()), Layer::from_file(&file)?),
            (Origin::Environment, Layer::from_env(std::env::vars())?),
            (Origin::Flags, args.layer()),
        ];
        Ok(Self { base, layers })
    }

    fn merged(self) -> Config {
        Config::from_layers(self.base, self.layers.map(|(_, layer)| layer))
    }
}

impl Layer {
    fn from_file(path: &Path) -> anyhow::Result<Self> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::from_toml(&text).with_context(|| format!("{}", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("could not read {}", path.display())),
        }
    }

    fn from_toml(text: &str) -> anyhow::Result<Self> {
        Ok(toml::from_str(text)?)
    }

    /// `SEAMUX_TMUX_SOCKET=x` sets `tmux-socket`.
    fn from_env(vars: impl IntoIterator<Item = (String, String)>) -> anyhow::Result<Self> {
        let fields: serde_json::Map<String, serde_json::Value> = vars
            .into_iter()
            .filter(|(name, _)| !OTHERS.contains(&name.as_str()))
            .filter_map(|(name, value)| {
                let field = name.strip_prefix("SEAMUX_")?.to_lowercase().replace('_', "-");
                Some((field.clone(), typed(&field, value)))
            })
            .collect();
        serde_json::from_value(fields.into()).context("the environment (SEAMUX_*) is not valid")
    }
}

/// A variable is a text; some settings are something else.
fn typed(field: &str, value: String) -> serde_json::Value {
    match (field, value.as_str()) {
        ("expose" | "seed", "true" | "1") => true.into(),
        ("expose" | "seed", "false" | "0") => false.into(),
        ("allow-hosts", hosts) => {
            hosts.split(',').map(str::trim).filter(|it| !it.is_empty()).collect()
        }
        _ => value.into(),
    }
}

/// Names that are no settings of the server.
const OTHERS: &[&str] = &["SEAMUX_DEMO_CLI", "SEAMUX_TOKEN", "SEAMUX_URL"];

impl SettingsArgs {
    fn layer(&self) -> Layer {
        Layer {
            listen: self.listen,
            expose: self.expose.then_some(true),
            allow_hosts: Some(self.allow_hosts.clone()).filter(|it| !it.is_empty()),
            state_dir: self.state_dir.clone(),
            runtime_dir: self.runtime_dir.clone(),
            tmux_socket: self.tmux_socket.clone(),
            seed_dir: self.seed_dir.clone(),
            seed: self.seed.then_some(true),
            log: self.log.clone(),
            providers: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn base() -> Config {
        Config {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7333)),
            expose: false,
            allow_hosts: Vec::new(),
            state_dir: "/s".into(),
            runtime_dir: "/r".into(),
            tmux_socket: "seamux".into(),
            seed_dir: None,
            seed: false,
            log: "warn".into(),
            providers: BTreeMap::new(),
        }
    }

    #[test]
    fn a_later_layer_wins_and_sockets_go_with_the_state() {
        let file = Layer::from_toml("tmux-socket = \"a\"\nstate-dir = \"/x\"").expect("a layer");
        let env = Layer::from_env([("SEAMUX_TMUX_SOCKET".into(), "b".into())]).expect("a layer");
        let config = Config::from_layers(base(), [file, env]);
        assert_eq!(config.tmux_socket, "b");
        assert_eq!(config.runtime_dir, Path::new("/x/run"));
    }

    #[test]
    fn a_misspelt_setting_says_where_it_is_and_what_would_be_right() {
        let error =
            Layer::from_env([("SEAMUX_LISTN".into(), "127.0.0.1:1".into())]).expect_err("misspelt");
        insta::assert_snapshot!(format!("{error:#}"), @"the environment (SEAMUX_*) is not valid: unknown field `listn`, expected one of `listen`, `expose`, `allow-hosts`, `state-dir`, `runtime-dir`, `tmux-socket`, `seed-dir`, `seed`, `log`, `providers`");
    }

    #[test]
    fn a_variable_sets_what_is_no_text_too() {
        let vars = [("SEAMUX_EXPOSE", "true"), ("SEAMUX_ALLOW_HOSTS", "a.example, b.example")];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let layer = Layer::from_env(vars).expect("a layer");
        assert_eq!(layer.expose, Some(true));
        assert_eq!(layer.allow_hosts, Some(vec!["a.example".into(), "b.example".into()]));
    }

    #[test]
    fn an_address_that_others_can_reach_needs_a_word() {
        let open = Config { listen: "0.0.0.0:7333".parse().expect("an address"), ..base() };
        let error = open.clone().check().expect_err("refused");
        assert_eq!(error.to_string(), "0.0.0.0 can be reached from other machines");
        assert!(Config { expose: true, ..open }.check().is_ok());
    }

    #[test]
    fn the_default_tmux_server_of_a_person_is_never_used() {
        for name in ["default", "", "a/b", "x y"] {
            assert!(Config { tmux_socket: name.into(), ..base() }.check().is_err(), "{name}");
        }
    }
}
