//! Sessions of browsers.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A browser that is signed in. Only the browser knows the secret in its cookie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionResponse {
    /// Identifies the session, to end it. Not a secret.
    pub id: String,
    /// What the browser sent as `User-Agent`. Not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// When the browser signed in.
    pub created_at: Timestamp,
    /// When it was last used, to the hour.
    pub last_used_at: Timestamp,
    /// When the session ends if it is not used.
    pub expires_at: Timestamp,
    /// Whether it is the session of this request.
    #[serde(default)]
    pub current: bool,
}

/// The fields of the form on the sign-in page.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SignInParams {
    /// The token of the server. Spaces around it are ignored.
    pub token: String,
    /// The page to open then, such as `/inbox`. Anything that is not a page of this server counts as `/`.
    #[serde(default)]
    pub to: String,
}
