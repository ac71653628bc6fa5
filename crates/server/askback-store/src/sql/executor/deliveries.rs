//! Deliveries through channels, and what channels keep between restarts.

use std::time::Duration;

use jiff::Timestamp;

use askback_core::id::InquiryId;

use super::{SqlExecutor, SqlRow, read_all, values};
use crate::channel_store::{
    ChannelDelivery, ChannelStore, ChannelValue, DeliveryPlan, DeliveryProgress, DeliveryUpdate,
    DueDeliveries, NewDelivery, OpenDeliveries,
};
use crate::rows::Sequence;
use crate::store::{StoreError, StoreFuture};

/// The key of the position in the feed.
const CURSOR: &str = "cursor";

/// The columns that [`read`] expects.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT number, inquiry, channel, recipient, address, progress, attempts, version, external_id,
                    shown_hash
             FROM askback.deliveries ",
            $rest
        )
    };
}

pub(crate) const DUE: &str =
    select!("WHERE channel = $1 AND due_at <= $2 ORDER BY due_at, number LIMIT $3");

const NEXT_DUE: &str =
    "SELECT min(due_at) FROM askback.deliveries WHERE channel = $1 AND due_at > $2";

const OF_INQUIRY: &str = select!("WHERE inquiry = $1 ORDER BY number");

pub(crate) const OF_MESSAGE: &str =
    select!("WHERE channel = $1 AND address = $2 AND external_id = $3 LIMIT 1");

/// Of a message that shows an older state, the rest stays to be done.
const UPDATE: &str = "UPDATE askback.deliveries
     SET progress = $3, attempts = $4, external_id = $6, shown_hash = $7,
         due_at = CASE WHEN version = $2 THEN $5 ELSE coalesce($5, due_at) END
     WHERE number = $1";

const DELAY: &str = "UPDATE askback.deliveries SET due_at = $3
     WHERE channel = $1 AND address = coalesce($2, address) AND due_at < $3";

const OPEN: &str = "SELECT channel, recipient, count(*) FROM askback.deliveries
     WHERE progress NOT IN ('retired', 'failed')
     GROUP BY channel, recipient ORDER BY channel, recipient";

pub(crate) const PRUNE: &str = "DELETE FROM askback.deliveries WHERE number IN (
         SELECT number FROM askback.deliveries
         WHERE progress IN ('retired', 'failed') AND changed_at < $1
         ORDER BY changed_at LIMIT $2)";

const CURSOR_VALUE: &str = "SELECT value FROM askback.channel_values WHERE key = $1";

/// A prefix is compared with as many characters.
const VALUES: &str = "SELECT key, value, inquiry FROM askback.channel_values
     WHERE key >= $1 AND substr(key, 1, length($1)) = $1 ORDER BY key";

const SET: &str = "INSERT INTO askback.channel_values (key, value, inquiry) VALUES ($1, $2, $3)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, inquiry = excluded.inquiry";

const TAKE: &str = "DELETE FROM askback.channel_values WHERE key = $1 RETURNING value";

/// The position in the feed as a value, which a plan sets.
pub fn cursor_value(plan: &DeliveryPlan) -> Option<ChannelValue> {
    plan.cursor.map(|cursor| ChannelValue {
        key: CURSOR.to_owned(),
        value: cursor.to_string(),
        inquiry: None,
    })
}

impl<S: SqlExecutor> ChannelStore for S {
    fn plan_deliveries(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()> {
        self.write_plan(plan)
    }

    fn delivery_cursor(&self) -> StoreFuture<'_, Option<Sequence>> {
        Box::pin(async {
            let rows = self.select(CURSOR_VALUE, values![CURSOR]).await?;
            let value = read_all(rows, SqlRow::get::<String>)?.pop();
            Ok(value.and_then(|value| value.parse().ok()))
        })
    }

    fn due_deliveries(
        &self,
        channel: &str,
        now: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, DueDeliveries> {
        let (due, next) = (values![channel, now, limit], values![channel, now]);
        Box::pin(async move {
            let rows = read_all(self.select(DUE, due).await?, read)?;
            let next = self.select(NEXT_DUE, next).await?;
            let next = read_all(next, SqlRow::get::<Option<Timestamp>>)?.pop();
            Ok(DueDeliveries {
                rows,
                next: next.flatten(),
            })
        })
    }

    fn update_delivery(&self, update: DeliveryUpdate) -> StoreFuture<'_, ()> {
        let values = values![
            update.number,
            update.version,
            update.progress.name(),
            update.attempts,
            update.due_at,
            update.external_id,
            update.shown_hash,
        ];
        Box::pin(async move { self.change(UPDATE, values).await.map(drop) })
    }

    fn delay_deliveries(
        &self,
        channel: &str,
        address: Option<&str>,
        until: Timestamp,
    ) -> StoreFuture<'_, ()> {
        let values = values![channel, address, until];
        Box::pin(async move { self.change(DELAY, values).await.map(drop) })
    }

    fn open_deliveries(&self) -> StoreFuture<'_, Vec<OpenDeliveries>> {
        Box::pin(async { read_all(self.select(OPEN, Vec::new()).await?, read_open) })
    }

    fn deliveries_of(&self, inquiry: &InquiryId) -> StoreFuture<'_, Vec<ChannelDelivery>> {
        let values = values![inquiry.clone()];
        Box::pin(async move { read_all(self.select(OF_INQUIRY, values).await?, read) })
    }

    fn delivery_of_message(
        &self,
        channel: &str,
        address: &str,
        external_id: &str,
    ) -> StoreFuture<'_, Option<ChannelDelivery>> {
        let values = values![channel, address, external_id];
        Box::pin(async move { Ok(read_all(self.select(OF_MESSAGE, values).await?, read)?.pop()) })
    }

    fn prune_deliveries(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        self.change(PRUNE, values![before, limit])
    }

    fn channel_values(&self, prefix: &str) -> StoreFuture<'_, Vec<ChannelValue>> {
        let values = values![prefix];
        Box::pin(async move { read_all(self.select(VALUES, values).await?, read_value) })
    }

    fn set_channel_value(&self, value: ChannelValue) -> StoreFuture<'_, ()> {
        let values = values![value.key, value.value, value.inquiry];
        Box::pin(async move { self.change(SET, values).await.map(drop) })
    }

    fn take_channel_value(&self, key: &str) -> StoreFuture<'_, Option<String>> {
        let values = values![key];
        Box::pin(async move {
            let rows = self.change_returning(TAKE, values).await?;
            Ok(read_all(rows, SqlRow::get)?.pop())
        })
    }

    fn lease_channels(&self, holder: &str, lease: Duration) -> StoreFuture<'_, bool> {
        self.take_lease(holder, lease)
    }
}

fn read_open(row: &mut SqlRow) -> Result<OpenDeliveries, StoreError> {
    Ok(OpenDeliveries {
        channel: row.get()?,
        recipient: row.get()?,
        count: row.get()?,
    })
}

fn read_value(row: &mut SqlRow) -> Result<ChannelValue, StoreError> {
    Ok(ChannelValue {
        key: row.get()?,
        value: row.get()?,
        inquiry: row.get()?,
    })
}

fn read(row: &mut SqlRow) -> Result<ChannelDelivery, StoreError> {
    Ok(ChannelDelivery {
        number: row.get()?,
        target: NewDelivery {
            inquiry: row.get()?,
            channel: row.get()?,
            recipient: row.get()?,
            address: row.get()?,
        },
        progress: DeliveryProgress::from_name(&row.get::<String>()?),
        attempts: row.get()?,
        version: row.get()?,
        external_id: row.get()?,
        shown_hash: row.get()?,
    })
}
