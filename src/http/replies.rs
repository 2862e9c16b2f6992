//! Replies, the queue that holds them, and what became of everything sent.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::runs::{NewReply, QueueChange, QueueEdit, RunError};
use crate::schema::{QueuedReply, Receipt, SendWhen};

use super::App;
use super::body::Body;
use super::guard::Caller;
use super::problem::Problem;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplyRequest {
    text: String,
    client_id: Option<String>,
    #[serde(default)]
    when: SendWhen,
    #[serde(default)]
    force: bool,
}

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

#[derive(Serialize)]
pub(super) struct Queued {
    /// In the order in which they go out.
    queued: Vec<QueuedReply>,
}

pub(super) async fn list_queue(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Queued>, Problem> {
    let queued = app.supervisor.hub().queued(&id);
    queued.map(|queued| Json(Queued { queued })).ok_or_else(|| RunError::NotFound(id).into())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditRequest {
    text: Option<String>,
    when: Option<SendWhen>,
    /// Another entry; null is the end of the queue.
    #[serde(default, deserialize_with = "given")]
    before: Option<Option<String>>,
}

/// Null is something else than a field that is not there.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

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

pub(super) async fn cancel_entry(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path((id, entry)): Path<(String, String)>,
) -> Result<Json<Receipt>, Problem> {
    let by = caller.name().to_owned();
    Ok(Json(app.supervisor.change_queue(&id, entry, QueueChange::Cancel, by).await?))
}

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
#[derive(Serialize)]
pub(super) struct Audit {
    /// Oldest first.
    entries: Vec<AuditEntry>,
}

#[derive(Serialize)]
struct AuditEntry {
    #[serde(flatten)]
    receipt: Receipt,
    /// The words of a reply that the CLI did not record; else they stand in the
    /// message at `position`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Value>,
    /// What a person said who wanted to talk about the dialog first.
    #[serde(skip_serializing_if = "Option::is_none")]
    discuss: Option<Value>,
    /// The dialog as it was when it was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    dialog: Option<Value>,
}

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
