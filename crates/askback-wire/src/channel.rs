//! Channels: ways for questions to reach people outside of the terminal and the browser.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A configured channel. It contains no token and no address of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelResponse {
    /// Its name in the configuration.
    pub name: String,
    /// What it is: `telegram`, …
    pub kind: String,
    /// The recipients with an account there.
    pub recipients: Vec<String>,
    /// When the provider last answered. Missing until it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_success: Option<Timestamp>,
    /// What went wrong last, unless something worked since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// Pending questions that the provider has refused to deliver, by person and reason. They are tried once more when the
    /// person writes to the channel, and when the server starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_delivered: Vec<NotDelivered>,
}

/// Questions that did not reach a person through a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotDelivered {
    /// The alias of the person.
    pub recipient: String,
    /// What the provider says.
    pub reason: String,
    /// How many questions.
    pub questions: usize,
}

/// For whom an account is linked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct LinkCodeParams {
    /// The alias of the recipient. May be missing if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
}

/// A one-time code with which a person links their account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkCodeResponse {
    /// The code.
    pub code: String,
    /// The recipient that it is for.
    pub recipient: String,
    /// What the provider calls us, such as the name of the bot. Missing if it cannot be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// A link that opens the conversation with the code. Missing if the provider has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When the code stops working.
    pub expires_at: Timestamp,
}
