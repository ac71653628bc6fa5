//! Whether the server runs, and whether it can serve.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The process runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthResponse {
    /// `ok`; with 503 `failed`: nothing can be written any more.
    pub status: String,
    /// The version of the server.
    pub version: String,
}

/// Whether requests can be served: 200 if all is well, 503 otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadyResponse {
    /// Whether all is well.
    pub ready: bool,
    /// What was looked at.
    pub checks: Vec<CheckResponse>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckResponse {
    /// What: `store`, `jobs`, …
    pub name: String,
    /// Whether it is well.
    pub ok: bool,
    /// What is wrong, for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}
