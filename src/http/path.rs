//! Reads what stands in the address of a request, and says what is wrong with it.

use axum::extract::{FromRequestParts, Path as Parameters};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// The parameters of the address.
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = Parameters::from_request_parts(parts, state).await;
        read.map(|Parameters(it)| Self(it)).map_err(|rejection| {
            let detail = format!("The address cannot be read: {}.", rejection.body_text());
            Problem::new(StatusCode::BAD_REQUEST, "invalid_path", detail)
        })
    }
}
