//! Decides to whom a channel sends next. Each address waits for itself alone: a slow one delays no other.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use askback_store::{ChannelDelivery, StoreError};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use jiff::Timestamp;

use crate::deliver::sender::Sender;

/// Addresses to which messages are sent at the same time.
const ADDRESSES_MAX: usize = 64;
/// Messages that are sent to one address before what is due is read again.
const BATCH: usize = 64;
/// Due messages of slow addresses that are passed over in search of others.
const PASSED_OVER_MAX: usize = 4096;
/// How soon the sender sees what another node has planned.
const PLANS_OF_OTHERS: Duration = Duration::from_secs(5);
/// The pause after the store has failed.
const STORE_RETRY: Duration = Duration::from_secs(1);

/// Due messages, in order for each address.
type ByAddress = BTreeMap<String, Vec<ChannelDelivery>>;

/// Sends what is due, whenever something is: to addresses at the same time, and the messages of one address in order.
pub(crate) async fn send_due(sender: &Sender) {
    let shared = &sender.shared;
    let (clock, store) = (shared.engine.clock(), shared.engine.store());
    let mut busy = BTreeSet::new();
    // Part of this task, so that its end is the end of all requests.
    let mut sending = FuturesUnordered::new();
    loop {
        // Listen before reading, so that a plan between the two is not missed.
        let planned = shared.planned.notified();
        tokio::pin!(planned);
        planned.as_mut().enable();
        let mut sent = Vec::new();
        let found = {
            let finding = find_due(sender, &busy);
            tokio::pin!(finding);
            // Messages go on while this reads. One of them may be next in line for the store, and this would wait for it.
            loop {
                tokio::select! {
                    found = &mut finding => break found,
                    Some(address) = sending.next() => sent.push(address),
                }
            }
        };
        let next = match found {
            Ok((due, next)) => {
                for (address, rows) in due {
                    busy.insert(address.clone());
                    sending.push(send_to(sender, address, rows));
                }
                next
            }
            Err(error) => {
                tracing::warn!(%error, channel = sender.name, "cannot read deliveries; will retry");
                Some(clock.now() + STORE_RETRY)
            }
        };
        // Busy until now: what was read for them may have been sent meanwhile.
        if !sent.is_empty() {
            busy.retain(|address| !sent.contains(address));
            continue;
        }
        tokio::select! {
            Some(address) = sending.next() => {
                busy.remove(&address);
            }
            () = planned => {}
            () = clock.sleep_until_or_forever(next) => {}
            () = clock.sleep(PLANS_OF_OTHERS), if store.is_shared() => {}
        }
    }
}

/// What is due to addresses that are not busy, for as many as there is room, and when the next message is due.
async fn find_due(
    sender: &Sender,
    busy: &BTreeSet<String>,
) -> Result<(ByAddress, Option<Timestamp>), StoreError> {
    let engine = &sender.shared.engine;
    let free = ADDRESSES_MAX.saturating_sub(busy.len());
    let mut found = ByAddress::new();
    let mut next = None;
    // The second read finds what is due behind the messages of busy addresses.
    for limit in [BATCH, PASSED_OVER_MAX] {
        let now = engine.clock().now();
        let due = engine.store().due_deliveries(&sender.name, now, limit);
        let due = due.await?;
        let is_all = due.rows.len() < limit;
        next = due.next;
        found.clear();
        for row in due.rows {
            let address = &row.target.address;
            let has_room = found.len() < free || found.contains_key(address);
            if has_room && !busy.contains(address) {
                found.entry(address.clone()).or_default().push(row);
            }
        }
        if is_all || found.len() >= free {
            break;
        }
    }
    for rows in found.values_mut() {
        rows.truncate(BATCH);
    }
    Ok((found, next))
}

/// Sends messages to one address. If the store fails, this address waits a moment.
async fn send_to(sender: &Sender, address: String, rows: Vec<ChannelDelivery>) -> String {
    if let Err(error) = sender.send_in_order(address.clone(), rows).await {
        tracing::warn!(%error, channel = sender.name, "cannot store a delivery; will retry");
        sender.shared.engine.clock().sleep(STORE_RETRY).await;
    }
    address
}
