//! Names of states, jobs, dialects and outcomes. They are in every row and in indexes, so known
//! names are stored as small numbers, which take one byte or none.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, Value, ValueRef};

/// The index of a name is its stored number. So names are only ever added at the end, together with a
/// migration, which makes versions without the name refuse the database. SQL statements contain some
/// numbers: `pending` 0, `idle` 1, `error` 2.
const NAMES: &[&str] = &[
    "pending",
    "idle",
    "error",
    "awaiting_user_response",
    "llm_requesting",
    "tool_executing",
    "awaiting_sub_agents",
    "external",
    "built_in",
    "answered",
    "declined",
    "cancelled",
    "rejected",
    "superseded",
    "expired",
    "withdrawn",
    "undeliverable",
    "ask_user_question",
    "AskUserQuestion",
    "question",
    "ask_user",
    "request_llm",
    "run_tool",
    "start_sub_agents",
    "stop_sub_agents",
    "report_to_parent",
    "expire_inquiry",
    "webhook",
    "release_answer",
    "remind_inquiry",
];

/// A name, stored as its number if it is known, and otherwise as text.
pub(super) struct InternedName<T>(pub(super) T);

impl<T: AsRef<str>> InternedName<T> {
    fn number(&self) -> Option<i64> {
        let name = self.0.as_ref();
        let index = NAMES.iter().position(|known| *known == name);
        index.and_then(|index| i64::try_from(index).ok())
    }

    /// As it is stored.
    pub(super) fn to_value(&self) -> Value {
        match self.number() {
            Some(number) => Value::Integer(number),
            None => Value::Text(self.0.as_ref().to_owned()),
        }
    }
}

impl<T: AsRef<str>> ToSql for InternedName<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.number() {
            Some(number) => ToSqlOutput::from(number),
            None => ToSqlOutput::from(self.0.as_ref()),
        })
    }
}

impl FromSql for InternedName<String> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = match value {
            ValueRef::Integer(number) => usize::try_from(number)
                .ok()
                .and_then(|index| NAMES.get(index))
                .ok_or(FromSqlError::OutOfRange(number))?,
            ValueRef::Text(_) => value.as_str()?,
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => {
                return Err(FromSqlError::InvalidType);
            }
        };
        Ok(InternedName(name.to_owned()))
    }
}

#[cfg(test)]
#[path = "interned_name_tests.rs"]
mod tests;
