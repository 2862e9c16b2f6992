//! The conversation of a run, page by page.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::runs::{Snapshot, Window};
use crate::schema::{
    ContextUsage, Dialog, Epoch, Message, ParsePositionError, Position, QueuedReply, Receipt,
    RunState, StreamingTail, TranscriptStatus,
};

use super::App;
use super::body::Asked;
use super::events::cursor_text;
use super::path::Path;
use super::problem::Problem;

const DEFAULT_PAGE: usize = 100;
const LARGEST_PAGE: usize = 500;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct MessagesQuery {
    /// The current one if not given.
    epoch: Option<String>,
    /// The page that ends before this position.
    before: Option<String>,
    /// The page that begins after this position.
    after: Option<String>,
    /// 100 if not given, 500 at most.
    limit: Option<usize>,
}

impl MessagesQuery {
    fn page(&self) -> Result<(Window, usize), Problem> {
        let window = match (&self.before, &self.after) {
            (None, None) => Window::Newest,
            (Some(at), None) => Window::Before(position(at)?),
            (None, Some(at)) => Window::After(position(at)?),
            (Some(_), Some(_)) => {
                let detail = "`before` and `after` exclude each other.";
                return Err(Problem::new(StatusCode::BAD_REQUEST, "invalid_query", detail));
            }
        };
        Ok((window, self.limit.unwrap_or(DEFAULT_PAGE).clamp(1, LARGEST_PAGE)))
    }
}

/// One page, and everything that a page needs to show beside it.
#[derive(Serialize, ToSchema)]
pub(super) struct Messages {
    run_id: String,
    epoch: String,
    epochs: Vec<Epoch>,
    /// In the order of their positions.
    messages: Vec<Message>,
    has_more: bool,
    state: RunState,
    pending_dialog: Option<Dialog>,
    pending_dialogs: Vec<Dialog>,
    queued: Vec<QueuedReply>,
    context_usage: Option<ContextUsage>,
    cursor: String,
    transcript: TranscriptStatus,
    tail: Option<StreamingTail>,
    receipts: Vec<Receipt>,
}

/// A page of the conversation, the newest one if nothing is said.
#[utoipa::path(get, path = "/runs/{id}/messages", tag = "messages", params(MessagesQuery), responses((status = 200, description = "A page", body = Messages)))]
pub(super) async fn list_messages(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(query): Asked<MessagesQuery>,
) -> Result<Json<Messages>, Problem> {
    let (window, limit) = query.page()?;
    let snapshot = app.supervisor.snapshot(&id, query.epoch.as_deref(), window, limit).await?;
    let cursor = cursor_text(app.supervisor.hub(), snapshot.revision);
    Ok(Json(page(id, snapshot, cursor)))
}

/// What a subagent said and did, in the same form.
#[utoipa::path(get, path = "/runs/{id}/subagents/{agent}/messages", tag = "messages", params(MessagesQuery), responses((status = 200, description = "A page", body = Messages)))]
pub(super) async fn list_subagent(
    State(app): State<App>,
    Path((id, agent)): Path<(String, String)>,
    Asked(query): Asked<MessagesQuery>,
) -> Result<Json<Messages>, Problem> {
    let (window, limit) = query.page()?;
    let snapshot = app.supervisor.subagent(&id, &agent, window, limit).await?;
    let cursor = cursor_text(app.supervisor.hub(), snapshot.revision);
    Ok(Json(page(id, snapshot, cursor)))
}

fn page(run_id: String, snapshot: Snapshot, cursor: String) -> Messages {
    Messages {
        run_id,
        cursor,
        epoch: snapshot.epoch,
        epochs: snapshot.epochs,
        messages: snapshot.page.messages,
        has_more: snapshot.page.has_more,
        state: snapshot.run.state,
        pending_dialog: snapshot.dialogs.first().cloned(),
        pending_dialogs: snapshot.dialogs,
        queued: snapshot.queued,
        context_usage: snapshot.run.context_usage,
        transcript: snapshot.transcript,
        tail: snapshot.tail,
        receipts: snapshot.receipts,
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct MessageQuery {
    /// The current one if not given.
    epoch: Option<String>,
}

/// One message, nothing cut.
#[utoipa::path(get, path = "/runs/{id}/messages/{position}", tag = "messages", params(MessageQuery), responses((status = 200, description = "The message", body = Message)))]
pub(super) async fn get_message(
    State(app): State<App>,
    Path((id, at)): Path<(String, String)>,
    Asked(query): Asked<MessageQuery>,
) -> Result<Json<Message>, Problem> {
    let at = position(&at)?;
    Ok(Json(app.supervisor.message(&id, query.epoch.as_deref(), at).await?))
}

/// One message of a subagent, nothing cut.
#[utoipa::path(get, path = "/runs/{id}/subagents/{agent}/messages/{position}", tag = "messages", responses((status = 200, description = "The message", body = Message)))]
pub(super) async fn get_subagent_message(
    State(app): State<App>,
    Path((id, agent, at)): Path<(String, String, String)>,
) -> Result<Json<Message>, Problem> {
    let at = position(&at)?;
    Ok(Json(app.supervisor.subagent_message(&id, &agent, at).await?))
}

fn position(text: &str) -> Result<Position, Problem> {
    text.parse().map_err(|error: ParsePositionError| {
        Problem::new(StatusCode::BAD_REQUEST, "invalid_position", format!("{error}."))
    })
}
