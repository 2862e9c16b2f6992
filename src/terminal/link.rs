//! One connection to the server: a `tmux -C` child and its two pipes.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use tmux_interface::{
    ClientFlags, DeleteBuffer, DisplayMessage, ListBuffers, NewSession, SetEnvironment,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;
use tracing::{debug, warn};

use super::client::{command, start, words};
use super::error::TerminalError;
use super::process::stat;
use super::protocol::{Block, Message, Parser};
use super::quote::Line;
use super::server::{Door, Server};
use super::status::ServerEpoch;

/// A server of another protocol accepts the connection and then says nothing.
const FIRST_BYTE_LIMIT: Duration = Duration::from_secs(2);
const GREETING_LIMIT: Duration = Duration::from_secs(5);
const OLDEST: (u32, u32) = (3, 3);

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Start the server if there is certainly none.
    Start,
    Find,
    /// Find the server that we know, and wait for it as long as it lives.
    Return,
}

/// An open connection.
///
/// Dropping it closes the pipes and the client goes by itself. It is never
/// killed: three clients killed while the server stood still, and tmux 3.3
/// crashes as it wakes up, with all agents.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) parser: Parser,
    pub(super) server: ServerEpoch,
    /// When the process of the server was started, in clock ticks.
    pub(super) started: Option<u64>,
    child: Child,
}

impl Link {
    /// Connects.
    ///
    /// `mine` tells the names of buffers that this process may have left behind.
    pub(super) async fn open(
        server: &Server,
        effort: Effort,
        mine: &str,
    ) -> Result<Self, TerminalError> {
        let door = server.find(effort == Effort::Start).await?;
        if door.running.is_none() {
            start(server, &door).await?;
        }
        let mut link = Self::connect(server, &door)?;
        if let Err(error) = link.enter(server, &door, effort, mine).await {
            link.leave();
            return Err(error);
        }
        server.remember(link.server.pid);
        Ok(link)
    }

    async fn enter(
        &mut self,
        server: &Server,
        door: &Door,
        effort: Effort,
        mine: &str,
    ) -> Result<(), TerminalError> {
        let attached = match effort {
            // One client that waits is better than many that gave up.
            Effort::Return if door.same_program => Ok(self.attached().await),
            _ => timeout(FIRST_BYTE_LIMIT, self.attached()).await,
        };
        match attached {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(self.explain(server, door, error).await),
            Err(_) if door.same_program => return Err(TerminalError::Timeout(FIRST_BYTE_LIMIT)),
            Err(_) => return Err(mismatch(door)),
        }
        let late = |_| TerminalError::Timeout(GREETING_LIMIT);
        timeout(GREETING_LIMIT, self.greet(server, mine)).await.map_err(late)?
    }

    fn connect(server: &Server, door: &Door) -> Result<Self, TerminalError> {
        let flags = ClientFlags {
            no_output: Some(true),
            ignore_size: Some(true),
            ..ClientFlags::default()
        };
        let session = NewSession::new().attach().flags(flags);
        let mut command = command(server, door);
        command.args(["-N", "-C"]).args(words(session));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let io = |source| TerminalError::io("start tmux", source);
        let mut child = command.spawn().map_err(io)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| io(std::io::ErrorKind::BrokenPipe.into()))?;
        let server = ServerEpoch { pid: 0, start_time: 0 }; // Until the greeting.
        Ok(Self { stdin, stdout, parser: Parser::default(), server, started: None, child })
    }

    /// Reads more; an end of the stream is an error.
    async fn read(&mut self) -> Result<Vec<Message>, TerminalError> {
        let mut buffer = [0; 8192];
        match self.stdout.read(&mut buffer).await {
            Ok(0) | Err(_) => Err(TerminalError::ControlLost),
            Ok(count) => Ok(self.parser.feed(&buffer[..count])),
        }
    }

    async fn attached(&mut self) -> Result<(), TerminalError> {
        loop {
            for message in self.read().await? {
                match message {
                    Message::Block(block) if block.failed => {
                        return Err(TerminalError::Tmux(block.text()));
                    }
                    Message::Block(_) => return Ok(()),
                    Message::Notification { .. } => {}
                }
            }
        }
    }

    /// Finds words for a client that ended at once.
    async fn explain(
        &mut self,
        server: &Server,
        door: &Door,
        error: TerminalError,
    ) -> TerminalError {
        let mut words = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let read = stderr.read_to_string(&mut words);
            timeout(FIRST_BYTE_LIMIT, read).await.ok(); // What was said until then counts.
        }
        let words = words.trim();
        let nobody = words.starts_with("no server") || words.starts_with("error connecting");
        if nobody || door.running.is_some_and(|pid| stat(pid).is_none()) {
            return TerminalError::NoServer { socket: server.socket.clone() };
        }
        if words.contains("server exited") && !door.same_program {
            return mismatch(door);
        }
        if words.is_empty() { error } else { TerminalError::Tmux(words.into()) }
    }

    /// Learns who the server is and makes it the server that we need.
    async fn greet(&mut self, server: &Server, mine: &str) -> Result<(), TerminalError> {
        let mut lines: Vec<Vec<u8>> =
            Server::configuration().into_iter().map(String::into_bytes).collect();
        for (key, value) in &server.config.env {
            let set = SetEnvironment::new().global().name(key).value(value).build();
            lines.push(Line::new(&set).as_bytes().to_vec());
        }
        for block in self.ask(lines).await? {
            if block.failed {
                warn!(tmux = block.text(), "The tmux server refused a part of its configuration");
            }
        }

        let who = DisplayMessage::new().print().message("#{pid} #{start_time} #{version}").build();
        let ours = "#{m:seamux-*,#{buffer_name}}";
        let buffers = ListBuffers::new().format("#{buffer_name}").filter(ours).build();
        let questions = [Line::new(&who), Line::new(&buffers)];
        let answers = self.ask(questions.map(|line| line.as_bytes().to_vec()).to_vec()).await?;
        let [who, buffers] = &answers[..] else {
            return Err(TerminalError::ControlLost);
        };
        self.server = identity(&who.text())?;
        self.started = stat(self.server.pid).map(|stat| stat.started);

        let left: BTreeSet<String> =
            buffers.text().lines().filter(|name| abandoned(name, mine)).map(Into::into).collect();
        let delete = |name: String| Line::new(&DeleteBuffer::new().buffer_name(name).build());
        let lines = left.into_iter().map(delete).map(|line| line.as_bytes().to_vec()).collect();
        self.ask(lines).await?;
        Ok(())
    }

    /// Runs lines of one command each, before anyone else may.
    async fn ask(&mut self, lines: Vec<Vec<u8>>) -> Result<Vec<Block>, TerminalError> {
        let expected = lines.len();
        let mut text = lines.join(&b'\n');
        if text.is_empty() {
            return Ok(vec![]); // An empty line would detach us.
        }
        text.push(b'\n');
        self.stdin.write_all(&text).await.map_err(|_| TerminalError::ControlLost)?;
        let mut blocks = Vec::new();
        while blocks.len() < expected {
            for message in self.read().await? {
                match message {
                    Message::Block(block) if block.ours => blocks.push(block),
                    Message::Block(_) | Message::Notification { .. } => {}
                }
            }
        }
        Ok(blocks)
    }

    /// Gives up on a server that may not even have noticed us. Takes its words until
    /// it has, else the client would stay in its list for ever.
    pub(super) fn leave(self) {
        let Self { stdin, mut stdout, mut child, .. } = self;
        drop(stdin);
        tokio::spawn(async move {
            let rest = tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await;
            let status = child.wait().await;
            debug!(?rest, ?status, "A connection that was given up ended");
        });
    }

    /// Leaves politely. The server and everything in it live on.
    pub(super) async fn close(self) {
        let Self { stdin, mut child, .. } = self;
        drop(stdin);
        timeout(FIRST_BYTE_LIMIT, child.wait()).await.ok(); // Else it goes later.
    }
}

fn mismatch(door: &Door) -> TerminalError {
    TerminalError::VersionMismatch { server_pid: door.running.unwrap_or_default() }
}

fn identity(text: &str) -> Result<ServerEpoch, TerminalError> {
    let strange = || TerminalError::Tmux(format!("cannot tell who the server is from `{text}`"));
    let mut words = text.split(' ');
    let mut next = || words.next().ok_or_else(strange);
    let pid = next()?.parse().map_err(|_| strange())?;
    let start_time = next()?.parse().map_err(|_| strange())?;
    let version = next()?;
    if too_old(version) {
        return Err(TerminalError::TmuxTooOld { found: version.into() });
    }
    Ok(ServerEpoch { pid, start_time })
}

/// Only what certainly is old: development versions have names like `next-3.6` and `master`.
fn too_old(version: &str) -> bool {
    let digits = version.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let Some((major, minor)) = digits.split_once('.') else {
        return false;
    };
    matches!((major.parse(), minor.parse()), (Ok(major), Ok(minor)) if (major, minor) < OLDEST)
}

/// Whether a paste buffer was left by a process that died, or by this one before it reconnected.
fn abandoned(name: &str, mine: &str) -> bool {
    let pid = name.strip_prefix("seamux-").and_then(|rest| rest.split('-').next()?.parse().ok());
    name.starts_with(mine) || pid.is_some_and(|pid| stat(pid).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let old = ["3.2", "3.2a", "2.9", "1.10"].map(too_old);
        let new = ["3.3", "3.3a", "3.10", "4.0", "next-3.6", "master"].map(too_old);
        assert_eq!((old, new), ([true; 4], [false; 6]));
    }

    #[test]
    fn only_buffers_of_the_dead_and_our_own_are_cleared() {
        let alive = format!("seamux-{}-0-1", std::process::id());
        assert!(!abandoned(&alive, "seamux-1-0-"));
        assert!(abandoned(&alive, &alive[..alive.len() - 1]));
        assert!(abandoned("seamux-999999999-0-1", "seamux-1-0-"));
        assert!(!abandoned("buffer0", "seamux-1-0-"));
        assert!(!abandoned("seamux-notes", "seamux-1-0-"));
    }
}
