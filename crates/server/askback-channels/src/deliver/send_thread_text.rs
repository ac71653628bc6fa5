//! Sends the short texts that belong to a message.

use askback_store::{ChannelDelivery, StoreError};

use crate::contract::channel::{Address, MessageId, SendError};
use crate::deliver::sender::{Sender, in_time};
use crate::deliver::thread_text::ThreadText;
use crate::dispatcher::Shared;
use crate::state::{Kept, Key, thread_texts};

/// The texts that wait for this message. A message that was not sent yet has none.
pub(crate) async fn waiting_texts(
    shared: &Shared,
    row: &ChannelDelivery,
) -> Result<Vec<Kept<ThreadText>>, StoreError> {
    if row.external_id.is_none() {
        return Ok(Vec::new());
    }
    shared.state().list(thread_texts(row.number)).await
}

/// Sends a text that waits for this message, unless there is nothing to say any more. It is removed after it was
/// sent, so that a crash may repeat it but not lose it. One that the provider refuses for good is dropped.
pub(crate) async fn send_thread_text(
    sender: &Sender,
    row: &ChannelDelivery,
    to: &Address,
    key: Key<ThreadText>,
    text: Option<String>,
    is_quiet: bool,
) -> Result<Result<(), SendError>, StoreError> {
    if let (Some(text), Some(id)) = (text, &row.external_id) {
        let id = MessageId(id.clone());
        let attention = sender.attention(row, is_quiet);
        let channel = &sender.channel.channel;
        match in_time(channel.send_thread_text(to, &id, &text, attention)).await {
            Ok(()) | Err(SendError::Permanent(_) | SendError::MessageGone) => {}
            Err(error) => return Ok(Err(error)),
        }
    }
    sender.shared.state().remove(key).await?;
    Ok(Ok(()))
}
