//! The durable store of askback.
//!
//! One trait, [`Store`], and its implementation for SQLite. Events are the source of truth and the feed;
//! the snapshot of the conversation, the rows of its inquiries and the jobs that follow are written
//! in the same transaction. Nothing here decides anything: the core has decided what is committed.
//!
//! Deliberately absent: HTTP, timers, the agent, PostgreSQL. Only this crate and `askback-postgres` contain SQL.

pub mod channel_store;
mod clock_offset;
pub mod commit;
pub mod credential_store;
pub mod filters;
pub mod private_file;
mod remote_changes;
pub mod rows;
pub mod session_store;
pub mod sql;
pub mod sqlite;
pub mod store;
pub mod transfer;

pub use channel_store::{
    ChannelDelivery, ChannelStore, ChannelValue, DeliveryNumber, DeliveryPlan, DeliveryProgress,
    DeliveryUpdate, DueDeliveries, NewDelivery, OpenDeliveries,
};
pub use clock_offset::ClockOffset;
pub use commit::*;
pub use credential_store::{CredentialRow, CredentialStore};
pub use filters::*;
pub use remote_changes::{RemoteChange, RemoteChanges};
pub use rows::*;
pub use session_store::{SessionRow, SessionStore};
pub use sqlite::{
    BackupContents, CommitFault, DiskFaults, QuickCheck, SqliteOptions, SqliteStore,
    SqliteTransfer, Synchronous, back_up, quick_check,
};
pub use store::{Store, StoreError, StoreFuture};
pub use transfer::{TransferReport, TransferStore, transfer};

// The sample commits name this crate as others do.
#[cfg(test)]
extern crate self as askback_store;

#[cfg(test)]
#[expect(dead_code, unreachable_pub, reason = "other crates use more of it")]
#[path = "../../../testing/askback-store-testing/src/sample.rs"]
mod sample;
