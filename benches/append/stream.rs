//! A reader of the event stream that adds no time of its own: one socket, one
//! buffer, and the clock right after each read.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use memchr::memmem;
use serde_json::Value;

use super::fake_cli::now;
use super::server::Server;

/// The heartbeat comes more often, so a longer silence is a broken stream.
const SILENCE: Duration = Duration::from_secs(40);

pub(crate) struct Stream {
    socket: TcpStream,
    /// What was read and not looked at.
    unread: Vec<u8>,
    /// The last line looked at says that a message follows.
    message_follows: bool,
}

impl Stream {
    /// With the messages of these runs.
    pub(crate) fn open(server: &Server, runs: &[&str]) -> anyhow::Result<Self> {
        let runs = runs.join("&run=");
        let address = server.url.strip_prefix("http://").context("not a plain address")?;
        let mut socket = TcpStream::connect(address)?;
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(SILENCE))?;
        write!(
            socket,
            "GET /api/v1/events?run={runs} HTTP/1.1\r\nHost: {address}\r\n\
             Authorization: Bearer {}\r\nAccept: text/event-stream\r\n\r\n",
            server.token
        )?;
        let mut stream = Self { socket, unread: Vec::new(), message_follows: false };
        stream.read()?;
        ensure!(stream.unread.starts_with(b"HTTP/1.1 200"), "the stream was refused");
        Ok(stream)
    }

    fn read(&mut self) -> anyhow::Result<Duration> {
        let mut block = [0; 64 * 1024];
        let count = self.socket.read(&mut block).context("nothing came")?;
        let at = now()?;
        if count == 0 {
            bail!("the server ended the stream");
        }
        self.unread.extend_from_slice(&block[..count]);
        Ok(at)
    }

    /// The next events, by name, and when they were here.
    #[allow(dead_code, reason = "not every bench looks at more than messages")]
    pub(crate) fn events(&mut self) -> anyhow::Result<(Duration, Vec<(String, Value)>)> {
        let at = self.read()?;
        let mut events = Vec::new();
        while let Some(end) = memmem::find(&self.unread, b"\n\n") {
            let block: Vec<u8> = self.unread.drain(..end + 2).collect();
            let block = String::from_utf8_lossy(&block);
            let field = |name| block.lines().find_map(|line| line.strip_prefix(name));
            if let (Some(event), Some(data)) = (field("event: "), field("data: ")) {
                events.push((event.to_owned(), serde_json::from_str(data)?));
            }
        }
        Ok((at, events))
    }

    /// What comes next: the messages in it, if any, and when they were here.
    pub(crate) fn messages(&mut self) -> anyhow::Result<(Duration, Vec<Vec<u8>>)> {
        let at = self.read()?;
        let mut messages = Vec::new();
        let mut looked_at = 0;
        while let Some(length) = memchr::memchr(b'\n', &self.unread[looked_at..]) {
            let line = &self.unread[looked_at..looked_at + length];
            // The summary of a run holds its last words too.
            if line.starts_with(b"event: ") {
                self.message_follows = line == b"event: message.upsert";
            } else if let Some(data) = line.strip_prefix(b"data: ")
                && self.message_follows
            {
                messages.push(data.to_vec());
            }
            looked_at += length + 1;
        }
        self.unread.drain(..looked_at);
        Ok((at, messages))
    }
}
