//! Signing a provider's CLI in and out.

use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::schema::{AuthStatus, LoginStarted};

use super::App;
use super::body::{Asked, Body, OptionalBody};
use super::problem::Problem;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Query {
    /// Ask the CLI, whatever is known.
    #[serde(default)]
    force: bool,
}

/// A body in which nothing can be said.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Whether the CLI of this provider is signed in.
#[utoipa::path(get, path = "/providers/{id}/auth/status", tag = "providers", params(Query), responses((status = 200, description = "What the CLI says", body = AuthStatus)))]
pub(super) async fn get_status(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(query): Asked<Query>,
) -> Result<Json<AuthStatus>, Problem> {
    Ok(Json(app.supervisor.auth_status(&id, query.force).await?))
}

/// Starts a login, or rejoins the one that is under way.
#[utoipa::path(post, path = "/providers/{id}/auth/login", tag = "providers", request_body(content = Option<Nothing>), responses((status = 200, description = "Where to go, and what to enter there", body = LoginStarted)))]
pub(super) async fn start_login(
    State(app): State<App>,
    Path(id): Path<String>,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<LoginStarted>, Problem> {
    Ok(Json(app.supervisor.auth_login(&id).await?))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Code {
    code: String,
}

/// Hands the code that the login page showed to the CLI.
#[utoipa::path(post, path = "/providers/{id}/auth/code", tag = "providers", request_body = Code, responses((status = 200, description = "Signed in", body = AuthStatus)))]
pub(super) async fn hand_code(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(Code { code }): Body<Code>,
) -> Result<Json<AuthStatus>, Problem> {
    Ok(Json(app.supervisor.auth_code(&id, &code).await?))
}

/// Signs the CLI out.
#[utoipa::path(post, path = "/providers/{id}/auth/logout", tag = "providers", request_body(content = Option<Nothing>), responses((status = 200, description = "Signed out", body = AuthStatus)))]
pub(super) async fn log_out(
    State(app): State<App>,
    Path(id): Path<String>,
    OptionalBody(Nothing {}): OptionalBody<Nothing>,
) -> Result<Json<AuthStatus>, Problem> {
    Ok(Json(app.supervisor.auth_logout(&id).await?))
}
