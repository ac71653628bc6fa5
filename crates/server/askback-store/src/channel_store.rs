//! Deliveries of questions through channels: a durable outbox beside the record.
//!
//! A delivery says which message of which channel shows an inquiry to a recipient. It is level-triggered:
//! a due delivery means "bring the message to the current state of the inquiry", so several changes need
//! one edit, and repeating one has no further effect.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use askback_core::id::InquiryId;

use crate::rows::Sequence;
use crate::store::StoreFuture;

/// The number of a delivery. Deliveries are made in the order of their numbers.
pub type DeliveryNumber = u64;

/// How far a delivery is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryProgress {
    /// No message was sent yet.
    Due,
    /// A message is being sent. After a crash it is not known whether it was.
    Sending,
    /// The message was sent.
    Sent,
    /// The message cannot be sent, and is not tried again.
    Failed,
    /// The inquiry has ended, and the message says so.
    Retired,
}

impl DeliveryProgress {
    /// The stored name.
    pub fn name(self) -> &'static str {
        match self {
            DeliveryProgress::Due => "due",
            DeliveryProgress::Sending => "sending",
            DeliveryProgress::Sent => "sent",
            DeliveryProgress::Failed => "failed",
            DeliveryProgress::Retired => "retired",
        }
    }

    /// The progress with this stored name. An unknown one counts as failed, which sends nothing.
    pub fn from_name(name: &str) -> DeliveryProgress {
        let all = [
            DeliveryProgress::Due,
            DeliveryProgress::Sending,
            DeliveryProgress::Sent,
            DeliveryProgress::Retired,
        ];
        let found = all.into_iter().find(|progress| progress.name() == name);
        found.unwrap_or(DeliveryProgress::Failed)
    }
}

/// A delivery to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelivery {
    /// The inquiry that the message shows.
    pub inquiry: InquiryId,
    /// The name of the channel.
    pub channel: String,
    /// The alias of the recipient.
    pub recipient: String,
    /// Where the message goes.
    pub address: String,
}

/// A delivery as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelDelivery {
    /// Its place in the order.
    pub number: DeliveryNumber,
    /// What was asked for.
    pub target: NewDelivery,
    /// How far it is.
    pub progress: DeliveryProgress,
    /// How many attempts failed in a row.
    pub attempts: u32,
    /// Increases with every change of the inquiry that the message has to show.
    pub version: u64,
    /// The provider's id of the message.
    pub external_id: Option<String>,
    /// The hash of what the message shows.
    pub shown_hash: Option<String>,
}

/// What became of a due delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryUpdate {
    /// The delivery.
    pub number: DeliveryNumber,
    /// The version that was read. If the inquiry has changed since, the delivery stays due.
    pub version: u64,
    /// How far it is now.
    pub progress: DeliveryProgress,
    /// Failed attempts in a row.
    pub attempts: u32,
    /// When to try again; `None` if nothing is left to do.
    pub due_at: Option<Timestamp>,
    /// The provider's id of the message.
    pub external_id: Option<String>,
    /// The hash of what the message shows.
    pub shown_hash: Option<String>,
}

/// A value that channels keep between restarts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelValue {
    /// One value for each key.
    pub key: String,
    /// What is kept.
    pub value: String,
    /// The inquiry that it belongs to: [`DeliveryPlan::end`] removes it.
    pub inquiry: Option<InquiryId>,
}

/// What a part of the feed means for deliveries. Written in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryPlan {
    /// Deliveries to add. One that exists for the same inquiry, channel and address is left alone.
    pub new: Vec<NewDelivery>,
    /// Inquiries that changed: their deliveries become due, unless they are retired or failed.
    pub changed: Vec<InquiryId>,
    /// When they are due.
    pub due_at: Timestamp,
    /// Values that channels keep, by key: set, or removed if `None`.
    pub values: BTreeMap<String, Option<ChannelValue>>,
    /// Inquiries whose values are removed. None of them is set.
    pub ended: Vec<InquiryId>,
    /// The position in the feed up to which everything is planned.
    pub cursor: Option<Sequence>,
}

impl DeliveryPlan {
    /// A plan that changes nothing yet. What is added to it is due at this time.
    pub fn due(due_at: Timestamp) -> DeliveryPlan {
        DeliveryPlan {
            new: Vec::new(),
            changed: Vec::new(),
            due_at,
            values: BTreeMap::new(),
            ended: Vec::new(),
            cursor: None,
        }
    }

    /// Whether it changes nothing but the position in the feed.
    pub fn is_idle(&self) -> bool {
        self.new.is_empty()
            && self.changed.is_empty()
            && self.values.is_empty()
            && self.ended.is_empty()
    }

    /// Sets a value.
    pub fn set(&mut self, value: ChannelValue) {
        self.values.insert(value.key.clone(), Some(value));
    }

    /// Removes all values that belong to an inquiry.
    pub fn end(&mut self, inquiry: &InquiryId) {
        let is_other = |value: &ChannelValue| value.inquiry.as_ref() != Some(inquiry);
        self.values
            .retain(|_, value| value.as_ref().is_none_or(is_other));
        self.ended.push(inquiry.clone());
    }
}

/// Deliveries that are due.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueDeliveries {
    /// In the order of their numbers.
    pub rows: Vec<ChannelDelivery>,
    /// When the next one of the others is due.
    pub next: Option<Timestamp>,
}

/// How many deliveries to a recipient through a channel are neither retired nor failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDeliveries {
    /// The name of the channel.
    pub channel: String,
    /// The alias of the recipient.
    pub recipient: String,
    /// How many.
    pub count: u64,
}

/// Deliveries, and what channels keep between restarts. Each change is on disk when the call returns.
pub trait ChannelStore: Send + Sync + 'static {
    /// Writes what a part of the feed means, and how far the feed was read.
    fn plan_deliveries(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()>;

    /// The position in the feed up to which everything is planned. `None` before the first plan.
    fn delivery_cursor(&self) -> StoreFuture<'_, Option<Sequence>>;

    /// Up to `limit` deliveries of a channel that are due at `now`.
    fn due_deliveries(
        &self,
        channel: &str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, DueDeliveries>;

    /// Writes what became of a delivery. It stays due if the inquiry changed meanwhile.
    fn update_delivery(&self, update: DeliveryUpdate) -> StoreFuture<'_, ()>;

    /// Lets the due deliveries to one address of a channel, or to all, wait until a time. Their order stays.
    fn delay_deliveries(
        &self,
        channel: &str,
        address: Option<&str>,
        until: Timestamp,
    ) -> StoreFuture<'_, ()>;

    /// The deliveries that are neither retired nor failed, counted by channel and recipient, in that order.
    fn open_deliveries(&self) -> StoreFuture<'_, Vec<OpenDeliveries>>;

    /// The deliveries of an inquiry, in order.
    fn deliveries_of(&self, inquiry: &InquiryId) -> StoreFuture<'_, Vec<ChannelDelivery>>;

    /// The delivery whose message this is.
    fn delivery_of_message(
        &self,
        channel: &str,
        address: &str,
        external_id: &str,
    ) -> StoreFuture<'_, Option<ChannelDelivery>>;

    /// Deletes up to `limit` deliveries that were retired or failed before `before`. Returns how many.
    fn prune_deliveries(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize>;

    /// All values whose keys begin with `prefix`, in the order of their keys.
    fn channel_values(&self, prefix: &str) -> StoreFuture<'_, Vec<ChannelValue>>;

    /// Sets a value.
    fn set_channel_value(&self, value: ChannelValue) -> StoreFuture<'_, ()>;

    /// Removes a value and returns it. Of several callers, one gets it.
    fn take_channel_value(&self, key: &str) -> StoreFuture<'_, Option<String>>;

    /// Takes or renews the right to act for all channels. Only one holder has it until `lease` is over.
    fn lease_channels(&self, holder: &str, lease: Duration) -> StoreFuture<'_, bool>;
}
