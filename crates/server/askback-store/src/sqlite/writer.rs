//! The writing thread. Writes that wait at the same time share one transaction (group commit): a
//! hundred concurrent callers cost one fsync, and a single caller does not wait for others.

use parking_lot::Mutex;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{Semaphore, oneshot};

use crate::sql::claims::Claims;
use crate::sqlite::batch_target::BatchTarget;
use crate::sqlite::checkpoint::{self, CheckpointStep, Checkpointer, IDLE_DELAY};
use crate::sqlite::connection::{self, CheckpointOnClose, reopen_writer, set_checkpoint_on_close};
use crate::sqlite::database_file::DatabaseFile;
use crate::sqlite::disk_fault::CommitFault;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::queued_write::{QueuedWrite, WriteRequest, Written, closed};
use crate::store::StoreError;

/// The most writes in one transaction.
const BATCH_MAX: usize = 256;

/// The most writes that are queued or running. Further callers wait for a permit.
const QUEUE_MAX: usize = 1024;

/// How long to wait for each further write of a batch.
const BATCH_WINDOW: Duration = Duration::from_millis(1);

/// A handle of the writing thread.
pub(super) struct Writer {
    /// `None` after the store is closed.
    queue: Mutex<Option<Sender<Box<dyn QueuedWrite>>>>,
    queue_permits: Arc<Semaphore>,
    thread: Mutex<Option<JoinHandle<()>>>,
    transactions: Arc<AtomicU64>,
    reopen_failed: Arc<AtomicBool>,
    failed: Arc<AtomicU64>,
    /// How many of the failed transactions are no sign of a failing disk any more.
    recovered: AtomicU64,
}

impl Writer {
    /// Starts the thread on a connection that is configured and migrated.
    pub(super) fn start(
        connection: Connection,
        file: Arc<DatabaseFile>,
        options: &SqliteOptions,
        claims: Arc<Claims>,
    ) -> Result<Writer, StoreError> {
        let (queue, waiting) = mpsc::channel();
        let transactions = Arc::new(AtomicU64::new(0));
        let reopen_failed = Arc::new(AtomicBool::new(false));
        let failed = Arc::new(AtomicU64::new(0));
        let mut writer_thread = WriterThread {
            checkpointer: Checkpointer::start(Arc::clone(&file), options.clone())?,
            connection: Some(connection),
            file,
            options: options.clone(),
            claims,
            transactions: Arc::clone(&transactions),
            reopen_failed: Arc::clone(&reopen_failed),
            failed: Arc::clone(&failed),
            batch_target: BatchTarget::default(),
            needs_checkpoint: Cell::new(false),
        };
        let thread = thread::Builder::new()
            .name("askback-writer".to_owned())
            .spawn(move || writer_thread.run(&waiting))
            .map_err(|error| {
                StoreError::Unavailable(format!("cannot start the writing thread: {error}"))
            })?;
        Ok(Writer {
            queue: Mutex::new(Some(queue)),
            queue_permits: Arc::new(Semaphore::new(QUEUE_MAX)),
            thread: Mutex::new(Some(thread)),
            transactions,
            reopen_failed,
            failed,
            recovered: AtomicU64::new(0),
        })
    }

    /// Runs `write` inside a transaction and returns when that is on disk.
    pub(super) async fn write<T, W>(&self, write: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnMut(&Connection) -> Result<Written<T>, StoreError> + Send + 'static,
    {
        let queue_permits = Arc::clone(&self.queue_permits);
        let permit = queue_permits.acquire_owned().await.map_err(|_| closed())?;
        let (sender, outcome) = oneshot::channel();
        self.send(Box::new(WriteRequest::new(write, sender, permit)))?;
        let ended = || StoreError::CommitUnknown("the writing thread has ended".to_owned());
        outcome.await.map_err(|_| ended())?
    }

    /// How many transactions were committed, each with one fsync.
    pub(super) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    /// Whether the thread is running and has an open database.
    pub(super) fn is_healthy(&self) -> bool {
        let thread = self.thread.lock();
        let is_running = thread.as_ref().is_some_and(|thread| !thread.is_finished());
        is_running && !self.reopen_failed.load(Ordering::Relaxed)
    }

    /// The number of failed transactions, for example because the disk is full, if there was one since
    /// [`forget_failures`](Writer::forget_failures).
    pub(super) fn failures(&self) -> Option<u64> {
        let failed = self.failed.load(Ordering::Relaxed);
        (failed != self.recovered.load(Ordering::Relaxed)).then_some(failed)
    }

    /// Says that writes have worked since that many failures.
    pub(super) fn forget_failures(&self, failures: u64) {
        self.recovered.store(failures, Ordering::Relaxed);
    }

    /// Waits until the thread has written its queue and ended.
    pub(super) fn close(&self) {
        drop(self.queue.lock().take());
        if let Some(thread) = self.thread.lock().take() {
            // The panic hook has reported a panic already.
            drop(thread.join());
        }
    }

    fn send(&self, item: Box<dyn QueuedWrite>) -> Result<(), StoreError> {
        let queue = self.queue.lock();
        let sent = queue.as_ref().map(|queue| queue.send(item));
        match sent {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) | None => Err(closed()),
        }
    }
}

struct WriterThread {
    checkpointer: Checkpointer,
    /// `None` after a commit of unknown result, until the database is open again.
    connection: Option<Connection>,
    file: Arc<DatabaseFile>,
    options: SqliteOptions,
    claims: Arc<Claims>,
    transactions: Arc<AtomicU64>,
    /// The last attempt to open the database again failed.
    reopen_failed: Arc<AtomicBool>,
    failed: Arc<AtomicU64>,
    batch_target: BatchTarget,
    /// A transaction has failed, and no checkpoint has completed since.
    needs_checkpoint: Cell<bool>,
}

impl WriterThread {
    fn run(&mut self, waiting: &Receiver<Box<dyn QueuedWrite>>) {
        while let Some(first) = self.next(waiting) {
            self.write_batch(first, waiting);
            // When no write comes for a while, run a checkpoint and then block.
            loop {
                match waiting.recv_timeout(IDLE_DELAY) {
                    Ok(first) => self.write_batch(first, waiting),
                    Err(RecvTimeoutError::Timeout) if self.empty_log_beside_writes() => {}
                    Err(_) => break,
                }
            }
            self.checkpoint();
        }
        self.close();
    }

    /// Whether the other thread copies a long log, so that the last checkpoint before this one blocks is short.
    fn empty_log_beside_writes(&self) -> bool {
        let Some(connection) = &self.connection else {
            return false;
        };
        self.checkpointer.is_running()
            || checkpoint::is_long_to_copy(connection) && self.checkpointer.wake()
    }

    fn checkpoint(&self) -> bool {
        self.connection.as_ref().is_some_and(|connection| {
            self.file
                .checkpoint(|| checkpoint::try_checkpoint(connection))
        })
    }

    /// Leaves a log that may not belong to the database beside it as it is.
    fn close(&mut self) {
        self.checkpointer.close();
        let Some(connection) = self.connection.take() else {
            return;
        };
        if self.file.may_close_with_checkpoint() {
            // If this fails, the log stays and is read the next time.
            drop(set_checkpoint_on_close(&connection, CheckpointOnClose::Yes));
        }
    }

    /// The next write. While the database is closed, this also tries to open it again.
    fn next(&mut self, waiting: &Receiver<Box<dyn QueuedWrite>>) -> Option<Box<dyn QueuedWrite>> {
        while self.connection.is_none() {
            match waiting.recv_timeout(IDLE_DELAY) {
                Ok(item) => return Some(item),
                Err(RecvTimeoutError::Timeout) => drop(self.recover()),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        waiting.recv().ok()
    }

    fn write_batch(
        &mut self,
        first: Box<dyn QueuedWrite>,
        waiting: &Receiver<Box<dyn QueuedWrite>>,
    ) {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH_MAX - 1));
        while batch.len() < self.batch_target.get().min(BATCH_MAX) {
            match waiting.recv_timeout(BATCH_WINDOW) {
                Ok(item) => batch.push(item),
                Err(_) => break,
            }
        }
        self.batch_target.record(batch.len());
        // The panic hook has reported a panic already. Closing the connection rolls back.
        let written = catch_unwind(AssertUnwindSafe(|| self.write(&mut batch)));
        let written = written.unwrap_or_else(|_| {
            self.connection = None;
            Err(StoreError::CommitUnknown("writing panicked".to_owned()))
        });
        if let Err(error) = written {
            self.failed.fetch_add(1, Ordering::Relaxed);
            fail(&mut batch, &error, &self.claims);
            self.needs_checkpoint.set(true);
        }
        // After an unknown result callers read what was written, so the database must be reopened
        // before the results are sent. If that fails, the next batch tries again.
        drop(self.recover());
        for item in batch {
            item.send_result(&self.claims);
        }
        let Some(connection) = &self.connection else {
            return;
        };
        if self.needs_checkpoint.get() {
            self.needs_checkpoint.set(!self.checkpoint());
        }
        match self.checkpointer.next_step(connection) {
            CheckpointStep::Nothing => {}
            CheckpointStep::Beside => {
                self.checkpointer.wake();
            }
            CheckpointStep::Now => {
                self.checkpoint();
            }
        }
    }

    /// Opens the database again if it is closed.
    fn recover(&mut self) -> Result<(), StoreError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = self.reopen();
        self.reopen_failed.store(opened.is_err(), Ordering::Relaxed);
        self.connection = Some(opened?);
        Ok(())
    }

    fn reopen(&self) -> Result<Connection, StoreError> {
        self.file.check_in_place()?;
        let connection = reopen_writer(self.file.path(), &self.options)?;
        let log_frames = connection::log_frames(&connection, &self.options);
        self.file.check_after_commit(log_frames)?;
        Ok(connection)
    }

    /// Runs one transaction for the batch. After an error nothing was written, except for
    /// [`StoreError::CommitUnknown`], and for [`StoreError::Replaced`], after which it does not matter.
    fn write(&mut self, batch: &mut [Box<dyn QueuedWrite>]) -> Result<(), StoreError> {
        self.file.check_before_commit()?;
        self.recover()?;
        let Some(connection) = &self.connection else {
            return Err(closed());
        };
        let written = self.run_transaction(connection, batch);
        let is_unknown = matches!(written, Err(StoreError::CommitUnknown(_)));
        if is_unknown || (written.is_err() && !is_rolled_back(connection)) {
            self.connection = None;
        }
        written.map_err(|error| error.map_damaged(|why| self.file.mark_damaged(why)))
    }

    fn run_transaction(
        &self,
        connection: &Connection,
        batch: &mut [Box<dyn QueuedWrite>],
    ) -> Result<(), StoreError> {
        execute(connection, "BEGIN IMMEDIATE")?;
        let applied = if let Some(applied) = self.apply_all(connection, batch)? {
            applied
        } else {
            execute(connection, "ROLLBACK")?;
            for item in &mut *batch {
                item.reset(&self.claims);
            }
            execute(connection, "BEGIN IMMEDIATE")?;
            self.apply_in_savepoints(connection, batch)?
        };
        if applied == 0 {
            return Ok(execute(connection, "ROLLBACK")?);
        }
        self.commit(connection)?;
        self.transactions.fetch_add(1, Ordering::Relaxed);
        // Otherwise it was written to a file that nobody will find.
        self.file
            .check_after_commit(connection::log_frames(connection, &self.options))
    }

    /// Applies all writes and returns how many succeeded. `None` if one failed after it had written
    /// something, beside others whose writes must stay.
    fn apply_all(
        &self,
        connection: &Connection,
        batch: &mut [Box<dyn QueuedWrite>],
    ) -> Result<Option<usize>, StoreError> {
        let is_alone = batch.len() == 1;
        let mut applied = 0;
        for item in batch {
            let before = connection.total_changes();
            match self.apply(connection, item.as_mut())? {
                Ok(()) => applied += 1,
                Err(()) if is_alone || connection.total_changes() == before => {}
                Err(()) => return Ok(None),
            }
        }
        Ok(Some(applied))
    }

    fn commit(&self, connection: &Connection) -> Result<(), StoreError> {
        let fault = self.options.faults.take();
        if let Some(fault) = fault {
            return Err(commit_with_fault(connection, fault));
        }
        let Err(error) = execute(connection, "COMMIT") else {
            return Ok(());
        };
        // A transaction that is still open is rolled back, and on a full disk the commit record was
        // not written. After any other error, such as a failed fsync, a restart may find the commit.
        let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
        let error = StoreError::from(error);
        if is_full || !connection.is_autocommit() {
            return Err(error);
        }
        if matches!(error, StoreError::Damaged(_)) {
            return Err(error);
        }
        Err(StoreError::CommitUnknown(error.reason()))
    }

    /// Applies each write so that its failure does not affect the others. Savepoints copy every page
    /// that a write touches, so this is only done if a write has failed in the middle.
    fn apply_in_savepoints(
        &self,
        connection: &Connection,
        batch: &mut [Box<dyn QueuedWrite>],
    ) -> Result<usize, StoreError> {
        let mut applied = 0;
        for item in batch {
            execute(connection, "SAVEPOINT item")?;
            match self.apply(connection, item.as_mut())? {
                Ok(()) => applied += 1,
                Err(()) => execute(connection, "ROLLBACK TO item")?,
            }
            execute(connection, "RELEASE item")?;
        }
        Ok(applied)
    }

    fn apply(
        &self,
        connection: &Connection,
        item: &mut dyn QueuedWrite,
    ) -> Result<Result<(), ()>, StoreError> {
        let applied = match item.apply(connection, &self.claims) {
            // It is about the disk, not about this write.
            Err(error @ (StoreError::Damaged(_) | StoreError::Unavailable(_))) => {
                return Err(error);
            }
            applied => applied.map_err(drop),
        };
        if connection.is_autocommit() {
            return Err(StoreError::Unavailable(
                "the disk is full or failed while writing; nothing was written".to_owned(),
            ));
        }
        Ok(applied)
    }
}

fn fail(batch: &mut [Box<dyn QueuedWrite>], error: &StoreError, claims: &Claims) {
    for item in batch {
        let is_told_as_it_is = matches!(
            error,
            StoreError::CommitUnknown(_) | StoreError::Replaced(_) | StoreError::Damaged(_)
        );
        let error = if is_told_as_it_is {
            error.clone()
        } else {
            StoreError::Unavailable(error.clone().reason())
        };
        item.fail(error, claims);
    }
}

/// Rolls back if necessary. False if the transaction is still open.
fn is_rolled_back(connection: &Connection) -> bool {
    connection.is_autocommit() || execute(connection, "ROLLBACK").is_ok()
}

fn commit_with_fault(connection: &Connection, fault: CommitFault) -> StoreError {
    let end = match fault {
        CommitFault::Written => "COMMIT",
        CommitFault::NotWritten => "ROLLBACK",
    };
    match execute(connection, end) {
        Ok(()) => StoreError::CommitUnknown("a simulated disk failure".to_owned()),
        Err(error) => error.into(),
    }
}

fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
