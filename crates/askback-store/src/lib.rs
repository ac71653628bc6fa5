//! The durable store of askback.
//!
//! One trait, [`Store`], and its SQLite implementation. Events are the source of truth and the feed;
//! the snapshot of the conversation, the rows of its inquiries and the jobs that follow are written
//! in the same transaction. Nothing here decides anything: the core has decided what is committed.
//!
//! Deliberately absent: HTTP, timers, the agent. Only this crate contains SQL.

pub mod commit;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod filters;
pub mod private_file;
pub mod rows;
pub mod session_store;
pub mod sqlite;
pub mod store;

pub use commit::*;
pub use filters::*;
pub use rows::*;
pub use session_store::{SessionRow, SessionStore};
pub use sqlite::{CommitFault, DiskFaults, SqliteOptions, SqliteStore, Synchronous};
pub use store::{Store, StoreError, StoreFuture};
