//! Messages of channels and people that are no longer configured.
//!
//! Nothing is sent for them, so they hold nothing up. They stay stored while their questions wait: a channel that comes
//! back under the same name goes on with them. When a question has ended, its message is given up at the next start.

use askback_store::{DeliveryProgress, StoreError};

use crate::deliver::messages::LeftMessages;
use crate::deliver::sender::finished;
use crate::dispatcher::Shared;

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
