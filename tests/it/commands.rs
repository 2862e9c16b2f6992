//! Slash commands of a CLI that does not list its own, and of one that was replaced.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::house::House;

/// Asked for its commands, it notes that it was asked, and says something else.
const SCRIPT: &str = r#"#!/bin/sh
case "$*" in
*--version*) echo "2.1.198 (Claude Code)" ;;
*stream-json*) echo "$HOME $PWD" >> "$(dirname "$0")/asked"; echo "Error: unknown option"; exit 1 ;;
*) exec sleep 600 ;;
esac
"#;

fn house() -> House {
    let mut house = House::serve(|it| {
        let program = it.home.join("claude");
        fs::write(&program, SCRIPT).unwrap();
        fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).unwrap();
        let config = it.home.join(".config/seamux");
        fs::create_dir_all(&config).unwrap();
        let program = program.to_str().unwrap();
        let text = format!("[providers.claude-code]\nprogram = {program:?}\n");
        fs::write(config.join("config.toml"), text).unwrap();
    });
    let cwd = house.dir.path().join("work");
    fs::create_dir_all(cwd.join(".claude/commands")).unwrap();
    fs::write(cwd.join(".claude/commands/ship.md"), "Ships it\n").unwrap();
    house.start_run(&json!({ "provider": "claude-code", "cwd": cwd }));
    house
}

fn listed(house: &House, query: &str) -> Vec<Value> {
    let answer = house.get(&house.run_path(&format!("/commands{query}")));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["commands"].as_array().unwrap().clone()
}

fn has(commands: &[Value], name: &str) -> bool {
    commands.iter().any(|it| it["name"] == name)
}

#[test]
fn the_table_of_its_version_and_the_files_stand_in_and_it_is_not_asked_each_time() {
    let house = house();
    let all = listed(&house, "?all=true");
    // What 2.1.198 has and later ones have not, and the other way round.
    assert!(has(&all, "review") && has(&all, "agents") && !has(&all, "bug"));
    assert!(has(&all, "ship") && has(&listed(&house, ""), "clear"));
    assert!(!has(&listed(&house, ""), "model"));
    assert!(house.log().contains("did not list its commands"), "{}", house.log());

    let home = house.dir.path().join("home");
    let asked = fs::read_to_string(home.join("asked")).unwrap();
    assert_eq!(asked.lines().count(), 1, "{asked}");
    // In a home and a folder of its own, which are gone again.
    let places: Vec<_> = asked.split_whitespace().map(Path::new).collect();
    assert!(places.iter().all(|it| !it.exists() && !it.starts_with(&home)), "{asked}");
}

#[test]
fn a_run_that_has_ended_and_one_that_never_was() {
    let house = house();
    house.post(&house.run_path("/stop"), &json!({ "force": true }));
    house.until("the end", |it| it.state() == "ended");
    assert!(has(&listed(&house, ""), "ship"));
    let nobody = house.get("/api/v1/runs/r-nobody/commands");
    assert_eq!((nobody.status, &nobody.body["code"]), (404, &json!("run_not_found")));
    let odd = house.get(&house.run_path("/commands?all=perhaps"));
    assert_eq!((odd.status, &odd.body["code"]), (400, &json!("invalid_query")));
}
