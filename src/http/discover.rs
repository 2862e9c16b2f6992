//! Conversations that seamux did not start: list them, take one over.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use crate::schema::{Discovered, Run};

use super::App;
use super::body::{Asked, Body};
use super::problem::{Problem, internal};

const USUAL: usize = 100;
const MOST: usize = 10_000;

#[derive(Deserialize)]
pub(super) struct Query {
    q: Option<String>,
    limit: Option<usize>,
}

pub(super) async fn list_sessions(
    State(app): State<App>,
    Asked(query): Asked<Query>,
) -> Result<Json<Discovered>, Problem> {
    let limit = query.limit.unwrap_or(USUAL).min(MOST);
    Ok(Json(app.supervisor.discover(&query.q.unwrap_or_default(), limit).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Adopt {
    provider: String,
    native_id: String,
}

/// Carried through even if the caller leaves, as for a new run.
pub(super) async fn adopt_session(
    State(app): State<App>,
    Body(request): Body<Adopt>,
) -> Result<(StatusCode, Json<Run>), Problem> {
    let supervisor = app.supervisor.clone();
    let Adopt { provider, native_id } = request;
    let adopted =
        tokio::spawn(async move { supervisor.adopt_session(&provider, &native_id).await });
    let run = adopted.await.map_err(|_| internal())??;
    Ok((StatusCode::CREATED, Json(run)))
}
