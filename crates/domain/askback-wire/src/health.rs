//! Liveness and readiness.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Whether the process works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthResponse {
    /// `ok`, or with status 503 `failed`: the store can no longer be written.
    pub status: String,
    /// The version of the server.
    pub version: String,
}

/// Whether the server can handle requests: 200 if so, 503 otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadyResponse {
    /// Whether all checks passed.
    pub ready: bool,
    /// The checks that were made.
    pub checks: Vec<CheckResponse>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckResponse {
    /// What was checked: `store`, `jobs`, …
    pub name: String,
    /// Whether the check passed.
    pub ok: bool,
    /// What is wrong, for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}
