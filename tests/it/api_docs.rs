//! docs/api.md says what is: its examples run, and no route and no code is missing.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::house::{House, repo};

fn text() -> String {
    std::fs::read_to_string(repo().join("docs/api.md")).unwrap()
}

/// Every command of the examples, and the status that it should be answered with
/// where a comment names another one than success.
fn commands(text: &str) -> Vec<(String, Option<u16>)> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|it| it.split("\n```").next());
    let mut commands = Vec::new();
    for block in blocks {
        for line in block.replace("\\\n", " ").lines() {
            let (command, comment) = line.split_once(" # ").unwrap_or((line, ""));
            let status: String = comment.chars().take_while(char::is_ascii_digit).collect();
            commands.push((command.to_owned(), status.parse().ok()));
        }
    }
    commands
}

#[test]
fn every_example_runs_as_it_stands() {
    let house = House::demo();
    let commands = commands(&text());
    assert!(commands.len() > 12, "the examples were not found");
    for (command, expected) in commands {
        assert!(command.starts_with("curl -s"), "not an example that can be tried: {command}");
        let tried = command.replacen("curl", "curl -o answer -w '%{http_code}'", 1);
        let output = Command::new("/bin/sh")
            .args(["-c", &tried])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .envs([("URL", &house.url), ("TOKEN", &house.token), ("RUN", &house.run)])
            .current_dir(house.dir.path())
            .output()
            .unwrap();
        let status: u16 = String::from_utf8_lossy(&output.stdout).parse().unwrap_or(0);
        let answer = std::fs::read_to_string(house.dir.path().join("answer")).unwrap_or_default();
        let is_right = expected.map_or((200..300).contains(&status), |it| it == status);
        assert!(is_right, "{command}\n{status} {answer}");
    }
}

#[test]
fn every_route_of_the_document_is_in_the_text() {
    let text = text();
    let document: Value = serde_json::from_str(&seamux::http::document()).unwrap();
    let mut missing = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let name = format!("`{} {path}", method.to_uppercase());
            let stands = text.match_indices(&name).any(|(at, _)| {
                let next = text[at + name.len()..].chars().next();
                next.is_some_and(|it| "`? ".contains(it))
            });
            if !stands {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "docs/api.md does not say: {missing:#?}");
}

/// The codes that `http` and `runs` make by name.
#[test]
fn every_code_is_in_the_table() {
    let text = text();
    let known: BTreeSet<&str> = text
        .lines()
        .filter(|it| it.starts_with("| `"))
        .flat_map(|it| it.split('`').skip(1).step_by(2))
        .collect();
    let mut missing = Vec::new();
    for entry in std::fs::read_dir(repo().join("src/http")).unwrap() {
        let source = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        for after in source.split("StatusCode::").skip(1) {
            let Some((_, rest)) = after.split_once('"') else { continue };
            let (code, _) = rest.split_once('"').unwrap();
            let is_code = code.chars().all(|it| it.is_ascii_lowercase() || it == '_');
            // The code is the next argument, and nothing else stands between.
            let between = after.split('"').next().unwrap();
            let is_next = between.chars().filter(|it| !it.is_whitespace()).count() < 25
                && between.trim_end().ends_with(',');
            if is_code && is_next && !code.is_empty() && !known.contains(code) {
                missing.push(code.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "docs/api.md lists no {missing:#?}");
}
