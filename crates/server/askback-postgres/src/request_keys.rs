//! Idempotency keys.

use std::collections::HashMap;

use tokio_postgres::Row;

use askback_core::id::{ConversationId, InquiryId};

use crate::pool::Pool;
use crate::sql_values::{Columns, Text};
use askback_store::commit::RequestKey;
use askback_store::sql::request_key_hash::{self, key_hash};
use askback_store::store::StoreError;

pub(super) const USED: &str = "SELECT k.key, k.request, c.id, k.inquiry
     FROM askback.request_keys k JOIN askback.conversations c ON c.number = k.conversation
     WHERE k.key = ANY ($1)";

/// Also used by commits, for many keys at once.
pub(super) const INSERT: &str =
    "INSERT INTO askback.request_keys (key, request, conversation, inquiry)
     SELECT * FROM UNNEST ($1::bytea[], $2::bytea[], $3::bigint[], $4::text[])";

const CONVERSATION_OF: &str = "SELECT conversation FROM askback.inquiries WHERE id = $1";

/// The keys of a request, none of them long.
pub(super) fn shortened(mut keys: Vec<RequestKey>) -> Vec<RequestKey> {
    for key in &mut keys {
        key.key = request_key_hash::shortened(std::mem::take(&mut key.key));
    }
    keys
}

/// The keys that were used before, by their hash.
#[derive(Default)]
pub(super) struct UsedKeys(HashMap<Vec<u8>, UsedKey>);

struct UsedKey {
    request: Vec<u8>,
    conversation: ConversationId,
    inquiry: Option<InquiryId>,
}

impl UsedKeys {
    pub(super) fn read(rows: &[Row]) -> Result<UsedKeys, StoreError> {
        let mut used = HashMap::new();
        for row in rows {
            let mut columns = Columns::of(row);
            let hash = columns.get()?;
            let key = UsedKey {
                request: columns.get()?,
                conversation: columns.conversation()?,
                inquiry: columns.get::<Option<&str>>()?.map(InquiryId::new),
            };
            used.insert(hash, key);
        }
        Ok(UsedKeys(used))
    }

    /// Fails if one of the keys was used before, by the same request or by another one.
    pub(super) fn refuse(&self, keys: &[RequestKey]) -> Result<(), StoreError> {
        for key in keys {
            let Some(used) = self.0.get(&key_hash(&key.key)) else {
                continue;
            };
            if used.request != key.request {
                return Err(StoreError::KeyReused);
            }
            return Err(StoreError::Repeated {
                inquiry: used.inquiry.clone(),
                conversation: used.conversation.clone(),
            });
        }
        Ok(())
    }
}

pub(super) async fn check(pool: &Pool, keys: &[RequestKey]) -> Result<(), StoreError> {
    let hashes: Vec<_> = keys.iter().map(|key| key_hash(&key.key)).collect();
    let rows = pool.query(USED, &[&hashes]).await?;
    UsedKeys::read(&rows)?.refuse(keys)
}

/// The inquiry of the request with this key.
pub(super) async fn inquiry(pool: &Pool, key: &str) -> Result<Option<InquiryId>, StoreError> {
    let hash = key_hash(key);
    let rows = pool.query(USED, &[&vec![hash.clone()]]).await?;
    let mut used = UsedKeys::read(&rows)?;
    Ok(used.0.remove(&hash).and_then(|used| used.inquiry))
}

/// Writes the keys of a request that found an existing inquiry.
pub(super) async fn bind(
    pool: &Pool,
    keys: &[RequestKey],
    inquiry: &InquiryId,
) -> Result<(), StoreError> {
    let hashes: Vec<_> = keys.iter().map(|key| key_hash(&key.key)).collect();
    let requests: Vec<&[u8]> = keys.iter().map(|key| &key.request[..]).collect();
    let id = Text(inquiry.as_str());
    let connection = pool.begin_alone().await?;
    let used = connection.query(USED, &[&hashes]).await?;
    UsedKeys::read(&used)?.refuse(keys)?;
    let found = connection.query(CONVERSATION_OF, &[&id]).await?;
    let found = found.first().ok_or(StoreError::Conflict)?;
    let conversation: i64 = Columns::of(found).get()?;
    let conversations = vec![conversation; keys.len()];
    let inquiries = vec![id; keys.len()];
    connection
        .execute(INSERT, &[&hashes, &requests, &conversations, &inquiries])
        .await?;
    connection.commit().await
}
