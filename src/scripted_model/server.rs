//! The sockets: loopback only, one task per server, nothing shared but a short journal.

use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::State;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info};
use uuid::Uuid;

use super::anthropic::reply::{Message, error_json};
use super::anthropic::request::Request as MessagesRequest;
use super::paced::{Frame, Paced};
use super::play::{self, Match};
use super::scenario::PlannedError;
use super::situation::Situation;
use super::{ModelError, Scenario};

/// As the real API has it.
const LARGEST_BODY: usize = 32 * 1024 * 1024;
const KEPT_REQUESTS: usize = 500;
/// Prompts whose errors are being counted. More than this are not under way at once.
const KEPT_COUNTS: usize = 1000;

/// What one request for a message was, and what was done about it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeenRequest {
    /// The last typed prompt, without the CLI's reminders.
    pub prompt: String,
    /// The tools whose results stand in the last message.
    pub results_of: Vec<String>,
    /// Names of the tools that the request offers.
    pub tools: Vec<String>,
    pub step: u32,
    pub plan_mode: bool,
    pub stream: bool,
    /// The rule that answered; in parentheses what answers without a rule.
    pub rule: String,
    pub status: u16,
    /// The answer was planned to break off.
    pub cut: bool,
}

/// A scripted model that runs until it is dropped.
#[derive(Debug)]
pub struct ScriptedModel {
    pub addr: SocketAddr,
    journal: Arc<Mutex<Journal>>,
    total: watch::Receiver<usize>,
    stop: CancellationToken,
    task: JoinHandle<std::io::Result<()>>,
}

impl ScriptedModel {
    /// Listens on `addr` (port 0 picks one) and answers from a task of its own.
    pub async fn start(addr: SocketAddr, scenario: Scenario) -> Result<Self, ModelError> {
        refuse_beyond_loopback(addr)?;
        let failed = |source| ModelError::Listen { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(failed)?;
        let addr = listener.local_addr().map_err(failed)?;
        let stop = CancellationToken::new();
        let model = Model::new(scenario, stop.clone());
        let journal = Arc::clone(&model.journal);
        let total = model.total.subscribe();
        let task = tokio::spawn(run(listener, model));
        info!(%addr, "Scripted model listens");
        Ok(Self { addr, journal, total, stop, task })
    }

    /// What a CLI takes as its base URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// The newest requests for messages, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<SeenRequest> {
        lock(&self.journal).seen.iter().cloned().collect()
    }

    /// How many requests for messages there were; changes with each, so that a test can wait for one.
    #[must_use]
    pub fn total(&self) -> watch::Receiver<usize> {
        self.total.clone()
    }

    /// Ends the server, and breaks off the answers that are under way.
    pub async fn stop(mut self) {
        self.stop.cancel();
        (&mut self.task).await.ok(); // Whether it ended well or badly: it has ended.
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Serves on a listener that the caller brings, until `stop`.
pub async fn serve(
    listener: TcpListener,
    scenario: Scenario,
    stop: CancellationToken,
) -> Result<(), ModelError> {
    let unknown = SocketAddr::from(([0, 0, 0, 0], 0));
    let addr =
        listener.local_addr().map_err(|source| ModelError::Listen { addr: unknown, source })?;
    refuse_beyond_loopback(addr)?;
    run(listener, Model::new(scenario, stop))
        .await
        .map_err(|source| ModelError::Listen { addr, source })
}

fn refuse_beyond_loopback(addr: SocketAddr) -> Result<(), ModelError> {
    if addr.ip().is_loopback() { Ok(()) } else { Err(ModelError::NotLoopback(addr)) }
}

async fn run(listener: TcpListener, model: Model) -> std::io::Result<()> {
    let stop = model.stop.clone();
    let router = Router::new()
        .route("/", get(|| async { "scripted model\n" }))
        .route("/v1/messages", post(messages))
        .route("/v1/messages/count_tokens", post(count_tokens))
        .method_not_allowed_fallback(not_found)
        .fallback(not_found)
        .with_state(model);
    axum::serve(listener, router).with_graceful_shutdown(stop.cancelled_owned()).await
}

#[derive(Clone)]
struct Model {
    scenario: Arc<Scenario>,
    journal: Arc<Mutex<Journal>>,
    total: watch::Sender<usize>,
    stop: CancellationToken,
}

#[derive(Debug, Default)]
struct Journal {
    seen: VecDeque<SeenRequest>,
    counts: HashMap<Count, u32>,
}

/// The errors of a rule and its cuts are counted apart, for each prompt.
type Count = (&'static str, usize, u64);

impl Model {
    fn new(scenario: Scenario, stop: CancellationToken) -> Self {
        Self {
            scenario: Arc::new(scenario),
            journal: Arc::default(),
            total: watch::Sender::default(),
            stop,
        }
    }
}

impl Journal {
    fn note(&mut self, seen: SeenRequest) {
        if self.seen.len() == KEPT_REQUESTS {
            self.seen.pop_front();
        }
        self.seen.push_back(seen);
    }

    /// Whether a thing that shall happen `times` times is still due. Forgets the count when it is
    /// not, so that the same prompt in another conversation starts afresh.
    fn due(&mut self, what: Count, times: Option<u32>) -> bool {
        let Some(times) = times else { return true };
        if KEPT_COUNTS <= self.counts.len() && !self.counts.contains_key(&what) {
            self.counts.clear();
        }
        let count = self.counts.entry(what).or_default();
        *count += 1;
        let due = *count <= times;
        if !due {
            self.counts.remove(&what);
        }
        due
    }
}

fn lock(journal: &Mutex<Journal>) -> std::sync::MutexGuard<'_, Journal> {
    // A panic between two lines of bookkeeping leaves nothing half done that matters.
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn messages(State(model): State<Model>, request: Request<Body>) -> Response<Body> {
    let (request, size) = match read(request).await {
        Ok(read) => read,
        Err(message) => return failure(400, Some(&message), None),
    };
    let situation = request.situation();
    let found = play::find(&model.scenario, &situation);
    let (error, cut_after) = plans(&model, found.as_ref(), &situation);
    let (rule, mut answer) = match &found {
        Some(found) => (found.rule.name.as_str(), found.answer(&situation)),
        None => play::without_a_rule(&situation),
    };
    play::answer_waiting(&model.scenario, &situation, &mut answer);
    let status = error.map_or(200, |it| it.status);
    debug!(rule, status, step = situation.step, "Request answered");
    lock(&model.journal).note(SeenRequest {
        prompt: situation.prompt.clone(),
        results_of: situation.results.iter().map(|it| it.tool.clone()).collect(),
        tools: situation.tools.clone(),
        step: situation.step,
        plan_mode: situation.plan_mode,
        stream: request.stream,
        rule: rule.into(),
        status,
        cut: cut_after.is_some(),
    });
    model.total.send_modify(|it| *it += 1);

    if let (Some(error), Some(found)) = (error, &found) {
        let message = error.message.as_ref().map(|it| found.fill(it));
        let mut response = failure(error.status, message.as_deref(), error.retry_after);
        if error.is_final {
            response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
        }
        return response;
    }
    let message = Message::new(&answer, &request.model, tokens(size), new_id);
    let mut frames = Vec::new();
    if !answer.before.is_zero() {
        frames.push(Frame::Pause(answer.before));
    }
    let content_type = if request.stream {
        frames.extend(message.to_frames(answer.delay, cut_after));
        "text/event-stream; charset=utf-8"
    } else {
        frames.push(if cut_after.is_some() { Frame::Cut } else { Frame::Data(message.to_json()) });
        "application/json"
    };
    response(200, content_type, Body::from_stream(Paced::new(frames, model.stop.clone())))
}

/// The error and the cut that are due now. An error comes instead of an answer, so it goes first.
fn plans<'a>(
    model: &Model,
    found: Option<&Match<'a>>,
    situation: &Situation,
) -> (Option<&'a PlannedError>, Option<usize>) {
    let Some(found) = found else {
        return (None, None);
    };
    let mut journal = lock(&model.journal);
    let key = situation.prompt_key;
    let error =
        found.rule.error.as_ref().filter(|it| journal.due(("error", found.index, key), it.times));
    if error.is_some() {
        return (error, None);
    }
    let cut = found.rule.cut.as_ref().filter(|it| journal.due(("cut", found.index, key), it.times));
    (None, cut.map(|it| it.after))
}

async fn count_tokens(request: Request<Body>) -> Response<Body> {
    match read(request).await {
        Ok((_, size)) => {
            let body = serde_json::json!({ "input_tokens": tokens(size) }).to_string();
            response(200, "application/json", Body::from(body))
        }
        Err(message) => failure(400, Some(&message), None),
    }
}

async fn not_found() -> Response<Body> {
    failure(404, None, None)
}

/// The request and the size of its body, or what is wrong with it.
async fn read(request: Request<Body>) -> Result<(MessagesRequest, usize), String> {
    let body: Bytes = to_bytes(request.into_body(), LARGEST_BODY).await.map_err(|err| {
        format!("the body could not be read (at most {LARGEST_BODY} bytes): {err}")
    })?;
    let request = serde_json::from_slice(&body)
        .map_err(|err| format!("not a request for a message: {err}"))?;
    Ok((request, body.len()))
}

/// A guess that grows with the conversation, which is all that a context meter needs.
fn tokens(bytes: usize) -> u64 {
    bytes as u64 / 4 + 1
}

fn new_id(prefix: &str) -> String {
    format!("{prefix}{}", Uuid::new_v4().simple())
}

fn failure(status: u16, message: Option<&str>, retry_after: Option<u32>) -> Response<Body> {
    let id = new_id("req_");
    let body = error_json(status, message, &id);
    let mut response = response_with_id(&id, status, "application/json", Body::from(body));
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

fn response(status: u16, content_type: &'static str, body: Body) -> Response<Body> {
    response_with_id(&new_id("req_"), status, content_type, body)
}

fn response_with_id(
    id: &str,
    status: u16,
    content_type: &'static str,
    body: Body,
) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    if let Ok(id) = id.parse() {
        response.headers_mut().insert("request-id", id);
    }
    response
}
