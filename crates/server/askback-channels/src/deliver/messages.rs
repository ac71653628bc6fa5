//! What became of messages: which show a question, whether they have arrived, and which never will.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_store::{ChannelDelivery, DeliveryProgress, StoreError};

use crate::deliver::left_messages::left_messages;
use crate::deliver::undelivered::refusal;
use crate::dispatcher::Shared;
use crate::state;

/// How far a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageState {
    /// It is not sent yet. What went wrong last in the channel, if something did.
    Waiting(Option<Text>),
    /// The provider has taken it.
    Sent,
    /// The provider refuses it, for this reason.
    Refused(Option<Text>),
}

/// A message that shows a question to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelMessage {
    /// The name of the channel.
    pub channel: String,
    /// The alias of the person.
    pub recipient: String,
    /// How far it is.
    pub state: MessageState,
}

/// Questions that did not reach a person through a channel, all for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undelivered {
    /// The alias of the person.
    pub recipient: String,
    /// What the provider says. It contains no secrets.
    pub reason: Text,
    /// How many questions.
    pub questions: u64,
}

/// Messages to a person through a channel, of which one is no longer configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftMessages {
    /// The name of the channel.
    pub channel: String,
    /// The alias of the person.
    pub recipient: String,
    /// How many messages.
    pub messages: u64,
}

/// The messages of all channels.
#[derive(Clone)]
pub struct Messages {
    shared: Arc<Shared>,
}

impl Messages {
    pub(crate) fn new(shared: Arc<Shared>) -> Messages {
        Messages { shared }
    }

    /// The messages of a question, in the order in which they were planned.
    pub async fn of(&self, inquiry: &InquiryId) -> Result<Vec<ChannelMessage>, StoreError> {
        let mut messages = Vec::new();
        for row in self.shared.engine.store().deliveries_of(inquiry).await? {
            let state = self.state_of(&row).await?;
            messages.push(ChannelMessage {
                channel: row.target.channel,
                recipient: row.target.recipient,
                state,
            });
        }
        Ok(messages)
    }

    async fn state_of(&self, row: &ChannelDelivery) -> Result<MessageState, StoreError> {
        if row.external_id.is_some() {
            return Ok(MessageState::Sent);
        }
        let status = self.shared.status.get(&row.target.channel);
        let last_error = status.last_error.map(|(_, error)| error);
        if row.progress != DeliveryProgress::Failed {
            return Ok(MessageState::Waiting(last_error));
        }
        let reason = refusal(self.shared.engine.store().as_ref(), row).await?;
        let reason = reason.or(last_error);
        Ok(MessageState::Refused(reason))
    }

    /// The pending questions that did not reach people through a channel, by person and reason.
    pub async fn undelivered(&self, channel: &str) -> Result<Vec<Undelivered>, StoreError> {
        let mut counts: BTreeMap<(String, Text), u64> = BTreeMap::new();
        for refused in self.shared.state().values(state::all_refused()).await? {
            if refused.channel == channel && !refused.is_edit {
                *counts
                    .entry((refused.recipient, refused.reason))
                    .or_default() += 1;
            }
        }
        let counts = counts.into_iter();
        let undelivered = counts.map(|((recipient, reason), questions)| Undelivered {
            recipient,
            reason,
            questions,
        });
        Ok(undelivered.collect())
    }

    /// The messages that belong to channels or people that are no longer configured.
    pub async fn left(&self) -> Result<Vec<LeftMessages>, StoreError> {
        left_messages(&self.shared).await
    }
}
