//! What a webhook receives, and those that were not delivered yet.

use askback_core::id::InquiryId;
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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

/// A webhook that was not delivered yet.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookResponse {
    /// For `POST /webhooks/{id}/retry`.
    pub id: String,
    /// The inquiry that it is about.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// `inquiry_resolved` or `inquiry_reminder`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The host and port of its URL. The rest may contain secrets of the receiver.
    pub host: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it is tried next. Missing if it was given up: it is kept for a week, in which it can be tried again.
    pub next_attempt_at: Option<Timestamp>,
}

/// Which page of the webhooks to list. The oldest first.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListWebhooksParams {
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// Items to return: 1 to 200, by default 50. Larger values count as 200.
    pub limit: Option<usize>,
}
