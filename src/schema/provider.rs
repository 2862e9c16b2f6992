//! What the API says about a provider.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderInfo {
    pub id: String,
    pub display_name: String,
    pub installed: Option<Installed>,
    pub compat: CompatVerdict,
    /// The newest version that was verified.
    pub pinned_version: String,
    pub models: Vec<Choice>,
    pub efforts: Vec<Choice>,
    pub permission_modes: Vec<Choice>,
    pub options: Vec<RunOption>,
    pub auth: Auth,
    pub open: Option<OpenLink>,
    pub capabilities: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Installed {
    pub path: String,
    pub version: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompatVerdict {
    Verified,
    Untested,
    Unsupported,
}

/// Something else that a person can choose for a run, by the provider's own names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunOption {
    pub id: String,
    pub label: String,
    /// The first one is what a run gets for which nobody chose.
    pub choices: Vec<Choice>,
}

/// One value that a person can choose for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Choice {
    pub id: String,
    pub label: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Auth {
    pub kind: AuthKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Where the person keeps the key that the CLI is given, never the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credential_ref: Option<String>,
}

/// What a CLI says about being signed in. Whether the vendor still takes the credential
/// shows with the next turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuthStatus {
    pub logged_in: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The CLI's own word for how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    pub checked_at: String,
}

/// A login that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoginStarted {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_code: Option<String>,
    /// When it is given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthKind {
    OauthCode,
    OauthRedirect,
    DeviceCode,
    ApiKey,
    External,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenLink {
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}
