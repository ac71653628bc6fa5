//! Sends the short texts that belong to a message.

use askback_store::{ChannelDelivery, StoreError};

use crate::contract::channel::{Address, MessageId, SendError};
use crate::deliver::reply::Reply;
use crate::deliver::sender::{SEND_TIMEOUT, Sender};
use crate::state::{Kept, Key, replies};

impl Sender {
    /// The replies that wait for this message. A message that was not sent yet has none.
    pub(crate) async fn waiting_replies(
        &self,
        row: &ChannelDelivery,
    ) -> Result<Vec<Kept<Reply>>, StoreError> {
        if row.external_id.is_none() {
            return Ok(Vec::new());
        }
        self.shared.state().list(replies(row.number)).await
    }

    /// Sends a reply that waits for this message, unless there is nothing to say any more. It is removed after it was
    /// sent, so that a crash may repeat it but not lose it. One that the provider refuses for good is dropped.
    pub(crate) async fn reply(
        &self,
        row: &ChannelDelivery,
        to: &Address,
        key: Key<Reply>,
        text: Option<String>,
        is_quiet: bool,
    ) -> Result<Result<(), SendError>, StoreError> {
        if let (Some(text), Some(id)) = (text, &row.external_id) {
            let id = MessageId(id.clone());
            let attention = self.attention(row, is_quiet);
            let reply = self.channel.channel.reply(to, &id, &text, attention);
            let late = |_| Err(SendError::temporary("no response in time"));
            let replied = tokio::time::timeout(SEND_TIMEOUT, reply).await;
            match replied.unwrap_or_else(late) {
                Ok(()) | Err(SendError::Permanent(_) | SendError::MessageGone) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        self.shared.state().remove(key).await?;
        Ok(Ok(()))
    }
}
