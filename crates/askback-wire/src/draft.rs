//! Half-typed answers.

use std::fmt;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A half-typed answer, to be kept.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DraftParams {
    /// The draft in the JSON form of the core's reducer. What does not fit the questions is dropped.
    #[schema(value_type = Object)]
    pub draft: Draft,
    /// What the sender saw; a draft of another revision is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
}

/// A half-typed answer, as it was kept.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DraftResponse {
    /// To which inquiry.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// The draft; null if none is kept.
    #[schema(value_type = Option<Object>)]
    pub draft: Option<Draft>,
    /// When it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_at: Option<Timestamp>,
}

impl fmt::Debug for DraftParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DraftParams")
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for DraftResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DraftResponse")
            .field("inquiry_id", &self.inquiry_id)
            .field("saved_at", &self.saved_at)
            .finish_non_exhaustive()
    }
}
