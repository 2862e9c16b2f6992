//! Named tokens, and how another device gets one.

use axum::Json;
use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::runs::{Offer, PairingError, TokenError};
use crate::schema::{TokenInfo, TokenScope};

use super::App;
use super::body::{Body, OptionalBody};
use super::guard::{foreign_origin, same_origin};
use super::path::Path;
use super::problem::{Problem, sentence};

#[derive(Serialize, ToSchema)]
pub(super) struct TokenList {
    /// Oldest first.
    tokens: Vec<TokenInfo>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    /// What the audit will call who has it.
    name: String,
    #[serde(default)]
    scope: TokenScope,
}

/// A token with its secret, which is told this once.
#[derive(Serialize, ToSchema)]
pub(super) struct MadeToken {
    token: String,
    #[serde(flatten)]
    info: TokenInfo,
}

/// Who may call beside the owner.
#[utoipa::path(get, path = "/tokens", tag = "access", responses((status = 200, description = "All named tokens", body = TokenList)))]
pub(super) async fn list_tokens(State(app): State<App>) -> Json<TokenList> {
    Json(TokenList { tokens: app.supervisor.tokens().list() })
}

/// Makes a named token.
#[utoipa::path(post, path = "/tokens", tag = "access", request_body = NewToken, responses((status = 201, description = "The token, told this once", body = MadeToken)))]
pub(super) async fn make_token(
    State(app): State<App>,
    Body(NewToken { name, scope }): Body<NewToken>,
) -> Result<(StatusCode, Json<MadeToken>), Problem> {
    let (info, token) = app.supervisor.tokens().add(&name, scope, false).await?;
    Ok((StatusCode::CREATED, Json(MadeToken { token, info })))
}

/// Ends a token and every stream that it opened, at once.
#[utoipa::path(delete, path = "/tokens/{id}", tag = "access", responses((status = 204, description = "It opens nothing any more")))]
pub(super) async fn revoke_token(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    app.supervisor.tokens().revoke(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PairRequest {
    /// What the device will be called, if it does not say.
    name: Option<String>,
    #[serde(default)]
    scope: TokenScope,
}

#[derive(Serialize, ToSchema)]
pub(super) struct PairCode {
    /// Good once; case and what stands between the letters do not matter.
    #[schema(example = "KTRW-4HPX")]
    code: String,
    expires_at: String,
}

/// Makes a code that another device can trade for a token of its own.
#[utoipa::path(post, path = "/pair", tag = "access", request_body = Option<PairRequest>, responses((status = 201, description = "The code", body = PairCode)))]
pub(super) async fn pair(
    State(app): State<App>,
    OptionalBody(PairRequest { name, scope }): OptionalBody<PairRequest>,
) -> Result<(StatusCode, Json<PairCode>), Problem> {
    let (code, expires_at) = app.supervisor.tokens().pairing.offer(Offer { name, scope })?;
    Ok((StatusCode::CREATED, Json(PairCode { code, expires_at })))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RedeemRequest {
    code: String,
    name: Option<String>,
}

/// Trades a pairing code for a token. Needs no other one.
#[utoipa::path(post, path = "/pair/redeem", tag = "access", security(()), request_body = RedeemRequest, responses((status = 201, description = "The device's token, told this once", body = MadeToken)))]
pub(super) async fn redeem(State(app): State<App>, request: Request) -> Response {
    if request.headers().contains_key(header::ORIGIN) && !same_origin(&request) {
        return foreign_origin();
    }
    match trade(&app, request).await {
        Ok(made) => (StatusCode::CREATED, Json(made)).into_response(),
        Err(problem) => problem.into_response(),
    }
}

async fn trade(app: &App, request: Request) -> Result<MadeToken, Problem> {
    let Body(RedeemRequest { code, name }) = Body::from_request(request, &()).await?;
    let tokens = app.supervisor.tokens();
    let name = name.map(|it| tokens.checked_name(&it)).transpose()?;
    let offer = tokens.pairing.redeem(&code)?;
    let name = name.or(offer.name).unwrap_or_else(|| "device".into());
    let (info, token) = tokens.add_device(&name, offer.scope).await?;
    Ok(MadeToken { token, info })
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        let detail = sentence(&error.to_string());
        match error {
            TokenError::BadName | TokenError::ReservedName(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_field", detail).field("name")
            }
            TokenError::NameTaken(_) => {
                let problem = Self::new(StatusCode::CONFLICT, "name_taken", detail).field("name");
                problem.hint("choose another name, or revoke that token first")
            }
            TokenError::NotFound(_) => Self::new(StatusCode::NOT_FOUND, "token_not_found", detail),
            TokenError::NoRandomness | TokenError::Store(_) => {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "No token could be saved"
                );
                Self::new(StatusCode::BAD_GATEWAY, "store", detail)
            }
        }
    }
}

impl From<PairingError> for Problem {
    fn from(error: PairingError) -> Self {
        let detail = sentence(&error.to_string());
        match error {
            PairingError::TooOften { retry_after } => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_often", detail)
                    .retry_after(retry_after)
                    .hint("wait a minute")
            }
            PairingError::WrongCode => Self::new(StatusCode::FORBIDDEN, "wrong_code", detail)
                .field("code")
                .hint("ask for a new code; each is good once and for five minutes"),
            PairingError::Token(error) => error.into(),
        }
    }
}
