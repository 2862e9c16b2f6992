//! The program under test, and the real CLI that it runs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// Starts the program and waits for its one line.
pub(super) fn start(
    arguments: &[String],
    environment: &BTreeMap<String, String>,
    dir: &Path,
) -> (Child, Value) {
    let stderr =
        std::fs::File::options().append(true).create(true).open(dir.join("stderr")).unwrap();
    let mut server = Command::new(program())
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let Ok(ready) = serde_json::from_str(&line) else {
        server.kill().ok();
        let stderr = std::fs::read_to_string(dir.join("stderr")).unwrap();
        panic!("the server did not come up\n{stderr}");
    };
    (server, ready)
}

/// Runs the program to its end, in an empty environment but for `environment`.
pub(crate) fn run_once(arguments: &[&str], environment: &[(&str, &str)]) -> std::process::Output {
    Command::new(program())
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The program under test: the one that cargo built, or another build of it.
pub(crate) fn program() -> PathBuf {
    let other = std::env::var_os("SEAMUX_TEST_PROGRAM");
    other.map_or_else(|| env!("CARGO_BIN_EXE_seamux").into(), Into::into)
}

pub(crate) fn repo() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The pinned CLI that `make setup` installed: the one that the demo runs, or
/// the newest one that we know, with `SEAMUX_TEST_CLI=newest`.
pub(crate) fn pinned_cli() -> PathBuf {
    let platform = if cfg!(target_arch = "aarch64") { "linux-arm64" } else { "linux-x64" };
    let modules = match std::env::var("SEAMUX_TEST_CLI").as_deref() {
        Err(_) | Ok("pinned") => "compat/node_modules",
        Ok("newest") => "compat/node_modules/claude-code-newest/node_modules",
        Ok(other) => panic!("SEAMUX_TEST_CLI is {other}; it may be pinned or newest"),
    };
    let package = repo().join(modules).join(format!("@anthropic-ai/claude-code-{platform}"));
    let program = package.join("claude");
    assert!(program.is_file(), "{} is missing; `make setup` installs it", program.display());
    program
}

/// The version of [`pinned_cli`].
pub(crate) fn pinned_version() -> String {
    let package = pinned_cli().with_file_name("package.json");
    let package: Value = serde_json::from_slice(&std::fs::read(package).unwrap()).unwrap();
    package["version"].as_str().unwrap().to_owned()
}
