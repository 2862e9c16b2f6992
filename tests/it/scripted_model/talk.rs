//! One conversation with a scripted model, as a CLI would have it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use seamux::scripted_model::{Scenario, ScriptedModel};
use serde_json::{Value, json};

const LOOPBACK: ([u8; 4], u16) = ([127, 0, 0, 1], 0);
const LIVE: &str = include_str!("../../../compat/scenarios/live.toml");
pub(super) const TOOLS: &[&str] =
    &["Agent", "AskUserQuestion", "Bash", "Edit", "EnterPlanMode", "ExitPlanMode", "Read", "Write"];

/// A model, and one conversation with it that remembers what was said.
pub(super) struct Talk {
    pub(super) model: ScriptedModel,
    pub(super) runtime: tokio::runtime::Runtime,
    pub(super) tools: Vec<&'static str>,
    pub(super) messages: Vec<Value>,
}

impl Talk {
    pub(super) fn with(scenario: Scenario) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let model =
            runtime.block_on(ScriptedModel::start(SocketAddr::from(LOOPBACK), scenario)).unwrap();
        Self { model, runtime, tools: TOOLS.to_vec(), messages: Vec::new() }
    }

    pub(super) fn demo() -> Self {
        Self::with(Scenario::demo())
    }

    pub(super) fn live() -> Self {
        Self::with(Scenario::from_toml("live.toml", LIVE).unwrap())
    }

    pub(super) fn body(&self, stream: bool) -> Value {
        let tools: Vec<Value> = self.tools.iter().map(|it| json!({ "name": it })).collect();
        json!({
            "model": "scripted", "max_tokens": 1000, "stream": stream, "tools": tools, "messages": self.messages,
            "system": "Primary working directory: /w",
        })
    }

    /// Status, body and the retry-after header.
    pub(super) fn post(&self, path: &str, body: &str) -> (u16, Value, Option<String>) {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let request = agent
            .post(format!("{}{path}", self.model.url()))
            .header("content-type", "application/json");
        let mut response = request.send(body).unwrap();
        let retry_after =
            response.headers().get("retry-after").map(|it| it.to_str().unwrap().to_owned());
        let text = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&text).unwrap(), retry_after)
    }

    /// Sends the conversation; on success the answer becomes part of it.
    pub(super) fn ask(&mut self) -> (u16, Value) {
        let (status, answer, _) =
            self.post("/v1/messages?beta=true", &self.body(false).to_string());
        if status == 200 {
            self.messages.push(json!({ "role": "assistant", "content": answer["content"] }));
        }
        (status, answer)
    }

    /// Says something; the answer as lines: texts, and calls as `Tool {input}`.
    pub(super) fn say(&mut self, text: &str) -> String {
        self.messages
            .push(json!({ "role": "user", "content": [{ "type": "text", "text": text }] }));
        story(&self.ask().1)
    }

    /// Gives results to the calls of the last answer.
    pub(super) fn results(&mut self, failed: bool, text: &str) -> String {
        let calls = self.messages.last().unwrap()["content"].as_array().unwrap().clone();
        let results: Vec<Value> = (calls.iter().filter(|it| it["type"] == "tool_use"))
            .map(|it| json!({ "type": "tool_result", "tool_use_id": it["id"], "is_error": failed, "content": text }))
            .collect();
        self.messages.push(json!({ "role": "user", "content": results }));
        story(&self.ask().1)
    }

    pub(super) fn remind(&mut self, text: &str) {
        self.messages.push(json!({ "role": "system", "content": text }));
    }

    pub(super) fn connect(&self, stream: bool) -> TcpStream {
        let body = self.body(stream).to_string();
        let mut socket = TcpStream::connect(self.model.addr).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let head = "POST /v1/messages?beta=true HTTP/1.1\r\nhost: x\r\nconnection: close\r\n";
        write!(socket, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
        socket
    }

    pub(super) fn stream(&self) -> String {
        let mut all = String::new();
        self.connect(true).read_to_string(&mut all).ok();
        all
    }
}

pub(super) fn story(answer: &Value) -> String {
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

pub(super) fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}
