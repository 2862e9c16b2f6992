//! Reads the body and the query of a request, and says exactly what is wrong
//! with them.

use std::time::Duration;

use axum::body::Body as AnyBody;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::problem::Problem;

/// The largest body of a request.
const LARGEST_BODY: usize = 1024 * 1024;

/// A body has to be there by then: a drop a second would hold us for ever.
const BODY_TIME: Duration = Duration::from_secs(30);

/// A client that sends more than this is cut off.
const LARGEST_HEARD: usize = 64 * 1024 * 1024;

/// A JSON body. Unknown fields are refused where the type says so.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let essence = kind.and_then(|it| it.split(';').next()).map(str::trim);
        if !essence.is_some_and(|it| it.eq_ignore_ascii_case("application/json")) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "The body has to be JSON.",
            )
            .hint("send it with the header `Content-Type: application/json`"));
        }
        let bytes = read(request.into_body()).await?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| not_as_asked(&error))
    }
}

/// A body that may be left out; it then is the type's default.
pub(super) struct OptionalBody<T>(pub(super) T);

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let has_type = request.headers().contains_key(header::CONTENT_TYPE);
        let length = request.headers().get(header::CONTENT_LENGTH);
        let is_empty = length.is_none_or(|it| it == "0")
            && !request.headers().contains_key(header::TRANSFER_ENCODING);
        if is_empty && !has_type {
            return Ok(Self(T::default()));
        }
        Body::from_request(request, state).await.map(|Body(it)| Self(it))
    }
}

/// The whole body. One that is too large is read to its end and thrown away:
/// an answer to a client that is still sending would not reach it.
pub(super) async fn read(body: AnyBody) -> Result<Vec<u8>, Problem> {
    timeout(BODY_TIME, read_all(body)).await.unwrap_or_else(|_| {
        let detail = format!("The body did not come within {} seconds.", BODY_TIME.as_secs());
        Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "body_too_slow", detail))
    })
}

async fn read_all(body: AnyBody) -> Result<Vec<u8>, Problem> {
    let (mut kept, mut seen) = (Vec::new(), 0);
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| {
            let detail = "The body could not be read.";
            Problem::new(StatusCode::BAD_REQUEST, "body_unreadable", detail)
        })?;
        seen += piece.len();
        if seen <= LARGEST_BODY {
            kept.extend_from_slice(&piece);
        } else {
            kept = Vec::new();
        }
        if seen > LARGEST_HEARD {
            break;
        }
    }
    if seen <= LARGEST_BODY {
        return Ok(kept);
    }
    let detail = "The body is larger than 1 MiB.";
    Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", detail)
        .hint("put a long text into a file in the run's folder, and name the file"))
}

fn not_as_asked(error: &serde_json::Error) -> Problem {
    let text = error.to_string();
    if text.starts_with("unknown field") {
        return Problem::new(
            StatusCode::BAD_REQUEST,
            "unknown_field",
            format!("The body has an {text}."),
        );
    }
    if error.is_data() {
        let detail = format!("The body is not as this route takes it: {text}.");
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_body", detail);
        let missing = text.strip_prefix("missing field `").and_then(|it| it.split('`').next());
        return match missing {
            Some(field) => problem.field(field),
            None => problem,
        };
    }
    Problem::new(StatusCode::BAD_REQUEST, "invalid_json", format!("The body is not JSON: {text}."))
}

/// The query of a request.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::from_request_parts(parts, state).await;
        query.map(|Query(it)| Self(it)).map_err(|rejection: QueryRejection| {
            let detail =
                format!("The query is not as this route takes it: {}.", rejection.body_text());
            Problem::new(StatusCode::BAD_REQUEST, "invalid_query", detail)
        })
    }
}
