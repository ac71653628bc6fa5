//! Messages: what was said, by whom, as blocks.

use std::fmt;

use askback_core::id::MessageId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::block::BlockResponse;
use crate::word::words;

words! {
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
    /// Its id. A message that arrives again under the same id replaces the one before.
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
    /// The sequence of the event it began with.
    pub sequence: u64,
    /// What it holds, in order.
    pub blocks: Vec<BlockResponse>,
}

/// The user says something.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageParams {
    /// What they say.
    pub text: String,
    /// The sender's own id for it, of 1 to 200 characters: the same id and text again is the same
    /// message, and harmless; the same id with another text is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 200)]
    pub message_id: Option<MessageId>,
}

impl fmt::Debug for MessageParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageParams")
            .field("message_id", &self.message_id)
            .finish_non_exhaustive()
    }
}
