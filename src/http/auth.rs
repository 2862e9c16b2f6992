//! Signing a provider's CLI in and out.

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;

use crate::schema::{AuthStatus, LoginStarted};

use super::App;
use super::body::{Asked, Body, OptionalBody};
use super::problem::Problem;

#[derive(Deserialize)]
pub(super) struct Query {
    /// Ask the CLI, whatever is known.
    #[serde(default)]
    force: bool,
}

/// A body in which nothing can be said.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

pub(super) async fn get_status(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
) -> Result<Json<AuthStatus>, Problem> {
    Ok(Json(app.supervisor.auth_status(&id, query.force).await?))
}

pub(super) async fn start_login(
    State(app): State<App>,
    Path(id): Path<String>,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<LoginStarted>, Problem> {
    Ok(Json(app.supervisor.auth_login(&id).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Code {
    code: String,
}

pub(super) async fn hand_code(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(Code { code }): Body<Code>,
) -> Result<Json<AuthStatus>, Problem> {
    Ok(Json(app.supervisor.auth_code(&id, &code).await?))
}

pub(super) async fn log_out(
    State(app): State<App>,
    Path(id): Path<String>,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<AuthStatus>, Problem> {
    Ok(Json(app.supervisor.auth_logout(&id).await?))
}
