//! The durable store of askback.
//!
//! One trait, [`Store`], and its implementations for SQLite and PostgreSQL. Events are the source of truth and the feed;
//! the snapshot of the conversation, the rows of its inquiries and the jobs that follow are written
//! in the same transaction. Nothing here decides anything: the core has decided what is committed.
//!
//! Deliberately absent: HTTP, timers, the agent. Only this crate contains SQL.

pub mod channel_store;
mod clock_offset;
pub mod commit;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod cursor;
pub mod filters;
mod migration;
mod page;
pub mod postgres;
pub mod private_file;
mod remote_changes;
mod remote_tokens;
mod request_key_hash;
pub mod rows;
pub mod session_store;
pub mod sqlite;
pub mod store;
mod stored_numbers;
pub mod transfer;

pub use channel_store::{
    AddressChange, ChannelDelivery, ChannelStore, DeliveryNumber, DeliveryPlan, DeliveryProgress,
    DeliveryUpdate, DueDeliveries, NewDelivery, OpenDeliveries,
};
pub use clock_offset::ClockOffset;
pub use commit::*;
pub use filters::*;
pub use postgres::{NodeIdentity, PostgresOptions, PostgresStore};
pub use remote_changes::{RemoteChange, RemoteChanges};
pub use remote_tokens::{LISTENERS_TTL, ListenerSet, RemoteToken, RemoteTokens};
pub use rows::*;
pub use session_store::{SessionRow, SessionStore};
pub use sqlite::{
    BackupContents, CommitFault, DiskFaults, QuickCheck, SqliteOptions, SqliteStore, Synchronous,
    back_up, quick_check,
};
pub use store::{Store, StoreError, StoreFuture};
pub use transfer::{TransferAddress, TransferReport, transfer};
