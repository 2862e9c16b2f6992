//! The scripted model over real sockets: what a CLI would see.

mod demo;
mod talk;

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use seamux::scripted_model::{ModelError, Scenario, ScriptedModel, serve};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use self::talk::{TOOLS, Talk, user};

#[test]
fn side_requests_play_no_rule_and_use_up_no_error() {
    let mut talk = Talk::demo();
    talk.tools.clear();
    assert_eq!(talk.say("fail"), "fail");
    talk.tools = TOOLS.to_vec();
    talk.messages = vec![user("fail")];
    assert_eq!((talk.ask().0, talk.ask().0, talk.ask().0), (529, 529, 200));
    let ask = "CRITICAL: TEXT ONLY. <analysis> and <summary> of all this: fail";
    assert!(talk.say(ask).contains("<summary>"));
    let body = json!({ "model": "m", "messages": [user("<session>make a plan</session>")], "output_config": {
        "format": { "schema": { "type": "object", "properties": { "title": { "type": "string" } } } } } });
    let (_, title, _) = talk.post("/v1/messages", &body.to_string());
    assert_eq!(title["content"][0]["text"], r#"{"title":"make a plan"}"#);
}

#[test]
fn errors_have_the_shape_of_the_api() {
    let mut talk = Talk::live();
    let mut seen = Vec::new();
    for prompt in
        ["fail 400", "fail 401", "fail 403", "fail 429", "fail 500", "fail 529", "fail too long"]
    {
        talk.messages = vec![user(prompt)];
        let (status, body, retry_after) = talk.post("/v1/messages", &talk.body(true).to_string());
        assert_eq!((body["type"].as_str(), body["request_id"].is_string()), (Some("error"), true));
        let error = &body["error"];
        seen.push(format!("{status} {} {} {retry_after:?}", error["type"], error["message"]));
    }
    insta::assert_snapshot!(seen.join("\n"), @r#"
    400 "invalid_request_error" "invalid request, as the scenario says" None
    401 "authentication_error" "invalid bearer token" None
    403 "permission_error" "permission denied, as the scenario says" None
    429 "rate_limit_error" "rate limit reached, as the scenario says" Some("1")
    500 "api_error" "internal server error, as the scenario says" None
    529 "overloaded_error" "Overloaded" None
    400 "invalid_request_error" "prompt is too long: 250000 tokens > 200000 maximum" None
    "#);
    let (status, body, _) = talk.post("/v1/messages", "{ not json");
    assert_eq!((status, &body["error"]["type"]), (400, &json!("invalid_request_error")));
    let (status, body, _) = talk.post("/v1/messages", &"x".repeat(33 * 1024 * 1024));
    assert_eq!((status, &body["error"]["type"]), (400, &json!("invalid_request_error")));
    let (status, body, _) = talk.post("/v1/models", "{}");
    assert_eq!((status, &body["error"]["type"]), (404, &json!("not_found_error")));
}

#[test]
fn probes_and_token_counts_are_answered() {
    let mut talk = Talk::demo();
    talk.messages = vec![user("hello")];
    let (status, count, _) =
        talk.post("/v1/messages/count_tokens?beta=true", &talk.body(false).to_string());
    assert!(status == 200 && 10 < count["input_tokens"].as_u64().unwrap());
    let url = talk.model.url();
    assert_eq!(ureq::get(&url).call().unwrap().status(), 200);
    assert_eq!(ureq::head(&url).call().unwrap().status(), 200);
    assert_eq!(talk.model.requests().len(), 0);
}

#[test]
fn a_stream_tells_its_events_in_order() {
    let mut talk = Talk::live();
    talk.messages = vec![user("think and look")];
    let all = talk.stream();
    let mut names: Vec<&str> = all.lines().filter_map(|it| it.strip_prefix("event: ")).collect();
    names.dedup();
    let block = ["content_block_start", "content_block_delta", "content_block_stop"];
    let expected: Vec<&str> =
        (["message_start", "ping"].into_iter().chain(block).chain(block).chain(block))
            .chain(["message_delta", "message_stop"])
            .collect();
    assert_eq!(names, expected);
    for part in [
        "text/event-stream",
        "thinking_delta",
        "signature_delta",
        "text_delta",
        "input_json_delta",
        r#""stop_reason":"tool_use""#,
    ] {
        assert!(all.contains(part), "{part}\n{all}");
    }
}

#[test]
fn a_cut_breaks_the_connection_once_and_then_no_more() {
    let mut talk = Talk::live();
    talk.messages = vec![user("cut")];
    let cut = talk.stream();
    assert!(
        cut.contains("This ") && !cut.contains("message_stop") && !cut.ends_with("0\r\n\r\n"),
        "{cut}"
    );
    let whole = talk.stream();
    assert!(whole.contains("message_stop") && whole.ends_with("0\r\n\r\n"), "{whole}");
    talk.messages = vec![user("cut for ever")];
    assert!((0..3).all(|_| !talk.stream().contains("message_stop")));
}

#[test]
fn a_slow_answer_arrives_piece_by_piece_and_a_stop_breaks_it_off() {
    let scenario = "[[rule]]\ndelay_ms = 40\nblocks = [{ text = \"a b c d e f\" }]\n";
    let mut talk = Talk::with(Scenario::from_toml("slow.toml", scenario).unwrap());
    talk.messages = vec![user("x")];
    let mut arrivals = Vec::new();
    for line in BufReader::new(talk.connect(true)).lines().map_while(Result::ok) {
        if line.contains("text_delta") {
            arrivals.push(Instant::now());
        }
    }
    assert_eq!(arrivals.len(), 6);
    let (first, last) = (arrivals[0], arrivals[5]);
    assert!(Duration::from_millis(150) < last - first, "{:?}", last - first);

    let mut reader = BufReader::new(talk.connect(true));
    let mut line = String::new();
    while !line.contains("text_delta") {
        line.clear();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0);
    }
    let Talk { model, runtime, .. } = talk;
    runtime.block_on(model.stop());
    let mut rest = String::new();
    reader.read_to_string(&mut rest).ok();
    assert!(!rest.contains("message_stop"));
}

#[tokio::test]
async fn only_loopback_is_served() {
    let everywhere = SocketAddr::from(([0, 0, 0, 0], 0));
    let refused = ScriptedModel::start(everywhere, Scenario::demo()).await.unwrap_err();
    insta::assert_snapshot!(refused, @"0.0.0.0:0 is not a loopback address; the scripted model takes any credential, so it only listens on 127.0.0.1 or ::1");
    let listener = tokio::net::TcpListener::bind(everywhere).await.unwrap();
    let refused = serve(listener, Scenario::demo(), CancellationToken::new()).await.unwrap_err();
    assert!(matches!(refused, ModelError::NotLoopback(_)));
}
