//! Messages that exist twice.
//!
//! A crash after a message was sent and before its id was stored sends it again. The first copy is unknown until
//! somebody presses it: from then on it is kept up to date as the other one is.

use std::collections::BTreeMap;

use askback_core::id::InquiryId;
use askback_store::{ChannelDelivery, DeliveryPlan, DeliveryProgress, DeliveryUpdate, StoreError};
use serde::{Deserialize, Serialize};

use crate::answer::handle_incoming::ChannelHandler;
use crate::contract::channel::{Address, MessageId, Rendered, SendError};
use crate::contract::incoming::Incoming;
use crate::deliver::sender::{EDIT_ATTEMPTS_MAX, SEND_TIMEOUT, Sender, finished};

/// A copy that was pressed, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Copy {
    message: String,
    /// What it shows; unknown until it was edited.
    shown_hash: Option<String>,
}

/// The keys of all copies of a delivery begin with this.
fn prefix(channel: &str, inquiry: &InquiryId, address: &str) -> String {
    format!("copy:{channel}:{}:{address};", inquiry.as_str())
}

impl ChannelHandler {
    /// Remembers the pressed message, if it is not the one that the delivery knows, and makes the delivery due.
    pub(crate) async fn remember_copy(
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
        let key = format!("{}{message}", prefix(&self.name, inquiry, address));
        if !store.channel_values(&key).await?.is_empty() {
            return Ok(());
        }
        let copy = Copy {
            message: message.clone(),
            shown_hash: None,
        };
        let value = serde_json::to_string(&copy).ok();
        store.set_channel_value(&key, value).await?;
        let now = self.shared.engine.clock().now();
        let plan = DeliveryPlan {
            new: Vec::new(),
            changed: vec![inquiry.clone()],
            due_at: now,
            values: BTreeMap::new(),
            cursor: None,
        };
        self.shared.write_plan(plan).await?;
        // A plan does not change a delivery that has ended. It may have ended just before, so it is read only now.
        let delivery = self.delivery_to(inquiry, address).await?;
        if let Some(row) = delivery.filter(|row| row.progress == DeliveryProgress::Retired) {
            let (external_id, shown_hash) = (row.external_id.clone(), row.shown_hash.clone());
            let update = DeliveryUpdate {
                due_at: Some(now),
                ..finished(&row, DeliveryProgress::Sent, external_id, shown_hash)
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
            row.target.channel == self.name && row.target.address == address
        };
        Ok(deliveries.find(is_this))
    }
}

impl Sender {
    /// Brings the copies of a message to the same state. One that cannot be edited now is an error, and is tried again
    /// with the message; one that never can be, or not within the attempts for an ended question, is forgotten.
    pub(crate) async fn update_copies(
        &self,
        row: &ChannelDelivery,
        to: &Address,
        message: &Rendered,
        has_ended: bool,
    ) -> Result<Result<(), SendError>, StoreError> {
        let store = self.shared.engine.store();
        let target = &row.target;
        let prefix = prefix(&self.name, &target.inquiry, &target.address);
        let hash = message.hash();
        for (key, value) in store.channel_values(&prefix).await? {
            let copy = serde_json::from_str::<Copy>(&value).ok();
            // The same message was pressed before its id was stored.
            let copy = copy.filter(|copy| row.external_id.as_ref() != Some(&copy.message));
            let Some(copy) = copy else {
                store.set_channel_value(&key, None).await?;
                continue;
            };
            let is_shown = copy.shown_hash.as_ref() == Some(&hash);
            let edited = if is_shown {
                Ok(())
            } else {
                self.edit_copy(to, &copy, message).await
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
            let value = serde_json::to_string(&shown).ok().filter(|_| is_kept);
            store.set_channel_value(&key, value).await?;
        }
        Ok(Ok(()))
    }

    /// The message that was pressed, of a delivery whose message is not known.
    pub(crate) async fn pressed_copy(
        &self,
        row: &ChannelDelivery,
    ) -> Result<Option<String>, StoreError> {
        let target = &row.target;
        let prefix = prefix(&self.name, &target.inquiry, &target.address);
        let copies = self.shared.engine.store().channel_values(&prefix).await?;
        let mut copies = copies.into_iter();
        let copy = copies.find_map(|(_, value)| serde_json::from_str::<Copy>(&value).ok());
        Ok(copy.map(|copy| copy.message))
    }

    async fn edit_copy(
        &self,
        to: &Address,
        copy: &Copy,
        message: &Rendered,
    ) -> Result<(), SendError> {
        let id = MessageId(copy.message.clone());
        let edit = self.channel.channel.edit(to, &id, message);
        let edited = tokio::time::timeout(SEND_TIMEOUT, edit).await;
        edited.unwrap_or_else(|_| Err(SendError::temporary("no response in time")))
    }
}
