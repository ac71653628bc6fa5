//! Channels: ways for questions to reach people outside of the terminal and the browser.

use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A configured channel. It contains no token and no address of a person.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelResponse {
    /// Its name in the configuration.
    pub name: String,
    /// What it is: `telegram`, …
    pub kind: String,
    /// The recipients with an account there.
    pub recipients: Vec<String>,
    /// When the provider last answered. Missing until it has.
    pub last_success: Option<Timestamp>,
    /// What went wrong last, unless something worked since.
    pub last_error: Option<String>,
    /// Pending questions that the provider has refused to deliver, by person and reason. They are tried once more when the
    /// person writes to the channel, and when the server starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_delivered: Vec<NotDelivered>,
    /// Messages that are not updated any more, because the channel or the person is no longer configured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_messages: Vec<LeftMessagesResponse>,
    /// Whether the channel is no longer configured. It is listed because of the messages that it has left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

/// Messages that are not updated any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeftMessagesResponse {
    /// The alias of the person.
    pub recipient: String,
    /// How many messages.
    pub messages: u64,
}

/// How far a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChannelMessageState {
    /// It is not sent yet.
    Waiting,
    /// The provider has taken it.
    Sent,
    /// The provider refuses it.
    Refused,
}

/// A message of a channel that shows a question to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelMessageResponse {
    /// The name of the channel.
    pub channel: String,
    /// The alias of the person.
    pub recipient: String,
    /// How far it is.
    pub state: ChannelMessageState,
    /// Why it is refused, or what went wrong last in a channel in which it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Questions that did not reach a person through a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NotDelivered {
    /// The alias of the person.
    pub recipient: String,
    /// What the provider says.
    pub reason: String,
    /// How many questions.
    pub questions: u64,
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
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinkCodeResponse {
    /// The code.
    pub code: String,
    /// The recipient that it is for.
    pub recipient: String,
    /// What the provider calls us, such as the name of the bot. Missing if it cannot be reached.
    pub account: Option<String>,
    /// A link that opens the conversation with the code. Missing if the provider has none.
    pub url: Option<String>,
    /// When the code stops working.
    pub expires_at: Timestamp,
}
