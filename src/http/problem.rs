//! Errors on the wire: RFC 9457, with a code that stays the same.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tracing::error;
use utoipa::ToSchema;

use crate::runs::RunError;
use crate::schema::Dialog;
use crate::seam::{Blame, SeamError};

/// Why a request was not carried out, in words fit to show to a person.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Problem(Box<Fields>);

/// Why a request was not carried out: RFC 9457.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct Fields {
    #[serde(rename = "type")]
    kind: String,
    title: String,
    #[serde(serialize_with = "as_number")]
    #[schema(value_type = u16)]
    status: StatusCode,
    /// Stays the same; `detail` and `hint` are for people.
    code: &'static str,
    detail: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The field of the request that is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// What is open now, when the one that was meant is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    dialog: Option<Dialog>,
    /// The run that is meant, when it is another one than was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<String>,
    /// In how many seconds it may be tried again; the header says it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self(Box::new(Fields {
            kind: format!("urn:seamux:problem:{code}"),
            title: status.canonical_reason().unwrap_or("Error").into(),
            status,
            code,
            detail: detail.into(),
            hint: None,
            field: None,
            dialog: None,
            run_id: None,
            retry_after: None,
        }))
    }

    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.0.field = Some(field.into());
        self
    }

    #[must_use]
    pub(super) fn retry_after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait.as_secs() + 1);
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }
}

fn as_number<S: serde::Serializer>(status: &StatusCode, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u16(status.as_u16())
}

/// The caller is told less than the log.
pub(super) fn internal() -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "something broke inside seamux")
        .hint("the server's log says more; runs are not affected")
}

/// Beside the body, for those who count.
#[derive(Clone, Copy)]
pub(super) struct ProblemCode(pub(super) &'static str);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (self.0.status, body).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if let Some(seconds) = self.0.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(ProblemCode(self.0.code));
        response
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        let status = match (&error, error.blame()) {
            (
                RunError::NotFound(_)
                | RunError::NoEntry(_)
                | RunError::NoSession { .. }
                | RunError::Seam(SeamError::TranscriptGone),
                _,
            ) => StatusCode::NOT_FOUND,
            (RunError::Invalid { code, .. }, _) if code.ends_with("_not_found") => {
                StatusCode::NOT_FOUND
            }
            (RunError::Seam(SeamError::InvalidCode), _) => StatusCode::BAD_REQUEST,
            (RunError::Seam(SeamError::LoginTimeout), _) => StatusCode::GATEWAY_TIMEOUT,
            (_, Blame::Caller) => StatusCode::UNPROCESSABLE_ENTITY,
            (_, Blame::Race) => StatusCode::CONFLICT,
            (_, Blame::System) => {
                error!(error = &error as &dyn std::error::Error, "A request failed");
                match &error {
                    error if error.is_full() => StatusCode::INSUFFICIENT_STORAGE,
                    RunError::Store(_) | RunError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
                    _ => StatusCode::BAD_GATEWAY,
                }
            }
        };
        let detail = if error.is_full() { FULL.into() } else { sentence(&error.to_string()) };
        let mut problem = Self::new(status, error.code(), detail);
        problem.0.hint = error.hint();
        if let RunError::DialogChanged { current } = &error {
            problem.0.dialog = Some((**current).clone());
        }
        if let RunError::ConversationLive { run, .. } = &error {
            problem.0.run_id.clone_from(run);
        }
        if let RunError::ConversationKnown { run } = &error {
            problem.0.run_id = Some(run.clone());
        }
        problem.0.field = error.field().map(Into::into);
        problem
    }
}

/// Which file it was is in the log.
const FULL: &str =
    "The disk is full, so this could not be written down, and nothing of it was done.";

/// Error texts have no capital and no full stop; a page shows sentences.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{stop}", chars.as_str())
}
