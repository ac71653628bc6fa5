//! Executes the statements that are the same for SQLite and PostgreSQL: those of sessions, credentials, deliveries, and
//! what channels keep between restarts.
//!
//! A store that implements [`SqlExecutor`] becomes a [`SessionStore`](crate::SessionStore), a
//! [`CredentialStore`](crate::CredentialStore) and a [`ChannelStore`](crate::ChannelStore) by that. Beside the trait is how
//! values go into a statement and out of a row. The statements are those of PostgreSQL, and [`for_sqlite`] makes those of
//! SQLite of them.

pub(crate) mod backlog;
mod credentials;
pub(crate) mod deliveries;
mod sessions;

use std::time::Duration;

use jiff::Timestamp;

use askback_core::id::InquiryId;

use crate::channel_store::DeliveryPlan;
use crate::sql::stored_numbers::stored_micros;
use crate::store::{StoreError, StoreFuture};
use crate::transfer::Value;

pub use backlog::{backlog, job_queues};
pub use deliveries::cursor_value;

/// A store that executes these statements.
pub trait SqlExecutor: Send + Sync + 'static {
    /// Reads rows.
    fn select(&self, sql: &'static str, values: Vec<Value>) -> StoreFuture<'_, Vec<SqlRow>>;

    /// Changes rows, and returns how many.
    fn change(&self, sql: &'static str, values: Vec<Value>) -> StoreFuture<'_, usize>;

    /// Changes rows, and returns what the statement returns.
    fn change_returning(
        &self,
        sql: &'static str,
        values: Vec<Value>,
    ) -> StoreFuture<'_, Vec<SqlRow>>;

    /// Removes a credential and its sessions in one transaction. False if there was none.
    fn remove_credential(&self, name: &str) -> StoreFuture<'_, bool>;

    /// Writes a plan in one transaction.
    fn write_plan(&self, plan: DeliveryPlan) -> StoreFuture<'_, ()>;

    /// Takes or renews the right to act for all channels.
    fn take_lease(&self, holder: &str, lease: Duration) -> StoreFuture<'_, bool>;
}

/// A statement as SQLite reads it: without the name of the schema, and with its own parameters.
pub fn for_sqlite(sql: &str) -> String {
    sql.replace("askback.", "").replace('$', "?")
}

/// The values of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::transfer::Value::from($value)),*]
    };
}
use values;

macro_rules! values_from {
    ($($type:ty, $value:ident => $made:expr;)+) => { $(
        impl From<$type> for Value {
            fn from($value: $type) -> Value {
                $made
            }
        }
    )+ };
}

values_from! {
    &str, text => Value::Text(text.to_owned());
    String, text => Value::Text(text);
    InquiryId, id => Value::Text(id.as_str().to_owned());
    u32, number => Value::Number(i64::from(number));
    u64, number => Value::Number(i64::try_from(number).unwrap_or(i64::MAX));
    usize, number => Value::Number(i64::try_from(number).unwrap_or(i64::MAX));
    Timestamp, at => Value::Number(stored_micros(at));
    [u8; 16], bytes => Value::Bytes(bytes.to_vec());
    [u8; 32], bytes => Value::Bytes(bytes.to_vec());
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, T::into)
    }
}

/// The columns of a row, which are read in order.
pub struct SqlRow(std::vec::IntoIter<Value>);

impl SqlRow {
    /// A row with these columns.
    pub fn new(values: Vec<Value>) -> SqlRow {
        SqlRow(values.into_iter())
    }

    fn get<T: Column>(&mut self) -> Result<T, StoreError> {
        let value = self.0.next().and_then(T::read);
        value.ok_or_else(|| StoreError::Corrupt("a row cannot be read".to_owned()))
    }
}

/// The rows, each read by a function.
fn read_all<T>(
    rows: Vec<SqlRow>,
    read: fn(&mut SqlRow) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    rows.into_iter().map(|mut row| read(&mut row)).collect()
}

/// The value of a column.
trait Column: Sized {
    /// `None` if it is of another type, or out of range.
    fn read(value: Value) -> Option<Self>;
}

macro_rules! columns {
    ($($type:ty: $variant:ident($value:ident) => $read:expr;)+) => { $(
        impl Column for $type {
            fn read(value: Value) -> Option<$type> {
                if let Value::$variant($value) = value { $read } else { None }
            }
        }
    )+ };
}

columns! {
    String: Text(text) => Some(text);
    InquiryId: Text(text) => Some(InquiryId::new(text));
    u32: Number(number) => u32::try_from(number).ok();
    u64: Number(number) => u64::try_from(number).ok();
    Timestamp: Number(micros) => Timestamp::from_microsecond(micros).ok();
    [u8; 16]: Bytes(bytes) => bytes.try_into().ok();
    [u8; 32]: Bytes(bytes) => bytes.try_into().ok();
}

impl<T: Column> Column for Option<T> {
    fn read(value: Value) -> Option<Option<T>> {
        if value == Value::Null {
            return Some(None);
        }
        T::read(value).map(Some)
    }
}
