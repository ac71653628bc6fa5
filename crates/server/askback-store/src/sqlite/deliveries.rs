//! Deliveries through channels, and what channels keep between restarts.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row};

use askback_core::id::InquiryId;

use crate::channel_store::{
    ChannelDelivery, ChannelStore, ChannelValue, DeliveryPlan, DeliveryProgress, DeliveryUpdate,
    DueDeliveries, NewDelivery, OpenDeliveries,
};
use crate::rows::Sequence;
use crate::sqlite::SqliteStore;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::SqlTimestamp;
use crate::store::{StoreError, StoreFuture};

/// The key of the position in the feed.
const CURSOR: &str = "cursor";

pub(super) const DUE: &str =
    "SELECT number, inquiry, channel, recipient, address, progress, attempts, \
     version, external_id, shown_hash FROM deliveries
     WHERE channel = ?1 AND due_at <= ?2 ORDER BY due_at, number LIMIT ?3";

const NEXT_DUE: &str = "SELECT min(due_at) FROM deliveries WHERE channel = ?1 AND due_at > ?2";

const OF_INQUIRY: &str = "SELECT number, inquiry, channel, recipient, address, progress, attempts, \
     version, external_id, shown_hash FROM deliveries WHERE inquiry = ?1 ORDER BY number";

pub(super) const OF_MESSAGE: &str =
    "SELECT number, inquiry, channel, recipient, address, progress, \
     attempts, version, external_id, shown_hash FROM deliveries
     WHERE channel = ?1 AND address = ?2 AND external_id = ?3";

pub(super) const ENDED: &str = "SELECT number FROM deliveries
     WHERE progress IN ('retired', 'failed') AND changed_at < ?1 ORDER BY changed_at LIMIT ?2";

pub(super) const OF_ENDED: &str = "DELETE FROM channel_values WHERE inquiry = ?1";

impl ChannelStore for SqliteStore {
    fn plan_deliveries(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()> {
        self.write(move |transaction| write_plan(transaction, &plan))
    }

    fn delivery_cursor(&self) -> StoreFuture<'_, Option<Sequence>> {
        self.read(|connection| {
            let sql = "SELECT value FROM channel_values WHERE key = ?1";
            let value = connection.query_row(sql, [CURSOR], |row| row.get::<_, String>(0));
            Ok(value.optional()?.and_then(|value| value.parse().ok()))
        })
    }

    fn due_deliveries(
        &self,
        channel: &str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, DueDeliveries> {
        let channel = channel.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(DUE)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map((&channel, SqlTimestamp(now), limit), read_row)?;
            let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            let mut statement = connection.prepare_cached(NEXT_DUE)?;
            let next = statement.query_row((&channel, SqlTimestamp(now)), |row| {
                row.get::<_, Option<SqlTimestamp>>(0)
            })?;
            let next = next.map(|next| next.0);
            Ok(DueDeliveries { rows, next })
        })
    }

    fn update_delivery(&self, update: DeliveryUpdate) -> StoreFuture<'_, ()> {
        self.write(move |transaction| {
            // Of a message that shows an older state, the rest stays to be done.
            let mut statement = transaction.prepare_cached(
                "UPDATE deliveries SET progress = ?3, attempts = ?4, external_id = ?6, shown_hash = ?7,
                        due_at = CASE WHEN version = ?2 THEN ?5 ELSE coalesce(?5, due_at) END
                 WHERE number = ?1",
            )?;
            statement.execute((
                signed(update.number),
                signed(update.version),
                update.progress.name(),
                update.attempts,
                update.due_at.map(SqlTimestamp),
                &update.external_id,
                &update.shown_hash,
            ))?;
            Ok(Written::from(()))
        })
    }

    fn delay_deliveries(
        &self,
        channel: &str,
        address: Option<&str>,
        until: Timestamp,
    ) -> StoreFuture<'_, ()> {
        let (channel, address) = (channel.to_owned(), address.map(str::to_owned));
        self.write(move |transaction| {
            let mut statement = transaction.prepare_cached(
                "UPDATE deliveries SET due_at = ?3
                 WHERE channel = ?1 AND (?2 IS NULL OR address = ?2) AND due_at < ?3",
            )?;
            statement.execute((&channel, &address, SqlTimestamp(until)))?;
            Ok(Written::from(()))
        })
    }

    fn open_deliveries(&self) -> StoreFuture<'_, Vec<OpenDeliveries>> {
        self.read(|connection| {
            let sql = "SELECT channel, recipient, count(*) FROM deliveries
                       WHERE progress NOT IN ('retired', 'failed')
                       GROUP BY channel, recipient ORDER BY channel, recipient";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| {
                Ok(OpenDeliveries {
                    channel: row.get(0)?,
                    recipient: row.get(1)?,
                    count: unsigned(row.get(2)?),
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn deliveries_of(&self, inquiry: &InquiryId) -> StoreFuture<'_, Vec<ChannelDelivery>> {
        let inquiry = inquiry.clone();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(OF_INQUIRY)?;
            let rows = statement.query_map([inquiry.as_str()], read_row)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn delivery_of_message(
        &self,
        channel: &str,
        address: &str,
        external_id: &str,
    ) -> StoreFuture<'_, Option<ChannelDelivery>> {
        let key = [channel, address, external_id].map(str::to_owned);
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(OF_MESSAGE)?;
            Ok(statement.query_row(key, read_row).optional()?)
        })
    }

    fn prune_deliveries(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        self.write(move |transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let sql = format!("DELETE FROM deliveries WHERE number IN ({ENDED})");
            let pruned = transaction.execute(&sql, (SqlTimestamp(before), limit))?;
            Ok(Written::from(pruned))
        })
    }

    fn channel_values(&self, prefix: &str) -> StoreFuture<'_, Vec<ChannelValue>> {
        let prefix = prefix.to_owned();
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT key, value, inquiry FROM channel_values
                 WHERE key >= ?1 AND substr(key, 1, length(?1)) = ?1 ORDER BY key",
            )?;
            let rows = statement.query_map([prefix], |row| {
                Ok(ChannelValue {
                    key: row.get(0)?,
                    value: row.get(1)?,
                    inquiry: row.get::<_, Option<String>>(2)?.map(InquiryId::new),
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn set_channel_value(&self, value: ChannelValue) -> StoreFuture<'_, ()> {
        self.write(move |transaction| {
            set_value(transaction, &value)?;
            Ok(Written::from(()))
        })
    }

    fn take_channel_value(&self, key: &str) -> StoreFuture<'_, Option<String>> {
        let key = key.to_owned();
        self.write(move |transaction| {
            let mut statement = transaction
                .prepare_cached("DELETE FROM channel_values WHERE key = ?1 RETURNING value")?;
            let taken = statement.query_row([&key], |row| row.get(0)).optional()?;
            Ok(Written::from(taken))
        })
    }

    /// Only one process can have the database open.
    fn lease_channels(&self, _holder: &str, _lease: Duration) -> StoreFuture<'_, bool> {
        Box::pin(std::future::ready(Ok(true)))
    }
}

fn write_plan(transaction: &Connection, plan: &DeliveryPlan) -> Result<Written<()>, StoreError> {
    let due_at = SqlTimestamp(plan.due_at);
    let mut add = transaction.prepare_cached(
        "INSERT OR IGNORE INTO deliveries
             (inquiry, channel, recipient, address, progress, due_at, changed_at)
         VALUES (?1, ?2, ?3, ?4, 'due', ?5, ?5)",
    )?;
    for new in &plan.new {
        let NewDelivery {
            inquiry,
            channel,
            recipient,
            address,
        } = new;
        add.execute((inquiry.as_str(), channel, recipient, address, &due_at))?;
    }
    let mut change = transaction.prepare_cached(
        "UPDATE deliveries
         SET version = version + 1, due_at = coalesce(due_at, ?2), changed_at = ?2
         WHERE inquiry = ?1 AND progress NOT IN ('retired', 'failed')",
    )?;
    for inquiry in &plan.changed {
        change.execute((inquiry.as_str(), &due_at))?;
    }
    for (key, value) in &plan.values {
        match value {
            Some(value) => set_value(transaction, value)?,
            None => remove(
                transaction,
                "DELETE FROM channel_values WHERE key = ?1",
                key,
            )?,
        }
    }
    for inquiry in &plan.ended {
        remove(transaction, OF_ENDED, inquiry.as_str())?;
    }
    if let Some(cursor) = plan.cursor {
        let cursor = ChannelValue {
            key: CURSOR.to_owned(),
            value: cursor.to_string(),
            inquiry: None,
        };
        set_value(transaction, &cursor)?;
    }
    Ok(Written::from(()))
}

fn remove(transaction: &Connection, sql: &str, key: &str) -> Result<(), StoreError> {
    transaction.prepare_cached(sql)?.execute([key])?;
    Ok(())
}

fn set_value(transaction: &Connection, value: &ChannelValue) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO channel_values (key, value, inquiry) VALUES (?1, ?2, ?3)";
    let inquiry = value.inquiry.as_ref().map(InquiryId::as_str);
    let mut statement = transaction.prepare_cached(sql)?;
    statement.execute((&value.key, &value.value, inquiry))?;
    Ok(())
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<ChannelDelivery> {
    Ok(ChannelDelivery {
        number: unsigned(row.get(0)?),
        target: NewDelivery {
            inquiry: InquiryId::new(row.get::<_, String>(1)?),
            channel: row.get(2)?,
            recipient: row.get(3)?,
            address: row.get(4)?,
        },
        progress: DeliveryProgress::from_name(&row.get::<_, String>(5)?),
        attempts: row.get(6)?,
        version: unsigned(row.get(7)?),
        external_id: row.get(8)?,
        shown_hash: row.get(9)?,
    })
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
