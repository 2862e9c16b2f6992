//! Replies, the queue that holds them, and what became of everything sent.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::runs::{NewReply, QueueChange, QueueEdit, RunError};
use crate::schema::{Answer, Dialog, QueuedReply, Receipt, SendWhen};

use super::App;
use super::body::Body;
use super::guard::Caller;
use super::path::Path;
use super::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplyRequest {
    text: String,
    client_id: Option<String>,
    #[serde(default)]
    when: SendWhen,
    #[serde(default)]
    force: bool,
}

/// Says something to the agent. The same `client_id` twice is one reply.
#[utoipa::path(post, path = "/runs/{id}/reply", tag = "talk", request_body = ReplyRequest, responses((status = 202, description = "What will become of it", body = Receipt)))]
pub(super) async fn send_reply(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Body(request): Body<ReplyRequest>,
) -> Result<(StatusCode, Json<Receipt>), Problem> {
    let ReplyRequest { text, client_id, when, force } = request;
    if client_id.as_ref().is_some_and(|it| it.len() > 200) {
        let detail = "`client_id` is longer than 200 bytes.";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_field", detail)
            .field("client_id"));
    }
    let by = caller.name().to_owned();
    let new = NewReply { text, client_id, when, force };
    let receipt = app.supervisor.reply(&id, new, by).await?;
    Ok((StatusCode::ACCEPTED, Json(receipt)))
}

#[derive(Serialize, ToSchema)]
pub(super) struct Queued {
    /// In the order in which they go out.
    queued: Vec<QueuedReply>,
}

/// Replies that are held until the CLI can take them.
#[utoipa::path(get, path = "/runs/{id}/queue", tag = "queue", responses((status = 200, description = "The held replies", body = Queued)))]
pub(super) async fn list_queue(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Queued>, Problem> {
    let queued = app.supervisor.hub().queued(&id);
    queued.map(|queued| Json(Queued { queued })).ok_or_else(|| RunError::NotFound(id).into())
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditRequest {
    text: Option<String>,
    when: Option<SendWhen>,
    /// Another entry; null is the end of the queue.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    before: Option<Option<String>>,
}

/// Null is something else than a field that is not there.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Changes a held reply, its time or its place.
#[utoipa::path(patch, path = "/runs/{id}/queue/{entry}", tag = "queue", request_body = EditRequest, responses((status = 200, description = "Its receipt", body = Receipt)))]
pub(super) async fn edit_entry(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path((id, entry)): Path<(String, String)>,
    Body(request): Body<EditRequest>,
) -> Result<Json<Receipt>, Problem> {
    let EditRequest { text, when, before } = request;
    let change = QueueChange::Edit(QueueEdit { text, when, before });
    Ok(Json(app.supervisor.change_queue(&id, entry, change, caller.name().to_owned()).await?))
}

/// Takes a held reply out.
#[utoipa::path(delete, path = "/runs/{id}/queue/{entry}", tag = "queue", responses((status = 200, description = "Its receipt", body = Receipt)))]
pub(super) async fn cancel_entry(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path((id, entry)): Path<(String, String)>,
) -> Result<Json<Receipt>, Problem> {
    let by = caller.name().to_owned();
    Ok(Json(app.supervisor.change_queue(&id, entry, QueueChange::Cancel, by).await?))
}

/// What became of a reply, an answer or an interrupt.
#[utoipa::path(get, path = "/runs/{id}/receipts/{receipt}", tag = "talk", responses((status = 200, description = "The receipt", body = Receipt)))]
pub(super) async fn get_receipt(
    State(app): State<App>,
    Path((id, receipt)): Path<(String, String)>,
) -> Result<Json<Receipt>, Problem> {
    let found = app.supervisor.receipt(&id, &receipt).await?;
    found.map(Json).ok_or_else(|| {
        let detail = format!("There is no receipt {receipt} in run {id}.");
        Problem::new(StatusCode::NOT_FOUND, "receipt_not_found", detail)
    })
}

/// Who sent or answered what, when, and through which door.
#[derive(Serialize, ToSchema)]
pub(super) struct Audit {
    /// Oldest first.
    entries: Vec<AuditEntry>,
}

#[derive(Serialize, ToSchema)]
struct AuditEntry {
    #[serde(flatten)]
    receipt: Receipt,
    /// The words of a reply that the CLI did not record; else they stand in the
    /// message at `position`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Answer>>)]
    answers: Option<Value>,
    /// What a person said who wanted to talk about the dialog first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    discuss: Option<Value>,
    /// The dialog as it was when it was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Dialog>)]
    dialog: Option<Value>,
}

/// Who sent or answered what, when, and through which door.
#[utoipa::path(get, path = "/runs/{id}/audit", tag = "runs", responses((status = 200, description = "All of it", body = Audit)))]
pub(super) async fn get_audit(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Audit>, Problem> {
    let rows = app.supervisor.audit(&id).await?;
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    let entries = rows.into_iter().map(|row| {
        let said = row.answers.as_ref().and_then(|(said, _)| json(said));
        AuditEntry {
            receipt: row.receipt,
            text: row.text,
            discuss: said.as_ref().and_then(|it| it.get("discuss")).cloned(),
            answers: said.filter(Value::is_array),
            dialog: row.answers.as_ref().and_then(|(_, dialog)| json(dialog)),
        }
    });
    Ok(Json(Audit { entries: entries.collect() }))
}
