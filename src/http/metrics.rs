//! The numbers of the server, for Prometheus.

use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::problem::ProblemCode;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Numbers for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server", responses((status = 200, description = "OpenMetrics", content_type = OPEN_METRICS, body = String)))]
pub(super) async fn get_metrics(State(app): State<App>) -> Response {
    let text = app.supervisor.metrics_text();
    ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response()
}

/// Counts errors by their code, wherever in the router they were made.
pub(super) async fn count_problems(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    if let Some(ProblemCode(code)) = response.extensions().get() {
        app.supervisor.metrics().problem(code);
    }
    response
}
