//! The server's events, one after another.

use std::io::{BufRead as _, BufReader, Read};

use anyhow::Context as _;
use serde_json::{Value, json};
use ureq::BodyReader;

use super::server::{Server, encode};

/// One event of the stream.
pub(super) struct Event {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) data: Value,
}

pub(super) struct Events(BufReader<BodyReader<'static>>);

impl Events {
    /// From where `cursor` is, or with a summary of every run at the beginning.
    pub(super) fn of(
        server: &Server,
        runs: &[String],
        cursor: Option<&str>,
    ) -> anyhow::Result<Self> {
        let mut query: Vec<String> = runs.iter().map(|it| format!("run={}", encode(it))).collect();
        query.extend(cursor.map(|it| format!("cursor={}", encode(it))));
        let body = server.open(&format!("/events?{}", query.join("&")))?;
        Ok(Self(BufReader::new(body.into_reader())))
    }

    /// The next one; `None` when the server ends the stream.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<Event>> {
        read(&mut self.0)
    }
}

fn read(from: &mut BufReader<impl Read>) -> anyhow::Result<Option<Event>> {
    let mut event = Event { name: String::new(), id: None, data: Value::Null };
    loop {
        let mut line = String::new();
        // A server that is killed ends it in the middle.
        if from.read_line(&mut line).unwrap_or(0) == 0 {
            return Ok(None);
        }
        let line = line.trim_end_matches(['\n', '\r']);
        if line.is_empty() && !event.name.is_empty() {
            return Ok(Some(event));
        }
        match line.split_once(':').map(|(field, rest)| (field, rest.trim_start())) {
            Some(("event", name)) => name.clone_into(&mut event.name),
            Some(("id", id)) => event.id = Some(id.to_owned()),
            Some(("data", data)) => {
                event.data = serde_json::from_str(data).context("an event is not JSON")?;
            }
            _ => {}
        }
    }
}

impl Event {
    pub(super) fn to_json(&self) -> Value {
        json!({ "event": self.name, "id": self.id, "data": self.data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_and_a_comment_is_none() {
        let text = ": hello\n\nevent: run.changed\nid: a-1\ndata: {\"x\":1}\n\nevent: cut";
        let mut from = BufReader::new(text.as_bytes());
        let event = read(&mut from).expect("an event").expect("one");
        insta::assert_snapshot!(event.to_json(), @r#"{"data":{"x":1},"event":"run.changed","id":"a-1"}"#);
        assert!(read(&mut from).expect("the end").is_none());
    }
}
