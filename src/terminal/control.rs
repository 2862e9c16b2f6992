//! The handle to the connection: a request goes in, an answer comes out, in time.

use std::time::Duration;

use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::TerminalEvent;
use super::actor::{Actor, Parts, WAITING_REQUESTS};
use super::calls::Calls;
use super::error::TerminalError;
use super::link::{Effort, Link};
use super::protocol::Block;
use super::quote::Line;
use super::server::Server;

pub(super) const ANSWER_LIMIT: Duration = Duration::from_secs(5);
const START_LIMIT: Duration = Duration::from_secs(15);

pub(super) type Reply = oneshot::Sender<Result<Vec<Block>, TerminalError>>;

/// One thing to ask of tmux.
pub(super) struct Request {
    pub(super) lines: Vec<Line>,
    pub(super) may_start: bool,
    pub(super) reply: Reply,
}

/// What death watches want to hear.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum News {
    WindowClosed(String),
    /// We were away, so anything may have happened.
    LookAgain,
}

/// A handle to whatever talks to tmux.
#[derive(Clone, Debug)]
pub(super) struct Control {
    way: Way,
    news: broadcast::Sender<News>,
}

#[derive(Clone, Debug)]
enum Way {
    /// To the actor of a connection.
    Connection(mpsc::Sender<Request>),
    /// To a server that is not ours.
    Calls(Calls),
    Nowhere,
}

impl Control {
    /// Connects and starts the actor. It ends when `stop` is cancelled.
    pub(super) async fn open(
        server: Server,
        buffers: String,
        events: mpsc::Sender<TerminalEvent>,
        stop: CancellationToken,
    ) -> Result<(Self, JoinHandle<()>), TerminalError> {
        let nonce = getrandom::u64().map_err(|error| {
            let error = std::io::Error::other(error.to_string());
            TerminalError::io("draw a random number", error)
        })?;
        let link = Link::open(&server, Effort::Start, &buffers).await?;
        let (requests, inbox) = mpsc::channel(WAITING_REQUESTS);
        let (news, _) = broadcast::channel(WAITING_REQUESTS);
        let parts = Parts { server, buffers, nonce, inbox, events, news: news.clone(), stop };
        let actor = Actor::new(parts, &link);
        let task = tokio::spawn(actor.run(link));
        Ok((Self { way: Way::Connection(requests), news }, task))
    }

    /// Asks a server of a person, without a connection that stays.
    pub(super) fn by_calls(calls: Calls) -> Self {
        Self { way: Way::Calls(calls), news: broadcast::channel(1).0 }
    }

    pub(super) fn to_nowhere() -> Self {
        Self { way: Way::Nowhere, news: broadcast::channel(1).0 }
    }

    pub(super) fn reaches(&self) -> bool {
        !matches!(self.way, Way::Nowhere)
    }

    pub(super) fn news(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
    }

    /// Runs lines. Answers with the blocks of all commands in them.
    pub(super) async fn ask(&self, lines: Vec<Line>) -> Result<Vec<Block>, TerminalError> {
        self.send(lines, false, ANSWER_LIMIT).await
    }

    /// Like `ask`, for lines that only look: if in doubt, it looks again.
    pub(super) async fn look(&self, line: Line) -> Result<Vec<Block>, TerminalError> {
        match self.ask(vec![line.clone()]).await {
            Err(TerminalError::ControlLost) => self.ask(vec![line]).await,
            answer => answer,
        }
    }

    /// Like `ask`, and starts a server if there is none.
    pub(super) async fn start(&self, lines: Vec<Line>) -> Result<Vec<Block>, TerminalError> {
        self.send(lines, true, START_LIMIT).await
    }

    async fn send(
        &self,
        lines: Vec<Line>,
        may_start: bool,
        limit: Duration,
    ) -> Result<Vec<Block>, TerminalError> {
        let exchange = async {
            let requests = match &self.way {
                Way::Connection(requests) => requests,
                Way::Calls(calls) => return calls.run(&lines).await,
                Way::Nowhere => return Err(TerminalError::Outside),
            };
            let (reply, answer) = oneshot::channel();
            let request = Request { lines, may_start, reply };
            requests.send(request).await.map_err(|_| TerminalError::Closed)?;
            answer.await.map_err(|_| TerminalError::Closed)?
        };
        timeout(limit, exchange).await.map_err(|_| TerminalError::Timeout(limit))?
    }
}
