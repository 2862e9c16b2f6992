//! `seamux doctor`, on a healthy machine and on one that lacks something.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::{Said, command};
use crate::house::{House, pinned_cli, pinned_version};

fn check<'v>(found: &'v Value, name: &str) -> &'v Value {
    let all = found["checks"].as_array().unwrap();
    all.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name}: {found}"))
}

/// A home with the real CLI in it.
fn home() -> tempfile::TempDir {
    let home = tempfile::Builder::new().prefix("sx").tempdir().unwrap();
    let config = home.path().join(".config/seamux");
    fs::create_dir_all(&config).unwrap();
    let program = pinned_cli().display().to_string();
    fs::write(
        config.join("config.toml"),
        format!("[providers.claude-code]\nprogram = {program:?}\n"),
    )
    .unwrap();
    home
}

fn examined(command: &mut std::process::Command) -> (Option<i32>, Value) {
    let said = Said::of(&command.output().unwrap());
    let found = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{said:?}"));
    (said.code, found)
}

#[test]
fn on_a_healthy_machine_everything_was_really_tried() {
    let home = home();
    let (code, found) = examined(&mut command(home.path(), &["doctor", "--json"]));
    assert_eq!((code, &found["ok"]), (Some(0), &true.into()), "{found}");
    let detail = |name: &str| check(&found, name)["detail"].as_str().unwrap().to_owned();
    assert!(detail("tmux").contains("text typed by us arrives"), "{found}");
    assert!(detail("claude-code").contains(&pinned_version()), "{found}");
    assert!(detail("hooks").contains("a signal arrives"), "{found}");
    assert!(detail("inotify").contains("files are watched"), "{found}");
    assert!(detail("server").contains("none is running"), "{found}");
    // What it made to try things is gone again.
    let state = home.path().join(".local/state/seamux");
    assert_eq!(fs::read_dir(state.join("run")).unwrap().count(), 0);
    let lines = Said::of(&command(home.path(), &["doctor"]).output().unwrap()).done();
    assert!(lines.lines().count() >= 8 && lines.contains("ok       tmux"), "{lines}");
}

#[test]
fn what_is_wrong_fails_with_what_to_do() {
    let home = home();
    let state = home.path().join(".local/state/seamux");
    fs::create_dir_all(&state).unwrap();
    fs::set_permissions(&state, PermissionsExt::from_mode(0o755)).unwrap();
    fs::remove_file(home.path().join(".config/seamux/config.toml")).unwrap();
    let mut doctor = command(home.path(), &["doctor", "--json"]);
    let (code, found) = examined(doctor.env("PATH", "/nowhere"));
    assert_eq!((code, &found["ok"]), (Some(1), &false.into()), "{found}");
    for (name, status, hint) in [
        ("tmux", "failed", "install"),
        ("claude-code", "failed", "npm install"),
        ("git", "warning", "worktrees"),
        ("state folder", "failed", "chmod 700"),
    ] {
        let it = check(&found, name);
        assert_eq!(it["status"], status, "{it}");
        assert!(it["hint"].as_str().unwrap().contains(hint), "{it}");
    }
}

#[test]
fn a_version_that_nobody_tested_is_a_warning_and_no_failure() {
    let home = home();
    let cli = home.path().join("cli");
    fs::write(&cli, "#!/bin/sh\necho '9.9.9 (Claude Code)'\n").unwrap();
    fs::set_permissions(&cli, PermissionsExt::from_mode(0o755)).unwrap();
    let text = format!("[providers.claude-code]\nprogram = {:?}\n", cli.to_str().unwrap());
    fs::write(home.path().join(".config/seamux/config.toml"), text).unwrap();
    let (code, found) = examined(&mut command(home.path(), &["doctor", "--json"]));
    assert_eq!(code, Some(0), "{found}");
    let it = check(&found, "claude-code");
    assert_eq!(it["status"], "warning");
    assert!(it["hint"].as_str().unwrap().contains("2.1.332"), "{it}");
}

#[test]
fn a_server_that_runs_is_asked() {
    let house = House::serve(|_| {});
    let (_, found) = examined(&mut super::beside(&house, &["doctor", "--json"]));
    let it = check(&found, "server");
    assert_eq!(it["status"], "ok", "{it}");
    assert!(it["detail"].as_str().unwrap().contains(&house.url), "{it}");
}
