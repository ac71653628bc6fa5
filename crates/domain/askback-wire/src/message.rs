//! Messages of conversations.

use askback_core::id::MessageId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::block::BlockResponse;
use crate::string_enum::string_enum;

string_enum! {
    /// Who a message is from.
    Role {
        /// The person.
        User => "user",
        /// The agent.
        Assistant => "assistant",
    }
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageResponse {
    /// A message replaces an earlier one with the same id.
    #[schema(value_type = String)]
    pub id: MessageId,
    /// The `message_id` that its sender gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub sent_as: Option<MessageId>,
    /// Who it is from.
    pub role: Role,
    /// When it was written.
    pub at: Timestamp,
    /// The sequence number of its first event.
    pub sequence: u64,
    /// The content, in order.
    pub blocks: Vec<BlockResponse>,
}

/// Sends a message to the agent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageParams {
    /// The text of the message.
    pub text: String,
    /// The sender's id for the message. 1 to 200 characters. A repeated id with the same text has no
    /// further effect; with another text it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub message_id: Option<MessageId>,
}

askback_core::debug_only!(MessageParams: message_id);
