//! Conversions between Rust and SQLite values: ids, times, deadlines and unsigned numbers.

use jiff::Timestamp;
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use askback_core::id::{ConversationId, InquiryId};

use crate::sql::stored_numbers::{deadline, stored_deadline, stored_micros};

/// The number of digits after the prefix of an id.
const ID_DIGITS: usize = 26;

/// An id. Ids that askback made are stored as 16 bytes, which sort like the ids; others as text.
pub(super) struct SqlId<T>(pub(super) T);

/// An id type of the core that [`SqlId`] can store.
pub(super) trait DomainId: From<u128> {
    const PREFIX: &'static str;

    fn text(&self) -> &str;

    fn from_text(text: &str) -> Self;
}

impl DomainId for ConversationId {
    const PREFIX: &'static str = ConversationId::PREFIX;

    fn text(&self) -> &str {
        self.as_str()
    }

    fn from_text(text: &str) -> Self {
        ConversationId::new(text)
    }
}

impl DomainId for InquiryId {
    const PREFIX: &'static str = InquiryId::PREFIX;

    fn text(&self) -> &str {
        self.as_str()
    }

    fn from_text(text: &str) -> Self {
        InquiryId::new(text)
    }
}

impl<T: DomainId> ToSql for SqlId<&T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = self.0.text();
        Ok(match number(T::PREFIX, text) {
            Some(number) => ToSqlOutput::from(number.to_be_bytes().to_vec()),
            None => ToSqlOutput::from(text),
        })
    }
}

impl<T: DomainId> FromSql for SqlId<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Blob(bytes) => {
                let bytes = <[u8; 16]>::try_from(bytes).map_err(|_| FromSqlError::InvalidType)?;
                Ok(SqlId(T::from(u128::from_be_bytes(bytes))))
            }
            ValueRef::Text(_) => Ok(SqlId(T::from_text(value.as_str()?))),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {
                Err(FromSqlError::InvalidType)
            }
        }
    }
}

/// The number that an id was made from, if it gives exactly this text.
fn number(prefix: &str, text: &str) -> Option<u128> {
    let digits = text.strip_prefix(prefix)?.as_bytes();
    // 26 digits hold 130 bits, so the first digit may use only three of its five.
    if digits.len() != ID_DIGITS || digits[0] > b'7' {
        return None;
    }
    digits.iter().try_fold(0, |number, digit| {
        Some((number << 5) | digit_value(*digit)?)
    })
}

/// The value of a digit in Crockford's base 32, lower case only.
fn digit_value(digit: u8) -> Option<u128> {
    let value = match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'h' => digit - b'a' + 10,
        b'j'..=b'k' => digit - b'j' + 18,
        b'm'..=b'n' => digit - b'm' + 20,
        b'p'..=b't' => digit - b'p' + 22,
        b'v'..=b'z' => digit - b'v' + 27,
        _ => return None,
    };
    Some(u128::from(value))
}

/// A timestamp, stored in microseconds and rounded down to the millisecond, the resolution of time
/// everywhere in askback.
pub(super) struct SqlTimestamp(pub(super) Timestamp);

impl ToSql for SqlTimestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(stored_micros(self.0)))
    }
}

impl FromSql for SqlTimestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let micros = value.as_i64()?;
        Timestamp::from_microsecond(micros)
            .map(SqlTimestamp)
            .map_err(|_| FromSqlError::OutOfRange(micros))
    }
}

/// A deadline, or none. One index sorts both: by deadline, those without one last.
pub(super) struct SqlDeadline(pub(super) Option<Timestamp>);

impl ToSql for SqlDeadline {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(stored_deadline(self.0)))
    }
}

impl FromSql for SqlDeadline {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let stored = value.as_i64()?;
        deadline(stored)
            .map(SqlDeadline)
            .map_err(|_| FromSqlError::OutOfRange(stored))
    }
}

/// A number that must not be negative.
pub(super) struct SqlU64(pub(super) u64);

impl SqlU64 {
    pub(super) fn from_len(length: usize) -> SqlU64 {
        SqlU64(u64::try_from(length).unwrap_or(u64::MAX))
    }
}

impl ToSql for SqlU64 {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        // Only limits are this large, and i64::MAX is above every stored number.
        Ok(ToSqlOutput::from(i64::try_from(self.0).unwrap_or(i64::MAX)))
    }
}

impl FromSql for SqlU64 {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        u64::try_from(number)
            .map(SqlU64)
            .map_err(|_| FromSqlError::OutOfRange(number))
    }
}

#[cfg(test)]
#[path = "sql_types_tests.rs"]
mod tests;
