//! Idempotency keys.

use rusqlite::Connection;

use askback_core::id::InquiryId;

use crate::commit::RequestKey;
use crate::sql::request_key_hash::{hash_of_stored_key, hashed_key};
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::SqlId;
use crate::sqlite::statements::{execute, query_one};
use crate::store::StoreError;

/// Fails if one of the keys was used before, by the same request or by another one.
pub(super) fn refuse_used(connection: &Connection, keys: &[RequestKey]) -> Result<(), StoreError> {
    for key in keys {
        if let Some(used) = used(connection, key)? {
            return Err(used);
        }
    }
    Ok(())
}

fn used(connection: &Connection, key: &RequestKey) -> Result<Option<StoreError>, StoreError> {
    let sql = "SELECT k.request = ?2, c.id, k.inquiry FROM request_keys k
         JOIN conversations c ON c.number = k.conversation
         WHERE k.key IN (?1, ?3)";
    // A key that was moved here from PostgreSQL is stored as its hash.
    let hashed = hashed_key(&hash_of_stored_key(&key.key));
    let parameters = (&key.key, key.request.as_slice(), hashed);
    query_one(connection, sql, parameters, |row| {
        let conversation: SqlId<_> = row.get(1)?;
        let inquiry: Option<SqlId<_>> = row.get(2)?;
        Ok(if row.get(0)? {
            StoreError::Repeated {
                inquiry: inquiry.map(|stored| stored.0),
                conversation: conversation.0,
            }
        } else {
            StoreError::KeyReused
        })
    })
}

/// The inquiry of the request with this key.
pub(super) fn inquiry(connection: &Connection, key: &str) -> Result<Option<InquiryId>, StoreError> {
    let sql = "SELECT inquiry FROM request_keys WHERE key IN (?1, ?2)";
    let hashed = hashed_key(&hash_of_stored_key(key));
    let inquiry = query_one(connection, sql, (key, hashed), |row| {
        row.get::<_, Option<SqlId<_>>>(0)
    });
    Ok(inquiry?.flatten().map(|stored| stored.0))
}

/// Writes unused keys, with the conversation and the inquiry that their request was about.
pub(super) fn write(
    transaction: &Connection,
    conversation: i64,
    inquiry: Option<&InquiryId>,
    keys: &[RequestKey],
) -> Result<(), StoreError> {
    for key in keys {
        let sql = "INSERT INTO request_keys (key, request, conversation, inquiry)
             VALUES (?1, ?2, ?3, ?4)";
        let request = key.request.as_slice();
        let parameters = (&key.key, request, conversation, inquiry.map(SqlId));
        execute(transaction, sql, parameters)?;
    }
    Ok(())
}

/// Writes the keys of a request that found an existing inquiry.
pub(super) fn bind(
    transaction: &Connection,
    keys: &[RequestKey],
    inquiry: &InquiryId,
) -> Result<Written<()>, StoreError> {
    refuse_used(transaction, keys)?;
    let sql = "SELECT conversation FROM inquiries WHERE id = ?1";
    let conversation = query_one(transaction, sql, [SqlId(inquiry)], |row| row.get(0))?;
    let conversation = conversation.ok_or(StoreError::Conflict)?;
    write(transaction, conversation, Some(inquiry), keys)?;
    Ok(Written::from(()))
}
