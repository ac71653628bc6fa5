//! Unfinished answers.

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Stores an unfinished answer.
#[skip_none]
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DraftParams {
    /// The draft as the core serialises it. Parts that do not belong to the questions are dropped.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub draft: Draft,
    /// The revision that the sender saw. A draft for another revision is refused.
    pub revision: Option<u32>,
    /// The `version` of the stored draft that this one was made from. If another one is stored, the request is
    /// refused as `draft_changed`, and what is stored stays.
    pub replaces: Option<String>,
}

/// A draft was stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SavedDraftResponse {
    /// For `replaces`, when it is stored again.
    pub version: String,
}

/// The stored unfinished answer.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DraftResponse {
    /// The inquiry it is for.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// Null if none is stored.
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub draft: Option<Draft>,
    /// When it was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_at: Option<Timestamp>,
    /// Identifies the content. Empty if none is stored.
    #[serde(default)]
    pub version: String,
}

askback_core::debug_only!(DraftParams: revision);

askback_core::debug_only!(DraftResponse: inquiry_id, saved_at);
