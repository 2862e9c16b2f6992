//! A reader of the event stream that adds no time of its own: one socket, one
//! buffer, and the clock right after each read.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use super::clock::now;
use super::server::Server;

/// The heartbeat comes more often, so a longer silence is a broken stream.
const SILENCE: Duration = Duration::from_secs(40);

pub(crate) struct Event {
    pub(crate) name: String,
    pub(crate) data: Vec<u8>,
}

pub(crate) struct Stream {
    socket: TcpStream,
    /// What was read and not looked at.
    unread: Vec<u8>,
    /// Of the event whose data come next.
    name: String,
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
        let mut stream = Self { socket, unread: Vec::new(), name: String::new() };
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

    /// The next events, and when they were here.
    pub(crate) fn events(&mut self) -> anyhow::Result<(Duration, Vec<Event>)> {
        let at = self.read()?;
        let mut events = Vec::new();
        let mut looked_at = 0;
        while let Some(length) = memchr::memchr(b'\n', &self.unread[looked_at..]) {
            let line = &self.unread[looked_at..looked_at + length];
            if let Some(name) = line.strip_prefix(b"event: ") {
                self.name = String::from_utf8_lossy(name).into_owned();
            } else if let Some(data) = line.strip_prefix(b"data: ") {
                events.push(Event { name: std::mem::take(&mut self.name), data: data.to_vec() });
            }
            looked_at += length + 1;
        }
        self.unread.drain(..looked_at);
        Ok((at, events))
    }
}
