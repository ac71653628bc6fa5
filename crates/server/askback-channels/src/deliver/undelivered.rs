//! Messages that a provider has refused for good, such as those to somebody who has blocked the bot.
//!
//! Each is kept with the reason, so that `askback channel list` can tell. It is tried once more when something has
//! changed: the person writes to the bot, or the server starts again, perhaps with other settings. What was refused for
//! a question is removed with the question.

use askback_core::text::Text;
use askback_store::{
    ChannelDelivery, DeliveryNumber, DeliveryProgress, DeliveryUpdate, Store, StoreError,
};
use serde::{Deserialize, Serialize};

use crate::deliver::sender::finished;
use crate::dispatcher::Shared;
use crate::state::{self, ChannelState};

/// What the log says about such a message.
pub(crate) const TRIED_AGAIN: &str =
    "it is tried once more when the person writes to the channel, and when the server starts";

/// A message that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RefusedMessage {
    delivery: DeliveryNumber,
    pub(crate) channel: String,
    pub(crate) recipient: String,
    /// As it is stored with the delivery.
    address: String,
    pub(crate) reason: Text,
    /// The person has the message, but it does not show the current state of the question.
    #[serde(default)]
    pub(crate) is_edit: bool,
}

/// Why a message was refused.
pub(crate) async fn refusal(
    store: &dyn Store,
    row: &ChannelDelivery,
) -> Result<Option<Text>, StoreError> {
    let key = state::refused(&row.target.inquiry, row.number);
    let refused = ChannelState(store).get(key).await?;
    Ok(refused.map(|refused| refused.reason))
}

/// Keeps that a message was refused.
pub(crate) async fn keep_refused(
    store: &dyn Store,
    row: &ChannelDelivery,
    reason: Text,
) -> Result<(), StoreError> {
    let refused = RefusedMessage {
        delivery: row.number,
        channel: row.target.channel.clone(),
        recipient: row.target.recipient.clone(),
        address: row.target.address.clone(),
        reason,
        is_edit: row.external_id.is_some(),
    };
    let key = state::refused(&row.target.inquiry, row.number);
    ChannelState(store).set(key, &refused).await
}

/// Tries all refused messages once more.
pub(crate) async fn retry_all(shared: &Shared) -> Result<(), StoreError> {
    retry(shared, |_| true).await
}

/// Tries the messages to one address of a channel once more.
pub(crate) async fn retry_address(
    shared: &Shared,
    channel: &str,
    address: &str,
) -> Result<(), StoreError> {
    retry(shared, |it| it.channel == channel && it.address == address).await
}

async fn retry(
    shared: &Shared,
    is_meant: impl Fn(&RefusedMessage) -> bool,
) -> Result<(), StoreError> {
    let store = shared.engine.store();
    for kept in shared.state().list(state::all_refused()).await? {
        if !is_meant(&kept.value) {
            continue;
        }
        if let Some(inquiry) = kept.inquiry() {
            let rows = store.deliveries_of(inquiry).await?.into_iter();
            let mut failed = rows.filter(|row| row.progress == DeliveryProgress::Failed);
            if let Some(row) = failed.find(|row| row.number == kept.value.delivery) {
                store.update_delivery(due_again(shared, &row)).await?;
            }
        }
        // After the delivery: a crash between the two repeats this, and loses nothing.
        shared.state().remove(kept.key).await?;
    }
    shared.planned.notify_waiters();
    Ok(())
}

fn due_again(shared: &Shared, row: &ChannelDelivery) -> DeliveryUpdate {
    let progress = match row.external_id {
        Some(_) => DeliveryProgress::Sent,
        None => DeliveryProgress::Due,
    };
    DeliveryUpdate {
        due_at: Some(shared.engine.clock().now()),
        ..finished(row, progress)
    }
}
