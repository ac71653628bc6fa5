//! Reads and writes whole tables of a database that no server uses.

use std::future::ready;
use std::path::Path;

use rusqlite::types::{ToSqlOutput, Value as SqlValue, ValueRef};
use rusqlite::{Connection, ToSql as _, params_from_iter};

use askback_core::id::{ConversationId, InquiryId};

use crate::rows::PAGE_BYTES_MAX;
use crate::sql::request_key_hash::{hash_of_stored_key, hashed_key};
use crate::sqlite::connection;
use crate::sqlite::database_file::DatabaseFile;
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::migrations::{self, MIGRATIONS};
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::sql_types::SqlId;
use crate::store::{StoreError, StoreFuture};
use crate::transfer::{ColumnKind, Counters, Table, TransferStore, Value};

const ROWS_MAX: i64 = 500;

/// A database file that is moved, or moved to.
pub struct SqliteTransfer {
    connection: Connection,
    /// The key of the last row that was read.
    after: Option<SqlValue>,
    /// Dropped last, because it unlocks the database.
    _file: DatabaseFile,
}

impl SqliteTransfer {
    /// Locks the database, which is created if it does not exist, and begins a transaction.
    pub fn open(path: &Path) -> Result<SqliteTransfer, StoreError> {
        let file = DatabaseFile::lock(path)?;
        let mut connection = connection::open_writer(file.path(), &SqliteOptions::default())?;
        migrations::migrate(&mut connection, MIGRATIONS)?;
        connection.execute_batch("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")?;
        Ok(SqliteTransfer {
            connection,
            after: None,
            _file: file,
        })
    }

    fn read_rows(&mut self, table: &Table) -> Result<Vec<Vec<Value>>, StoreError> {
        let key = table.key().name;
        let (condition, after) = match self.after.take() {
            Some(after) => (format!("WHERE {key} > ?2"), Some(after)),
            None => (String::new(), None),
        };
        let sql = format!(
            "SELECT {key}, {} FROM {} {condition} ORDER BY {key} LIMIT ?1",
            table.column_list(),
            table.name
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let parameters = std::iter::once(SqlValue::from(ROWS_MAX)).chain(after);
        let mut found = statement.query(params_from_iter(parameters))?;
        let mut rows = Vec::new();
        let mut bytes = 0;
        while let Some(row) = found.next()? {
            self.after = Some(row.get(0)?);
            let columns = table.columns.iter().enumerate();
            let values = columns.map(|(index, column)| read(column.kind, row.get_ref(index + 1)?));
            let values = values.collect::<Result<Vec<_>, StoreError>>()?;
            bytes += values.iter().map(size).sum::<usize>();
            rows.push(values);
            if bytes > PAGE_BYTES_MAX {
                break;
            }
        }
        Ok(rows)
    }

    fn insert_rows(&self, table: &Table, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let places: Vec<String> = (1..=table.columns.len())
            .map(|it| format!("?{it}"))
            .collect();
        let sql = format!(
            "INSERT INTO {} ({}) VALUES ({})",
            table.name,
            table.column_list(),
            places.join(", ")
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        for row in rows {
            let values = row.iter().zip(table.columns);
            let values = values.map(|(value, column)| write(column.kind, value));
            let values = values.collect::<Result<Vec<_>, StoreError>>()?;
            statement.execute(params_from_iter(values))?;
        }
        Ok(())
    }

    fn read_counters(&self) -> Result<Counters, StoreError> {
        let number = |sql: &str| -> Result<i64, StoreError> {
            Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
        };
        let last = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name =";
        Ok(Counters {
            sequence: number(&format!("{last} 'records'"))?,
            job: number(&format!("{last} 'jobs'"))?,
            conversation: number("SELECT coalesce(max(number), 0) FROM conversations")?,
            inquiry: number("SELECT coalesce(max(number), 0) FROM inquiries")?,
            delivery: number(&format!("{last} 'deliveries'"))?,
        })
    }

    /// Numbers of conversations and inquiries follow from their rows.
    fn write_counters(&self, counters: Counters) -> Result<(), StoreError> {
        let last = [
            ("records", counters.sequence),
            ("jobs", counters.job),
            ("deliveries", counters.delivery),
        ];
        for (name, last) in last {
            self.connection
                .execute("DELETE FROM sqlite_sequence WHERE name = ?1", [name])?;
            self.connection.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
                (name, last),
            )?;
        }
        Ok(())
    }
}

impl TransferStore for SqliteTransfer {
    fn rewind(&mut self) {
        self.after = None;
    }

    fn next_rows(&mut self, table: &'static Table) -> StoreFuture<'_, Vec<Vec<Value>>> {
        Box::pin(ready(self.read_rows(table)))
    }

    fn insert(&mut self, table: &'static Table, rows: Vec<Vec<Value>>) -> StoreFuture<'_, ()> {
        Box::pin(ready(self.insert_rows(table, &rows)))
    }

    fn counters(&mut self) -> StoreFuture<'_, Counters> {
        Box::pin(ready(self.read_counters()))
    }

    fn set_counters(&mut self, counters: Counters) -> StoreFuture<'_, ()> {
        Box::pin(ready(self.write_counters(counters)))
    }

    fn commit(&mut self) -> StoreFuture<'_, ()> {
        let committed = self.connection.execute_batch("COMMIT");
        Box::pin(ready(committed.map_err(StoreError::from)))
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Number(_) => 8,
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
    }
}

fn read(kind: ColumnKind, stored: ValueRef<'_>) -> Result<Value, StoreError> {
    use rusqlite::types::FromSql as _;
    if stored == ValueRef::Null {
        return Ok(Value::Null);
    }
    let wrong =
        |_| StoreError::Corrupt("a row cannot be read: a value has the wrong type".to_owned());
    let value = match kind {
        ColumnKind::Number => Value::Number(stored.as_i64().map_err(wrong)?),
        ColumnKind::Text => Value::Text(text(stored.as_str().map_err(wrong)?)),
        ColumnKind::Bytes => Value::Bytes(stored.as_blob().map_err(wrong)?.to_vec()),
        ColumnKind::Name => Value::Text(
            InternedName::<String>::column_result(stored)
                .map_err(wrong)?
                .0,
        ),
        ColumnKind::ConversationId => {
            let id = SqlId::<ConversationId>::column_result(stored).map_err(wrong)?;
            Value::Text(id.0.as_str().to_owned())
        }
        ColumnKind::InquiryId => {
            let id = SqlId::<InquiryId>::column_result(stored).map_err(wrong)?;
            Value::Text(id.0.as_str().to_owned())
        }
        ColumnKind::RequestKey => Value::Bytes(hash_of_stored_key(stored.as_str().map_err(wrong)?)),
    };
    Ok(value)
}

/// As PostgreSQL stores it, which has no NUL in texts.
fn text(stored: &str) -> String {
    stored.replace('\0', "\u{fffd}")
}

fn write(kind: ColumnKind, value: &Value) -> Result<SqlValue, StoreError> {
    let written = match (kind, value) {
        (_, Value::Null) => SqlValue::Null,
        (ColumnKind::RequestKey, Value::Bytes(hash)) => SqlValue::Text(hashed_key(hash)),
        (_, Value::Number(number)) => SqlValue::Integer(*number),
        (_, Value::Bytes(bytes)) => SqlValue::Blob(bytes.clone()),
        (ColumnKind::Name, Value::Text(name)) => owned(InternedName(name).to_sql()?),
        (ColumnKind::ConversationId, Value::Text(id)) => {
            owned(SqlId(&ConversationId::new(id.as_str())).to_sql()?)
        }
        (ColumnKind::InquiryId, Value::Text(id)) => {
            owned(SqlId(&InquiryId::new(id.as_str())).to_sql()?)
        }
        (
            ColumnKind::Text | ColumnKind::Number | ColumnKind::Bytes | ColumnKind::RequestKey,
            Value::Text(text),
        ) => SqlValue::Text(text.clone()),
    };
    Ok(written)
}

/// Names and ids are texts, numbers or bytes of their own.
fn owned(output: ToSqlOutput<'_>) -> SqlValue {
    if let ToSqlOutput::Borrowed(ValueRef::Text(text)) = output {
        return SqlValue::Text(String::from_utf8_lossy(text).into_owned());
    }
    if let ToSqlOutput::Owned(value) = output {
        return value;
    }
    SqlValue::Null
}
