//! The agent that asked an inquiry, and whether it got the outcome.
//!
//! An agent that identifies itself may disconnect and come back. The same call of its session then returns the
//! same inquiry until its outcome is about to be delivered, and undelivered outcomes can be listed.

use askback_core::text::Text;
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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
}

/// The agent that asked.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AskerResponse {
    /// The name of the program. In this name and the next two, characters that cannot be shown are written as `\u202e`.
    #[schema(value_type = String)]
    pub client: Text,
    /// What the agent works on.
    #[schema(value_type = Option<String>)]
    pub project: Option<Text>,
    /// The session that asked, or that took the question over.
    #[schema(value_type = String)]
    pub session: Text,
    /// How many deliveries of the outcome were started.
    #[serde(default)]
    pub delivery_attempts: u32,
    /// When the outcome was delivered.
    pub delivered_at: Option<Timestamp>,
    /// Whether `session` is not the session that asked, but one that took the question over after its end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taken_over: bool,
    /// Whether the agent has stopped waiting: it gets the outcome when it asks again. False if that is not known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub detached: bool,
}

/// The progress of delivering an outcome to the agent that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// The outcome is about to be sent.
    Started,
    /// The outcome was sent.
    Done,
    /// The outcome was not sent after all.
    Failed,
    /// The agent waits for the outcome.
    Attached,
    /// The agent has stopped waiting. It may come back.
    Detached,
}

/// Reports the progress of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeliveryParams {
    /// `started`, `done` or `failed`; before there is an outcome, `attached` or `detached`.
    pub state: DeliveryState,
    /// With `started`: refused with 409 unless `delivery_attempts` is this. Of several that try at once, one
    /// may deliver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_attempts: Option<u32>,
}

/// Which sessions of an agent to list.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListAskerSessionsParams {
    /// The `asker.client` of the agent.
    pub client: String,
    /// The `asker.project` of the agent. If missing, only agents without one.
    pub project: Option<String>,
    /// Only sessions whose names are longer than this and begin with it.
    pub prefix: Option<String>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
}

/// A session of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AskerSessionResponse {
    /// Its name.
    pub session: String,
}

/// Passes the questions of ended sessions to another session of the same agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct TakeoverParams {
    /// The `asker.client` of the agent.
    pub client: String,
    /// The `asker.project` of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The session that gets the questions.
    pub session: String,
    /// The sessions that have ended. At most 200.
    pub from: Vec<String>,
    /// Whether `session` continues those sessions. Otherwise the same call of `session` asks anew, and never gets
    /// the outcome of a question that it took over.
    #[serde(default)]
    pub resumes: bool,
}

/// What was taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TakeoverResponse {
    /// How many questions belong to the session now that belonged to others before.
    pub questions: usize,
}
