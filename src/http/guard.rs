//! Who may call: token or cookie, known Host, same Origin.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use subtle::ConstantTimeEq;
use tokio_util::sync::CancellationToken;

use crate::runs::{NamedToken, cookie_of, digest};

use super::App;
use super::problem::Problem;

/// The cookie of a browser that signed in.
pub(super) const COOKIE: &str = "seamux_session";

/// Nothing but our own files, and no inline script.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The secret that opens the API. Compared by its hash, in constant time.
pub struct Token {
    hash: [u8; 32],
    cookie_hash: [u8; 32],
}

impl Token {
    pub fn new(secret: &str) -> Self {
        Self { hash: digest(secret), cookie_hash: digest(&cookie_of(secret)) }
    }

    pub(super) fn is(&self, given: &str) -> bool {
        digest(given).ct_eq(&self.hash).into()
    }

    fn is_cookie(&self, given: &str) -> bool {
        digest(given).ct_eq(&self.cookie_hash).into()
    }
}

/// The token, and the names under which this server may be addressed.
pub struct Access {
    pub token: Token,
    /// Host names without a port, beside the loopback ones.
    pub hosts: Vec<String>,
}

/// Who sent a request.
#[derive(Clone)]
pub(super) struct Caller {
    from_browser: bool,
    /// None is the owner.
    token: Option<Arc<NamedToken>>,
}

impl Caller {
    fn owner(from_browser: bool) -> Self {
        Self { from_browser, token: None }
    }

    fn named(from_browser: bool, token: Arc<NamedToken>) -> Self {
        Self { from_browser, token: Some(token) }
    }

    /// What the books call them.
    pub(super) fn name(&self) -> &str {
        match &self.token {
            Some(token) => token.name(),
            None if self.from_browser => "browser",
            None => "token",
        }
    }

    /// Ends when they may not call any more.
    pub(super) fn revoked(&self) -> CancellationToken {
        self.token.as_ref().map(|it| it.revoked().clone()).unwrap_or_default()
    }

    fn may_change(&self) -> bool {
        !self.token.as_ref().is_some_and(|it| it.is_read_only())
    }
}

/// Refuses a request under a name that is not ours: that is how a foreign
/// page would reach a loopback server.
pub(super) async fn require_known_host(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Response {
    let host = host_of(&request).unwrap_or_default();
    let name = without_port(&host);
    let known = ["localhost", "127.0.0.1", "[::1]"].contains(&name)
        || app.access.hosts.iter().any(|it| it.eq_ignore_ascii_case(name));
    if !known {
        let detail = format!("This server is not `{}`.", name.chars().take(80).collect::<String>());
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, "unknown_host", detail)
            .hint("use a loopback address, or the address it was told to listen on")
            .into_response();
    }
    next.run(request).await
}

pub(super) async fn require_access(
    State(app): State<App>,
    cookies: CookieJar,
    mut request: Request,
    next: Next,
) -> Response {
    let access = &app.access.token;
    let tokens = app.supervisor.tokens();
    let caller = match (bearer(request.headers()), cookies.get(COOKIE)) {
        (Some(secret), _) if access.is(secret) => Some(Caller::owner(false)),
        (Some(secret), _) => tokens.by_secret(secret).map(|it| Caller::named(false, it)),
        (None, Some(cookie)) if access.is_cookie(cookie.value()) => Some(Caller::owner(true)),
        (None, Some(cookie)) => tokens.by_cookie(cookie.value()).map(|it| Caller::named(true, it)),
        (None, None) => None,
    };
    let Some(caller) = caller else {
        return Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "This needs the token.")
            .hint("open the link that `seamux serve` printed, or send `Authorization: Bearer <token>`")
            .into_response();
    };
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if caller.from_browser && !reads && !same_origin(&request) {
        return foreign_origin();
    }
    if !reads && !caller.may_change() {
        let detail = "This token may look and change nothing.";
        return Problem::new(StatusCode::FORBIDDEN, "read_only", detail)
            .hint("use a token with the scope `full`")
            .into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

pub(super) fn foreign_origin() -> Response {
    let detail = "The request comes from a page of another origin.";
    Problem::new(StatusCode::FORBIDDEN, "foreign_origin", detail).into_response()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// A browser names the page that a request comes from; it has to be ours.
pub(super) fn same_origin(request: &Request) -> bool {
    let origin = request.headers().get(header::ORIGIN).and_then(|it| it.to_str().ok());
    let Some((_, origin)) = origin.and_then(|it| it.split_once("://")) else { return false };
    host_of(request).is_some_and(|host| host.eq_ignore_ascii_case(origin))
}

fn host_of(request: &Request) -> Option<String> {
    let named = request.headers().get(header::HOST).and_then(|it| it.to_str().ok());
    named.or_else(|| request.uri().authority().map(|it| it.as_str())).map(Into::into)
}

fn without_port(host: &str) -> &str {
    match host.rfind(':') {
        Some(colon) if !host[colon..].contains(']') => &host[..colon],
        _ => host,
    }
}

pub(super) async fn security_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_taken_off_a_host_and_an_ipv6_address_survives() {
        assert_eq!(without_port("localhost:7333"), "localhost");
        assert_eq!(without_port("[::1]:7333"), "[::1]");
        assert_eq!(without_port("[::1]"), "[::1]");
    }

    #[test]
    fn the_cookie_is_not_the_token_and_neither_opens_for_the_other() {
        let token = Token::new("secret");
        assert!(token.is("secret") && !token.is("Secret") && !token.is(""));
        let cookie = cookie_of("secret");
        assert!(token.is_cookie(&cookie) && !token.is_cookie("secret"));
        assert!(!token.is(&cookie));
    }
}
