//! WAL checkpoints: the write-ahead log is copied back into the database.
//!
//! Copying thousands of pages takes long, so another thread does that while commits go on. SQLite starts the log anew only
//! if nothing was committed since, so the writer copies the few last pages itself, between two commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::Connection;

use crate::sqlite::connection::open_checkpointer;
use crate::sqlite::database_file::DatabaseFile;
use crate::sqlite::options::SqliteOptions;
use crate::store::StoreError;

/// How long the writer must be idle before a checkpoint.
pub(super) const IDLE_DELAY: Duration = Duration::from_millis(500);

/// The pages of 4 KiB in the WAL at which they are copied even under load. What is written meanwhile fits, too, into the
/// part of the file that is kept.
const WAL_PAGES_MAX: u32 = 2048;

/// The pages at which the writer waits for a checkpoint, so that the WAL is bounded although the disk is slow.
const WAL_PAGES_LIMIT: u32 = 4 * WAL_PAGES_MAX;

/// The most pages that the writer copies while others wait for it.
const PAGES_AT_ONCE_MAX: u32 = 256;

/// What is in the WAL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WalPages {
    all: u32,
    /// Those that are in the database already.
    copied: u32,
}

/// What to do about the WAL after a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckpointStep {
    Nothing,
    /// Wake the thread that copies it beside commits.
    Beside,
    /// Run a checkpoint before the next commit.
    Now,
}

impl WalPages {
    fn left(self) -> u32 {
        self.all.saturating_sub(self.copied)
    }

    fn next_step(self, is_running: bool) -> CheckpointStep {
        if self.all >= WAL_PAGES_LIMIT {
            CheckpointStep::Now
        } else if self.all < WAL_PAGES_MAX || is_running {
            CheckpointStep::Nothing
        } else if self.left() <= PAGES_AT_ONCE_MAX {
            CheckpointStep::Now
        } else {
            CheckpointStep::Beside
        }
    }
}

/// The thread that copies a long WAL beside commits.
pub(super) struct Checkpointer {
    /// `None` once it has to end.
    wake: Option<Sender<()>>,
    is_running: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    pub(super) fn start(
        file: Arc<DatabaseFile>,
        options: SqliteOptions,
    ) -> Result<Checkpointer, StoreError> {
        let (wake, woken) = mpsc::channel();
        let is_running = Arc::new(AtomicBool::new(false));
        let running = Arc::clone(&is_running);
        let thread = thread::Builder::new()
            .name("askback-checkpoint".to_owned())
            .spawn(move || run(&woken, &running, &file, &options))
            .map_err(|error| {
                StoreError::Unavailable(format!("cannot start the checkpoint thread: {error}"))
            })?;
        Ok(Checkpointer {
            wake: Some(wake),
            is_running,
            thread: Some(thread),
        })
    }

    /// What the writer does after a commit.
    pub(super) fn next_step(&self, connection: &Connection) -> CheckpointStep {
        let is_running = self.is_running();
        wal_pages(connection).map_or(CheckpointStep::Nothing, |pages| pages.next_step(is_running))
    }

    pub(super) fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Acquire)
    }

    /// Lets the thread copy what is in the WAL. False if there is no thread any more.
    pub(super) fn wake(&self) -> bool {
        self.is_running.store(true, Ordering::Release);
        let is_woken = self.wake.as_ref().is_some_and(|wake| wake.send(()).is_ok());
        if !is_woken {
            self.is_running.store(false, Ordering::Release);
        }
        is_woken
    }

    /// Waits until the thread has closed its connection.
    pub(super) fn close(&mut self) {
        drop(self.wake.take());
        if let Some(thread) = self.thread.take() {
            // The panic hook has reported a panic already.
            drop(thread.join());
        }
    }
}

fn run(
    woken: &Receiver<()>,
    is_running: &AtomicBool,
    file: &DatabaseFile,
    options: &SqliteOptions,
) {
    let mut connection = None;
    while let Ok(()) = woken.recv() {
        file.copy_log(|| {
            // A small store never needs it.
            if connection.is_none() {
                connection = open_checkpointer(file.path(), options).ok();
            }
            if let Some(open) = &connection {
                try_checkpoint(open);
            }
        });
        is_running.store(false, Ordering::Release);
    }
}

/// Whether everything was copied into the database. A failed checkpoint is tried again the next time. On a full disk
/// the WAL holds the only free space: after a checkpoint it is reused from its start.
pub(super) fn try_checkpoint(connection: &Connection) -> bool {
    // As far as no reader needs the WAL, without waiting.
    read_pages(connection, "PRAGMA wal_checkpoint(PASSIVE)").is_ok_and(|pages| pages.left() == 0)
}

/// Whether the writer should not copy the WAL itself while others may wait for it.
pub(super) fn is_long_to_copy(connection: &Connection) -> bool {
    wal_pages(connection).is_ok_and(|pages| pages.left() > PAGES_AT_ONCE_MAX)
}

/// How many pages are in the WAL.
pub(super) fn wal_length(connection: &Connection) -> Result<u32, StoreError> {
    wal_pages(connection).map(|pages| pages.all)
}

fn wal_pages(connection: &Connection) -> Result<WalPages, StoreError> {
    read_pages(connection, "PRAGMA wal_checkpoint(NOOP)")
}

fn read_pages(connection: &Connection, pragma: &str) -> Result<WalPages, StoreError> {
    let mut statement = connection.prepare_cached(pragma)?;
    Ok(statement.query_row([], |row| {
        Ok(WalPages {
            all: row.get(1)?,
            copied: row.get(2)?,
        })
    })?)
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;
