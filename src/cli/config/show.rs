//! `seamux config`: what a server would run with, and where each value comes from.

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::SettingsArgs;
use super::super::ui::print;
use super::{Config, Layer, Origin, Sources};

#[derive(Args)]
pub(in crate::cli) struct ConfigArgs {
    #[command(flatten)]
    settings: SettingsArgs,
    /// Of `seamux demo`
    #[arg(long)]
    demo: bool,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Setting {
    name: String,
    value: Value,
    /// For programs: default, file, environment or flag.
    origin: &'static str,
    /// For people: the very file, variable or flag.
    from: String,
}

pub(in crate::cli) fn show(args: &ConfigArgs) -> anyhow::Result<()> {
    let name = if args.demo { "seamux-demo" } else { "seamux" };
    let sources = Sources::read(name, &args.settings)?;
    let config = sources.clone().merged().check()?;
    let all = settings(&config, &sources);
    if args.json {
        return print(&format!("{}\n", json!({ "settings": all })));
    }
    let width = all.iter().map(|it| it.line().chars().count()).filter(|it| *it < 60).max();
    let width = width.unwrap_or(0);
    let line = |it: &Setting| format!("{:width$}  # {}\n", it.line(), it.from);
    print(&all.iter().map(line).collect::<String>())
}

impl Setting {
    /// In the form of the file.
    fn line(&self) -> String {
        match &self.value {
            Value::Null => format!("# {} is not set", self.name),
            value => format!("{} = {value}", self.name),
        }
    }
}

fn settings(config: &Config, sources: &Sources) -> Vec<Setting> {
    let plain = [
        ("listen", json!(config.listen)),
        ("expose", json!(config.expose)),
        ("allow-hosts", json!(config.allow_hosts)),
        ("state-dir", json!(config.state_dir)),
        ("runtime-dir", json!(config.runtime_dir)),
        ("tmux-socket", json!(config.tmux_socket)),
        ("seed-dir", json!(config.seed_dir)),
        ("seed", json!(config.seed)),
        ("log", json!(config.log)),
    ];
    let plain = plain.into_iter().map(|(name, value)| {
        let (origin, from) = origin(name, sources);
        Setting { name: name.into(), value, origin, from }
    });
    let of_providers = config.providers.iter().flat_map(|(id, layer)| {
        let program = layer.program.iter().map(|it| ("program".to_owned(), json!(it)));
        let key = layer.api_key_file.iter().map(|it| ("api-key-file".to_owned(), json!(it)));
        // It may be a secret.
        let env = layer.env.keys().map(|name| (format!("env.{name}"), json!("(hidden)")));
        program
            .chain(key)
            .chain(env)
            .map(move |(name, value)| (format!("providers.{id}.{name}"), value))
    });
    let of_providers = of_providers.map(|(name, value)| {
        let (origin, from) = origin("providers", sources);
        Setting { name, value, origin, from }
    });
    plain.chain(of_providers).collect()
}

/// The last source that has it.
fn origin(name: &str, sources: &Sources) -> (&'static str, String) {
    let last = |name: &str| {
        let mut having = sources.layers.iter().filter(|(_, layer)| has(layer, name));
        having.next_back().map(|(origin, _)| origin)
    };
    match last(name) {
        Some(origin) => (origin.word(), origin.of(name)),
        // The sockets go along with the state.
        None if name == "runtime-dir" && last("state-dir").is_some() => {
            ("default", "with state-dir".into())
        }
        None => ("default", "default".into()),
    }
}

fn has(layer: &Layer, name: &str) -> bool {
    match serde_json::to_value(layer).unwrap_or_default().get(name) {
        None | Some(Value::Null) => false,
        Some(Value::Object(members)) => !members.is_empty(),
        Some(_) => true,
    }
}

impl Origin {
    fn word(&self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::Environment => "environment",
            Self::Flags => "flag",
        }
    }

    fn of(&self, name: &str) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Environment => format!("SEAMUX_{}", name.to_uppercase().replace('-', "_")),
            // The flag names one host, and the setting all of them.
            Self::Flags if name == "allow-hosts" => "--allow-host".into(),
            Self::Flags => format!("--{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_names_the_source_that_won() {
        let file = Layer::from_toml(
            "listen = \"127.0.0.1:1\"\nseed = false\n[providers.x]\nprogram = \"/p\"\n[providers.x.env]\nKEY = \"secret\"",
        );
        let env = Layer::from_env([("SEAMUX_LISTEN".into(), "127.0.0.1:2".into())]);
        let flags = Layer {
            allow_hosts: Some(vec!["a".into()]),
            state_dir: Some("/x".into()),
            ..Layer::default()
        };
        let sources = Sources {
            base: super::super::tests::base(),
            layers: [
                (Origin::File("/c.toml".into()), file.expect("a layer")),
                (Origin::Environment, env.expect("a layer")),
                (Origin::Flags, flags),
            ],
        };
        let all = settings(&sources.clone().merged(), &sources);
        let lines: Vec<_> = all.iter().map(|it| format!("{}  # {}", it.line(), it.from)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        listen = "127.0.0.1:2"  # SEAMUX_LISTEN
        expose = false  # default
        allow-hosts = ["a"]  # --allow-host
        state-dir = "/x"  # --state-dir
        runtime-dir = "/x/run"  # with state-dir
        tmux-socket = "seamux"  # default
        # seed-dir is not set  # default
        seed = false  # /c.toml
        log = "warn"  # default
        providers.x.program = "/p"  # /c.toml
        providers.x.env.KEY = "(hidden)"  # /c.toml
        "#);
    }
}
