//! From an [`Answer`] to what the API sends: one JSON message, or a stream of server-sent events.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::FOR_WAITING;
use crate::scripted_model::paced::Frame;
use crate::scripted_model::play::{Answer, Part};

/// Any text will do: the CLI sends it back and looks at nothing in it.
const SIGNATURE: &str = "c2NyaXB0ZWQ=";
/// A tool's input is streamed in pieces of this many characters, as the API streams it.
const INPUT_PIECE: usize = 24;
/// Lets what was written before a cut reach the reader; a closed connection would swallow it.
const BEFORE_CUT: Duration = Duration::from_millis(30);

#[derive(Clone, Debug, Serialize)]
pub(in crate::scripted_model) struct Message {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    role: &'static str,
    model: String,
    content: Vec<Content>,
    stop_reason: String,
    stop_sequence: Option<String>,
    usage: Usage,
}

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content {
    Text { text: String },
    Thinking { thinking: String, signature: &'static str },
    ToolUse { id: String, name: String, input: Value },
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

impl Message {
    /// `new_id` gives an id that starts with the given prefix.
    pub(in crate::scripted_model) fn new(
        answer: &Answer,
        model: &str,
        input_tokens: u64,
        mut new_id: impl FnMut(&str) -> String,
    ) -> Self {
        let id = new_id("msg_");
        let content: Vec<Content> = (answer.parts.iter())
            .map(|part| match part {
                Part::Text(text) => Content::Text { text: text.clone() },
                Part::Thinking(text) => {
                    Content::Thinking { thinking: text.clone(), signature: SIGNATURE }
                }
                Part::Tool { name, input, to_waiting } => {
                    let prefix = if *to_waiting { FOR_WAITING } else { "toolu_" };
                    Content::ToolUse {
                        id: new_id(prefix),
                        name: name.clone(),
                        input: input.clone(),
                    }
                }
            })
            .collect();
        let calls = content.iter().any(|it| matches!(it, Content::ToolUse { .. }));
        let stop_reason = if calls { "tool_use" } else { "end_turn" };
        let said: usize = content.iter().map(|it| it.text().chars().count()).sum();
        Self {
            id,
            kind: "message",
            role: "assistant",
            model: model.into(),
            stop_reason: answer.stop_reason.clone().unwrap_or_else(|| stop_reason.into()),
            stop_sequence: None,
            usage: Usage {
                input_tokens: answer.input_tokens.unwrap_or(input_tokens),
                cache_creation_input_tokens: 0,
                cache_read_input_tokens: 0,
                output_tokens: answer.output_tokens.unwrap_or(said as u64 / 4 + 1),
            },
            content,
        }
    }

    pub(in crate::scripted_model) fn to_json(&self) -> String {
        json!(self).to_string()
    }

    /// The events of a streamed answer. `cut_after` counts chunks: words, and pieces of tool input.
    pub(in crate::scripted_model) fn to_frames(
        &self,
        delay: Duration,
        cut_after: Option<usize>,
    ) -> Vec<Frame> {
        let mut stream = Events { frames: Vec::new(), chunks: 0, cut_after, delay };
        // The API sends the whole head first, with what is not known yet left empty.
        let mut head = json!(self);
        head["content"] = json!([]);
        head["stop_reason"] = Value::Null;
        head["usage"]["output_tokens"] = json!(1);
        stream.event("message_start", &json!({ "message": head }));
        stream.event("ping", &json!({}));
        for (index, content) in self.content.iter().enumerate() {
            if !stream.block(index, content) {
                stream.frames.extend([Frame::Pause(BEFORE_CUT), Frame::Cut]);
                return stream.frames;
            }
        }
        let delta = json!({ "stop_reason": self.stop_reason, "stop_sequence": self.stop_sequence });
        stream.event("message_delta", &json!({ "delta": delta, "usage": self.usage }));
        stream.event("message_stop", &json!({}));
        stream.frames
    }
}

impl Content {
    /// What is streamed piece by piece.
    fn text(&self) -> String {
        match self {
            Self::Text { text } | Self::Thinking { thinking: text, .. } => text.clone(),
            Self::ToolUse { input, .. } => input.to_string(),
        }
    }

    fn start(&self) -> Value {
        match self {
            Self::Text { .. } => json!({ "type": "text", "text": "" }),
            Self::Thinking { .. } => json!({ "type": "thinking", "thinking": "", "signature": "" }),
            Self::ToolUse { id, name, .. } => {
                json!({ "type": "tool_use", "id": id, "name": name, "input": {} })
            }
        }
    }

    fn delta(&self, piece: &str) -> Value {
        match self {
            Self::Text { .. } => json!({ "type": "text_delta", "text": piece }),
            Self::Thinking { .. } => json!({ "type": "thinking_delta", "thinking": piece }),
            Self::ToolUse { .. } => json!({ "type": "input_json_delta", "partial_json": piece }),
        }
    }
}

struct Events {
    frames: Vec<Frame>,
    chunks: usize,
    cut_after: Option<usize>,
    delay: Duration,
}

impl Events {
    fn event(&mut self, name: &str, fields: &Value) {
        let mut data = json!({ "type": name });
        if let (Some(data), Some(fields)) = (data.as_object_mut(), fields.as_object()) {
            data.extend(fields.clone());
        }
        self.frames.push(Frame::Data(format!("event: {name}\ndata: {data}\n\n")));
    }

    /// False when the stream ends inside this block.
    fn block(&mut self, index: usize, content: &Content) -> bool {
        self.event(
            "content_block_start",
            &json!({ "index": index, "content_block": content.start() }),
        );
        let text = content.text();
        let is_tool = matches!(content, Content::ToolUse { .. });
        let pieces = if is_tool { pieces_of(&text, INPUT_PIECE) } else { words_of(&text) };
        for piece in pieces {
            if self.cut_after.is_some_and(|it| it <= self.chunks) {
                return false;
            }
            if !is_tool && !self.delay.is_zero() {
                self.frames.push(Frame::Pause(self.delay));
            }
            self.event(
                "content_block_delta",
                &json!({ "index": index, "delta": content.delta(piece) }),
            );
            self.chunks += 1;
        }
        if let Content::Thinking { signature, .. } = content {
            let delta = json!({ "type": "signature_delta", "signature": signature });
            self.event("content_block_delta", &json!({ "index": index, "delta": delta }));
        }
        self.event("content_block_stop", &json!({ "index": index }));
        true
    }
}

/// Words with the blanks after them, so that the pieces make the text again.
fn words_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let blank = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let next =
            rest[blank..].find(|it: char| !it.is_whitespace()).map_or(rest.len(), |it| blank + it);
        let (word, after) = rest.split_at(next);
        words.push(word);
        rest = after;
    }
    words
}

fn pieces_of(text: &str, chars: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().nth(chars).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// The API's error type for a status.
pub(in crate::scripted_model) fn error_type(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    }
}

fn default_message(status: u16) -> &'static str {
    match status {
        400 => "invalid request, as the scenario says",
        401 => "invalid bearer token",
        403 => "permission denied, as the scenario says",
        404 => "not found",
        413 => "request too large",
        429 => "rate limit reached, as the scenario says",
        529 => "Overloaded",
        _ => "internal server error, as the scenario says",
    }
}

pub(in crate::scripted_model) fn error_json(
    status: u16,
    message: Option<&str>,
    request_id: &str,
) -> String {
    let message = message.unwrap_or_else(|| default_message(status));
    let error = json!({ "type": error_type(status), "message": message });
    json!({ "type": "error", "error": error, "request_id": request_id }).to_string()
}
