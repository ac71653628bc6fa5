//! What a webhook receives.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::inquiry::InquiryResponse;

/// The body of a call of a webhook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WebhookBody {
    /// The event of the feed for the same: `inquiry_resolved` or `inquiry_reminder`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The inquiry as `GET /inquiries/{id}` returns it.
    pub inquiry: InquiryResponse,
}
