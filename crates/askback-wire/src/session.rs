//! Browsers that are signed in.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One browser that is signed in. The secret in its cookie is known to that browser alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionResponse {
    /// Names the session, to end it. It opens nothing.
    pub id: String,
    /// What the browser said it is. Anybody can say anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// When it was signed in.
    pub created_at: Timestamp,
    /// When it was last used, to the hour.
    pub last_used_at: Timestamp,
    /// When it ends unless it is used before.
    pub expires_at: Timestamp,
    /// Whether this very request came with it.
    #[serde(default)]
    pub current: bool,
}
