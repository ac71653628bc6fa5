//! The values of an indexed column that occur, however many rows have them.

use rusqlite::types::Value;
use rusqlite::{Connection, ToSql};

use crate::store::StoreError;

/// Jumps from one value to the next in an index. The query returns the lowest value above its second
/// parameter; the first parameter is `of`.
pub(super) fn distinct_values(
    connection: &Connection,
    next: &str,
    of: impl ToSql,
) -> Result<Vec<Value>, StoreError> {
    let mut statement = connection.prepare_cached(next)?;
    let mut values = Vec::new();
    // Less than every state and status: those are numbers from 0 on, or text.
    let mut last = Value::Integer(-1);
    loop {
        let value: Value = statement.query_row((&of, &last), |row| row.get(0))?;
        if value == Value::Null {
            return Ok(values);
        }
        values.push(value.clone());
        last = value;
    }
}
