//! The API and the page over HTTP.
//!
//! Translates and decides nothing: a handler reads what was asked, asks the
//! supervisor or the hub, and writes what they said.

mod auth;
mod body;
mod commands;
mod discover;
mod events;
mod guard;
mod messages;
mod metrics;
mod page;
mod problem;
mod replies;
mod runs;
mod session;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch, post};
use axum::{Json, Router, middleware};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::runs::Supervisor;

pub use guard::{Access, Token};
pub use problem::Problem;

/// What every handler can reach. Cheap to clone.
#[derive(Clone)]
pub struct App {
    pub supervisor: Supervisor,
    pub access: Arc<Access>,
    /// Ends every open stream.
    pub stop: CancellationToken,
}

/// All routes.
pub fn router(app: App) -> Router {
    let api = Router::new()
        .route("/providers", get(runs::list_providers))
        .route("/providers/{id}/auth/status", get(auth::get_status))
        .route("/providers/{id}/auth/login", post(auth::start_login))
        .route("/providers/{id}/auth/code", post(auth::hand_code))
        .route("/providers/{id}/auth/logout", post(auth::log_out))
        .route("/runs", get(runs::list_runs).post(runs::create_run))
        .route("/runs/{id}", get(runs::get_run).patch(runs::change_run).delete(runs::forget_run))
        .route("/resume", post(runs::resume_lost))
        .route("/runs/{id}/stop", post(runs::stop_run))
        .route("/runs/{id}/resume", post(runs::resume_run))
        .route("/runs/{id}/reply", post(replies::send_reply))
        .route("/runs/{id}/answer", post(runs::answer_dialog))
        .route("/runs/{id}/interrupt", post(runs::interrupt_run))
        .route("/runs/{id}/commands", get(commands::list_commands))
        .route("/runs/{id}/attach", get(runs::get_attach))
        .route("/runs/{id}/receipts/{receipt}", get(replies::get_receipt))
        .route("/runs/{id}/queue", get(replies::list_queue))
        .route("/runs/{id}/queue/{entry}", patch(replies::edit_entry).delete(replies::cancel_entry))
        .route("/runs/{id}/audit", get(replies::get_audit))
        .route("/runs/{id}/messages", get(messages::list_messages))
        .route("/runs/{id}/messages/{position}", get(messages::get_message))
        .route("/runs/{id}/subagents/{agent}/messages", get(messages::list_subagent))
        .route(
            "/runs/{id}/subagents/{agent}/messages/{position}",
            get(messages::get_subagent_message),
        )
        .route("/discover", get(discover::list_sessions))
        .route("/adopt", post(discover::adopt_session))
        .route("/events", get(events::stream_events))
        .route_layer(middleware::from_fn_with_state(app.clone(), guard::require_access))
        // Signing in needs no access yet; everything else of it is guarded by itself.
        .route("/session", post(session::sign_in).delete(session::sign_out))
        .fallback(no_such_route)
        .method_not_allowed_fallback(no_such_method);
    Router::new()
        .nest("/api/v1", api)
        .route("/healthz", get(health))
        .route(
            "/metrics",
            get(metrics::get_metrics)
                .layer(middleware::from_fn_with_state(app.clone(), guard::require_access)),
        )
        .route("/api/{*rest}", get(no_such_route))
        .fallback(page_or_nothing)
        .method_not_allowed_fallback(no_such_method)
        .layer(middleware::from_fn_with_state(app.clone(), metrics::count_problems))
        // Bodies have their limit where they are read.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(app.clone(), guard::require_known_host))
        .layer(middleware::from_fn(guard::security_headers))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| {
            problem::internal().into_response()
        }))
        .with_state(app)
}

async fn health() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

/// The page's own files, to those who read.
async fn page_or_nothing(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    match method {
        Method::GET | Method::HEAD => page::serve(uri, headers).await,
        _ => no_such_method().await,
    }
}

async fn no_such_route() -> Response {
    Problem::new(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address")
        .hint("docs/api.md lists the routes")
        .into_response()
}

async fn no_such_method() -> Response {
    let detail = "this address does not take that method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail).into_response()
}
