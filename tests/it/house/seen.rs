//! What a test sees of a run: its newest page, and the events as they come.

use std::sync::mpsc;
use std::time::Instant;

use serde_json::Value;

use super::PATIENCE;

/// A run and its newest page.
#[derive(Debug)]
pub(crate) struct Conversation {
    pub(crate) run: Value,
    pub(crate) page: Value,
}

impl Conversation {
    pub(crate) fn state(&self) -> &str {
        self.run["state"].as_str().unwrap()
    }

    pub(crate) fn messages(&self) -> &[Value] {
        self.page["messages"].as_array().unwrap()
    }

    /// The texts of one role, thinking left out.
    pub(crate) fn texts(&self, role: &str) -> Vec<&str> {
        let of_role =
            self.messages().iter().filter(|it| it["role"] == role && it["thinking"] != true);
        of_role.filter_map(|it| it["text"].as_str()).collect()
    }

    pub(crate) fn tools(&self) -> Vec<&Value> {
        self.messages().iter().map(|it| &it["tool"]).filter(|it| !it.is_null()).collect()
    }

    pub(crate) fn receipt(&self, id: &str) -> &Value {
        let receipts = self.page["receipts"].as_array().unwrap();
        receipts.iter().find(|it| it["id"] == id).unwrap_or(&Value::Null)
    }

    pub(crate) fn warnings(&self) -> Vec<&str> {
        let warnings = self.run["warnings"].as_array().unwrap();
        warnings.iter().filter_map(|it| it["code"].as_str()).collect()
    }

    /// What is worth knowing first where a log keeps only the end of a failure.
    pub(crate) fn in_short(&self) -> String {
        let mut short = vec![format!("state {}, warnings {:?}", self.state(), self.warnings())];
        for receipt in self.page["receipts"].as_array().unwrap() {
            let [kind, status] = ["kind", "status"].map(|it| receipt[it].as_str().unwrap_or(""));
            short.push(format!("{kind} {status} {}", receipt["detail"].as_str().unwrap_or("")));
        }
        for tool in self.tools() {
            short.push(format!("tool {} {}", tool["name"], tool["status"]));
        }
        short.join("\n")
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) data: Value,
}

pub(crate) struct Events(pub(super) mpsc::Receiver<Event>);

impl Events {
    pub(super) fn next_before(&self, deadline: Instant) -> Option<Event> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.0.recv_timeout(left).ok()
    }

    /// Reads to the end of the stream; false if it goes on.
    pub(crate) fn has_ended(&self) -> bool {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.0.recv_timeout(left) {
                Ok(_) => {}
                Err(error) => return error == mpsc::RecvTimeoutError::Disconnected,
            }
        }
    }

    /// Events up to the one that is looked for, which is the last of them.
    pub(crate) fn up_to(&self, what: &str, wanted: impl Fn(&Event) -> bool) -> Vec<Event> {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let Some(event) = self.next_before(deadline) else {
                panic!("no {what} came\n{seen:#?}");
            };
            let found = wanted(&event);
            seen.push(event);
            if found {
                return seen;
            }
        }
    }
}
