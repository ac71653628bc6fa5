//! The agent that asked an inquiry, and whether it got the outcome.
//!
//! An agent that identifies itself may disconnect and come back. The same call then returns the same
//! inquiry until its outcome was delivered, and undelivered outcomes can be listed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The agent that asks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct AskerParams {
    /// The name of the program, such as `claude-code`. 1 to 100 characters.
    pub client: String,
    /// What the agent works on, usually a directory. At most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The session that asks and gets the outcome. 1 to 200 characters.
    pub session: String,
    /// Ended sessions whose pending questions this one takes over. At most 200.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_sessions: Vec<String>,
}

/// The agent that asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AskerResponse {
    /// The name of the program.
    pub client: String,
    /// What the agent works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The session that asked.
    pub session: String,
    /// How many deliveries of the outcome were started.
    #[serde(default)]
    pub delivery_attempts: u32,
    /// When the outcome was delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<Timestamp>,
}

/// The progress of delivering an outcome to the agent that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// The outcome is about to be sent.
    Started,
    /// The outcome was sent.
    Done,
    /// The agent had given up the call.
    Failed,
}

/// Reports the progress of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryParams {
    /// `started`, `done` or `failed`.
    pub state: DeliveryState,
}
