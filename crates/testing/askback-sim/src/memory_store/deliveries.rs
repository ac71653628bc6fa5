//! Deliveries through channels. The engine does not use them, so their calls never fail here.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askback_core::id::InquiryId;
use askback_store::{
    ChannelDelivery, ChannelStore, ChannelValue, DeliveryPlan, DeliveryProgress, DeliveryUpdate,
    DueDeliveries, OpenDeliveries, Sequence, StoreFuture,
};
use jiff::Timestamp;

use super::MemoryStore;
use super::tables::DeliveryEntry;

fn ready<'a, T: Send + 'a>(value: T) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(Ok(value)))
}

fn is_over(progress: DeliveryProgress) -> bool {
    matches!(
        progress,
        DeliveryProgress::Retired | DeliveryProgress::Failed
    )
}

impl ChannelStore for MemoryStore {
    fn plan_deliveries(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()> {
        let mut tables = self.database.tables();
        for target in plan.new {
            let is_same = |entry: &DeliveryEntry| {
                let known = &entry.row.target;
                known.inquiry == target.inquiry
                    && known.channel == target.channel
                    && known.address == target.address
            };
            if tables.deliveries.iter().any(is_same) {
                continue;
            }
            let number = tables
                .deliveries
                .last()
                .map_or(1, |last| last.row.number + 1);
            tables.deliveries.push(DeliveryEntry {
                row: ChannelDelivery {
                    number,
                    target,
                    progress: DeliveryProgress::Due,
                    attempts: 0,
                    version: 1,
                    external_id: None,
                    shown_hash: None,
                },
                due_at: Some(plan.due_at),
                changed_at: plan.due_at,
            });
        }
        for entry in &mut tables.deliveries {
            if plan.changed.contains(&entry.row.target.inquiry) && !is_over(entry.row.progress) {
                entry.row.version += 1;
                entry.due_at = entry.due_at.or(Some(plan.due_at));
                entry.changed_at = plan.due_at;
            }
        }
        for (key, value) in plan.values {
            match value {
                Some(value) => tables.channel_values.insert(key, value),
                None => tables.channel_values.remove(&key),
            };
        }
        tables.channel_values.retain(|_, value| {
            let inquiry = value.inquiry.as_ref();
            inquiry.is_none_or(|inquiry| !plan.ended.contains(inquiry))
        });
        tables.delivery_cursor = plan.cursor.or(tables.delivery_cursor);
        ready(())
    }

    fn delivery_cursor(&self) -> StoreFuture<'_, Option<Sequence>> {
        ready(self.database.tables().delivery_cursor)
    }

    fn due_deliveries(
        &self,
        channel: &str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, DueDeliveries> {
        let tables = self.database.tables();
        let of_channel = tables.deliveries.iter();
        let waiting = of_channel
            .filter(|entry| entry.row.target.channel == channel)
            .filter_map(|entry| Some((entry.due_at?, entry)));
        let (mut due, later): (Vec<_>, Vec<_>) = waiting.partition(|(at, _)| *at <= now);
        due.sort_by_key(|(at, entry)| (*at, entry.row.number));
        let rows = due.into_iter().take(limit);
        let rows = rows.map(|(_, entry)| entry.row.clone()).collect();
        let next = later.iter().map(|(at, _)| *at).min();
        ready(DueDeliveries { rows, next })
    }

    fn update_delivery(&self, update: DeliveryUpdate) -> StoreFuture<'_, ()> {
        let mut tables = self.database.tables();
        let mut entries = tables.deliveries.iter_mut();
        if let Some(entry) = entries.find(|entry| entry.row.number == update.number) {
            entry.due_at = if entry.row.version == update.version {
                update.due_at
            } else {
                update.due_at.or(entry.due_at)
            };
            entry.row.progress = update.progress;
            entry.row.attempts = update.attempts;
            entry.row.external_id = update.external_id;
            entry.row.shown_hash = update.shown_hash;
        }
        ready(())
    }

    fn delay_deliveries(
        &self,
        channel: &str,
        address: Option<&str>,
        until: Timestamp,
    ) -> StoreFuture<'_, ()> {
        for entry in &mut self.database.tables().deliveries {
            let target = &entry.row.target;
            let is_meant =
                target.channel == channel && address.is_none_or(|wanted| target.address == wanted);
            if is_meant && entry.due_at.is_some_and(|at| at < until) {
                entry.due_at = Some(until);
            }
        }
        ready(())
    }

    fn open_deliveries(&self) -> StoreFuture<'_, Vec<OpenDeliveries>> {
        let tables = self.database.tables();
        let rows = tables.deliveries.iter().map(|entry| &entry.row);
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for row in rows.filter(|row| !is_over(row.progress)) {
            let key = (row.target.channel.clone(), row.target.recipient.clone());
            *counts.entry(key).or_default() += 1;
        }
        let counts = counts.into_iter();
        let open = counts.map(|((channel, recipient), count)| OpenDeliveries {
            channel,
            recipient,
            count,
        });
        ready(open.collect())
    }

    fn deliveries_of(&self, inquiry: &InquiryId) -> StoreFuture<'_, Vec<ChannelDelivery>> {
        let tables = self.database.tables();
        let rows = tables.deliveries.iter().map(|entry| &entry.row);
        let rows = rows.filter(|row| row.target.inquiry == *inquiry);
        ready(rows.cloned().collect())
    }

    fn delivery_of_message(
        &self,
        channel: &str,
        address: &str,
        external_id: &str,
    ) -> StoreFuture<'_, Option<ChannelDelivery>> {
        let tables = self.database.tables();
        let mut rows = tables.deliveries.iter().map(|entry| &entry.row);
        let found = rows.find(|row| {
            row.target.channel == channel
                && row.target.address == address
                && row.external_id.as_deref() == Some(external_id)
        });
        ready(found.cloned())
    }

    fn prune_deliveries(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        let deliveries = &mut self.database.tables().deliveries;
        let mut pruned = 0;
        deliveries.retain(|entry| {
            let ended = is_over(entry.row.progress) && entry.changed_at < before;
            let is_pruned = ended && pruned < limit;
            pruned += usize::from(is_pruned);
            !is_pruned
        });
        ready(pruned)
    }

    fn channel_values(&self, prefix: &str) -> StoreFuture<'_, Vec<ChannelValue>> {
        let tables = self.database.tables();
        let all = tables.channel_values.values();
        let named = all.filter(|value| value.key.starts_with(prefix));
        let values: Vec<ChannelValue> = named.cloned().collect();
        let read = &self.database.channel_values_read;
        read.fetch_add(values.len(), Ordering::Relaxed);
        ready(values)
    }

    fn set_channel_value(&self, value: ChannelValue) -> StoreFuture<'_, ()> {
        let values = &mut self.database.tables().channel_values;
        values.insert(value.key.clone(), value);
        ready(())
    }

    fn take_channel_value(&self, key: &str) -> StoreFuture<'_, Option<String>> {
        let taken = self.database.tables().channel_values.remove(key);
        ready(taken.map(|taken| taken.value))
    }

    fn lease_channels(&self, _holder: &str, _lease: Duration) -> StoreFuture<'_, bool> {
        ready(true)
    }
}
