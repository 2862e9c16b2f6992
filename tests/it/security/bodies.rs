//! Bodies that should not be read, or not to their end.

use std::io::Write;

use super::{code, connect, house, operations, raw, rest};

/// What a form on any page can send without asking first.
const SIMPLE: &[&str] =
    &["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];

#[test]
fn no_operation_reads_what_a_form_can_send() {
    let house = house();
    let bearer = house.bearer();
    let body = br#"{"provider": "claude-code", "cwd": "/tmp"}"#;
    for operation in operations(&house).iter().filter(|it| it.takes_body) {
        for kind in SIMPLE {
            let headers = [("authorization", bearer.as_str()), ("content-type", kind)];
            let answer = house.send(&operation.method, &operation.path, Some(body), &headers);
            let told = code(&answer);
            assert_eq!(told, (415, "unsupported_media_type"), "{kind} {}", operation.path);
        }
    }
}

#[test]
fn no_operation_takes_a_field_that_it_does_not_know() {
    let house = house();
    for operation in operations(&house).iter().filter(|it| it.takes_body) {
        let body = serde_json::json!({ "no_such_field": 1 });
        let answer = house.send_json(&operation.method, &operation.path, &body);
        assert_eq!(code(&answer), (400, "unknown_field"), "{}", operation.path);
    }
}

#[test]
fn a_body_that_is_too_large_is_refused_also_when_it_does_not_say_so_first() {
    let house = house();
    let mut stream = connect(&house);
    let head = format!(
        "POST /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        house.bearer()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let piece = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    for _ in 0..40 {
        stream.write_all(piece.as_bytes()).unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let answer = rest(stream);
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("body_too_large"), "{answer}");
}

#[test]
fn nesting_however_deep_is_an_error_and_no_crash() {
    let house = house();
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let body = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        for operation in operations(&house).iter().filter(|it| it.takes_body) {
            let bearer = house.bearer();
            let headers = [("authorization", bearer.as_str()), super::JSON];
            let bytes = Some(body.as_bytes());
            let answer = house.send(&operation.method, &operation.path, bytes, &headers);
            assert!([400, 422].contains(&answer.status), "{answer:?}");
        }
        let answer = house.post("/api/v1/runs", &serde_json::json!({}));
        assert_eq!(answer.status, 422, "it lives on");
    }
    // Inside a field that is read as it comes, too.
    let deep = format!("{}1{}", "[".repeat(400), "]".repeat(400));
    let body = format!(r#"{{"provider":"x","cwd":"/tmp","options":{{"a":{deep}}}}}"#);
    let bearer = house.bearer();
    let headers = [("authorization", bearer.as_str()), super::JSON];
    let answer = house.send("POST", "/api/v1/runs", Some(body.as_bytes()), &headers);
    assert!([400, 422].contains(&answer.status), "{answer:?}");
}

#[test]
fn a_flood_of_headers_is_cut_off_before_anybody_reads_it() {
    let house = house();
    let many: String = (0..200).map(|number| format!("X-{number}: 1\r\n")).collect();
    let flood = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    assert!(raw(&house, &flood).starts_with("HTTP/1.1 431"));
    let large =
        format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "a".repeat(60_000));
    assert!(raw(&house, &large).starts_with("HTTP/1.1 431"));
    let address = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(60_000));
    assert!(!raw(&house, &address).starts_with("HTTP/1.1 2"));
    assert_eq!(house.get("/api/v1/runs").status, 200);
}

#[test]
fn a_request_that_two_readers_would_split_differently_is_no_request() {
    let house = house();
    for framing in [
        "Content-Length: 4\r\nContent-Length: 6\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 99999999999999999999999\r\n",
    ] {
        let request =
            format!("POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n{{}}");
        let answer = raw(&house, &request);
        assert!(answer.starts_with("HTTP/1.1 400"), "{framing}: {answer}");
    }
}
