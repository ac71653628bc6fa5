//! Executes the statements that PostgreSQL shares with SQLite, and does in its own way what they cannot.

use std::time::Duration;

use askback_core::id::InquiryId;
use tokio_postgres::Row;

use crate::PostgresStore;
use crate::sql_values::{AnyValue, Columns, Parameter, Text};
use askback_store::channel_store::{ChannelValue, DeliveryPlan, NewDelivery};
use askback_store::sql::executor::{SqlExecutor, SqlRow, cursor_value};
use askback_store::sql::stored_numbers::stored_micros;
use askback_store::store::{StoreError, StoreFuture};
use askback_store::transfer::Value;

const REMOVE_CREDENTIAL: &str = "WITH ended AS (DELETE FROM askback.sessions WHERE credential = $1)
     DELETE FROM askback.credentials WHERE name = $1";

/// One statement, so that the cursor moves with what it stands for.
const PLAN: &str = "WITH added AS (
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
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, inquiry = excluded.inquiry";

/// By the clock of the database, so the clocks of the nodes do not matter.
const LEASE: &str = "INSERT INTO askback.channel_lease AS held (holder, lease_until)
     VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
     ON CONFLICT (only_row) DO UPDATE
     SET holder = excluded.holder, lease_until = excluded.lease_until
     WHERE held.holder = excluded.holder OR held.lease_until < clock_timestamp()";

impl SqlExecutor for PostgresStore {
    fn select(&self, sql: &'static str, values: Vec<Value>) -> StoreFuture<'_, Vec<SqlRow>> {
        Box::pin(async move {
            let values: Vec<_> = values.into_iter().map(AnyValue).collect();
            read_all(&self.pool.query(sql, &parameters(&values)).await?)
        })
    }

    fn change(&self, sql: &'static str, values: Vec<Value>) -> StoreFuture<'_, usize> {
        Box::pin(async move {
            let values: Vec<_> = values.into_iter().map(AnyValue).collect();
            self.pool.change(sql, &parameters(&values)).await
        })
    }

    fn change_returning(
        &self,
        sql: &'static str,
        values: Vec<Value>,
    ) -> StoreFuture<'_, Vec<SqlRow>> {
        Box::pin(async move {
            let values: Vec<_> = values.into_iter().map(AnyValue).collect();
            let rows = self
                .pool
                .change_returning(sql, &parameters(&values))
                .await?;
            read_all(&rows)
        })
    }

    fn remove_credential(&self, name: &str) -> StoreFuture<'_, bool> {
        let name = name.to_owned();
        Box::pin(async move {
            let removed = self.pool.change(REMOVE_CREDENTIAL, &[&Text(&name)]).await?;
            Ok(removed > 0)
        })
    }

    fn write_plan(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()> {
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
            let cursor = cursor_value(&plan);
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
                    PLAN,
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

    fn take_lease(&self, holder: &str, lease: Duration) -> StoreFuture<'_, bool> {
        let holder = holder.to_owned();
        Box::pin(async move {
            let millis = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
            let taken = self.pool.change(LEASE, &[&Text(&holder), &millis]).await?;
            Ok(taken > 0)
        })
    }
}

fn parameters(values: &[AnyValue]) -> Vec<&dyn Parameter> {
    values.iter().map(|value| value as &dyn Parameter).collect()
}

fn read_all(rows: &[Row]) -> Result<Vec<SqlRow>, StoreError> {
    let read = |row| Ok(SqlRow::new(Columns::of(row).values()?));
    rows.iter().map(read).collect()
}
