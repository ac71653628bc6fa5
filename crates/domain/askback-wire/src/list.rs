//! Lists in pages.

use askback_core::id::ConversationId;
use askback_macros::skip_none;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::conversation::DriverName;
use crate::inquiry::InquiryStatus;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ListResponse<T> {
    /// The items of this page.
    pub items: Vec<T>,
    /// The `cursor` of the next page. Null on the last page.
    pub next: Option<String>,
}

/// Which conversations to list. Latest activity first.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListConversationsParams {
    /// Only conversations in the state with this `type`.
    pub state: Option<String>,
    /// Only sub-agents of this conversation. If missing, only conversations without a parent.
    #[param(value_type = Option<String>)]
    pub parent: Option<ConversationId>,
    /// Only conversations of the built-in agent, or only those of external ones.
    pub driver: Option<DriverName>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// Items to return: 1 to 200, by default 50. Larger values count as 200.
    pub limit: Option<usize>,
}

/// Which inquiries to list. Pending ones by deadline, then age; others newest first.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ListInquiriesParams {
    /// `pending` or the kind of an outcome. All if missing.
    pub status: Option<InquiryStatus>,
    /// Only inquiries of this conversation.
    #[param(value_type = Option<String>)]
    pub conversation_id: Option<ConversationId>,
    /// Only inquiries for the person or group with this alias. `me` is the person of the token or session: what names them or a
    /// group of theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// Only the inquiry that was asked with this idempotency key. Cannot be combined with other filters.
    pub key: Option<String>,
    /// Only inquiries of the agent with this `asker.client` and `asker_project`: with `status=pending` its
    /// pending ones, without `status` those whose outcome was not delivered yet. Cannot be combined with `conversation_id`
    /// or another `status`.
    pub asker_client: Option<String>,
    /// The `asker.project` of that agent. If missing, only agents without one.
    pub asker_project: Option<String>,
    /// Only inquiries of this `asker.session` of that agent.
    pub asker_session: Option<String>,
    /// Only inquiries in which all of these words occur: in questions, answers, notes, and the names of agent, project and
    /// people. A page may have fewer inquiries than `limit`, also none, although there is a `next` one.
    pub search: Option<String>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// Items to return: 1 to 200, by default 50. Larger values count as 200.
    pub limit: Option<usize>,
}
