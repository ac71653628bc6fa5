//! How ids, times and counts are stored.

use jiff::Timestamp;
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use askback_core::id::{ConversationId, InquiryId};
use askback_core::time::whole_millis;

/// The deadline of an inquiry that has none: it takes no room and sorts behind all others.
const NEVER: i64 = 0;

/// What deadlines are stored less of: more than any time there is, so that they are negative.
const BEYOND: i64 = 1 << 60;

/// Digits of an id after its prefix.
const DIGITS: usize = 26;

/// An id of the core, as the database keeps it: ids of our own making as their 16 bytes, which
/// sort as the ids do, others as text.
pub(super) struct SqlId<T>(pub(super) T);

/// What [`SqlId`] needs of an id.
pub(super) trait Id: From<u128> {
    /// What ids of this kind begin with.
    const PREFIX: &'static str;

    /// The id as text.
    fn text(&self) -> &str;

    /// The id with this text.
    fn from_text(text: &str) -> Self;
}

impl Id for ConversationId {
    const PREFIX: &'static str = ConversationId::PREFIX;

    fn text(&self) -> &str {
        self.as_str()
    }

    fn from_text(text: &str) -> Self {
        ConversationId::new(text)
    }
}

impl Id for InquiryId {
    const PREFIX: &'static str = InquiryId::PREFIX;

    fn text(&self) -> &str {
        self.as_str()
    }

    fn from_text(text: &str) -> Self {
        InquiryId::new(text)
    }
}

impl<T: Id> ToSql for SqlId<&T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = self.0.text();
        Ok(match number(T::PREFIX, text) {
            Some(number) => ToSqlOutput::from(number.to_be_bytes().to_vec()),
            None => ToSqlOutput::from(text),
        })
    }
}

impl<T: Id> FromSql for SqlId<T> {
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

/// The number an id was made of, if writing it again gives the same text.
fn number(prefix: &str, text: &str) -> Option<u128> {
    let digits = text.strip_prefix(prefix)?.as_bytes();
    // 26 digits hold 130 bits: the first may not need more than three.
    if digits.len() != DIGITS || digits[0] > b'7' {
        return None;
    }
    digits.iter().try_fold(0, |number, digit| {
        Some((number << 5) | digit_value(*digit)?)
    })
}

/// The value of a digit of Crockford's base 32, in lower case only.
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

/// A moment. It is kept in microseconds and never written finer than to the millisecond, which is
/// the one resolution of time everywhere.
pub(super) struct SqlTimestamp(pub(super) Timestamp);

/// The microseconds of a moment, cut to the millisecond.
fn stored_micros(at: Timestamp) -> i64 {
    whole_millis(at).as_microsecond()
}

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

/// A deadline, which may be never.
pub(super) struct SqlDeadline(pub(super) Option<Timestamp>);

impl ToSql for SqlDeadline {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let stored = self.0.map_or(NEVER, |at| stored_micros(at) - BEYOND);
        Ok(ToSqlOutput::from(stored))
    }
}

impl FromSql for SqlDeadline {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let stored = value.as_i64()?;
        if stored == NEVER {
            return Ok(SqlDeadline(None));
        }
        Timestamp::from_microsecond(stored.saturating_add(BEYOND))
            .map(|at| SqlDeadline(Some(at)))
            .map_err(|_| FromSqlError::OutOfRange(stored))
    }
}

/// A count that is never negative.
pub(super) struct SqlU64(pub(super) u64);

impl SqlU64 {
    /// A number of things in memory, as the limit of a query.
    pub(super) fn from_len(length: usize) -> SqlU64 {
        SqlU64(u64::try_from(length).unwrap_or(u64::MAX))
    }
}

impl ToSql for SqlU64 {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        // What is too large to be stored is larger than all that is stored.
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
