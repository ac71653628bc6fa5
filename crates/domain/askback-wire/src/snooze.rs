//! Inquiries that are hidden from the inbox until a time.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::far_time;

/// Hides an inquiry from the inbox, or shows it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct SnoozeParams {
    /// When it is shown again. Missing: now.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "far_time::deserialize"
    )]
    pub until: Option<Timestamp>,
}
