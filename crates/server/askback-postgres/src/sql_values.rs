//! Conversions between Rust and PostgreSQL values.

use std::borrow::Cow;
use std::error::Error;

use bytes::BytesMut;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use askback_core::id::{ConversationId, InquiryId};

use askback_store::sql::stored_numbers::deadline;
use askback_store::store::StoreError;
use askback_store::transfer::Value;

use crate::error::DatabaseError;

/// A value of a statement. Its type is sent with it: PostgreSQL cannot find all of them in the text.
pub(super) trait Parameter: ToSql + Sync {
    fn sql_type(&self) -> Type;
}

impl<T: SqlType + ToSql + Sync> Parameter for T {
    fn sql_type(&self) -> Type {
        T::TYPE
    }
}

/// The type of the parameters that a Rust type stands for.
pub(super) trait SqlType {
    const TYPE: Type;
}

impl<T: SqlType> SqlType for Option<T> {
    const TYPE: Type = T::TYPE;
}

macro_rules! sql_types {
    ($($sql:ident: $($rust:ty),+;)+) => { $($(
        impl SqlType for $rust {
            const TYPE: Type = Type::$sql;
        }
    )+)+ };
}

sql_types! {
    INT8: i64;
    INT8_ARRAY: Vec<i64>, Vec<Option<i64>>;
    TEXT: Text<'_>, &str, String;
    TEXT_ARRAY: Vec<Text<'_>>, Vec<Option<Text<'_>>>, Vec<&str>, Vec<Option<&str>>, Vec<Option<String>>;
    BYTEA: &[u8], Vec<u8>;
    BYTEA_ARRAY: Vec<&[u8]>, Vec<Vec<u8>>, Vec<Option<Vec<u8>>>;
}

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

/// A value of any type. PostgreSQL finds the type of one that is missing.
#[derive(Debug)]
pub(super) struct AnyValue(pub(super) Value);

impl Parameter for AnyValue {
    fn sql_type(&self) -> Type {
        match &self.0 {
            Value::Null => Type::UNKNOWN,
            Value::Number(_) => Type::INT8,
            Value::Text(_) => Type::TEXT,
            Value::Bytes(_) => Type::BYTEA,
        }
    }
}

impl ToSql for AnyValue {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match &self.0 {
            Value::Null => Ok(IsNull::Yes),
            Value::Number(number) => number.to_sql(ty, out),
            Value::Text(text) => Text(text).to_sql(ty, out),
            Value::Bytes(bytes) => bytes.to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
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

    /// The columns that are left, each as a value of its type.
    pub(super) fn values(mut self) -> Result<Vec<Value>, StoreError> {
        let types = self.row.columns().iter().skip(self.next);
        let values = types.map(|column| {
            let value = if *column.type_() == Type::INT8 {
                self.get::<Option<i64>>()?.map(Value::Number)
            } else if *column.type_() == Type::BYTEA {
                self.get::<Option<Vec<u8>>>()?.map(Value::Bytes)
            } else {
                self.get::<Option<String>>()?.map(Value::Text)
            };
            Ok(value.unwrap_or(Value::Null))
        });
        values.collect()
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
