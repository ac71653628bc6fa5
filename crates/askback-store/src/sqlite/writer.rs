//! The one thread that writes. Whatever waits goes into one transaction, so that a hundred
//! waiters cost one wait for the disk, and a lone one waits for nobody.

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
use crate::sqlite::checkpoint::{self, QUIET};
use crate::sqlite::connection::reopen_writer;
use crate::sqlite::disk_fault::CommitFault;
use crate::sqlite::leases::{Lease, Leases};
use crate::sqlite::options::SqliteOptions;
use crate::store::StoreError;

/// The most items of one transaction.
const BATCH_MAX: usize = 256;

/// The most items that wait or are being written; more wait for room.
const WAITING_MAX: usize = 1024;

/// How long to wait for one more caller of those who came together lately.
const PATIENCE: Duration = Duration::from_millis(1);

/// What an item has written, to be told once it is on disk.
pub(super) struct Written<T> {
    /// What its caller gets.
    pub(super) value: T,
    /// Jobs that are gone, or free to be claimed again.
    pub(super) freed: Vec<JobId>,
    /// Jobs that are claimed from the moment on in which others can see them.
    pub(super) claimed: Vec<(JobId, Lease)>,
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

/// The way to the thread.
pub(super) struct Writer {
    /// Gone when the store closes.
    queue: Mutex<Option<Sender<Box<dyn Item>>>>,
    room: Arc<Semaphore>,
    thread: Mutex<Option<JoinHandle<()>>>,
    transactions: Arc<AtomicU64>,
    is_stuck: Arc<AtomicBool>,
}

impl Writer {
    /// Starts the thread on a connection that is set up and has its tables.
    pub(super) fn start(
        connection: Connection,
        path: &Path,
        options: &SqliteOptions,
        leases: Arc<Leases>,
    ) -> Result<Writer, StoreError> {
        let (queue, waiting) = mpsc::channel();
        let transactions = Arc::new(AtomicU64::new(0));
        let is_stuck = Arc::new(AtomicBool::new(false));
        let mut thread_of = WriterThread {
            connection: Some(connection),
            path: path.to_owned(),
            options: options.clone(),
            leases,
            transactions: Arc::clone(&transactions),
            is_stuck: Arc::clone(&is_stuck),
            company: Cell::new(0),
            is_strained: Cell::new(false),
        };
        let thread = thread::Builder::new()
            .name("askback-writer".to_owned())
            .spawn(move || thread_of.run(&waiting))
            .map_err(|error| {
                StoreError::Unavailable(format!("the writing thread cannot be started: {error}"))
            })?;
        Ok(Writer {
            queue: Mutex::new(Some(queue)),
            room: Arc::new(Semaphore::new(WAITING_MAX)),
            thread: Mutex::new(Some(thread)),
            transactions,
            is_stuck,
        })
    }

    /// Runs `write` inside a transaction and returns when that is on disk.
    pub(super) async fn write<T, W>(&self, write: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<Written<T>, StoreError> + Send + 'static,
    {
        let room = Arc::clone(&self.room);
        let permit = room.acquire_owned().await.map_err(|_| closed())?;
        let (reply, outcome) = oneshot::channel();
        self.send(Box::new(Task {
            work: Work::Waiting(write),
            reply,
            _permit: permit,
        }))?;
        let ended = || StoreError::CommitUnknown("the writing thread has ended".to_owned());
        outcome.await.map_err(|_| ended())?
    }

    /// How many transactions were written to disk: each of them waited for it once.
    pub(super) fn transactions(&self) -> u64 {
        self.transactions.load(Ordering::Relaxed)
    }

    /// Whether the thread runs and has a database to write to.
    pub(super) fn is_working(&self) -> bool {
        let thread = lock(&self.thread);
        let is_running = thread.as_ref().is_some_and(|thread| !thread.is_finished());
        is_running && !self.is_stuck.load(Ordering::Relaxed)
    }

    /// Lets the thread write what waits, and waits for its end.
    pub(super) fn close(&self) {
        drop(lock(&self.queue).take());
        if let Some(thread) = lock(&self.thread).take() {
            // A panic was reported when it happened, and there is nothing left to do about it.
            drop(thread.join());
        }
    }

    fn send(&self, item: Box<dyn Item>) -> Result<(), StoreError> {
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

/// Something to be written, whatever its caller gets for it.
trait Item: Send {
    /// Writes it into the open transaction.
    fn apply(&mut self, transaction: &Connection, leases: &Leases) -> Result<(), ()>;

    /// Takes back what was applied: it did not get to the disk, or nobody knows whether it did.
    fn fail(&mut self, why: StoreError, leases: &Leases);

    /// Tells the caller.
    fn settle(self: Box<Self>, leases: &Leases);
}

struct Task<T, W> {
    work: Work<T, W>,
    reply: oneshot::Sender<Result<T, StoreError>>,
    /// Given back when the caller has been told.
    _permit: OwnedSemaphorePermit,
}

enum Work<T, W> {
    Waiting(W),
    Done(Result<Written<T>, StoreError>),
}

impl<T, W> Item for Task<T, W>
where
    T: Send,
    W: FnOnce(&Connection) -> Result<Written<T>, StoreError> + Send,
{
    fn apply(&mut self, transaction: &Connection, leases: &Leases) -> Result<(), ()> {
        let work = std::mem::replace(&mut self.work, Work::Done(Err(closed())));
        if let Work::Waiting(write) = work {
            self.work = Work::Done(write(transaction));
        }
        match &self.work {
            Work::Done(Ok(written)) => {
                leases.hold(&written.claimed);
                Ok(())
            }
            Work::Done(Err(_)) | Work::Waiting(_) => Err(()),
        }
    }

    fn fail(&mut self, why: StoreError, leases: &Leases) {
        if let Work::Done(Ok(written)) = &self.work {
            let claimed: Vec<JobId> = written.claimed.iter().map(|(id, _)| *id).collect();
            leases.free(&claimed);
        }
        self.work = Work::Done(Err(why));
    }

    fn settle(self: Box<Self>, leases: &Leases) {
        let outcome = match self.work {
            Work::Done(outcome) => outcome,
            Work::Waiting(_) => Err(closed()),
        };
        let outcome = outcome.map(|written| {
            leases.free(&written.freed);
            written.value
        });
        // A caller that no longer waits finds out by reading.
        drop(self.reply.send(outcome));
    }
}

struct WriterThread {
    /// None after a commit whose result is not known, until the database is opened anew.
    connection: Option<Connection>,
    path: PathBuf,
    options: SqliteOptions,
    leases: Arc<Leases>,
    transactions: Arc<AtomicU64>,
    /// The database cannot be opened anew.
    is_stuck: Arc<AtomicBool>,
    /// How many callers to expect: twice the last batches, less the lone callers in them.
    company: Cell<usize>,
    /// A transaction has failed, and the log has not been copied back since.
    is_strained: Cell<bool>,
}

impl WriterThread {
    fn run(&mut self, waiting: &Receiver<Box<dyn Item>>) {
        while let Some(first) = self.next(waiting) {
            self.write_with(first, waiting);
            // While there is work, the wait for more of it is bounded; then the log is put away.
            while let Ok(first) = waiting.recv_timeout(QUIET) {
                self.write_with(first, waiting);
            }
            if let Some(connection) = &self.connection {
                checkpoint::when_quiet(connection);
            }
        }
    }

    /// The next item. A database that has to be opened anew is tried meanwhile.
    fn next(&mut self, waiting: &Receiver<Box<dyn Item>>) -> Option<Box<dyn Item>> {
        while self.connection.is_none() {
            match waiting.recv_timeout(QUIET) {
                Ok(item) => return Some(item),
                Err(RecvTimeoutError::Timeout) => drop(self.recover()),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        waiting.recv().ok()
    }

    fn write_with(&mut self, first: Box<dyn Item>, waiting: &Receiver<Box<dyn Item>>) {
        let mut batch = vec![first];
        batch.extend(waiting.try_iter().take(BATCH_MAX - 1));
        // Those who were served together come back together: a moment's patience lets them share
        // the next wait for the disk, too. A lone caller comes back alone and waits for nobody.
        while batch.len() < self.company.get().min(BATCH_MAX) {
            match waiting.recv_timeout(PATIENCE) {
                Ok(item) => batch.push(item),
                Err(_) => break,
            }
        }
        self.company
            .set((self.company.get() / 2 + batch.len()).saturating_sub(1));
        // A panic was reported when it happened. What it left open is closed with the connection.
        let written = catch_unwind(AssertUnwindSafe(|| self.write(&mut batch)));
        let written = written.unwrap_or_else(|_| {
            self.connection = None;
            Err(StoreError::CommitUnknown("writing panicked".to_owned()))
        });
        if let Err(error) = written {
            fail(&mut batch, &error, &self.leases);
            self.is_strained.set(true);
        }
        // Callers read what is there when they are told that nobody knows, so that is settled first.
        // If it cannot be, the next batch tries again.
        drop(self.recover());
        for item in batch {
            item.settle(&self.leases);
        }
        let Some(connection) = &self.connection else {
            return;
        };
        if self.is_strained.get() {
            let is_relieved = checkpoint::after_failure(connection);
            self.is_strained.set(!is_relieved);
        }
        checkpoint::when_log_is_long(connection);
    }

    /// Opens the database anew, if that is needed.
    fn recover(&mut self) -> Result<(), StoreError> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = reopen_writer(&self.path, &self.options);
        self.is_stuck.store(opened.is_err(), Ordering::Relaxed);
        self.connection = Some(opened?);
        Ok(())
    }

    /// One transaction for all. An error means that nothing of it was written, except
    /// [`StoreError::CommitUnknown`].
    fn write(&mut self, batch: &mut [Box<dyn Item>]) -> Result<(), StoreError> {
        self.recover()?;
        let Some(connection) = &self.connection else {
            return Err(closed());
        };
        let written = self.write_open(connection, batch);
        let is_unknown = matches!(written, Err(StoreError::CommitUnknown(_)));
        if is_unknown || (written.is_err() && !is_rolled_back(connection)) {
            self.connection = None;
        }
        written
    }

    fn write_open(
        &self,
        connection: &Connection,
        batch: &mut [Box<dyn Item>],
    ) -> Result<(), StoreError> {
        execute(connection, "BEGIN IMMEDIATE")?;
        let mut applied = 0_usize;
        if let [alone] = batch {
            applied += usize::from(self.apply(connection, alone.as_mut())?.is_ok());
        } else {
            for item in batch {
                applied += usize::from(self.apply_among_others(connection, item.as_mut())?.is_ok());
            }
        }
        if applied == 0 {
            return Ok(execute(connection, "ROLLBACK")?);
        }
        self.commit(connection)?;
        self.transactions.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn commit(&self, connection: &Connection) -> Result<(), StoreError> {
        let fault = self.options.faults.take();
        if let Some(fault) = fault {
            return Err(commit_badly(connection, fault));
        }
        let Err(error) = execute(connection, "COMMIT") else {
            return Ok(());
        };
        // A transaction that is still open is taken back, and a full disk has no room for the end of
        // a commit. After anything else, such as a failed fsync, it may be on disk and found there
        // after a restart.
        let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
        let error = StoreError::from(error);
        if is_full || !connection.is_autocommit() {
            return Err(error);
        }
        Err(StoreError::CommitUnknown(reason(&error)))
    }

    /// Applies one item by itself: what it refuses leaves the others alone.
    fn apply_among_others(
        &self,
        connection: &Connection,
        item: &mut dyn Item,
    ) -> Result<Result<(), ()>, StoreError> {
        execute(connection, "SAVEPOINT item")?;
        let applied = self.apply(connection, item)?;
        if applied.is_err() {
            execute(connection, "ROLLBACK TO item")?;
        }
        execute(connection, "RELEASE item")?;
        Ok(applied)
    }

    fn apply(
        &self,
        connection: &Connection,
        item: &mut dyn Item,
    ) -> Result<Result<(), ()>, StoreError> {
        let applied = item.apply(connection, &self.leases);
        if connection.is_autocommit() {
            return Err(StoreError::Unavailable(
                "the disk is full or failed while writing; nothing was written".to_owned(),
            ));
        }
        Ok(applied)
    }
}

/// Takes back all items of a batch.
fn fail(batch: &mut [Box<dyn Item>], error: &StoreError, leases: &Leases) {
    for item in batch {
        let why = reason(error);
        let error = if matches!(error, StoreError::CommitUnknown(_)) {
            StoreError::CommitUnknown(why)
        } else {
            StoreError::Unavailable(why)
        };
        item.fail(error, leases);
    }
}

/// What went wrong, without what that means.
fn reason(error: &StoreError) -> String {
    if let StoreError::Unavailable(why) | StoreError::CommitUnknown(why) = error {
        why.clone()
    } else {
        error.to_string()
    }
}

/// Whether no transaction is open on the connection any more.
fn is_rolled_back(connection: &Connection) -> bool {
    connection.is_autocommit() || execute(connection, "ROLLBACK").is_ok()
}

/// Does what a failing disk does.
fn commit_badly(connection: &Connection, fault: CommitFault) -> StoreError {
    let end = match fault {
        CommitFault::Written => "COMMIT",
        CommitFault::NotWritten => "ROLLBACK",
    };
    match execute(connection, end) {
        Ok(()) => StoreError::CommitUnknown("a test lets the disk fail".to_owned()),
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
