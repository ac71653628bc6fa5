//! Conversions between Rust and PostgreSQL values.

use std::borrow::Cow;
use std::error::Error;

use bytes::BytesMut;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use askback_core::id::{ConversationId, InquiryId};

use askback_store::backend::stored_numbers::deadline;
use askback_store::store::StoreError;

use crate::error::DatabaseError;

// The types of parameters, short enough to stand side by side.
pub(super) const INT8: Type = Type::INT8;
pub(super) const INT8S: Type = Type::INT8_ARRAY;
pub(super) const TEXT: Type = Type::TEXT;
pub(super) const TEXTS: Type = Type::TEXT_ARRAY;
pub(super) const BYTEA: Type = Type::BYTEA;
pub(super) const BYTEAS: Type = Type::BYTEA_ARRAY;

/// A text parameter. PostgreSQL has no NUL in texts, and one value must not fail the transaction of
/// others, so a NUL becomes the replacement character.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl Text<'_> {
    fn stored(&self) -> Cow<'_, str> {
        if self.0.contains('\0') {
            Cow::Owned(self.0.replace('\0', "\u{fffd}"))
        } else {
            Cow::Borrowed(self.0)
        }
    }
}

impl ToSql for Text<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        self.stored().to_sql(ty, out)
    }

    fn accepts(ty: &Type) -> bool {
        <&str as ToSql>::accepts(ty)
    }

    to_sql_checked!();
}

/// A number that is never negative. Only limits exceed the range, and the maximum is above every
/// stored number.
pub(super) fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn length(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// The key of a program and what it works on, in place of texts that are too long for an index.
pub(super) fn agent_hash(client: &str, project: Option<&str>) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(length(client.len()).to_be_bytes());
    hash.update(client);
    hash.update(project.unwrap_or_default());
    hash.finalize().to_vec()
}

/// Reads the columns of a row in order.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    row: &'a Row,
    next: usize,
}

impl<'a> Columns<'a> {
    pub(super) fn of(row: &'a Row) -> Columns<'a> {
        Columns::from(row, 0)
    }

    /// Starts at a column.
    pub(super) fn from(row: &'a Row, next: usize) -> Columns<'a> {
        Columns { row, next }
    }

    pub(super) fn get<T: FromSql<'a>>(&mut self) -> Result<T, StoreError> {
        let index = self.next;
        self.next += 1;
        Ok(self.row.try_get(index).map_err(DatabaseError::from)?)
    }

    pub(super) fn unsigned(&mut self) -> Result<u64, StoreError> {
        u64::try_from(self.get::<i64>()?).map_err(|_| out_of_range())
    }

    pub(super) fn small(&mut self) -> Result<u32, StoreError> {
        u32::try_from(self.get::<i64>()?).map_err(|_| out_of_range())
    }

    pub(super) fn time(&mut self) -> Result<Timestamp, StoreError> {
        timestamp(self.get()?)
    }

    pub(super) fn optional_time(&mut self) -> Result<Option<Timestamp>, StoreError> {
        self.get::<Option<i64>>()?.map(timestamp).transpose()
    }

    pub(super) fn deadline(&mut self) -> Result<Option<Timestamp>, StoreError> {
        deadline(self.get()?).map_err(|_| out_of_range())
    }

    pub(super) fn conversation(&mut self) -> Result<ConversationId, StoreError> {
        Ok(ConversationId::new(self.get::<&str>()?))
    }

    pub(super) fn inquiry(&mut self) -> Result<InquiryId, StoreError> {
        Ok(InquiryId::new(self.get::<&str>()?))
    }
}

pub(super) fn timestamp(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(|_| out_of_range())
}

fn out_of_range() -> StoreError {
    StoreError::Corrupt("a row cannot be read: a number is out of range".to_owned())
}
