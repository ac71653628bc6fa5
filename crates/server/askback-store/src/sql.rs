//! What the stores of SQLite and PostgreSQL have in common: how they page, write numbers and keys into columns, and change
//! their schema, and the statements that are the same for both ([`executor`]).

pub mod claims;
pub mod cursor;
pub mod executor;
pub mod migration;
pub mod page;
pub mod request_key_hash;
pub mod stored_numbers;
