//! Executes the statements that SQLite shares with PostgreSQL, and does in its own way what they cannot.

use std::time::Duration;

use askback_core::id::InquiryId;
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params_from_iter};

use crate::channel_store::{ChannelValue, DeliveryPlan, NewDelivery};
use crate::sql::executor::{SqlExecutor, SqlRow, cursor_value, for_sqlite};
use crate::sqlite::SqliteStore;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::SqlTimestamp;
use crate::sqlite::statements::execute;
use crate::store::{StoreError, StoreFuture};
use crate::transfer::Value;

pub(super) const OF_ENDED: &str = "DELETE FROM channel_values WHERE inquiry = ?1";

impl SqlExecutor for SqliteStore {
    fn select(&self, sql: &'static str, values: Vec<Value>) -> StoreFuture<'_, Vec<SqlRow>> {
        self.read(move |connection| query(connection, sql, &values))
    }

    fn change(&self, sql: &'static str, values: Vec<Value>) -> StoreFuture<'_, usize> {
        self.write(move |transaction| {
            let values = params_from_iter(values.iter().map(stored));
            execute(transaction, &for_sqlite(sql), values).map(Written::from)
        })
    }

    fn change_returning(
        &self,
        sql: &'static str,
        values: Vec<Value>,
    ) -> StoreFuture<'_, Vec<SqlRow>> {
        self.write(move |transaction| Ok(Written::from(query(transaction, sql, &values)?)))
    }

    fn remove_credential(&self, name: &str) -> StoreFuture<'_, bool> {
        let name = name.to_owned();
        self.write(move |transaction| {
            let sessions = "DELETE FROM sessions WHERE credential = ?1";
            execute(transaction, sessions, [&name])?;
            let credential = "DELETE FROM credentials WHERE name = ?1";
            Ok(Written::from(
                execute(transaction, credential, [&name])? > 0,
            ))
        })
    }

    fn write_plan(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()> {
        self.write(move |transaction| write_plan(transaction, &plan))
    }

    /// Only one process can have the database open.
    fn take_lease(&self, _holder: &str, _lease: Duration) -> StoreFuture<'_, bool> {
        Box::pin(std::future::ready(Ok(true)))
    }
}

fn query(
    connection: &Connection,
    sql: &'static str,
    values: &[Value],
) -> Result<Vec<SqlRow>, StoreError> {
    let mut statement = connection.prepare_cached(&for_sqlite(sql))?;
    let count = statement.column_count();
    let mut rows = statement.query(params_from_iter(values.iter().map(stored)))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let columns = (0..count).map(|index| Ok(read(row.get(index)?)));
        found.push(SqlRow::new(columns.collect::<Result<_, StoreError>>()?));
    }
    Ok(found)
}

fn stored(value: &Value) -> SqlValue {
    match value {
        Value::Null => SqlValue::Null,
        Value::Number(number) => SqlValue::Integer(*number),
        Value::Text(text) => SqlValue::Text(text.clone()),
        Value::Bytes(bytes) => SqlValue::Blob(bytes.clone()),
    }
}

fn read(value: SqlValue) -> Value {
    match value {
        // No column of these tables has such numbers, so that no reader takes it.
        SqlValue::Null | SqlValue::Real(_) => Value::Null,
        SqlValue::Integer(number) => Value::Number(number),
        SqlValue::Text(text) => Value::Text(text),
        SqlValue::Blob(bytes) => Value::Bytes(bytes),
    }
}

fn write_plan(transaction: &Connection, plan: &DeliveryPlan) -> Result<Written<()>, StoreError> {
    let due_at = SqlTimestamp(plan.due_at);
    let add = "INSERT OR IGNORE INTO deliveries
             (inquiry, channel, recipient, address, progress, due_at, changed_at)
         VALUES (?1, ?2, ?3, ?4, 'due', ?5, ?5)";
    for new in &plan.new {
        let NewDelivery {
            inquiry,
            channel,
            recipient,
            address,
        } = new;
        let parameters = (inquiry.as_str(), channel, recipient, address, &due_at);
        execute(transaction, add, parameters)?;
    }
    let change = "UPDATE deliveries
         SET version = version + 1, due_at = coalesce(due_at, ?2), changed_at = ?2
         WHERE inquiry = ?1 AND progress NOT IN ('retired', 'failed')";
    for inquiry in &plan.changed {
        execute(transaction, change, (inquiry.as_str(), &due_at))?;
    }
    let remove = "DELETE FROM channel_values WHERE key = ?1";
    for (key, value) in &plan.values {
        match value {
            Some(value) => set_value(transaction, value)?,
            None => execute(transaction, remove, [key]).map(drop)?,
        }
    }
    for inquiry in &plan.ended {
        execute(transaction, OF_ENDED, [inquiry.as_str()])?;
    }
    if let Some(cursor) = cursor_value(plan) {
        set_value(transaction, &cursor)?;
    }
    Ok(Written::from(()))
}

fn set_value(transaction: &Connection, value: &ChannelValue) -> Result<(), StoreError> {
    let sql = "INSERT OR REPLACE INTO channel_values (key, value, inquiry) VALUES (?1, ?2, ?3)";
    let inquiry = value.inquiry.as_ref().map(InquiryId::as_str);
    execute(transaction, sql, (&value.key, &value.value, inquiry)).map(drop)
}
