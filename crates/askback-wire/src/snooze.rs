//! Inquiries that are hidden from the inbox until a time.

use askback_core::id::InquiryId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Hides an inquiry from the inbox, or shows it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SnoozeParams {
    /// When it is shown again. Missing: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// An inquiry was hidden from the inbox, or is shown again. Not stored: a client that was not connected
/// reads `GET /snoozes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SnoozeEvent {
    /// The inquiry.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// When it is shown again. Missing: now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// An inquiry that is hidden from the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SnoozeResponse {
    /// The inquiry. It is pending.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// When it is shown again: the requested time, or the time of the reminder if its deadline is nearer.
    pub until: Timestamp,
}
