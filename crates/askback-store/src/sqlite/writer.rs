//! The writing thread. Writes that wait at the same time share one transaction (group commit): a
//! hundred concurrent callers cost one fsync, and a single caller does not wait for others.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::rows::JobId;
use crate::sqlite::batch_target::BatchTarget;
use crate::sqlite::checkpoint::{self, IDLE_DELAY};
use crate::sqlite::claims::{Claim, Claims};
use crate::sqlite::connection::reopen_writer;
use crate::sqlite::disk_fault::CommitFault;
use crate::sqlite::options::SqliteOptions;
use crate::store::StoreError;

/// The most writes in one transaction.
const BATCH_MAX: usize = 256;

/// The most writes that are queued or running. Further callers wait for a permit.
const QUEUE_MAX: usize = 1024;

/// How long to wait for each further write of a batch.
const BATCH_WINDOW: Duration = Duration::from_millis(1);

/// The result of a write. It takes effect when the transaction is on disk.
pub(super) struct Written<T> {
    /// Returned to the caller.
    pub(super) value: T,
    /// Jobs that were removed or can be claimed again.
    pub(super) freed: Vec<JobId>,
    /// New jobs that are claimed before anybody else can see them.
    pub(super) claimed: Vec<(JobId, Claim)>,
}

impl<T> From<T> for Written<T> {
    fn from(value: T) -> Self {
        Written {
            value,
            freed: Vec::new(),
            claimed: Vec::new(),
        }
    }
}

/// A handle of the writing thread.
pub(super) struct Writer {
    /// `None` after the store is closed.
    queue: Mutex<Option<Sender<Box<dyn QueuedWrite>>>>,
    queue_permits: Arc<Semaphore>,
    thread: Mutex<Option<JoinHandle<()>>>,
    transactions: Arc<AtomicU64>,
    reopen_failed: Arc<AtomicBool>,
    last_write_failed: Arc<AtomicBool>,
}

impl Writer {
    /// Starts the thread on a connection that is configured and migrated.
    pub(super) fn start(
        connection: Connection,
        path: &Path,
        options: &SqliteOptions,
        claims: Arc<Claims>,
    ) -> Result<Writer, StoreError> {
        let (queue, waiting) = mpsc::channel();
        let transactions = Arc::new(AtomicU64::new(0));
        let reopen_failed = Arc::new(AtomicBool::new(false));
        let last_write_failed = Arc::new(AtomicBool::new(false));
        let mut writer_thread = WriterThread {
            connection: Some(connection),
            path: path.to_owned(),
            options: options.clone(),
            claims,
            transactions: Arc::clone(&transactions),
            reopen_failed: Arc::clone(&reopen_failed),
            last_write_failed: Arc::clone(&last_write_failed),
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
            last_write_failed,
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
        self.send(Box::new(WriteRequest {
            write,
            outcome: None,
            sender,
            _permit: permit,
        }))?;
        let ended = || StoreError::CommitUnknown("the writing thread has ended".to_owned());
        outcome.await.map_err(|_| ended())?
    }

    /// How many transactions were committed, each with one fsync.
    pub(super) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    /// Whether the thread is running and has an open database.
    pub(super) fn is_healthy(&self) -> bool {
        let thread = lock(&self.thread);
        let is_running = thread.as_ref().is_some_and(|thread| !thread.is_finished());
        is_running && !self.reopen_failed.load(Ordering::Relaxed)
    }

    /// Whether the last transaction failed, for example because the disk is full.
    pub(super) fn last_write_failed(&self) -> bool {
        self.last_write_failed.load(Ordering::Relaxed)
    }

    /// Waits until the thread has written its queue and ended.
    pub(super) fn close(&self) {
        drop(lock(&self.queue).take());
        if let Some(thread) = lock(&self.thread).take() {
            // The panic hook has reported a panic already.
            drop(thread.join());
        }
    }

    fn send(&self, item: Box<dyn QueuedWrite>) -> Result<(), StoreError> {
        let queue = lock(&self.queue);
        let sent = queue.as_ref().map(|queue| queue.send(item));
        match sent {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) | None => Err(closed()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn closed() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}

/// A write of any result type.
trait QueuedWrite: Send {
    /// Runs it inside the open transaction. May be called again after a rollback.
    fn apply(&mut self, transaction: &Connection, claims: &Claims) -> Result<(), ()>;

    /// Replaces the result: it is not on disk, or nobody knows whether it is.
    fn fail(&mut self, why: StoreError, claims: &Claims) {
        self.reset(claims);
        self.set_error(why);
    }

    /// Forgets the result, which was rolled back.
    fn reset(&mut self, claims: &Claims);

    fn set_error(&mut self, why: StoreError);

    /// Sends the result to the caller.
    fn reply(self: Box<Self>, claims: &Claims);
}

struct WriteRequest<T, W> {
    write: W,
    /// `None` until it was applied.
    outcome: Option<Result<Written<T>, StoreError>>,
    sender: oneshot::Sender<Result<T, StoreError>>,
    /// Released after the reply.
    _permit: OwnedSemaphorePermit,
}

impl<T, W> QueuedWrite for WriteRequest<T, W>
where
    T: Send,
    W: FnMut(&Connection) -> Result<Written<T>, StoreError> + Send,
{
    fn apply(&mut self, transaction: &Connection, claims: &Claims) -> Result<(), ()> {
        match self.outcome.insert((self.write)(transaction)) {
            Ok(written) => {
                claims.acquire(&written.claimed);
                Ok(())
            }
            Err(_) => Err(()),
        }
    }

    fn reset(&mut self, claims: &Claims) {
        if let Some(Ok(written)) = self.outcome.take() {
            let claimed: Vec<JobId> = written.claimed.iter().map(|(id, _)| *id).collect();
            claims.release(&claimed);
        }
    }

    fn set_error(&mut self, why: StoreError) {
        self.outcome = Some(Err(why));
    }

    fn reply(self: Box<Self>, claims: &Claims) {
        let outcome = self.outcome.unwrap_or_else(|| Err(closed()));
        let outcome = outcome.map(|written| {
            claims.release(&written.freed);
            written.value
        });
        // The caller may have gone away; it can read the result later.
        drop(self.sender.send(outcome));
    }
}

struct WriterThread {
    /// `None` after a commit of unknown result, until the database is open again.
    connection: Option<Connection>,
    path: PathBuf,
    options: SqliteOptions,
    claims: Arc<Claims>,
    transactions: Arc<AtomicU64>,
    /// The last attempt to open the database again failed.
    reopen_failed: Arc<AtomicBool>,
    last_write_failed: Arc<AtomicBool>,
    batch_target: BatchTarget,
    /// A transaction has failed, and no checkpoint has completed since.
    needs_checkpoint: Cell<bool>,
}

impl WriterThread {
    fn run(&mut self, waiting: &Receiver<Box<dyn QueuedWrite>>) {
        while let Some(first) = self.next(waiting) {
            self.write_batch(first, waiting);
            // When no write comes for a while, run a checkpoint and then block.
            while let Ok(first) = waiting.recv_timeout(IDLE_DELAY) {
                self.write_batch(first, waiting);
            }
            if let Some(connection) = &self.connection {
                checkpoint::checkpoint_when_idle(connection);
            }
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
        let has_failed = written.is_err();
        self.last_write_failed.store(has_failed, Ordering::Relaxed);
        if let Err(error) = written {
            fail(&mut batch, &error, &self.claims);
            self.needs_checkpoint.set(true);
        }
        // After an unknown result callers read what was written, so the database must be reopened
        // before the replies. If that fails, the next batch tries again.
        drop(self.recover());
        for item in batch {
            item.reply(&self.claims);
        }
        let Some(connection) = &self.connection else {
            return;
        };
        if self.needs_checkpoint.get() {
            let is_done = checkpoint::checkpoint_after_failure(connection);
            self.needs_checkpoint.set(!is_done);
        }
        checkpoint::checkpoint_if_long(connection);
    }

    /// Opens the database again if it is closed.
    fn recover(&mut self) -> Result<(), StoreError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = reopen_writer(&self.path, &self.options);
        self.reopen_failed.store(opened.is_err(), Ordering::Relaxed);
        self.connection = Some(opened?);
        Ok(())
    }

    /// Runs one transaction for the batch. After an error nothing was written, except for
    /// [`StoreError::CommitUnknown`].
    fn write(&mut self, batch: &mut [Box<dyn QueuedWrite>]) -> Result<(), StoreError> {
        self.recover()?;
        let Some(connection) = &self.connection else {
            return Err(closed());
        };
        let written = self.run_transaction(connection, batch);
        let is_unknown = matches!(written, Err(StoreError::CommitUnknown(_)));
        if is_unknown || (written.is_err() && !is_rolled_back(connection)) {
            self.connection = None;
        }
        written
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
        Ok(())
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
        Err(StoreError::CommitUnknown(reason(&error)))
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
        let applied = item.apply(connection, &self.claims);
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
        let why = reason(error);
        let error = if matches!(error, StoreError::CommitUnknown(_)) {
            StoreError::CommitUnknown(why)
        } else {
            StoreError::Unavailable(why)
        };
        item.fail(error, claims);
    }
}

/// The message without the prefix of its variant.
fn reason(error: &StoreError) -> String {
    if let StoreError::Unavailable(why) | StoreError::CommitUnknown(why) = error {
        why.clone()
    } else {
        error.to_string()
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
