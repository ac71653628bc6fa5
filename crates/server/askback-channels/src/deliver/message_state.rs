//! Which messages show a question, and whether they have arrived.

use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_store::{ChannelDelivery, DeliveryProgress, StoreError};

use crate::deliver::undelivered::refusal;
use crate::dispatcher::Dispatcher;

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

impl Dispatcher {
    /// The messages of a question, in the order in which they were planned.
    pub async fn messages_of(
        &self,
        inquiry: &InquiryId,
    ) -> Result<Vec<ChannelMessage>, StoreError> {
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
}
