//! Without a token, with a wrong one, under a wrong name, from a wrong page.

use serde_json::json;

use crate::house::House;

use super::{JSON, code, house, operations, raw};

#[test]
fn no_form_of_no_token_opens_anything() {
    let house = house();
    let token = house.token.clone();
    let almost = format!("Bearer {}0", &token[..token.len() - 1]);
    let long = format!("Bearer {}", "a".repeat(8000));
    let tries: &[(&str, &[(&str, &str)])] = &[
        ("nothing", &[]),
        ("an empty token", &[("authorization", "Bearer ")]),
        ("a wrong one", &[("authorization", "Bearer guess")]),
        ("one that is nearly right", &[("authorization", &almost)]),
        ("a very long one", &[("authorization", &long)]),
        ("another scheme", &[("authorization", &token)]),
        ("the token as a cookie", &[("cookie", &format!("seamux_session={token}"))]),
        ("a wrong token beats a cookie", &[("authorization", "Bearer x"), ("cookie", "a=b")]),
    ];
    let guarded: Vec<_> = operations(&house).into_iter().filter(|it| !it.is_open).collect();
    for operation in &guarded {
        for (what, headers) in tries {
            let answer = house.send(&operation.method, &operation.path, None, headers);
            assert_eq!(code(&answer), (401, "unauthorized"), "{what}: {}", operation.path);
        }
    }
    let in_the_address = house.send("GET", &format!("/api/v1/runs?token={token}"), None, &[]);
    assert_eq!(code(&in_the_address), (401, "unauthorized"));
}

#[test]
fn a_rebound_name_reaches_nothing_even_with_the_token() {
    let house = house();
    let bearer = house.bearer();
    for host in
        ["evil.example", "evil.example:7333", "localhost.evil.example", "", "127.0.0.1.nip.io"]
    {
        for path in ["/", "/healthz", "/api/openapi.json", "/api/v1/runs", "/api/v1/events"] {
            let answer =
                house.send("GET", path, None, &[("host", host), ("authorization", &bearer)]);
            assert_eq!(code(&answer), (421, "unknown_host"), "{host} {path}");
        }
    }
    // An address in the request line does not count; without any name it is nobody's.
    let absolute =
        "GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(raw(&house, absolute).starts_with("HTTP/1.1 421"));
    assert!(raw(&house, "GET /healthz HTTP/1.0\r\n\r\n").starts_with("HTTP/1.0 421"));
    let two = "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert!(!raw(&house, two).starts_with("HTTP/1.1 200"));
}

#[test]
fn another_page_can_use_no_cookie_to_change_anything() {
    let house = house();
    let cookie = sign_in(&house);
    let own = house.url.clone();
    let other_port = format!("{}1", own.trim_end_matches(char::is_numeric));
    let origins = [None, Some("null"), Some("http://evil.example"), Some(other_port.as_str())];
    for operation in operations(&house).iter().filter(|it| it.changes() && !it.is_open) {
        for origin in origins {
            let origin = origin.map(|it| ("origin", it));
            let headers: Vec<_> =
                [("cookie", cookie.as_str()), JSON].into_iter().chain(origin).collect();
            let answer = house.send(&operation.method, &operation.path, Some(b"{}"), &headers);
            assert_eq!(code(&answer), (403, "foreign_origin"), "{origin:?} {}", operation.path);
        }
    }
    // Nor can it read anything: no answer ever allows another origin.
    let asking = "OPTIONS /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\
        Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n";
    let preflight = raw(&house, asking).to_lowercase();
    assert!(!preflight.contains("access-control-allow"), "{preflight}");
}

#[test]
fn another_page_can_neither_sign_in_nor_out_nor_pair() {
    let house = house();
    for (method, path, body) in [
        ("POST", "/api/v1/session", json!({ "token": house.token })),
        ("DELETE", "/api/v1/session", json!({})),
        ("POST", "/api/v1/pair/redeem", json!({ "code": "AAAA-AAAA" })),
    ] {
        let headers = [JSON, ("origin", "http://evil.example")];
        let answer = house.send(method, path, Some(body.to_string().as_bytes()), &headers);
        assert_eq!(code(&answer), (403, "foreign_origin"), "{method} {path}");
    }
}

pub(super) fn sign_in(house: &House) -> String {
    sign_in_with(house, &house.token)
}

/// The cookie that a browser gets for a token.
pub(super) fn sign_in_with(house: &House, token: &str) -> String {
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let request = agent.post(format!("{}/api/v1/session", house.url)).header("origin", &house.url);
    let response = request.send_json(json!({ "token": token })).unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    cookie.split(';').next().unwrap().to_owned()
}
