//! Sessions of browsers.

use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A browser that is signed in. Only the browser knows the secret in its cookie.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionResponse {
    /// Identifies the session, to end it. Not a secret.
    pub id: String,
    /// What the browser sent as `User-Agent`. Not verified.
    pub user_agent: Option<String>,
    /// The alias of the person who uses it. Without one, it may do everything.
    pub person: Option<String>,
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

/// Creates a link that signs one browser in. The body may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewSignInCodeParams {
    /// The alias of the person whom it signs in. Without one, it signs an administrator in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// A link that signs one browser in, once.
#[skip_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignInCodeResponse {
    /// The link. Whoever opens it first is signed in.
    pub url: String,
    /// When it stops working.
    pub expires_at: Timestamp,
    /// Its QR code, as SVG.
    pub qr_svg: Option<String>,
    /// The rows of its QR code: `1` is dark, `0` light.
    pub qr_rows: Option<Vec<String>>,
}

// Leaves out the link, which is a secret.
askback_core::debug_only!(SignInCodeResponse: expires_at);

/// The fields of the form on the sign-in page.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SignInParams {
    /// The token of the server. Spaces around it are ignored.
    pub token: String,
    /// The page to open then, such as `/inbox`. Anything that is not a page of this server counts as `/`.
    #[serde(default)]
    pub to: String,
}
