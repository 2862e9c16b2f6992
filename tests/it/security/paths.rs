//! Names that would lead to files, if anybody joined them to a folder.

use std::os::unix::fs::symlink;

use serde_json::json;

use crate::house::House;
use crate::stand_in::StandIn;

use super::{code, house, raw};

const LEADING_OUT: &[&str] = &[
    "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "..",
    "%2e%2e",
    "..%5c..%5cx",
    "a%00b",
    "%ff%fe",
    "*",
];

#[test]
fn no_id_is_ever_a_path() {
    let stand_in = StandIn::start();
    let house = &stand_in.house;
    for name in LEADING_OUT {
        let bearer = house.bearer();
        for path in [
            format!("/api/v1/runs/{name}"),
            format!("/api/v1/runs/{name}/messages"),
            format!("/api/v1/runs/{name}/audit"),
            house.run_path(&format!("/receipts/{name}")),
            house.run_path(&format!("/messages/{name}")),
            house.run_path(&format!("/messages?epoch={name}")),
            house.run_path(&format!("/subagents/{name}/messages")),
            house.run_path(&format!("/subagents/{name}/messages/0.0")),
        ] {
            let request = format!(
                "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {bearer}\r\nConnection: close\r\n\r\n"
            );
            let answer = raw(house, &request);
            let refused = answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400");
            assert!(refused && !answer.contains("root:"), "{path}: {answer}");
            assert!(answer.contains("application/problem+json"), "{path}: {answer}");
        }
    }
    let adopted = house.post(
        "/api/v1/adopt",
        &json!({ "provider": "claude-code", "native_id": "../../../etc/passwd" }),
    );
    assert_eq!(code(&adopted), (404, "session_not_found"));
}

#[test]
fn the_page_serves_its_own_files_and_none_above_them() {
    let house = house();
    for path in [
        "/../../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/../../../Cargo.toml",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/./../../Cargo.toml",
        "/index.html%00.js",
    ] {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let answer = raw(&house, &request);
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        assert!(!answer.contains("[package]") && !answer.contains("root:"), "{path}: {answer}");
    }
}

fn refused(house: &House, cwd: &str) -> (u16, String) {
    let answer = house.post("/api/v1/runs", &json!({ "provider": "claude-code", "cwd": cwd }));
    assert_eq!(answer.body["field"], "cwd", "{cwd}: {answer:?}");
    (answer.status, answer.body["code"].as_str().unwrap().to_owned())
}

#[test]
fn a_folder_that_plays_tricks_is_refused_at_its_field() {
    let house = house();
    let dir = house.dir.path();
    symlink(dir.join("circle"), dir.join("circle")).unwrap();
    symlink("/etc/hostname", dir.join("file")).unwrap();
    symlink("/no/such/place", dir.join("nowhere")).unwrap();
    let at = |name: &str| dir.join(name).display().to_string();
    for (cwd, expected) in [
        (at("circle"), "folder_unreadable"),
        (at("file"), "not_a_folder"),
        (at("nowhere"), "folder_missing"),
        ("/tmp/\0/x".into(), "folder_unreadable"),
        (format!("/{}", "a".repeat(10_000)), "folder_unreadable"),
        ("../..".into(), "folder_not_absolute"),
        ("~root".into(), "folder_not_absolute"),
        (String::new(), "folder_not_absolute"),
        ("file:///tmp".into(), "folder_not_absolute"),
        ("/proc/self/mem".into(), "not_a_folder"),
    ] {
        assert_eq!(refused(&house, &cwd), (422, expected.to_owned()), "{cwd:?}");
    }
}

#[test]
fn a_run_is_told_the_folder_that_it_really_works_in() {
    let mut stand_in = StandIn::start();
    let house = &mut stand_in.house;
    let real = house.dir.path().canonicalize().unwrap().join("real");
    std::fs::create_dir_all(real.join("sub")).unwrap();
    symlink(&real, house.dir.path().join("link")).unwrap();
    let cwd = house.dir.path().join("link/sub/../sub/.");
    let run = house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    assert_eq!(run["cwd"], json!(real.join("sub")));
}
