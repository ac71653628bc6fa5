//! Follows the feed and writes which messages have to be sent or edited.
//!
//! Asking costs nothing more than without channels: the deliveries of a question are written after its
//! commit, together with the position in the feed. After a crash the feed is read from that position on, so
//! nothing is lost; what was planned before is planned again, and changes nothing.

use std::sync::Arc;

use askback_core::conversation::event::Event;
use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_engine::{ListenError, Record};
use askback_store::{DeliveryPlan, NewDelivery, Sequence, StoreError};

use crate::account::linked_accounts;
use crate::dispatcher::Shared;
use crate::webpush::WEBPUSH;

/// How many records without a question may follow the stored position.
const RECORDS_UNSTORED_MAX: u64 = 500;

/// Follows the feed until the store or the feed fails.
pub(crate) async fn follow_feed(shared: &Arc<Shared>) -> Result<(), StoreError> {
    let store = shared.engine.store();
    let stored = store.delivery_cursor().await?;
    let mut cursor = if let Some(cursor) = stored {
        cursor
    } else {
        // The first start with channels: questions are delivered from now on.
        let newest = store.newest_sequence().await?;
        shared.write_plan(plan(shared, newest)).await?;
        newest
    };
    let mut unstored = 0;
    let mut listener = shared.engine.listen(None, Some(cursor)).await?;
    loop {
        let record = match listener.next().await {
            Ok(record) => record,
            Err(ListenError::TooSlow) => {
                listener = shared.engine.listen(None, Some(cursor)).await?;
                continue;
            }
            Err(ListenError::Closed) => return Ok(()),
            Err(ListenError::Store(error)) => return Err(error),
        };
        cursor = record.last;
        let mut plan = plan(shared, cursor);
        let (asked, changed) = inquiries_of(&record);
        for inquiry in asked {
            plan.new
                .extend(new_deliveries(shared, &record, inquiry).await?);
        }
        plan.changed = changed;
        unstored += 1;
        let is_idle = plan.new.is_empty() && plan.changed.is_empty();
        if is_idle && unstored < RECORDS_UNSTORED_MAX {
            continue;
        }
        unstored = 0;
        shared.write_plan(plan).await?;
    }
}

fn plan(shared: &Shared, cursor: Sequence) -> DeliveryPlan {
    DeliveryPlan {
        new: Vec::new(),
        changed: Vec::new(),
        due_at: shared.engine.clock().now(),
        cursor: Some(cursor),
    }
}

/// The inquiries that a record asks, and those that it changes.
fn inquiries_of(record: &Record) -> (Vec<InquiryId>, Vec<InquiryId>) {
    let (mut asked, mut changed) = (Vec::new(), Vec::new());
    for (_, event) in &record.events {
        match event {
            Event::InquiryAsked { pending } => asked.push(pending.id.clone()),
            Event::DeadlineMoved { inquiry, .. }
            | Event::AnswerHeld { inquiry, .. }
            | Event::AnswerTakenBack { inquiry, .. }
            | Event::InquiryResolved { inquiry, .. } => changed.push(inquiry.clone()),
            Event::Started { .. }
            | Event::MessageReceived { .. }
            | Event::LlmRequested { .. }
            | Event::LlmAttemptFailed { .. }
            | Event::AssistantReplied { .. }
            | Event::CallStarted { .. }
            | Event::CallFinished { .. }
            | Event::InquiryReminded { .. }
            | Event::SubAgentsStarted { .. }
            | Event::SubAgentFinished { .. }
            | Event::RoundFinished
            | Event::TurnEnded { .. }
            | Event::Closed { .. } => {}
        }
    }
    (asked, changed)
}

/// One delivery for each account of each recipient of the inquiry.
async fn new_deliveries(
    shared: &Shared,
    record: &Record,
    inquiry: InquiryId,
) -> Result<Vec<NewDelivery>, StoreError> {
    let view = record.inquiry(&inquiry);
    if view.is_some_and(|view| view.resolution.is_some()) {
        // It ended while no server ran.
        return Ok(Vec::new());
    }
    let named = view.and_then(|view| view.inquiry.recipient());
    let linked = linked_accounts(shared.engine.store().as_ref()).await?;
    let mut deliveries: Vec<NewDelivery> = Vec::new();
    for (alias, person) in shared.config.recipients.addressed(named.map(Text::as_str)) {
        for (name, channel) in &shared.config.channels {
            // Who subscribed in a browser wants it there.
            if !person.wants(name) && channel.service != WEBPUSH {
                continue;
            }
            let configured = person.identities.iter();
            let configured = configured.filter(|identity| identity.service() == channel.service);
            let configured = configured.map(|identity| account_id(identity.as_str()));
            let linked = linked.iter();
            let linked =
                linked.filter(|account| account.channel == *name && account.recipient == alias);
            let linked = linked.filter(|account| shared.config.accepts(account));
            let linked = linked.map(|account| account.address.as_str());
            for address in configured.chain(linked) {
                let is_known = |new: &NewDelivery| new.channel == *name && new.address == address;
                if !deliveries.iter().any(is_known) {
                    deliveries.push(NewDelivery {
                        inquiry: inquiry.clone(),
                        channel: name.clone(),
                        recipient: alias.to_owned(),
                        address: address.to_owned(),
                    });
                }
            }
        }
    }
    Ok(deliveries)
}

/// What follows the service in an identity: the address of the account.
fn account_id(identity: &str) -> &str {
    identity.split_once(':').map_or(identity, |(_, id)| id)
}
