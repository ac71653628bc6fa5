//! Pages of lists.

use askback_core::id::ConversationId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::inquiry::InquiryStatus;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListResponse<T> {
    /// What is on the page.
    pub items: Vec<T>,
    /// The `cursor` of the next page; null on the last one.
    pub next: Option<String>,
}

/// Which conversations to list, newest activity first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListConversationsParams {
    /// Only those in a state of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Only sub-agents of this conversation; without it, those that have no parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub parent: Option<ConversationId>,
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most so many items: 1 to 200, by default 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// Which inquiries to list: pending ones by deadline, then age; others newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListInquiriesParams {
    /// `pending` or the name of an outcome; without it, all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<InquiryStatus>,
    /// Only those of one conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[param(value_type = Option<String>)]
    pub conversation_id: Option<ConversationId>,
    /// Only those asked by the agent with this `client` and `asker_project`: with `status=pending` the
    /// open ones, otherwise those that ended and whose outcome was not delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asker_client: Option<String>,
    /// What that agent works on; without it, agents that did not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asker_project: Option<String>,
    /// `next` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// At most so many items: 1 to 200, by default 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}
