//! The durable log of askback.
//!
//! One trait, [`Store`], and what stands behind it. Events are the truth and the feed; the snapshot
//! of a conversation, the index of inquiries and the jobs that follow are written in the same
//! transaction. Nothing in here decides anything: what is committed was decided by the core.
//!
//! Deliberately absent: HTTP, timers, the agent. Only this crate names SQL.

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod private_file;
pub mod rows;
pub mod session_store;
pub mod sqlite;
pub mod store;

pub use rows::*;
pub use session_store::{SessionRow, SessionStore};
pub use sqlite::{CommitFault, DiskFaults, SqliteOptions, SqliteStore, Synchronous};
pub use store::{Store, StoreError, StoreFuture};
