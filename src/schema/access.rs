//! Who may call beside the owner.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A named token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenInfo {
    pub id: String,
    pub name: String,
    pub scope: TokenScope,
    /// A device traded a pairing code for it.
    pub paired: bool,
    pub created_at: String,
    /// About when, to the minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// Everything that the owner may do.
    #[default]
    Full,
    /// Look, and change nothing.
    ReadOnly,
}
