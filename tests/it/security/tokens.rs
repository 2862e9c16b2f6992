//! Named tokens: what they open, what they do not, and how they end.

use serde_json::{Value, json};

use crate::house::House;
use crate::stand_in::StandIn;

use super::entry::sign_in_with;
use super::{JSON, code, house, operations};

fn make(house: &House, name: &str, scope: &str) -> Value {
    let answer = house.post("/api/v1/tokens", &json!({ "name": name, "scope": scope }));
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.body
}

fn bearer(made: &Value) -> String {
    format!("Bearer {}", made["token"].as_str().unwrap())
}

fn listed(house: &House) -> Vec<Value> {
    house.get("/api/v1/tokens").body["tokens"].as_array().unwrap().clone()
}

#[test]
fn a_token_is_kept_as_a_hash_and_survives_a_restart() {
    let mut house = house();
    let made = make(&house, "laptop", "full");
    let secret = made["token"].as_str().unwrap().to_owned();
    assert!(secret.len() >= 64);
    assert!(listed(&house)[0].get("token").is_none(), "it is told once");
    assert!(listed(&house)[0].get("last_used_at").is_none());

    house.kill_server();
    for entry in std::fs::read_dir(house.dir.path().join("state")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&secret), "{} holds the secret", path.display());
    }
    house.start_again();
    let with = [("authorization", bearer(&made))];
    let with = [(with[0].0, with[0].1.as_str())];
    assert_eq!(house.send("GET", "/api/v1/runs", None, &with).status, 200);
    let listed = listed(&house);
    assert_eq!((&listed[0]["name"], &listed[0]["scope"]), (&json!("laptop"), &json!("full")));
    assert!(listed[0]["last_used_at"].is_string(), "{listed:?}");
}

#[test]
fn a_read_only_token_reads_everything_and_changes_nothing() {
    let house = house();
    let made = make(&house, "wall display", "read_only");
    let bearer = bearer(&made);
    let cookie = sign_in_with(&house, made["token"].as_str().unwrap());
    let ways = [
        vec![("authorization", bearer.as_str()), JSON],
        vec![("cookie", cookie.as_str()), ("origin", house.url.as_str()), JSON],
    ];
    for operation in operations(&house).iter().filter(|it| !it.is_open) {
        for headers in &ways {
            let body = operation.takes_body.then_some(b"{}".as_slice());
            if operation.path == "/api/v1/events" {
                continue; // It would never end; `revoked` reads it.
            }
            let answer = house.send(&operation.method, &operation.path, body, headers);
            let is_refused = code(&answer) == (403, "read_only");
            assert_eq!(is_refused, operation.changes(), "{} {answer:?}", operation.path);
        }
    }
}

#[test]
fn a_revoked_token_and_its_cookie_and_its_streams_end_at_once() {
    let mut house = house();
    let made = make(&house, "phone", "full");
    let id = made["id"].as_str().unwrap().to_owned();
    let secret = made["token"].as_str().unwrap().to_owned();
    let cookie = sign_in_with(&house, &secret);
    let owner = std::mem::replace(&mut house.token, secret);
    let stream = house.events("", None);
    stream.up_to("a heartbeat", |it| it.name == "heartbeat");
    house.token = owner;
    let others = house.events("", None);
    others.up_to("a heartbeat", |it| it.name == "heartbeat");

    let revoked = house.send_json("DELETE", &format!("/api/v1/tokens/{id}"), &json!({}));
    assert_eq!(revoked.status, 204);
    assert!(stream.has_ended(), "its stream goes on");
    let bearer = bearer(&made);
    for headers in [[("authorization", bearer.as_str())], [("cookie", cookie.as_str())]] {
        let answer = house.send("GET", "/api/v1/runs", None, &headers);
        assert_eq!(code(&answer), (401, "unauthorized"));
    }
    assert!(listed(&house).is_empty());
    let again = house.send_json("DELETE", &format!("/api/v1/tokens/{id}"), &json!({}));
    assert_eq!(code(&again), (404, "token_not_found"));
    make(&house, "phone", "full"); // Its name is free again.

    house.kill_server();
    house.start_again();
    let answer = house.send("GET", "/api/v1/runs", None, &[("authorization", &bearer)]);
    assert_eq!(code(&answer), (401, "unauthorized"), "also after a restart");
}

#[test]
fn the_audit_says_whose_token_it_was() {
    let stand_in = StandIn::start();
    let house = &stand_in.house;
    let bearer = bearer(&make(house, "Ann's phone", "full"));
    let body = json!({ "text": "hello" }).to_string();
    let headers = [("authorization", bearer.as_str()), JSON];
    let answer = house.send("POST", &house.run_path("/reply"), Some(body.as_bytes()), &headers);
    assert_eq!((answer.status, &answer.body["by"]), (202, &json!("Ann's phone")));
    let audit = house.get(&house.run_path("/audit"));
    assert_eq!(audit.body["entries"][0]["by"], "Ann's phone");
}

#[test]
fn a_name_is_one_persons_and_can_be_read() {
    let house = house();
    make(&house, "phone", "full");
    let refused = |name: &str| {
        let answer = house.post("/api/v1/tokens", &json!({ "name": name }));
        (answer.status, answer.body["code"].as_str().unwrap().to_owned())
    };
    assert_eq!(refused("phone"), (409, "name_taken".into()));
    for name in ["", "  ", "browser", "Token", "terminal", "a\nb", &"x".repeat(61)] {
        assert_eq!(refused(name), (422, "invalid_field".into()), "{name:?}");
    }
    let scope = house.post("/api/v1/tokens", &json!({ "name": "x", "scope": "root" }));
    assert_eq!(code(&scope), (422, "invalid_body"));
}

#[test]
fn a_code_pairs_one_device_once() {
    let house = house();
    let offered = house.post("/api/v1/pair", &json!({ "name": "phone", "scope": "read_only" }));
    assert_eq!(offered.status, 201, "{offered:?}");
    assert!(offered.body["expires_at"].is_string());
    let redeem = |code: &Value, name: Option<&str>| {
        let body = json!({ "code": code, "name": name }).to_string();
        house.send("POST", "/api/v1/pair/redeem", Some(body.as_bytes()), &[JSON])
    };
    let bad_name = redeem(&offered.body["code"], Some("\n"));
    assert_eq!(code(&bad_name), (422, "invalid_field"), "and the code is not spent for it");
    let device = redeem(&offered.body["code"], None);
    assert_eq!(device.status, 201, "{device:?}");
    assert_eq!(
        (&device.body["name"], &device.body["scope"]),
        (&json!("phone"), &json!("read_only"))
    );
    assert_eq!(device.body["paired"], true);
    let bearer = bearer(&device.body);
    assert_eq!(house.send("GET", "/api/v1/runs", None, &[("authorization", &bearer)]).status, 200);
    assert_eq!(code(&redeem(&offered.body["code"], None)), (403, "wrong_code"), "once");

    let second = house.post("/api/v1/pair", &json!({}));
    let second = redeem(&second.body["code"], Some("phone"));
    assert_eq!(second.body["name"], "phone 2");
}

#[test]
fn codes_can_neither_be_guessed_nor_be_made_without_end() {
    let house = house();
    let right = house.post("/api/v1/pair", &json!({})).body["code"].clone();
    let redeem = |code: &Value| {
        let body = json!({ "code": code }).to_string();
        house.send("POST", "/api/v1/pair/redeem", Some(body.as_bytes()), &[JSON])
    };
    for _ in 0..10 {
        assert_eq!(code(&redeem(&json!("AAAA-AAAA"))), (403, "wrong_code"));
    }
    let too_often = redeem(&right);
    assert_eq!(code(&too_often), (429, "too_often"), "even the right one");
    assert!((1..=61).contains(&too_often.body["retry_after"].as_u64().unwrap()));
    for _ in 0..9 {
        assert_eq!(house.post("/api/v1/pair", &json!({})).status, 201);
    }
    assert_eq!(code(&house.post("/api/v1/pair", &json!({}))), (429, "too_often"));
}
