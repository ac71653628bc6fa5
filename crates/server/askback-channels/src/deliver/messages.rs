//! What became of messages: which show a question, whether they have arrived, and which never will.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_store::{
    ChannelDelivery, DeliveryNumber, DeliveryProgress, DeliveryUpdate, Store, StoreError,
};
use serde::{Deserialize, Serialize};

use crate::deliver::sender::finished;
use crate::dispatcher::Shared;
use crate::state::{self, ChannelState};

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
    pub(crate) shared: Arc<Shared>,
}

impl Messages {
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

// Messages of channels and people that are no longer configured. Nothing is sent for them, so they hold nothing up. They stay
// stored while their questions wait: a channel that comes back under the same name goes on with them. When a question has
// ended, its message is given up at the next start.

/// How many messages of a channel are given up at a start.
const GIVEN_UP_MAX: usize = 1000;

/// The messages that belong to channels or people that are no longer configured.
pub(crate) async fn left_messages(shared: &Shared) -> Result<Vec<LeftMessages>, StoreError> {
    let config = shared.config();
    let open = shared.engine.store().open_deliveries().await?.into_iter();
    let left = open.filter(|it| {
        let is_known = config.channels.contains_key(&it.channel)
            && config.recipients.people.contains_key(&it.recipient);
        !is_known
    });
    let left = left.map(|it| LeftMessages {
        channel: it.channel,
        recipient: it.recipient,
        messages: it.count,
    });
    Ok(left.collect())
}

/// Says which messages are left, and gives up those whose questions have ended.
pub(crate) async fn report_left_messages(shared: &Shared) -> Result<(), StoreError> {
    let left = left_messages(shared).await?;
    let mut reported: Vec<&str> = Vec::new();
    for it in &left {
        let (channel, recipient) = (it.channel.as_str(), it.recipient.as_str());
        if shared.config().channels.contains_key(channel) {
            tracing::warn!(
                channel,
                "{} to the recipient `{recipient}`, who is no longer configured: nothing is updated there any more",
                counted(it.messages)
            );
        } else if !reported.contains(&channel) {
            reported.push(channel);
            let of_channel = left.iter().filter(|other| other.channel == channel);
            tracing::warn!(
                "{} to the channel `{channel}`, which is no longer configured: nothing is updated there any more, \
                 unless you add a channel of this name again",
                counted(of_channel.map(|it| it.messages).sum())
            );
            give_up_ended(shared, channel).await?;
        }
    }
    Ok(())
}

fn counted(messages: u64) -> String {
    match messages {
        1 => "1 message belongs".to_owned(),
        many => format!("{many} messages belong"),
    }
}

/// A question that ends makes its messages due.
async fn give_up_ended(shared: &Shared, channel: &str) -> Result<(), StoreError> {
    let engine = &shared.engine;
    let store = engine.store();
    let due = store.due_deliveries(channel, engine.clock().now(), GIVEN_UP_MAX);
    for row in due.await?.rows {
        let view = engine.inquiry(&row.target.inquiry).await?;
        if view.is_none_or(|view| view.resolution.is_some()) {
            let update = finished(&row, DeliveryProgress::Retired);
            store.update_delivery(update).await?;
        }
    }
    Ok(())
}

// Messages that a provider has refused for good, such as those to somebody who has blocked the bot. Each is kept with the
// reason, so that `askback channel list` can tell. It is tried once more when something has changed: the person writes to the
// bot, or the server starts again, perhaps with other settings. What was refused for a question is removed with the question.

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
