//! Links to one question for people without the token, such as on a phone.

use askback_macros::skip_none;
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
    /// Answer, or skip a question that is skippable.
    Answer,
    /// Also decline: the agent continues without an answer.
    #[default]
    Decline,
    /// Also reject the question or cancel, which stops the agent.
    Stop,
}

/// Creates a link. The body may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewLinkParams {
    /// How long the link is valid: `30s`, `5m`, `2h`. By default a day, at most a week.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<HumanDuration>,
    /// What its holder may do. By default `decline`.
    pub allow: LinkAllow,
}

/// A link that shows one question and takes one answer, until it expires.
#[skip_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkResponse {
    /// The URL. Everybody who has it can answer the question.
    pub url: String,
    /// When the link expires. The question may end earlier.
    pub expires_at: Timestamp,
    /// What its holder may do.
    #[serde(default)]
    pub allow: LinkAllow,
    /// The URL as a QR code in SVG. Missing if the URL is too long.
    pub qr_svg: Option<String>,
    /// The QR code row by row, including the quiet zone: `1` is dark, `0` is light.
    pub qr_rows: Option<Vec<String>>,
}

// Leaves out the URL, which is a secret.
askback_core::debug_only!(LinkResponse: expires_at);
