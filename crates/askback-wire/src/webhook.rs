//! What a webhook receives.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::inquiry::InquiryResponse;

/// The body of a call of a webhook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WebhookBody {
    /// `inquiry_resolved` when it has its outcome, `inquiry_reminder` when its deadline is near.
    #[serde(rename = "type")]
    pub kind: String,
    /// The inquiry as `GET /inquiries/{id}` returns it.
    pub inquiry: InquiryResponse,
}
