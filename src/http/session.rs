//! Signing a browser in and out.

use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::runs::cookie_of;

use super::App;
use super::body::{self, Body};
use super::guard::{COOKIE, foreign_origin, same_origin};
use super::problem::Problem;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SignIn {
    token: String,
}

/// Trades a token for a cookie that scripts cannot read.
#[utoipa::path(post, path = "/session", tag = "access", security(()), request_body = SignIn, responses((status = 204, description = "Signed in; the cookie is set")))]
pub(super) async fn sign_in(
    State(app): State<App>,
    cookies: CookieJar,
    request: Request,
) -> Response {
    let from_a_page = request.headers().contains_key(header::ORIGIN);
    if from_a_page && !same_origin(&request) {
        return foreign_origin();
    }
    let Body(SignIn { token }) = match Body::from_request(request, &()).await {
        Ok(body) => body,
        Err(problem) => return problem.into_response(),
    };
    let named = app.supervisor.tokens().by_secret(&token);
    if !app.access.token.is(&token) && named.is_none() {
        let detail = "This is not the token of this server.";
        return Problem::new(StatusCode::UNAUTHORIZED, "wrong_token", detail)
            .hint("open the link that `seamux serve` printed last")
            .into_response();
    }
    let cookie = Cookie::build((COOKIE, cookie_of(&token)))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .permanent();
    (StatusCode::NO_CONTENT, cookies.add(cookie)).into_response()
}

/// Takes the cookie out of this browser.
#[utoipa::path(delete, path = "/session", tag = "access", security(()), responses((status = 204, description = "The cookie is taken back")))]
pub(super) async fn sign_out(cookies: CookieJar, request: Request) -> Response {
    if !same_origin(&request) {
        return foreign_origin();
    }
    // The body is of no interest, but it is read so that the connection lives on.
    body::read(request.into_body()).await.ok();
    let cookies = cookies.remove(Cookie::build(COOKIE).path("/"));
    (StatusCode::NO_CONTENT, cookies).into_response()
}
