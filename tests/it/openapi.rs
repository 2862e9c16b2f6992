//! The document of the API: the snapshot of it, and that it holds every route.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::house::{House, repo};

const RENEW: &str = "`make api` writes docs/openapi.json and the page's types anew";

#[test]
fn the_document_is_served_to_everybody_and_its_snapshot_is_fresh() {
    let house = House::serve(|_| {});
    let served = house.send("GET", "/api/openapi.json", None, &[]);
    assert_eq!(served.status, 200);
    assert_eq!(served.body["openapi"], "3.1.0");
    let kept = std::fs::read_to_string(repo().join("docs/openapi.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert!(kept == served.body, "docs/openapi.json is stale; {RENEW}");
}

/// `routes!` takes the route from the handler that is documented; `route` would
/// make one that no document knows.
#[test]
fn every_route_is_made_from_its_documented_handler() {
    let allowed = [".route(\"/api/{*rest}\", get(no_such_route))"];
    let mut findings = Vec::new();
    let mut folders = vec![repo().join("src/http")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let made = text.lines().map(str::trim).filter(|it| {
                [".route(", ".route_service(", ".nest_service("].iter().any(|way| it.contains(way))
            });
            findings.extend(
                made.filter(|it| !allowed.contains(it)).map(|it| {
                    format!("{}: `{it}`: say `.routes(routes!(HANDLER))`", path.display())
                }),
            );
        }
    }
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn every_operation_in_the_document_is_there_and_needs_what_it_says() {
    let house = House::serve(|_| {});
    let document = house.send("GET", "/api/openapi.json", None, &[]).body;
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name), "two operations are called {name}");
            assert!(operation["summary"].is_string(), "{name} says nothing about itself");
            let url = path.replace(['{', '}'], "");
            let answer = house.send(&method.to_uppercase(), &url, None, &[]);
            let is_open = operation["security"] == serde_json::json!([{}]);
            assert_ne!(answer.status, 405, "{method} {path}");
            assert!(answer.body["code"] != "not_found", "{method} {path}");
            assert_eq!(
                answer.body["code"] == "unauthorized",
                !is_open,
                "{method} {path} {answer:?}"
            );
        }
    }
    assert!(names.len() > 20, "{names:?}");
}

/// Those of a change stand in the document as titles.
#[test]
fn the_names_of_the_events_are_those_of_the_stream() {
    let document: Value = serde_json::from_str(&seamux::http::document()).unwrap();
    let shapes = document["components"]["schemas"]["Change"]["oneOf"].as_array().unwrap();
    let titles: BTreeSet<&str> = shapes.iter().map(|it| it["title"].as_str().unwrap()).collect();
    let source = std::fs::read_to_string(repo().join("src/schema/event.rs")).unwrap();
    let names =
        source.lines().filter_map(|it| it.trim().strip_prefix("Self::")?.split_once("=> \""));
    let names: BTreeSet<&str> = names.filter_map(|(_, it)| it.split('"').next()).collect();
    assert_eq!(titles, names);
}
