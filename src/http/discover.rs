//! Conversations that seamux did not start: list them, take one over.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::schema::{Discovered, Run};

use super::App;
use super::body::{Asked, Body};
use super::problem::{Problem, internal};

const USUAL: usize = 100;
const MOST: usize = 10_000;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Query {
    /// A part of the title, the folder or the id.
    q: Option<String>,
    /// 100 if not given, 10,000 at most.
    limit: Option<usize>,
}

/// Conversations on this machine that seamux did not start.
#[utoipa::path(get, path = "/discover", tag = "adopt", params(Query), responses((status = 200, description = "What was found", body = Discovered)))]
pub(super) async fn list_sessions(
    State(app): State<App>,
    Asked(query): Asked<Query>,
) -> Result<Json<Discovered>, Problem> {
    let limit = query.limit.unwrap_or(USUAL).min(MOST);
    Ok(Json(app.supervisor.discover(&query.q.unwrap_or_default(), limit).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Adopt {
    provider: String,
    native_id: String,
}

/// Carried through even if the caller leaves, as for a new run.
#[utoipa::path(post, path = "/adopt", tag = "adopt", request_body = Adopt, responses((status = 201, description = "It is a run now", body = Run)))]
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
