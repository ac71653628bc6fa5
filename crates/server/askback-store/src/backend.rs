//! What the implementations of a store share: how they page, store numbers and keys, and change their schema.

pub mod cursor;
pub mod migration;
pub mod page;
pub mod request_key_hash;
pub mod shared_sql;
pub mod stored_numbers;
