//! The scripted model over real sockets: what a CLI would see.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use seamux::scripted_model::{ModelError, Scenario, ScriptedModel, serve};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const LOOPBACK: ([u8; 4], u16) = ([127, 0, 0, 1], 0);
const LIVE: &str = include_str!("../../compat/scenarios/live.toml");
const TOOLS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "Edit",
    "EnterPlanMode",
    "ExitPlanMode",
    "Read",
    "Write",
];

/// A model, and one conversation with it that remembers what was said.
struct Talk {
    model: ScriptedModel,
    runtime: tokio::runtime::Runtime,
    tools: Vec<&'static str>,
    messages: Vec<Value>,
}

impl Talk {
    fn with(scenario: Scenario) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let model = runtime
            .block_on(ScriptedModel::start(SocketAddr::from(LOOPBACK), scenario))
            .unwrap();
        Self {
            model,
            runtime,
            tools: TOOLS.to_vec(),
            messages: Vec::new(),
        }
    }

    fn demo() -> Self {
        Self::with(Scenario::demo())
    }

    fn live() -> Self {
        Self::with(Scenario::from_toml("live.toml", LIVE).unwrap())
    }

    fn body(&self, stream: bool) -> Value {
        let tools: Vec<Value> = self.tools.iter().map(|it| json!({ "name": it })).collect();
        json!({
            "model": "scripted", "max_tokens": 1000, "stream": stream, "tools": tools, "messages": self.messages,
            "system": "Primary working directory: /w",
        })
    }

    /// Status, body and the retry-after header.
    fn post(&self, path: &str, body: &str) -> (u16, Value, Option<String>) {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let request = agent
            .post(format!("{}{path}", self.model.url()))
            .header("content-type", "application/json");
        let mut response = request.send(body).unwrap();
        let retry_after = response
            .headers()
            .get("retry-after")
            .map(|it| it.to_str().unwrap().to_owned());
        let text = response.body_mut().read_to_string().unwrap();
        (
            response.status().as_u16(),
            serde_json::from_str(&text).unwrap(),
            retry_after,
        )
    }

    /// Sends the conversation; on success the answer becomes part of it.
    fn ask(&mut self) -> (u16, Value) {
        let (status, answer, _) =
            self.post("/v1/messages?beta=true", &self.body(false).to_string());
        if status == 200 {
            self.messages
                .push(json!({ "role": "assistant", "content": answer["content"] }));
        }
        (status, answer)
    }

    /// Says something; the answer as lines: texts, and calls as `Tool {input}`.
    fn say(&mut self, text: &str) -> String {
        self.messages
            .push(json!({ "role": "user", "content": [{ "type": "text", "text": text }] }));
        story(&self.ask().1)
    }

    /// Gives results to the calls of the last answer.
    fn results(&mut self, failed: bool, text: &str) -> String {
        let calls = self.messages.last().unwrap()["content"]
            .as_array()
            .unwrap()
            .clone();
        let results: Vec<Value> = (calls.iter().filter(|it| it["type"] == "tool_use"))
            .map(|it| json!({ "type": "tool_result", "tool_use_id": it["id"], "is_error": failed, "content": text }))
            .collect();
        self.messages
            .push(json!({ "role": "user", "content": results }));
        story(&self.ask().1)
    }

    fn remind(&mut self, text: &str) {
        self.messages
            .push(json!({ "role": "system", "content": text }));
    }

    fn connect(&self, stream: bool) -> TcpStream {
        let body = self.body(stream).to_string();
        let mut socket = TcpStream::connect(self.model.addr).unwrap();
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let head = "POST /v1/messages?beta=true HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
        write!(socket, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        socket
    }

    fn stream(&self) -> String {
        let mut all = String::new();
        self.connect(true).read_to_string(&mut all).ok();
        all
    }
}

fn story(answer: &Value) -> String {
    let Some(content) = answer["content"].as_array() else {
        return answer["error"]["type"].to_string();
    };
    let line = |it: &Value| match it["type"].as_str().unwrap() {
        "text" => it["text"].as_str().unwrap().to_owned(),
        "thinking" => format!("({})", it["thinking"].as_str().unwrap()),
        _ => format!("{} {}", it["name"].as_str().unwrap(), it["input"]),
    };
    content.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

#[test]
fn echo_answers_exactly_the_rest_of_its_line() {
    let mut talk = Talk::demo();
    assert_eq!(talk.say("echo {cwd} ünï  ☃ $1 "), "{cwd} ünï  ☃ $1");
    assert_eq!(talk.say("please\n  Echo two words\nand more"), "two words");
    assert!(talk.say("an echo here").contains("scripted model"));
    assert_eq!(
        talk.say("<system-reminder>fail\necho no</system-reminder>echo yes"),
        "yes"
    );
    let seen = talk.model.requests();
    assert_eq!(
        (seen[0].rule.as_str(), seen[2].rule.as_str(), seen[0].stream),
        ("echo", "menu", false)
    );
    assert_eq!(seen[0].tools, TOOLS);
}

#[test]
fn questions_are_asked_and_their_answers_heard() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("Ask ONE now"), @"");
    insta::assert_snapshot!(talk.results(false, "\"Which colour?\"=\"Blue\""), @"");
    let many = talk.say("ask many");
    let input: Value =
        serde_json::from_str(many.split_once("AskUserQuestion ").unwrap().1).unwrap();
    let questions = input["questions"].as_array().unwrap();
    assert_eq!(
        questions.iter().map(|it| &it["header"]).collect::<Vec<_>>(),
        ["Colour", "Toppings", "Layout"]
    );
    assert_eq!(
        questions
            .iter()
            .map(|it| &it["multiSelect"])
            .collect::<Vec<_>>(),
        [false, true, false]
    );
    assert!(
        questions[2]["options"]
            .as_array()
            .unwrap()
            .iter()
            .all(|it| it["preview"].is_string())
    );
    insta::assert_snapshot!(talk.results(true, "declined"), @"");
    talk.tools = vec!["Bash"];
    insta::assert_snapshot!(talk.say("ask one"), @"");
}

#[test]
fn a_plan_enters_plan_mode_writes_its_file_and_asks() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("make a plan"), @"");
    talk.remind("nothing of interest");
    let last = talk.messages.len() - 1;
    talk.messages.remove(last);
    let entered = talk.results(false, "Entered plan mode.");
    insta::assert_snapshot!(entered, @"");
    insta::assert_snapshot!(talk.results(false, "approved"), @"");

    talk.messages.clear();
    talk.messages.push(json!({ "role": "system", "content":
        "Plan mode is active.\nWrite your plan to the plan file at /h/.claude/plans/a-b.md now." }));
    insta::assert_snapshot!(talk.say("make a plan"), @"");
    insta::assert_snapshot!(talk.results(false, "created"), @"");
    insta::assert_snapshot!(talk.results(true, "not yet"), @"");
}

#[test]
fn a_command_runs_or_is_refused() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("run a command"), @"");
    insta::assert_snapshot!(talk.results(false, ""), @"");
    talk.say("run a command");
    insta::assert_snapshot!(talk.results(true, "The person said no."), @"");
}

#[test]
fn a_file_is_made_and_then_edited_back_and_forth() {
    let mut talk = Talk::demo();
    insta::assert_snapshot!(talk.say("edit a file"), @"");
    insta::assert_snapshot!(talk.results(true, "does not exist"), @"");
    insta::assert_snapshot!(talk.results(false, "created"), @"");
    talk.say("edit a file");
    insta::assert_snapshot!(talk.results(false, "3\tStatus: draft"), @"");
    insta::assert_snapshot!(talk.results(false, "updated"), @"");
    talk.say("edit a file");
    assert!(
        talk.results(false, "3\tStatus: done")
            .contains("\"new_string\":\"Status: draft\"")
    );
    talk.say("edit a file");
    assert!(talk.results(false, "unchanged").contains("Write "));
    insta::assert_snapshot!(talk.results(true, "refused"), @"");
}

#[test]
fn a_subagent_is_sent_works_and_reports() {
    let mut talk = Talk::demo();
    let sent = talk.say("use a subagent");
    insta::assert_snapshot!(sent, @"");
    insta::assert_snapshot!(talk.results(false, "The report.\nagentId: 1 (internal)"), @"");
    talk.tools = vec!["Task"];
    assert!(talk.say("use a subagent").contains("Task {"));

    let mut sub = Talk::demo();
    let input: Value = serde_json::from_str(sent.split_once("Agent ").unwrap().1).unwrap();
    insta::assert_snapshot!(sub.say(input["prompt"].as_str().unwrap()), @"");
    insta::assert_snapshot!(sub.results(false, "a.txt"), @"");
}

#[test]
fn a_long_answer_takes_its_time_and_has_a_table_and_code() {
    let mut talk = Talk::demo();
    let text = talk.say("stream a long answer");
    let words = text.split_whitespace().count();
    assert!((380..=480).contains(&words), "{words}");
    assert!(
        text.contains("\n| --- |") && text.contains("\n```rust\n") && text.lines().count() > 60
    );
}

#[test]
fn failing_is_counted_for_each_prompt() {
    let mut talk = Talk::demo();
    for _ in 0..2 {
        talk.messages.push(user("please fail"));
        assert_eq!((talk.ask().0, talk.ask().0), (529, 529));
        assert_eq!(
            story(&talk.ask().1),
            "I was overloaded twice. Now I am back."
        );
    }
    let statuses: Vec<u16> = talk.model.requests().iter().map(|it| it.status).collect();
    assert_eq!(statuses, [529, 529, 200, 529, 529, 200]);
}

#[test]
fn the_first_phrase_of_the_table_wins_and_unknown_results_are_quoted() {
    let mut talk = Talk::demo();
    assert!(
        talk.say("fail, or edit a file, or ask one")
            .contains("AskUserQuestion")
    );
    let mut talk = Talk::live();
    assert_eq!(talk.say("two tools").matches("Bash ").count(), 2);
    assert_eq!(talk.results(false, "/w"), "Done. The tool said: /w");
}

#[test]
fn a_message_that_waited_is_answered_with_the_end_of_the_work() {
    let mut talk = Talk::live();
    talk.say("safe tool");
    let call = talk.messages.last().unwrap()["content"][1]["id"].clone();
    talk.messages.push(json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": call, "content": "ok" }] }));
    talk.remind("You got a new message while you were working:\nrun a command\n\nIMPORTANT: do.");
    insta::assert_snapshot!(story(&talk.ask().1), @"");
    insta::assert_snapshot!(talk.results(false, ""), @"");
}

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
    for prompt in [
        "fail 400",
        "fail 401",
        "fail 403",
        "fail 429",
        "fail 500",
        "fail 529",
        "fail too long",
    ] {
        talk.messages = vec![user(prompt)];
        let (status, body, retry_after) = talk.post("/v1/messages", &talk.body(true).to_string());
        assert_eq!(
            (body["type"].as_str(), body["request_id"].is_string()),
            (Some("error"), true)
        );
        let error = &body["error"];
        seen.push(format!(
            "{status} {} {} {retry_after:?}",
            error["type"], error["message"]
        ));
    }
    insta::assert_snapshot!(seen.join("\n"), @"");
    let (status, body, _) = talk.post("/v1/messages", "{ not json");
    assert_eq!(
        (status, &body["error"]["type"]),
        (400, &json!("invalid_request_error"))
    );
    let (status, body, _) = talk.post("/v1/messages", &"x".repeat(33 * 1024 * 1024));
    assert_eq!(
        (status, &body["error"]["type"]),
        (400, &json!("invalid_request_error"))
    );
    let (status, body, _) = talk.post("/v1/models", "{}");
    assert_eq!(
        (status, &body["error"]["type"]),
        (404, &json!("not_found_error"))
    );
}

#[test]
fn probes_and_token_counts_are_answered() {
    let mut talk = Talk::demo();
    talk.messages = vec![user("hello")];
    let (status, count, _) = talk.post(
        "/v1/messages/count_tokens?beta=true",
        &talk.body(false).to_string(),
    );
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
    let mut names: Vec<&str> = all
        .lines()
        .filter_map(|it| it.strip_prefix("event: "))
        .collect();
    names.dedup();
    let block = [
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    ];
    let expected: Vec<&str> = (["message_start", "ping"]
        .into_iter()
        .chain(block)
        .chain(block)
        .chain(block))
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
    assert!(
        whole.contains("message_stop") && whole.ends_with("0\r\n\r\n"),
        "{whole}"
    );
    talk.messages = vec![user("cut for ever")];
    assert!((0..3).all(|_| !talk.stream().contains("message_stop")));
}

#[test]
fn a_slow_answer_arrives_piece_by_piece_and_a_stop_breaks_it_off() {
    let scenario = "[[rule]]\ndelay_ms = 40\nblocks = [{ text = \"a b c d e f\" }]\n";
    let mut talk = Talk::with(Scenario::from_toml("slow.toml", scenario).unwrap());
    talk.messages = vec![user("x")];
    let mut arrivals = Vec::new();
    for line in BufReader::new(talk.connect(true))
        .lines()
        .map_while(Result::ok)
    {
        if line.contains("text_delta") {
            arrivals.push(Instant::now());
        }
    }
    assert_eq!(arrivals.len(), 6);
    let (first, last) = (arrivals[0], arrivals[5]);
    assert!(
        Duration::from_millis(150) < last - first,
        "{:?}",
        last - first
    );

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
    let refused = ScriptedModel::start(everywhere, Scenario::demo())
        .await
        .unwrap_err();
    insta::assert_snapshot!(refused, @"");
    let listener = tokio::net::TcpListener::bind(everywhere).await.unwrap();
    let refused = serve(listener, Scenario::demo(), CancellationToken::new())
        .await
        .unwrap_err();
    assert!(matches!(refused, ModelError::NotLoopback(_)));
}
