//! A client that does what docs/api.md tells clients to do, and loses its
//! connection at any byte.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::house::House;

/// Nothing came for so long: a connection that is cut then is cut between two events.
const QUIET: Duration = Duration::from_millis(30);

/// What the client knows, and where it goes on.
#[derive(Default)]
pub(super) struct Client {
    run: String,
    pub(super) cursor: Option<String>,
    /// Every run that it was told of.
    pub(super) runs: BTreeMap<String, Value>,
    messages: BTreeMap<(u64, u32), Value>,
    receipts: BTreeMap<String, Value>,
    /// The epoch, the dialogs, the queue and the tail, as the snapshot names them.
    rest: Map<String, Value>,
    /// How often it was told to read everything again.
    pub(super) resyncs: usize,
    pub(super) events: usize,
}

impl Client {
    /// Begins with a snapshot.
    pub(super) fn of(house: &House) -> Self {
        let mut client = Self { run: house.run.clone(), ..Self::default() };
        client.read_snapshot(house);
        client
    }

    fn read_snapshot(&mut self, house: &House) {
        let page = house.get(&house.run_path("/messages?limit=500")).body;
        let run = house.get(&house.run_path("")).body;
        let cursor = page["cursor"].as_str().unwrap().to_owned();
        *self = Self {
            run: std::mem::take(&mut self.run),
            cursor: Some(cursor),
            events: self.events,
            resyncs: self.resyncs,
            runs: BTreeMap::from([(house.run.clone(), run)]),
            ..Self::default()
        };
        for name in ["epoch", "pending_dialogs", "queued", "tail"] {
            self.rest.insert(name.to_owned(), page[name].clone());
        }
        for message in page["messages"].as_array().unwrap() {
            self.put(message);
        }
        for receipt in page["receipts"].as_array().unwrap() {
            self.receipts.insert(receipt["id"].as_str().unwrap().to_owned(), receipt.clone());
        }
    }

    fn put(&mut self, message: &Value) {
        let position = message["position"].as_str().unwrap();
        let (record, block) = position.split_once('.').unwrap();
        let position = (record.parse().unwrap(), block.parse().unwrap());
        self.messages.insert(position, message.clone());
    }

    /// Follows the stream for so many bytes, or until nothing comes, and loses it.
    pub(super) fn follow(&mut self, house: &House, bytes: usize) {
        let mut stream = TcpStream::connect(house.url.strip_prefix("http://").unwrap()).unwrap();
        let query = if self.run.is_empty() { String::new() } else { format!("?run={}", self.run) };
        let last = self.cursor.as_ref().map(|it| format!("Last-Event-ID: {it}\r\n"));
        // An answer in HTTP/1.0 is not cut into chunks: its bytes are the stream's.
        let request = format!(
            "GET /api/v1/events{query} HTTP/1.0\r\nHost: localhost\r\nAuthorization: {}\r\n{}\r\n",
            house.bearer(),
            last.unwrap_or_default()
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream.set_read_timeout(Some(QUIET)).unwrap();
        let (mut heard, mut buffer) = (Vec::new(), [0; 512]);
        while heard.len() < bytes {
            let most = buffer.len().min(bytes - heard.len());
            match stream.read(&mut buffer[..most]) {
                Ok(0) => break,
                Ok(count) => heard.extend_from_slice(&buffer[..count]),
                // The head of the answer is waited for: nobody is that quick.
                Err(error) if is_quiet(&error) && heard.is_empty() => {}
                Err(error) if is_quiet(&error) => break,
                Err(error) => panic!("{error}"),
            }
        }
        drop(stream);
        let text = String::from_utf8_lossy(&heard).into_owned();
        let Some((_, body)) = text.split_once("\r\n\r\n") else { return };
        // The last part is one that was cut, or empty: it never came.
        let mut frames: Vec<&str> = body.split("\n\n").collect();
        frames.pop();
        for frame in frames {
            if !self.take(frame) {
                self.resyncs += 1;
                self.read_snapshot(house);
                return;
            }
        }
    }

    /// False when everything has to be read again.
    fn take(&mut self, frame: &str) -> bool {
        let field = |name: &str| frame.lines().find_map(|it| it.strip_prefix(name));
        let data: Value = serde_json::from_str(field("data: ").unwrap()).unwrap();
        self.events += 1;
        match field("event: ").unwrap() {
            "message.upsert" => self.put(&data["message"]),
            "receipt" => {
                let receipt = &data["receipt"];
                self.receipts.insert(receipt["id"].as_str().unwrap().to_owned(), receipt.clone());
            }
            "run.changed" => {
                let run = &data["run"];
                self.runs.insert(run["id"].as_str().unwrap().to_owned(), run.clone());
            }
            "run.removed" => {
                self.runs.remove(data["id"].as_str().unwrap());
            }
            "dialog.changed" => self.set("pending_dialogs", &data),
            "queue.changed" => self.set("queued", &data),
            "tail.changed" => self.set("tail", &data),
            "epoch.changed" | "resync" => return false,
            "heartbeat" => {}
            other => panic!("an event that docs/api.md does not know: {other}"),
        }
        if let Some(id) = field("id: ") {
            self.cursor = Some(id.to_owned());
        }
        true
    }

    fn set(&mut self, name: &str, data: &Value) {
        self.rest.insert(name.to_owned(), data[name].clone());
    }

    /// All that it would show of the newest messages, as bytes.
    fn view(&self) -> String {
        let newest: Vec<_> = self.messages.values().rev().take(200).collect();
        let run = &self.runs[&self.run];
        json!({ "run": run, "messages": newest, "receipts": self.receipts, "rest": self.rest })
            .to_string()
    }

    /// Goes on until it shows what a client would that begins now. Both have to be
    /// at the same change, so this is for a time when nothing is written.
    pub(super) fn expect_caught_up(&mut self, house: &House) {
        let deadline = Instant::now() + Duration::from_secs(30);
        loop {
            self.follow(house, usize::MAX);
            let mut fresh = Self::of(house);
            // A snapshot has the newest receipts; the client may know older ones.
            self.receipts.retain(|id, _| fresh.receipts.contains_key(id));
            if self.view() == fresh.view() {
                return;
            }
            if Instant::now() > deadline {
                fresh.runs.retain(|id, _| *id == self.run);
                panic!(
                    "the views differ\n--- client\n{}\n--- fresh\n{}",
                    self.view(),
                    fresh.view()
                );
            }
        }
    }
}

/// Asks for the stream and never reads a byte of it.
pub(super) fn stall(house: &House) -> TcpStream {
    let mut stream = TcpStream::connect(house.url.strip_prefix("http://").unwrap()).unwrap();
    // Else the kernel would take megabytes for it before anybody has to wait.
    rustix::net::sockopt::set_socket_recv_buffer_size(&stream, 4096).unwrap();
    let request = format!(
        "GET /api/v1/events?run={} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n",
        house.run,
        house.bearer()
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

fn is_quiet(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
