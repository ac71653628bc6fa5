//! Messages that exist twice.
//!
//! A crash after a message was sent and before its id was stored sends it again. The first copy is unknown until
//! somebody presses it: from then on it is kept up to date as the other one is.

use askback_core::id::InquiryId;
use askback_store::{ChannelDelivery, DeliveryProgress, DeliveryUpdate, StoreError};
use serde::{Deserialize, Serialize};

use crate::contract::channel::{Address, Channel, MessageId, Rendered, SendError};
use crate::contract::incoming::Incoming;
use crate::deliver::sender::{EDIT_ATTEMPTS_MAX, finished, in_time};
use crate::dispatcher::Shared;
use crate::state::{self, Kept, Key};

/// A copy that was pressed, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Copy {
    message: String,
    /// What it shows; unknown until it was edited.
    shown_hash: Option<String>,
}

/// The copies of one channel.
pub(crate) struct Copies<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) channel: &'a str,
}

impl Copies<'_> {
    /// Remembers the pressed message, if it is not the one that the delivery knows, and makes the delivery due.
    pub(crate) async fn remember(
        &self,
        incoming: &Incoming,
        inquiry: &InquiryId,
    ) -> Result<(), StoreError> {
        let Some(MessageId(message)) = &incoming.message else {
            return Ok(());
        };
        let store = self.shared.engine.store();
        let address = incoming.address.0.as_str();
        let delivery = self.delivery_to(inquiry, address).await?;
        if delivery.is_none_or(|row| row.external_id.as_ref() == Some(message)) {
            return Ok(());
        }
        let key = || state::copy(self.channel, inquiry, address, message);
        if self.shared.state().get(key()).await?.is_some() {
            return Ok(());
        }
        let copy = Copy {
            message: message.clone(),
            shown_hash: None,
        };
        self.shared.state().set(key(), &copy).await?;
        self.shared.redraw(inquiry).await?;
        // A plan does not change a delivery that has ended. It may have ended just before, so it is read only now.
        let delivery = self.delivery_to(inquiry, address).await?;
        if let Some(row) = delivery.filter(|row| row.progress == DeliveryProgress::Retired) {
            let update = DeliveryUpdate {
                due_at: Some(self.shared.engine.clock().now()),
                ..finished(&row, DeliveryProgress::Sent)
            };
            store.update_delivery(update).await?;
            self.shared.planned.notify_waiters();
        }
        Ok(())
    }

    async fn delivery_to(
        &self,
        inquiry: &InquiryId,
        address: &str,
    ) -> Result<Option<ChannelDelivery>, StoreError> {
        let deliveries = self.shared.engine.store().deliveries_of(inquiry).await?;
        let mut deliveries = deliveries.into_iter();
        let is_this = |row: &ChannelDelivery| {
            row.target.channel == self.channel && row.target.address == address
        };
        Ok(deliveries.find(is_this))
    }

    /// Brings the copies of a message to the same state. One that cannot be edited now is an error, and is tried again
    /// with the message; one that never can be, or not within the attempts for an ended question, is forgotten.
    pub(crate) async fn update(
        &self,
        channel: &dyn Channel,
        row: &ChannelDelivery,
        to: &Address,
        message: &Rendered,
        has_ended: bool,
    ) -> Result<Result<(), SendError>, StoreError> {
        let state = self.shared.state();
        let hash = message.hash();
        for Kept { key, value: copy } in state.list(self.of(row)).await? {
            // The same message was pressed before its id was stored.
            if row.external_id.as_ref() == Some(&copy.message) {
                state.remove(key).await?;
                continue;
            }
            let is_shown = copy.shown_hash.as_ref() == Some(&hash);
            let edited = if is_shown {
                Ok(())
            } else {
                let id = MessageId(copy.message.clone());
                in_time(channel.edit(to, &id, message)).await
            };
            let is_kept = match edited {
                Ok(()) => !has_ended,
                Err(SendError::Permanent(_) | SendError::MessageGone) => false,
                Err(_) if has_ended && row.attempts >= EDIT_ATTEMPTS_MAX => false,
                Err(error) => return Ok(Err(error)),
            };
            if is_shown && is_kept {
                continue;
            }
            let shown = Copy {
                shown_hash: Some(hash.clone()),
                ..copy
            };
            if is_kept {
                state.set(key, &shown).await?;
            } else {
                state.remove(key).await?;
            }
        }
        Ok(Ok(()))
    }

    /// The message that was pressed, of a delivery whose message is not known.
    pub(crate) async fn pressed(
        &self,
        row: &ChannelDelivery,
    ) -> Result<Option<String>, StoreError> {
        let copies = self.shared.state().list(self.of(row)).await?;
        Ok(copies.into_iter().next().map(|copy| copy.value.message))
    }

    fn of(&self, row: &ChannelDelivery) -> Key<Copy> {
        state::copies(self.channel, &row.target.inquiry, &row.target.address)
    }
}
