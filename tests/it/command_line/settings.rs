//! `seamux config`: flags over the environment over the file over defaults.

use std::fs;

use serde_json::Value;

use super::{Said, alone, command};

fn of(settings: &Value, name: &str) -> (Value, String) {
    let all = settings["settings"].as_array().unwrap();
    let it = all.iter().find(|it| it["name"] == name).unwrap();
    (it["value"].clone(), it["origin"].as_str().unwrap().to_owned())
}

#[test]
fn each_value_says_where_it_comes_from_and_secrets_stay_hidden() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".config/seamux");
    fs::create_dir_all(&config).unwrap();
    let text = "listen = \"127.0.0.1:1111\"\ntmux-socket = \"mine\"\nexpose = true\n\
                [providers.claude-code]\nprogram = \"/opt/cli\"\n[providers.claude-code.env]\nKEY = \"very-secret\"\n";
    fs::write(config.join("config.toml"), text).unwrap();
    let mut shown = command(home.path(), &["config", "--json", "--tmux-socket", "flagged"]);
    shown.env("SEAMUX_LISTEN", "127.0.0.1:2222").env("SEAMUX_TMUX_SOCKET", "named");
    let said = Said::of(&shown.output().unwrap());
    assert!(!said.out.contains("very-secret"), "{}", said.out);
    let settings = said.json();
    for (name, value, origin) in [
        ("listen", "127.0.0.1:2222", "environment"),
        ("tmux-socket", "flagged", "flag"),
        ("providers.claude-code.program", "/opt/cli", "file"),
        ("providers.claude-code.env.KEY", "(hidden)", "file"),
    ] {
        assert_eq!(of(&settings, name), (value.into(), origin.to_owned()), "{name}");
    }
    assert_eq!(of(&settings, "expose"), (true.into(), "file".to_owned()));
    assert_eq!(of(&settings, "seed"), (false.into(), "default".to_owned()));

    let lines = alone(home.path(), &["config", "--state-dir", "/x"]).done();
    assert!(lines.contains("state-dir = \"/x\""), "{lines}");
    assert!(
        lines.lines().any(
            |it| it.starts_with("runtime-dir = \"/x/run\"") && it.ends_with("# with state-dir")
        ),
        "{lines}"
    );
    assert!(lines.contains(&config.join("config.toml").display().to_string()), "{lines}");
    assert!(lines.contains("# seed-dir is not set"), "{lines}");
}

#[test]
fn what_is_not_valid_is_said_with_its_place() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".config/seamux");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "listn = \"127.0.0.1:1\"\n").unwrap();
    let said = alone(home.path(), &["config"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("config.toml") && said.err.contains("listn"), "{}", said.err);
}
