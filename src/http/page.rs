//! The page, out of the binary.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::problem::Problem;

#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Files;

/// A file of the page, or the page itself at `/`.
pub(super) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match Files::get(path) {
        Some(file) => found(path, &file, &headers),
        None if path == "index.html" => not_built(),
        None => {
            Problem::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
                .into_response()
        }
    }
}

fn found(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash: String =
        file.metadata.sha256_hash()[..16].iter().map(|it| format!("{it:02x}")).collect();
    let tag = format!("W/\"{hash}\"");
    // The build puts a hash into the names of everything below `assets/`.
    let cache = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, cache.to_owned())];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|it| it.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = [(header::CONTENT_TYPE, kind_of(path))];
    (caching, kind, file.data.clone().into_owned()).into_response()
}

fn not_built() -> Response {
    Problem::new(StatusCode::NOT_FOUND, "page_missing", "This binary was built without its page.")
        .hint("build it with `make build`; the API works all the same")
        .into_response()
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
