//! A conversation: an agent's thread.

use askback_core::conversation::Driver;
use askback_core::id::{ConversationId, MessageId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::message::MessageResponse;
use crate::state::StateResponse;
use crate::word::words;

words! {
    /// Who drives a conversation.
    DriverName {
        /// The built-in agent.
        BuiltIn => "built_in",
        /// Somebody else's agent, which only asks.
        External => "external",
    }
}

impl From<Driver> for DriverName {
    fn from(driver: Driver) -> DriverName {
        match driver {
            Driver::BuiltIn => DriverName::BuiltIn,
            Driver::External => DriverName::External,
        }
    }
}

/// Starts a conversation.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewConversationParams {
    /// The app it runs; the default one if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub app: Option<String>,
    /// The first message of the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The sender's own id for that message, of 1 to 200 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub message_id: Option<MessageId>,
    /// What to call it; taken from the first message or question if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether somebody else's agent drives it. It then takes questions and no messages.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
    /// Makes a repeated send harmless: the same key brings the same conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// A conversation as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConversationResponse {
    /// Its id.
    #[schema(value_type = String, example = "cnv_01hzy3v5q0k2m4n6p8r0s2t4v6")]
    pub id: ConversationId,
    /// Who drives it.
    pub driver: DriverName,
    /// The app it runs, if it was started for one.
    pub app: Option<String>,
    /// What to call it.
    pub title: Option<String>,
    /// The conversation whose sub-agent it is.
    #[schema(value_type = Option<String>)]
    pub parent: Option<ConversationId>,
    /// Where it stands.
    pub state: StateResponse,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last touched.
    pub updated_at: Timestamp,
    /// Counts its events; a larger one is newer.
    pub version: u64,
}

/// A conversation with a page of its messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConversationDetailResponse {
    /// The conversation.
    #[serde(flatten)]
    pub conversation: ConversationResponse,
    /// Its newest messages, or those before a cursor; oldest first.
    pub messages: Vec<MessageResponse>,
    /// The `before` of the page of older messages; null if there are none.
    pub before: Option<String>,
    /// The sequence of the newest event that this shows: begin the feed behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
}

/// How to read a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReadConversationParams {
    /// Messages before this point, as `before` of a page says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// At most so many messages: 1 to 200, by default 50. None at all with 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

impl std::fmt::Debug for NewConversationParams {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewConversationParams")
            .field("app", &self.app)
            .field("external", &self.external)
            .finish_non_exhaustive()
    }
}
