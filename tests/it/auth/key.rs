//! A key for the model, kept in a file of the person's.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::json;

use super::{SCRIPT, configure, home, path, refused};
use crate::house::{Furnish, House, pinned_cli};

const FIRST: &str = "sk-ant-first-0123456789abcdefghij";
const SECOND: &str = "sk-ant-second-0123456789abcdefghij";

fn write_key(path: &PathBuf, key: &str, mode: u32) {
    fs::write(path, format!("{key}\n")).unwrap();
    fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

fn with_key(it: &Furnish<'_>, program: &std::path::Path) {
    let key = it.home.join("key");
    write_key(&key, FIRST, 0o600);
    let env = "[providers.claude-code.env]\nHTTPS_PROXY = \"http://127.0.0.1:9\"\n";
    configure(it.home, program, &format!("api-key-file = {:?}\n{env}", key.to_str().unwrap()));
}

fn with_stand_in(it: &mut Furnish<'_>) {
    let program = it.home.join("claude");
    fs::write(&program, SCRIPT).unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
    with_key(it, &program);
}

/// What the CLI of the run was given to read.
fn given(house: &House) -> (String, u32) {
    let file = house.dir.path().join("state/runs").join(&house.run).join("settings.json");
    let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    (fs::read_to_string(file).unwrap(), mode)
}

#[test]
fn a_run_is_given_the_key_of_the_moment_and_nobody_else_sees_it() {
    let mut house = House::serve(with_stand_in);
    let cwd = house.dir.path().to_owned();
    let new = json!({ "provider": "claude-code", "cwd": cwd });
    house.start_run(&new);
    let (text, mode) = given(&house);
    assert!(text.contains(FIRST), "the run has no key");
    assert_eq!(mode, 0o600);

    write_key(&home(&house).join("key"), SECOND, 0o600);
    house.start_run(&new);
    assert!(given(&house).0.contains(SECOND), "the run has an old key");

    let pid = house.tmux(&["display-message", "-p", "-t", &house.pane(), "#{pane_pid}"]);
    let arguments = fs::read(format!("/proc/{}/cmdline", pid.trim())).unwrap();
    let mut seen = String::from_utf8_lossy(&arguments).into_owned();
    for path in [
        "/api/v1/providers",
        "/api/v1/runs",
        &house.run_path("/messages"),
        &house.run_path("/audit"),
    ] {
        seen += &house.get(path).body.to_string();
    }
    seen += &house.log();
    for entry in fs::read_dir(house.dir.path().join("state")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            seen += &String::from_utf8_lossy(&fs::read(path).unwrap());
        }
    }
    assert!(!seen.contains("0123456789abcdefghij"), "the key is to be seen");

    let providers = house.get("/api/v1/providers").body;
    let auth = &providers["providers"][0]["auth"];
    let file = home(&house).join("key").display().to_string();
    assert_eq!((&auth["kind"], &auth["credential_ref"]), (&json!("api_key"), &json!(file)));
}

#[test]
fn a_key_that_others_can_read_or_that_is_none_starts_nothing() {
    let house = House::serve(with_stand_in);
    let new = json!({ "provider": "claude-code", "cwd": house.dir.path() });
    let key = home(&house).join("key");
    for (text, mode, reason) in [
        (FIRST, 0o640, "can read the key file"),
        ("two words", 0o600, "one key"),
        ("", 0o600, "one key"),
    ] {
        write_key(&key, text, mode);
        let answer = house.post("/api/v1/runs", &new);
        refused(&answer, 422, "api_key_unusable");
        assert!(answer.body["detail"].as_str().unwrap().contains(reason), "{}", answer.body);
        assert!(answer.body["hint"].is_string() && answer.body["field"] == "provider");
    }
    fs::remove_file(&key).unwrap();
    refused(&house.post("/api/v1/runs", &new), 422, "api_key_unusable");
    assert_eq!(house.get("/api/v1/runs").body["runs"], json!([]));
}

#[test]
fn the_real_cli_says_that_it_has_the_key() {
    let house = House::serve(|it| with_key(it, &pinned_cli()));
    let now = house.get(&path("status"));
    assert_eq!(now.body["method"], "api_key", "{}", now.body);
}
