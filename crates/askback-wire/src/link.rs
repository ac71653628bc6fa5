//! A link to one question, for somebody who has no token: a phone, a colleague.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::duration::HumanDuration;

/// What the holder of a link may do. Each one includes those before it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LinkAllow {
    /// Answer, which includes skipping a question that may be skipped.
    Answer,
    /// Also decline: the agent goes on without an answer.
    #[default]
    Decline,
    /// Also stop the agent, by rejecting the question or cancelling.
    Stop,
}

/// A link is wanted. An empty body will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewLinkParams {
    /// For how long it opens the question: `30s`, `5m`, `2h`; a day if missing, a week at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<HumanDuration>,
    /// What its holder may do; `decline` if missing.
    pub allow: LinkAllow,
}

/// A link that shows and answers one question, once, until it expires.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkResponse {
    /// The address. Whoever has it can answer the question.
    pub url: String,
    /// Until when it opens anything. The question may end before that.
    pub expires_at: Timestamp,
    /// What its holder may do.
    #[serde(default)]
    pub allow: LinkAllow,
    /// The address as a QR code: an SVG image. Missing if it is too long for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qr_svg: Option<String>,
    /// The same code row by row, the empty space around it included: `1` is dark, `0` is light.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qr_rows: Option<Vec<String>>,
}

impl std::fmt::Debug for LinkResponse {
    /// The address is a secret, and what is printed for debugging ends up in logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkResponse")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}
