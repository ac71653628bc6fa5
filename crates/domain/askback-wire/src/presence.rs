//! Whether somebody is at a surface, so that their phone stays silent.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether the server wants to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PresenceResponse {
    /// `false` if no messages are sent, or none wait for anybody. A surface then need not tell again.
    pub wanted: bool,
}
