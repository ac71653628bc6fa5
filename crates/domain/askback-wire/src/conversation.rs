//! Conversations with agents.

use askback_core::conversation::Driver;
use askback_core::id::{ConversationId, MessageId};
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::message::MessageResponse;
use crate::state::StateResponse;
use crate::string_enum::string_enum;

string_enum! {
    /// Who drives a conversation.
    DriverName {
        /// The built-in agent.
        BuiltIn => "built_in",
        /// An external agent, which only asks questions.
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
#[skip_none]
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewConversationParams {
    /// The app to run. The default app if missing.
    pub app: Option<String>,
    /// The first message of the user.
    pub message: Option<String>,
    /// The sender's id for that message. 1 to 200 characters.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub message_id: Option<MessageId>,
    /// By default taken from the first message or question.
    pub title: Option<String>,
    /// Whether an external agent drives it. It then takes questions and no messages.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub external: bool,
    /// A repeated request with the same key returns the same conversation.
    pub key: Option<String>,
}

/// The current state of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConversationResponse {
    /// Starts with `cnv_`.
    #[schema(value_type = String, example = "cnv_01hzy3v5q0k2m4n6p8r0s2t4v6")]
    pub id: ConversationId,
    /// `built_in` or `external`.
    pub driver: DriverName,
    /// The app it was started with.
    pub app: Option<String>,
    /// A title for lists.
    pub title: Option<String>,
    /// The conversation that started this one as a sub-agent.
    #[schema(value_type = Option<String>)]
    pub parent: Option<ConversationId>,
    /// What the agent is doing now.
    pub state: StateResponse,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The number of its events. Increases with every change.
    pub version: u64,
}

/// A conversation with a page of its messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConversationDetailResponse {
    /// The conversation.
    #[serde(flatten)]
    pub conversation: ConversationResponse,
    /// The newest messages, or those before a cursor. Oldest first.
    pub messages: Vec<MessageResponse>,
    /// The `before` for older messages. Null if there are none.
    pub before: Option<String>,
    /// The sequence number of the newest event included here. Start the feed after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<u64>,
}

/// Which messages to return with a conversation.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReadConversationParams {
    /// The `before` of an earlier page, to get older messages.
    pub before: Option<String>,
    /// Messages to return: 0 to 200, by default 50.
    pub limit: Option<usize>,
}

askback_core::debug_only!(NewConversationParams: app, external);
