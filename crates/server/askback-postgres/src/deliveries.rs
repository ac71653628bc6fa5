//! Deliveries through channels, and what channels keep between restarts.

use std::time::Duration;

use jiff::Timestamp;
use tokio_postgres::Row;

use askback_core::id::InquiryId;

use crate::PostgresStore;
use crate::connection::Sql;
use crate::sql_values::{Columns, INT8, TEXT, TEXTS, Text, int, length};
use askback_store::backend::stored_numbers::stored_micros;
use askback_store::channel_store::{
    ChannelDelivery, ChannelStore, ChannelValue, DeliveryPlan, DeliveryProgress, DeliveryUpdate,
    DueDeliveries, NewDelivery, OpenDeliveries,
};
use askback_store::rows::Sequence;
use askback_store::store::{StoreError, StoreFuture};

/// The key of the position in the feed.
const CURSOR: &str = "cursor";

/// One statement, so that the cursor moves with what it stands for.
const PLAN: Sql = Sql {
    text: "WITH added AS (
               INSERT INTO askback.deliveries
                   (inquiry, channel, recipient, address, progress, due_at, changed_at)
               SELECT i, c, r, a, 'due', $5, $5 FROM unnest($1, $2, $3, $4) AS n (i, c, r, a)
               ON CONFLICT DO NOTHING
           ), changed AS (
               UPDATE askback.deliveries
               SET version = version + 1, due_at = coalesce(due_at, $5), changed_at = $5
               WHERE inquiry = ANY ($6) AND progress NOT IN ('retired', 'failed')
           ), removed AS (
               DELETE FROM askback.channel_values WHERE key = ANY ($10) OR inquiry = ANY ($11)
           )
           INSERT INTO askback.channel_values (key, value, inquiry)
           SELECT k, v, i FROM unnest($7, $8, $9) AS n (k, v, i)
           ON CONFLICT (key) DO UPDATE SET value = excluded.value, inquiry = excluded.inquiry",
    types: &[
        TEXTS, TEXTS, TEXTS, TEXTS, INT8, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS,
    ],
};

const VALUE: Sql = Sql {
    text: "SELECT value FROM askback.channel_values WHERE key = $1",
    types: &[TEXT],
};

const DUE: Sql = Sql {
    text: "SELECT number, inquiry, channel, recipient, address, progress, attempts, version, external_id,
                  shown_hash
           FROM askback.deliveries WHERE channel = $1 AND due_at <= $2
           ORDER BY due_at, number LIMIT $3",
    types: &[TEXT, INT8, INT8],
};

const NEXT_DUE: Sql = Sql {
    text: "SELECT min(due_at) FROM askback.deliveries WHERE channel = $1 AND due_at > $2",
    types: &[TEXT, INT8],
};

const UPDATE: Sql = Sql {
    text: "UPDATE askback.deliveries
           SET progress = $3, attempts = $4, external_id = $6, shown_hash = $7,
               due_at = CASE WHEN version = $2 THEN $5 ELSE coalesce($5, due_at) END
           WHERE number = $1",
    types: &[INT8, INT8, TEXT, INT8, INT8, TEXT, TEXT],
};

const DELAY: Sql = Sql {
    text: "UPDATE askback.deliveries SET due_at = $3
           WHERE channel = $1 AND ($2 IS NULL OR address = $2) AND due_at < $3",
    types: &[TEXT, TEXT, INT8],
};

const OPEN: Sql = Sql {
    text: "SELECT channel, recipient, count(*) FROM askback.deliveries
           WHERE progress NOT IN ('retired', 'failed')
           GROUP BY channel, recipient ORDER BY channel, recipient",
    types: &[],
};

const OF_INQUIRY: Sql = Sql {
    text: "SELECT number, inquiry, channel, recipient, address, progress, attempts, version, external_id,
                  shown_hash
           FROM askback.deliveries WHERE inquiry = $1 ORDER BY number",
    types: &[TEXT],
};

const OF_MESSAGE: Sql = Sql {
    text: "SELECT number, inquiry, channel, recipient, address, progress, attempts, version, external_id,
                  shown_hash
           FROM askback.deliveries WHERE channel = $1 AND address = $2 AND external_id = $3 LIMIT 1",
    types: &[TEXT, TEXT, TEXT],
};

const PRUNE: Sql = Sql {
    text: "DELETE FROM askback.deliveries WHERE number IN (
               SELECT number FROM askback.deliveries
               WHERE progress IN ('retired', 'failed') AND changed_at < $1
               ORDER BY changed_at LIMIT $2)",
    types: &[INT8, INT8],
};

const VALUES: Sql = Sql {
    text: "SELECT key, value, inquiry FROM askback.channel_values
           WHERE key >= $1 AND starts_with(key, $1) ORDER BY key",
    types: &[TEXT],
};

const SET: Sql = Sql {
    text: "INSERT INTO askback.channel_values (key, value, inquiry) VALUES ($1, $2, $3)
           ON CONFLICT (key) DO UPDATE SET value = excluded.value, inquiry = excluded.inquiry",
    types: &[TEXT, TEXT, TEXT],
};

const TAKE: Sql = Sql {
    text: "DELETE FROM askback.channel_values WHERE key = $1 RETURNING value",
    types: &[TEXT],
};

/// By the clock of the database, so the clocks of the nodes do not matter.
const LEASE: Sql = Sql {
    text: "INSERT INTO askback.channel_lease AS held (holder, lease_until)
           VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
           ON CONFLICT (only_row) DO UPDATE
           SET holder = excluded.holder, lease_until = excluded.lease_until
           WHERE held.holder = excluded.holder OR held.lease_until < clock_timestamp()",
    types: &[TEXT, INT8],
};

impl ChannelStore for PostgresStore {
    fn plan_deliveries(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let column = |text: fn(&NewDelivery) -> &str| -> Vec<&str> {
                plan.new.iter().map(text).collect()
            };
            let inquiries = column(|new| new.inquiry.as_str());
            let channels = column(|new| &new.channel);
            let recipients = column(|new| &new.recipient);
            let addresses = column(|new| &new.address);
            let changed: Vec<&str> = plan.changed.iter().map(InquiryId::as_str).collect();
            let due_at = stored_micros(plan.due_at);
            let cursor = plan.cursor.map(|cursor| ChannelValue {
                key: CURSOR.to_owned(),
                value: cursor.to_string(),
                inquiry: None,
            });
            let set: Vec<&ChannelValue> = plan.values.values().flatten().chain(&cursor).collect();
            let keys: Vec<&str> = set.iter().map(|set| set.key.as_str()).collect();
            let values: Vec<&str> = set.iter().map(|set| set.value.as_str()).collect();
            let of = set.iter().map(|set| set.inquiry.as_ref());
            let of: Vec<Option<&str>> = of.map(|of| of.map(InquiryId::as_str)).collect();
            let ended: Vec<&str> = plan.ended.iter().map(InquiryId::as_str).collect();
            let removed = plan.values.iter().filter(|(_, value)| value.is_none());
            let removed: Vec<&str> = removed.map(|(key, _)| key.as_str()).collect();
            self.pool
                .change(
                    &PLAN,
                    &[
                        &inquiries,
                        &channels,
                        &recipients,
                        &addresses,
                        &due_at,
                        &changed,
                        &keys,
                        &values,
                        &of,
                        &removed,
                        &ended,
                    ],
                )
                .await?;
            Ok(())
        })
    }

    fn delivery_cursor(&self) -> StoreFuture<'_, Option<Sequence>> {
        Box::pin(async move {
            let rows = self.pool.query(&VALUE, &[&CURSOR]).await?;
            let value = rows.first().map(|row| Columns::of(row).get::<String>());
            Ok(value.transpose()?.and_then(|value| value.parse().ok()))
        })
    }

    fn due_deliveries(
        &self,
        channel: &str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, DueDeliveries> {
        let channel = channel.to_owned();
        Box::pin(async move {
            let (channel, now) = (Text(&channel), stored_micros(now));
            let rows = self
                .pool
                .query(&DUE, &[&channel, &now, &length(limit)])
                .await?;
            let next = self.pool.query(&NEXT_DUE, &[&channel, &now]).await?;
            let next = next.first().map(|row| Columns::of(row).optional_time());
            Ok(DueDeliveries {
                rows: rows.iter().map(read_row).collect::<Result<_, _>>()?,
                next: next.transpose()?.flatten(),
            })
        })
    }

    fn update_delivery(&self, update: DeliveryUpdate) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let due_at = update.due_at.map(stored_micros);
            let external_id = update.external_id.as_deref().map(Text);
            self.pool
                .change(
                    &UPDATE,
                    &[
                        &int(update.number),
                        &int(update.version),
                        &update.progress.name(),
                        &i64::from(update.attempts),
                        &due_at,
                        &external_id,
                        &update.shown_hash,
                    ],
                )
                .await?;
            Ok(())
        })
    }

    fn delay_deliveries(
        &self,
        channel: &str,
        address: Option<&str>,
        until: Timestamp,
    ) -> StoreFuture<'_, ()> {
        let (channel, address) = (channel.to_owned(), address.map(str::to_owned));
        Box::pin(async move {
            let (address, until) = (address.as_deref().map(Text), stored_micros(until));
            let channel = Text(&channel);
            self.pool
                .change(&DELAY, &[&channel, &address, &until])
                .await?;
            Ok(())
        })
    }

    fn open_deliveries(&self) -> StoreFuture<'_, Vec<OpenDeliveries>> {
        Box::pin(async move {
            let rows = self.pool.query(&OPEN, &[]).await?;
            rows.iter().map(read_open).collect()
        })
    }

    fn deliveries_of(&self, inquiry: &InquiryId) -> StoreFuture<'_, Vec<ChannelDelivery>> {
        let inquiry = inquiry.clone();
        Box::pin(async move {
            let id = Text(inquiry.as_str());
            let rows = self.pool.query(&OF_INQUIRY, &[&id]).await?;
            rows.iter().map(read_row).collect()
        })
    }

    fn delivery_of_message(
        &self,
        channel: &str,
        address: &str,
        external_id: &str,
    ) -> StoreFuture<'_, Option<ChannelDelivery>> {
        let [channel, address, external_id] = [channel, address, external_id].map(str::to_owned);
        Box::pin(async move {
            let key = [Text(&channel), Text(&address), Text(&external_id)];
            let rows = self
                .pool
                .query(&OF_MESSAGE, &[&key[0], &key[1], &key[2]])
                .await?;
            rows.first().map(read_row).transpose()
        })
    }

    fn prune_deliveries(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        Box::pin(async move {
            let before = stored_micros(before);
            self.pool.change(&PRUNE, &[&before, &length(limit)]).await
        })
    }

    fn channel_values(&self, prefix: &str) -> StoreFuture<'_, Vec<ChannelValue>> {
        let prefix = prefix.to_owned();
        Box::pin(async move {
            let rows = self.pool.query(&VALUES, &[&Text(&prefix)]).await?;
            rows.iter().map(read_value).collect()
        })
    }

    fn set_channel_value(&self, value: ChannelValue) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let inquiry = value.inquiry.as_ref().map(InquiryId::as_str);
            let (key, value) = (Text(&value.key), Text(&value.value));
            self.pool.change(&SET, &[&key, &value, &inquiry]).await?;
            Ok(())
        })
    }

    fn take_channel_value(&self, key: &str) -> StoreFuture<'_, Option<String>> {
        let key = key.to_owned();
        Box::pin(async move {
            let rows = self.pool.change_returning(&TAKE, &[&Text(&key)]).await?;
            rows.first().map(|row| Columns::of(row).get()).transpose()
        })
    }

    fn lease_channels(&self, holder: &str, lease: Duration) -> StoreFuture<'_, bool> {
        let holder = holder.to_owned();
        Box::pin(async move {
            let millis = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
            let taken = self.pool.change(&LEASE, &[&Text(&holder), &millis]).await?;
            Ok(taken > 0)
        })
    }
}

fn read_open(row: &Row) -> Result<OpenDeliveries, StoreError> {
    let mut columns = Columns::of(row);
    Ok(OpenDeliveries {
        channel: columns.get()?,
        recipient: columns.get()?,
        count: columns.unsigned()?,
    })
}

fn read_value(row: &Row) -> Result<ChannelValue, StoreError> {
    let mut columns = Columns::of(row);
    Ok(ChannelValue {
        key: columns.get()?,
        value: columns.get()?,
        inquiry: columns.get::<Option<&str>>()?.map(InquiryId::new),
    })
}

fn read_row(row: &Row) -> Result<ChannelDelivery, StoreError> {
    let mut columns = Columns::of(row);
    Ok(ChannelDelivery {
        number: columns.unsigned()?,
        target: NewDelivery {
            inquiry: columns.inquiry()?,
            channel: columns.get()?,
            recipient: columns.get()?,
            address: columns.get()?,
        },
        progress: DeliveryProgress::from_name(columns.get()?),
        attempts: columns.small()?,
        version: columns.unsigned()?,
        external_id: columns.get()?,
        shown_hash: columns.get()?,
    })
}
