//! The OpenAPI document: written by the handlers and the types themselves, and
//! finished here with what holds for all of them.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use utoipa::OpenApi;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, OpenApi as Document, Ref, RefOr, Response, ResponseBuilder,
};

use super::guard::COOKIE;
use super::problem::Fields;

/// What a client may be told instead of what it asked for.
const PROBLEMS: &[(&str, &str, &str)] = &[
    ("400", "BadRequest", "The query, the body or a position cannot be read"),
    ("401", "Unauthorized", "There is no token, or it is a wrong one"),
    ("403", "Forbidden", "Another page's request, or more than this token may do"),
    ("404", "NotFound", "There is no such thing"),
    ("405", "MethodNotAllowed", "This address does not take that method"),
    ("408", "TooSlow", "The body did not come in time"),
    ("409", "Conflict", "Things are not as the caller thinks"),
    ("413", "TooLarge", "The body is too large"),
    ("415", "UnsupportedMediaType", "The body has to be JSON"),
    ("421", "UnknownHost", "This server is not called that"),
    ("422", "Unprocessable", "A field has a value that cannot be"),
    ("429", "TooMany", "Too often in a short time"),
    ("500", "Internal", "Something broke inside seamux"),
    ("502", "Failed", "Something that seamux needs did not work"),
];

/// What every document begins with.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "seamux",
        version = "1",
        description = "Runs real agent CLIs in tmux and gives all of them one chat.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(Fields)),
    security(("token" = []), ("cookie" = [])),
    tags(
        (name = "runs", description = "Start, find, stop and resume"),
        (name = "messages", description = "What was said and done"),
        (name = "talk", description = "Replies, answers, interrupts, and their receipts"),
        (name = "queue", description = "Replies that are held"),
        (name = "events", description = "What changes, as it changes"),
        (name = "adopt", description = "Conversations that seamux did not start"),
        (name = "providers", description = "The agent CLIs"),
        (name = "access", description = "Who may call"),
        (name = "server", description = "The server itself"),
    )
)]
pub(super) struct Base;

/// Everything that a client has to know, as JSON.
pub fn document() -> String {
    let mut document = super::documented().into_openapi();
    finish(&mut document);
    // Types of ours and nothing else: it can always be written.
    document.to_pretty_json().unwrap_or_default()
}

/// This document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "server", security(()), responses((status = 200, description = "OpenAPI 3.1", body = serde_json::Value)))]
pub(super) async fn get_document() -> impl IntoResponse {
    static DOCUMENT: LazyLock<String> = LazyLock::new(document);
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}

fn finish(document: &mut Document) {
    let components = document.components.get_or_insert_with(Components::new);
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("token", bearer);
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(COOKIE)));
    components.add_security_scheme("cookie", cookie);
    for (_, name, description) in PROBLEMS {
        components.responses.insert((*name).to_owned(), RefOr::T(problem(description)));
    }
    for (path, item) in &mut document.paths.paths {
        for operation in operations(item) {
            add_problems(path, operation);
        }
    }
}

fn problem(description: &str) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let response = ResponseBuilder::new().description(description);
    response.content("application/problem+json", content).build()
}

/// Which problems an operation can have follows from what it takes.
fn add_problems(path: &str, operation: &mut Operation) {
    let takes = |place: &ParameterIn| {
        let mut parameters = operation.parameters.iter().flatten();
        parameters.any(|it| matches!(it, RefOr::T(it) if it.parameter_in == *place))
    };
    let (has_path, has_query) = (takes(&ParameterIn::Path), takes(&ParameterIn::Query));
    let has_body = operation.request_body.is_some();
    let is_open = operation.security.is_some();
    let changes = path.starts_with("/api/v1/") && !is_open;
    let applies = |status: &str| match status {
        "400" => has_path || has_query || has_body,
        "401" => !is_open || has_body,
        "403" => !is_open || path.starts_with("/api/v1/"),
        "404" => has_path || path.ends_with("/adopt"),
        "409" | "502" => changes,
        "408" | "413" | "415" => has_body,
        "422" => has_body || has_path,
        "429" => path.contains("/pair"),
        "421" | "500" => true,
        _ => false,
    };
    for (status, name, _) in PROBLEMS.iter().filter(|(status, ..)| applies(status)) {
        let reference = Ref::from_response_name(*name);
        let responses = &mut operation.responses.responses;
        responses.entry((*status).to_owned()).or_insert(RefOr::Ref(reference));
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let all = [&mut item.get, &mut item.post, &mut item.patch, &mut item.put, &mut item.delete];
    all.into_iter().flatten()
}
