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
mod openapi;
mod page;
mod path;
mod problem;
mod replies;
mod runs;
mod serve;
mod session;
mod tokens;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router, middleware};
use serde::Serialize;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::runs::Supervisor;

pub use guard::{Access, Token};
pub use openapi::document;
pub use problem::Problem;
pub use serve::serve;

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
    let guard = middleware::from_fn_with_state(app.clone(), guard::require_access);
    let api = guarded().route_layer(guard.clone()).merge(open());
    let api = Router::from(api).fallback(no_such_route).method_not_allowed_fallback(no_such_method);
    Router::new()
        .nest("/api/v1", api)
        .merge(outside_guarded().route_layer(guard))
        .merge(outside())
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

/// The same routes, for the document that describes them.
fn documented() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::Base::openapi())
        .nest("/api/v1", guarded().merge(open()))
        .merge(outside_guarded())
        .merge(outside())
}

/// The API: each of these needs access. `routes!` takes the method and the path
/// from the handler, so that no route can be missing in the document.
fn guarded() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(runs::list_providers))
        .routes(routes!(auth::get_status))
        .routes(routes!(auth::start_login))
        .routes(routes!(auth::hand_code))
        .routes(routes!(auth::log_out))
        .routes(routes!(runs::list_runs, runs::create_run))
        .routes(routes!(runs::get_run, runs::change_run, runs::forget_run))
        .routes(routes!(runs::resume_lost))
        .routes(routes!(runs::stop_run))
        .routes(routes!(runs::resume_run))
        .routes(routes!(replies::send_reply))
        .routes(routes!(runs::answer_dialog))
        .routes(routes!(runs::interrupt_run))
        .routes(routes!(commands::list_commands))
        .routes(routes!(runs::get_attach))
        .routes(routes!(replies::get_receipt))
        .routes(routes!(replies::list_queue))
        .routes(routes!(replies::edit_entry, replies::cancel_entry))
        .routes(routes!(replies::get_audit))
        .routes(routes!(messages::list_messages))
        .routes(routes!(messages::get_message))
        .routes(routes!(messages::list_subagent))
        .routes(routes!(messages::get_subagent_message))
        .routes(routes!(discover::list_sessions))
        .routes(routes!(discover::adopt_session))
        .routes(routes!(events::stream_events))
        .routes(routes!(tokens::list_tokens, tokens::make_token))
        .routes(routes!(tokens::revoke_token))
        .routes(routes!(tokens::pair))
}

/// Signing in and pairing need no access yet; all else of them is guarded by itself.
fn open() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(session::sign_in, session::sign_out))
        .routes(routes!(tokens::redeem))
}

fn outside_guarded() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(metrics::get_metrics))
}

fn outside() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(openapi::get_document))
}

#[derive(Serialize, ToSchema)]
struct Health {
    status: &'static str,
    version: &'static str,
}

/// Says that it is up.
#[utoipa::path(get, path = "/healthz", tag = "server", security(()), responses((status = 200, description = "It is up", body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
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
