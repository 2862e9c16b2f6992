//! The event stream.
//!
//! A reader has a cursor; the hub is read again from there whenever its bell
//! rings. So a slow reader holds nobody up and misses nothing, and there is no
//! gap to close between what came before and what comes live.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::sse::{Event as Frame, Sse};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use crate::runs::Hub;
use crate::schema::Change;

use super::App;
use super::body::Asked;
use super::guard::Caller;

/// Changes that are read at once, and frames that wait for a slow reader. As many
/// as that, twice, are what a reader costs who never reads again.
const BATCH: usize = 16;
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A cursor in the form of the wire: which life of the server, which revision.
pub(super) fn cursor_text(hub: &Hub, revision: u64) -> String {
    format!("{}-{revision}", hub.birth())
}

/// The revision that a cursor names, if it is of this life of the server.
fn revision_of(hub: &Hub, cursor: &str) -> Option<u64> {
    let (birth, revision) = cursor.split_once('-')?;
    let revision = revision.parse().ok()?;
    (birth == hub.birth() && revision <= hub.revision()).then_some(revision)
}

/// Sends every change after the cursor, then each new one as it comes.
///
/// The cursor is `Last-Event-ID` if there is one, which a browser sends by
/// itself when it reconnects, and otherwise `?cursor=`. Without one the stream
/// begins with a summary of every run.
#[utoipa::path(get, path = "/events", tag = "events", params(EventsQuery), responses((status = 200, description = "Never ends. Each event has a name, data, and an id to resume at", content_type = "text/event-stream", body = Change)))]
pub(super) async fn stream_events(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Asked(query): Asked<Vec<(String, String)>>,
) -> Response {
    let watched: HashSet<String> = asked(&query, "run").collect();
    let last = headers.get("last-event-id").and_then(|it| it.to_str().ok()).map(String::from);
    let cursor = last.or_else(|| asked(&query, "cursor").next()).filter(|it| !it.is_empty());

    let (frames, stream) = mpsc::channel(BATCH);
    let (stop, revoked) = (app.stop.clone(), caller.revoked());
    tokio::spawn(async move {
        let following = revoked.run_until_cancelled(follow(app, watched, cursor, frames));
        stop.run_until_cancelled(following).await;
    });
    let mut response = Sse::new(ReceiverStream::new(stream)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    let buffering = HeaderName::from_static("x-accel-buffering");
    headers.insert(buffering, HeaderValue::from_static("no"));
    response
}

/// Every value of one name in the query.
fn asked<'a>(query: &'a [(String, String)], name: &'a str) -> impl Iterator<Item = String> + 'a {
    query.iter().filter(move |(it, _)| it == name).map(|(_, value)| value.clone())
}

/// What the query may hold. Read by hand, since `run` may be repeated.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it is only documented by this type")]
struct EventsQuery {
    /// Whose messages, dialogs, queue and receipts are wanted too; may be repeated.
    run: Option<Vec<String>>,
    /// Resumes after this cursor. The header `Last-Event-ID` wins over it.
    cursor: Option<String>,
}

type Frames = mpsc::Sender<Result<Frame, Infallible>>;

/// Ends when the reader has gone.
async fn follow(app: App, watched: HashSet<String>, cursor: Option<String>, frames: Frames) {
    let hub = app.supervisor.hub().clone();
    let metrics = app.supervisor.metrics();
    let _reader = metrics.reader();
    let mut rung_at = None;
    let mut bell = hub.bell();
    let mut revision = match cursor {
        Some(cursor) => match revision_of(&hub, &cursor) {
            Some(revision) => revision,
            None => {
                // Of another life: the client has to read everything anew.
                let revision = hub.revision();
                let frame = Frame::default().event("resync").data("{}");
                if send(&frames, frame.id(cursor_text(&hub, revision))).await.is_err() {
                    return;
                }
                revision
            }
        },
        None => {
            let revision = hub.revision();
            let runs = hub.runs();
            let mut left = runs.len();
            for run in runs {
                left -= 1;
                let frame =
                    Frame::default().event("run.changed").data(json!({ "run": run }).to_string());
                // Only the last one can be resumed at: who was cut off before it begins anew.
                let is_last = left == 0;
                let frame = if is_last { frame.id(cursor_text(&hub, revision)) } else { frame };
                if send(&frames, frame).await.is_err() {
                    return;
                }
            }
            revision
        }
    };
    if send(&frames, heartbeat()).await.is_err() {
        return;
    }
    let mut next_beat = Instant::now() + HEARTBEAT;
    loop {
        bell.mark_unchanged();
        let batch = hub.changes_since(revision, &watched, BATCH);
        if batch.is_empty() {
            tokio::select! {
                () = frames.closed() => return,
                () = sleep_until(next_beat) => {
                    next_beat = Instant::now() + HEARTBEAT;
                    if send(&frames, heartbeat()).await.is_err() {
                        return;
                    }
                }
                rung = bell.changed() => match rung {
                    Ok(()) => rung_at = Some(hub.rung_at()),
                    Err(_) => return,
                },
            }
        }
        let has_news = !batch.is_empty();
        for event in batch {
            revision = event.revision;
            let frame = Frame::default().event(event.name).data(event.data);
            if send(&frames, frame.id(cursor_text(&hub, revision))).await.is_err() {
                return;
            }
        }
        if let Some(rung_at) = rung_at.take_if(|_| has_news) {
            metrics.event_lag(rung_at.elapsed());
        }
    }
}

/// Carries no id, so that a cursor only moves with a change.
fn heartbeat() -> Frame {
    let time = jiff::Timestamp::now().to_string();
    Frame::default().event("heartbeat").data(json!({ "time": time }).to_string())
}

async fn send(frames: &Frames, frame: Frame) -> Result<(), ()> {
    frames.send(Ok(frame)).await.map_err(drop)
}
