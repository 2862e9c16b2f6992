//! Who may call: token or cookie, known Host, same Origin.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

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
    /// What a browser's cookie holds. Derived, so that a browser stays signed
    /// in over a restart; worth nothing to anyone who wants the token.
    cookie: String,
}

impl Token {
    pub fn new(secret: &str) -> Self {
        let cookie = Sha256::new().chain_update("seamux browser session\n").chain_update(secret);
        Self { hash: Sha256::digest(secret).into(), cookie: hex(&cookie.finalize()) }
    }

    pub(super) fn is(&self, given: &str) -> bool {
        let given: [u8; 32] = Sha256::digest(given).into();
        given.ct_eq(&self.hash).into()
    }

    pub(super) fn cookie(&self) -> &str {
        &self.cookie
    }

    fn is_cookie(&self, given: &str) -> bool {
        given.as_bytes().ct_eq(self.cookie.as_bytes()).into()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The token, and the names under which this server may be addressed.
pub struct Access {
    pub token: Token,
    /// Host names without a port, beside the loopback ones.
    pub hosts: Vec<String>,
}

/// Who sent a request.
#[derive(Clone, Copy, Debug)]
pub(super) enum Caller {
    Browser,
    Program,
}

impl Caller {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Program => "token",
        }
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
    let caller = match bearer(request.headers()) {
        Some(token) if app.access.token.is(token) => Some(Caller::Program),
        Some(_) => None,
        None => cookies
            .get(COOKIE)
            .filter(|it| app.access.token.is_cookie(it.value()))
            .map(|_| Caller::Browser),
    };
    let Some(caller) = caller else {
        return Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "This needs the token.")
            .hint("open the link that `seamux serve` printed, or send `Authorization: Bearer <token>`")
            .into_response();
    };
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if matches!(caller, Caller::Browser) && !reads && !same_origin(&request) {
        return foreign_origin();
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
        assert!(token.is_cookie(token.cookie()) && !token.is_cookie("secret"));
        assert!(!token.is(token.cookie()));
    }
}
