//! The API as a stranger meets it: who may call, and what bad input is told.

use serde_json::{Value, json};

use crate::house::{Answer, House, run_once};

/// A server on a machine without any agent CLI.
fn house() -> House {
    House::serve(|_| {})
}

fn code(answer: &Answer) -> (u16, &str) {
    assert!(answer.body["detail"].is_string(), "every error says what: {answer:?}");
    (answer.status, answer.body["code"].as_str().unwrap())
}

fn new_run(house: &House, change: impl FnOnce(&mut Value)) -> Answer {
    let mut body = json!({ "provider": "claude-code", "cwd": house.dir.path() });
    change(&mut body);
    house.post("/api/v1/runs", &body)
}

#[test]
fn a_run_that_cannot_be_started_is_refused_at_the_field_that_is_wrong() {
    let house = house();
    let unknown = new_run(&house, |it| it["provider"] = json!("nobody"));
    assert_eq!(code(&unknown), (422, "unknown_provider"));
    assert_eq!(unknown.body["field"], "provider");
    assert!(unknown.body["hint"].as_str().unwrap().contains("claude-code"));

    let missing = new_run(&house, |it| it["cwd"] = json!("/no/such/folder"));
    assert_eq!((code(&missing), &missing.body["field"]), ((422, "folder_missing"), &json!("cwd")));
    let file = new_run(&house, |it| it["cwd"] = json!("/etc/hostname"));
    assert_eq!((code(&file), &file.body["field"]), ((422, "not_a_folder"), &json!("cwd")));
    let relative = new_run(&house, |it| it["cwd"] = json!("work"));
    assert_eq!(code(&relative), (422, "folder_not_absolute"));

    let no_cli = new_run(&house, |_| {});
    assert_eq!(code(&no_cli), (409, "provider_missing"));
    assert!(no_cli.body["hint"].as_str().unwrap().contains("npm install"));
    assert_eq!(house.get("/api/v1/runs").body["runs"], json!([]), "nothing was half started");
}

#[test]
fn a_body_that_is_not_as_asked_is_told_why() {
    let house = house();
    let misspelt = new_run(&house, |it| it["promt"] = json!("x"));
    assert_eq!(code(&misspelt), (400, "unknown_field"));
    assert!(misspelt.body["detail"].as_str().unwrap().contains("promt"));
    let lacking = house.post("/api/v1/runs", &json!({ "provider": "claude-code" }));
    assert_eq!((code(&lacking), &lacking.body["field"]), ((422, "invalid_body"), &json!("cwd")));

    let bearer = house.bearer();
    let json_type = ("content-type", "application/json");
    let send = |body: &[u8], headers: &[(&str, &str)]| {
        let headers: Vec<_> =
            headers.iter().copied().chain([("authorization", bearer.as_str())]).collect();
        house.send("POST", "/api/v1/runs", Some(body), &headers)
    };
    assert_eq!(code(&send(b"{\"provider\":", &[json_type])), (400, "invalid_json"));
    assert_eq!(
        code(&send(b"{}", &[("content-type", "text/plain")])),
        (415, "unsupported_media_type")
    );
    assert_eq!(code(&send(b"{}", &[])), (415, "unsupported_media_type"));
    let nested = "[".repeat(200_000);
    assert_eq!(code(&send(nested.as_bytes(), &[json_type])), (422, "invalid_body"));
    let large = json!({ "text": "x".repeat(2 * 1024 * 1024) }).to_string();
    let answer = send(large.as_bytes(), &[json_type]);
    assert_eq!(code(&answer), (413, "body_too_large"));
    assert!(answer.body["hint"].as_str().unwrap().contains("file"));
}

#[test]
fn what_is_not_there_is_told_in_the_same_form() {
    let house = house();
    assert_eq!(code(&house.get("/api/v1/runs/r-0")), (404, "run_not_found"));
    assert_eq!(code(&house.get("/api/v1/runs/r-0/messages")), (404, "run_not_found"));
    assert_eq!(
        code(&house.post("/api/v1/runs/r-0/reply", &json!({ "text": "x" }))),
        (404, "run_not_found")
    );
    assert_eq!(code(&house.get("/api/v1/runs/r-0/messages?before=x")), (400, "invalid_position"));
    assert_eq!(code(&house.get("/api/v1/runs/r-0/messages?limit=many")), (400, "invalid_query"));
    assert_eq!(code(&house.get("/api/v1/nothing")), (404, "not_found"));
    assert_eq!(code(&house.post("/api/v1/providers", &json!({}))), (405, "method_not_allowed"));
    assert_eq!(code(&house.get("/no/such/file.js")), (404, "not_found"));
}

#[test]
fn nobody_gets_in_without_the_token() {
    let house = house();
    let get = |headers: &[(&str, &str)]| house.send("GET", "/api/v1/runs", None, headers);
    assert_eq!(code(&get(&[])), (401, "unauthorized"));
    assert_eq!(code(&get(&[("authorization", "Bearer wrong")])), (401, "unauthorized"));
    assert_eq!(code(&get(&[("authorization", "Bearer ")])), (401, "unauthorized"));
    assert_eq!(code(&get(&[("cookie", "seamux_session=guess")])), (401, "unauthorized"));
    assert_eq!(code(&house.send("GET", "/api/v1/events", None, &[])), (401, "unauthorized"));
    assert_eq!(house.get("/api/v1/runs").status, 200);
    // The only open doors: health, and the page's own files.
    assert_eq!(house.send("GET", "/healthz", None, &[]).body["status"], "ok");
}

#[test]
fn a_foreign_host_or_origin_is_refused() {
    let house = house();
    let rebound = house.send("GET", "/healthz", None, &[("host", "evil.example")]);
    assert_eq!(code(&rebound), (421, "unknown_host"));

    let json_type = ("content-type", "application/json");
    let sign_in = |token: &str, origin: Option<&str>| {
        let body = json!({ "token": token }).to_string();
        let origin = origin.map(|it| ("origin", it));
        let headers: Vec<_> = [json_type].into_iter().chain(origin).collect();
        house.send("POST", "/api/v1/session", Some(body.as_bytes()), &headers)
    };
    assert_eq!(code(&sign_in("wrong", None)), (401, "wrong_token"));
    assert_eq!(code(&sign_in(&house.token, Some("http://evil.example"))), (403, "foreign_origin"));
    assert_eq!(sign_in(&house.token, Some(&house.url)).status, 204);
}

#[test]
fn a_browser_signs_in_once_and_stays_in_over_a_restart() {
    let mut house = house();
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let response = agent
        .post(format!("{}/api/v1/session", house.url))
        .header("origin", &house.url)
        .send_json(json!({ "token": house.token }))
        .unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap().to_owned();
    for flag in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    assert!(!cookie.contains(&house.token), "the cookie is not the token");
    let cookie = cookie.split(';').next().unwrap().to_owned();

    house.kill_server();
    house.start_again();
    let with = |extra: &[(&str, &str)], method: &str| {
        let headers: Vec<_> =
            [("cookie", cookie.as_str())].into_iter().chain(extra.iter().copied()).collect();
        house.send(method, "/api/v1/runs", (method == "POST").then_some(b"{}".as_slice()), &headers)
    };
    assert_eq!(with(&[], "GET").status, 200);
    let json_type = ("content-type", "application/json");
    assert_eq!(code(&with(&[json_type], "POST")), (403, "foreign_origin"));
    assert_eq!(
        code(&with(&[json_type, ("origin", "http://evil.example")], "POST")),
        (403, "foreign_origin")
    );
    let own = house.url.clone();
    assert_eq!(code(&with(&[json_type, ("origin", &own)], "POST")), (422, "invalid_body"));
}

#[test]
fn the_page_comes_with_headers_that_keep_others_out() {
    let house = house();
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let response = agent.get(&house.url).call().unwrap();
    let policy = response.headers()["content-security-policy"].to_str().unwrap();
    assert!(
        policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
}

#[test]
fn a_port_in_use_and_a_state_folder_in_use_are_told_apart_and_harm_nothing() {
    let house = house();
    let state = house.dir.path().join("state");
    let home = house.dir.path().to_str().unwrap();
    let env = [("HOME", home), ("PATH", "/usr/bin:/bin")];
    let other = house.dir.path().join("other");
    let listen = house.url.strip_prefix("http://").unwrap();

    let port = run_once(
        &[
            "serve",
            "--json",
            "--listen",
            listen,
            "--state-dir",
            other.to_str().unwrap(),
            "--tmux-socket",
            "seamux-it-never",
        ],
        &env,
    );
    let text = String::from_utf8_lossy(&port.stderr);
    assert_eq!(port.status.code(), Some(1));
    assert!(
        text.contains("could not listen on") && text.contains("hint: choose another port"),
        "{text}"
    );

    let folder = run_once(
        &["serve", "--json", "--listen", "127.0.0.1:0", "--state-dir", state.to_str().unwrap()],
        &env,
    );
    let text = String::from_utf8_lossy(&folder.stderr);
    assert_eq!(folder.status.code(), Some(1));
    assert!(text.contains("another seamux (pid") && text.contains("--state-dir"), "{text}");
    assert_eq!(house.get("/api/v1/runs").status, 200, "the first one lives on");
}

#[test]
fn a_machine_without_tmux_is_told_what_to_install() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().to_str().unwrap();
    let output = run_once(
        &["serve", "--json", "--listen", "127.0.0.1:0"],
        &[("HOME", home), ("PATH", "/nowhere")],
    );
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("no tmux on PATH") && text.contains("apt install tmux"), "{text}");
}

#[test]
fn a_usage_error_is_code_2_and_an_open_address_needs_a_word() {
    assert_eq!(run_once(&["serve", "--no-such-flag"], &[]).status.code(), Some(2));
    let dir = tempfile::tempdir().unwrap();
    let env = [("HOME", dir.path().to_str().unwrap()), ("PATH", "/usr/bin:/bin")];
    let output = run_once(&["serve", "--listen", "0.0.0.0:0"], &env);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("--expose"), "{text}");
}

#[test]
fn a_stop_ends_open_streams() {
    let mut house = house();
    let events = house.events("", None);
    let seen = events.up_to("a heartbeat", |it| it.name == "heartbeat");
    assert_eq!(seen.len(), 1);
    assert_eq!(house.terminate(), Some(0));
}
