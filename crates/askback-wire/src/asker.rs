//! The agent that asked an inquiry, and whether the outcome has reached it.
//!
//! An agent that names itself may go away and come back: the same call again brings the same inquiry
//! until its outcome was delivered, and what was not delivered can be listed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The agent that asks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct AskerParams {
    /// The program, as it calls itself: `claude-code`. 1 to 100 characters.
    pub client: String,
    /// What it works on, usually a directory. At most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Its session, 1 to 200 characters: what is asked in one is delivered to it.
    pub session: String,
    /// Sessions that are over and whose open questions this one continues, at most 200.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_sessions: Vec<String>,
}

/// The agent that asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AskerResponse {
    /// The program, as it calls itself.
    pub client: String,
    /// What it works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The session in which it asked.
    pub session: String,
    /// How often delivering the outcome was begun.
    #[serde(default)]
    pub delivery_attempts: u32,
    /// When the outcome was handed to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<Timestamp>,
}

/// How far the outcome of an inquiry has got to the agent that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// It is about to be sent.
    Started,
    /// It was sent.
    Done,
    /// It reached nobody: the agent had given up the call.
    Failed,
}

/// Notes how far the outcome has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryParams {
    /// How far.
    pub state: DeliveryState,
}
