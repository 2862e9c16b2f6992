//! The actor that owns the connection to tmux.
//!
//! Each request is one or more lines, followed by a line that prints an
//! acknowledgement which only this request has. One line can be answered by any
//! number of blocks, so we do not count: everything up to the acknowledgement
//! belongs to the request. Requests are answered in the order in which they were
//! written.
//!
//! ```text
//! requests ─┐                      ┌─▶ answers
//! bytes    ─┼─▶ one input at a time┼─▶ events (bounded, for the owner)
//! heartbeat─┘                      └─▶ news (for the death watches)
//! ```
//!
//! A server that stands still keeps its connection. Meanwhile every request fails
//! at once, so that nothing happens long after its caller gave up.
//!
//! When the connection is lost, requests that were written are in doubt and fail;
//! those that still wait are sent over the next connection. If the server is
//! gone, the next request that may start one does.

use std::collections::VecDeque;
use std::time::Duration;

use tmux_interface::DisplayMessage;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::select;
use tokio::sync::mpsc::error::{SendError, TrySendError};
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::TerminalEvent;
use super::control::{ANSWER_LIMIT, News, Reply, Request};
use super::error::TerminalError;
use super::link::{Effort, Link};
use super::process::stat;
use super::protocol::{Block, Message};
use super::quote::Line;
use super::server::Server;
use super::status::ServerEpoch;

/// A server that was stopped closes nothing and says nothing.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// The last one repeats.
const RETRY: [u64; 6] = [0, 50, 200, 1000, 5000, 30_000];
pub(super) const WAITING_REQUESTS: usize = 256;
/// More unanswered text than this, and further requests wait their turn.
const WRITE_AHEAD: usize = 8 << 20;
/// No answer of ours is this long; something is wrong with the stream.
const LONGEST_BLOCK: usize = 64 << 20;

struct Pending {
    sent: Instant,
    ack: Vec<u8>,
    blocks: Vec<Block>,
    /// `None` for a heartbeat.
    reply: Option<Reply>,
}

enum End {
    Stopped,
    Lost,
}

/// What the actor is made of.
pub(super) struct Parts {
    pub(super) server: Server,
    /// How the names of our paste buffers begin.
    pub(super) buffers: String,
    /// No agent can guess it, so none can print an acknowledgement.
    pub(super) nonce: u64,
    pub(super) inbox: mpsc::Receiver<Request>,
    pub(super) events: mpsc::Sender<TerminalEvent>,
    pub(super) news: broadcast::Sender<News>,
    pub(super) stop: CancellationToken,
}

pub(super) struct Actor {
    parts: Parts,
    epoch: ServerEpoch,
    /// Tells the process of the server from a later one with its number.
    started: Option<u64>,
    sequence: u64,
    pending: VecDeque<Pending>,
    out: Vec<u8>,
    /// Events that the owner had no room for yet.
    outbox: VecDeque<TerminalEvent>,
    /// The server owes us an answer for too long.
    silent: bool,
}

impl Actor {
    pub(super) fn new(parts: Parts, link: &Link) -> Self {
        Self {
            parts,
            epoch: link.server,
            started: link.started,
            sequence: 0,
            pending: VecDeque::new(),
            out: Vec::new(),
            outbox: VecDeque::new(),
            silent: false,
        }
    }

    pub(super) async fn run(mut self, link: Link) {
        let stop = self.parts.stop.clone();
        let mut link = Some(link);
        loop {
            link = match link.take() {
                Some(mut open) => match self.serve(&mut open).await {
                    End::Stopped => return open.close().await,
                    End::Lost => {
                        open.leave();
                        self.give_up_pending();
                        self.emit(TerminalEvent::ControlLost);
                        select! {
                            () = stop.cancelled() => return,
                            link = self.recover() => link,
                        }
                    }
                },
                None => select! {
                    () = stop.cancelled() => return,
                    link = self.rest() => match link {
                        Some(link) => Some(link),
                        None => return,
                    },
                },
            };
            if let Some(open) = &link {
                self.epoch = open.server;
                self.started = open.started;
                self.back();
            } else {
                self.parts.news.send(News::LookAgain).ok(); // Fine if nobody watches anything.
            }
        }
    }

    async fn serve(&mut self, link: &mut Link) -> End {
        let mut buffer = vec![0; 64 << 10];
        let mut written = 0;
        let mut heard = Instant::now();
        self.silent = false;
        let events = self.parts.events.clone();
        loop {
            if written == self.out.len() {
                self.out.clear();
                written = 0;
            }
            let space = self.pending.len() < WAITING_REQUESTS && self.out.len() < WRITE_AHEAD;
            let patience = match self.pending.front() {
                Some(first) => heard.max(first.sent) + ANSWER_LIMIT,
                None => heard + HEARTBEAT,
            };
            select! {
                () = self.parts.stop.cancelled() => return End::Stopped,
                read = link.stdout.read(&mut buffer) => {
                    let count = match read {
                        Ok(count) if count > 0 => count,
                        _ => return End::Lost,
                    };
                    heard = Instant::now();
                    if std::mem::take(&mut self.silent) {
                        self.back();
                    }
                    for message in link.parser.feed(&buffer[..count]) {
                        self.hear(message);
                    }
                    if link.parser.held() > LONGEST_BLOCK {
                        warn!("The tmux stream makes no sense; connecting again");
                        return End::Lost;
                    }
                }
                write = link.stdin.write(&self.out[written..]), if written < self.out.len() => {
                    match write {
                        Ok(count) if count > 0 => written += count,
                        _ => return End::Lost,
                    }
                }
                request = self.parts.inbox.recv(), if space || self.silent => match request {
                    Some(request) => self.take(request),
                    None => return End::Stopped,
                },
                permit = events.reserve(), if !self.outbox.is_empty() => self.deliver(permit),
                () = sleep_until(patience), if !self.silent => match self.pending.is_empty() {
                    true => self.enqueue(vec![], None),
                    false => {
                        // A new connection would fare no better. See `Link` for why
                        // this one must not be cut.
                        warn!("The tmux server gives no sign of life");
                        self.silent = true;
                        self.emit(TerminalEvent::ControlLost);
                    }
                },
            }
        }
    }

    fn back(&mut self) {
        self.emit(TerminalEvent::Reconnected);
        self.parts.news.send(News::LookAgain).ok(); // Fine if nobody watches anything.
    }

    fn take(&mut self, request: Request) {
        if self.silent {
            // It would wait in the pipe and happen whenever the server wakes up.
            let error = TerminalError::Timeout(ANSWER_LIMIT);
            request.reply.send(Err(error)).ok(); // Nobody has to wait for it.
        } else if !request.reply.is_closed() {
            // Whoever stopped waiting before it was sent must not be surprised later.
            self.enqueue(request.lines, Some(request.reply));
        }
    }

    fn enqueue(&mut self, lines: Vec<Line>, reply: Option<Reply>) {
        self.sequence += 1;
        let ack = format!("ack:{:016x}:{}", self.parts.nonce, self.sequence);
        let print = Line::new(&DisplayMessage::new().print().message(&ack).build());
        for line in lines.iter().chain([&print]) {
            self.out.extend_from_slice(line.as_bytes());
            self.out.push(b'\n');
        }
        let ack = format!("{ack}\n").into_bytes();
        let sent = Instant::now();
        self.pending.push_back(Pending { sent, ack, blocks: Vec::new(), reply });
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Block(block) if block.ours => {
                let Some(first) = self.pending.front_mut() else {
                    return;
                };
                if first.ack != block.body {
                    first.blocks.push(block);
                    return;
                }
                if let Some(Pending { blocks, reply: Some(reply), .. }) = self.pending.pop_front() {
                    reply.send(Ok(blocks)).ok(); // Nobody has to wait for it.
                }
            }
            Message::Notification { name, rest } => {
                if matches!(&*name, "window-close" | "unlinked-window-close") {
                    let window = rest.split(' ').next().unwrap_or_default().to_owned();
                    self.parts.news.send(News::WindowClosed(window)).ok(); // Fine without watches.
                }
            }
            Message::Block(_) => {} // The answer to someone else.
        }
    }

    fn give_up_pending(&mut self) {
        self.out.clear();
        for pending in self.pending.drain(..) {
            if let Some(reply) = pending.reply {
                reply.send(Err(TerminalError::ControlLost)).ok(); // Nobody has to wait for it.
            }
        }
    }

    /// Connects again to the server that we had. `None` if it is gone.
    async fn recover(&mut self) -> Option<Link> {
        let mut waits = RETRY.into_iter();
        let mut wait = 0;
        loop {
            wait = waits.next().unwrap_or(wait);
            sleep(Duration::from_millis(wait)).await;
            match Link::open(&self.parts.server, Effort::Return, &self.parts.buffers).await {
                Ok(link) => {
                    if link.server != self.epoch {
                        self.emit(TerminalEvent::ServerGone);
                    }
                    return Some(link);
                }
                Err(_) if stat(self.epoch.pid).map(|stat| stat.started) != self.started => {
                    self.emit(TerminalEvent::ServerGone);
                    return None;
                }
                Err(error) => warn!(%error, "Could not connect to tmux again"),
            }
        }
    }

    /// Waits without a server until somebody needs one. `None` if nobody is left.
    async fn rest(&mut self) -> Option<Link> {
        let events = self.parts.events.clone();
        loop {
            let request = select! {
                            request = self.parts.inbox.recv() => request?,
                            permit = events.reserve(), if !self.outbox.is_empty() => {
             self.deliver(permit);
             continue;
            }
                        };
            let effort = if request.may_start { Effort::Start } else { Effort::Find };
            match Link::open(&self.parts.server, effort, &self.parts.buffers).await {
                Ok(link) => {
                    info!(server.pid = link.server.pid, "Connected to a new tmux server");
                    self.take(request);
                    return Some(link);
                }
                Err(error) => {
                    request.reply.send(Err(error)).ok(); // Nobody has to wait for it.
                }
            }
        }
    }

    fn deliver(&mut self, permit: Result<mpsc::Permit<'_, TerminalEvent>, SendError<()>>) {
        match (permit, self.outbox.pop_front()) {
            (Ok(permit), Some(event)) => permit.send(event),
            _ => self.outbox.clear(), // Nobody listens any more.
        }
    }

    fn emit(&mut self, event: TerminalEvent) {
        self.outbox.push_back(event);
        while let Some(event) = self.outbox.pop_front() {
            match self.parts.events.try_send(event) {
                Ok(()) => {}
                Err(TrySendError::Full(event)) => {
                    self.outbox.push_front(event);
                    return;
                }
                Err(TrySendError::Closed(_)) => self.outbox.clear(),
            }
        }
    }
}
