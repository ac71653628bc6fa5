//! A few connections that only read, each for one read at a time.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::sqlite::connection::open_reader;
use crate::sqlite::options::SqliteOptions;
use crate::store::StoreError;

/// The connections.
pub(super) struct ReadPool {
    path: PathBuf,
    options: SqliteOptions,
    /// Connections that nobody uses now; they are opened when first needed.
    idle: Mutex<Vec<Connection>>,
    /// A permit for every connection that may be open.
    room: Arc<Semaphore>,
}

impl ReadPool {
    pub(super) fn new(path: PathBuf, options: SqliteOptions) -> ReadPool {
        let room = Arc::new(Semaphore::new(options.readers.get()));
        ReadPool {
            path,
            options,
            idle: Mutex::default(),
            room,
        }
    }

    /// Runs `read` on a connection, off the threads of the runtime.
    pub(super) async fn read<T, R>(self: &Arc<Self>, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let closing = || StoreError::Unavailable("the server is shutting down".to_owned());
        let room = Arc::clone(&self.room);
        let permit = room.acquire_owned().await.map_err(|_| closing())?;
        let readers = Arc::clone(self);
        let reading = spawn_blocking(move || {
            if readers.options.faults.are_reads_failing() {
                let why = "a test lets the disk fail".to_owned();
                return Err(StoreError::Unavailable(why));
            }
            let connection = readers.take()?;
            let outcome = read(&connection);
            // A connection on which something went wrong is not used again.
            if outcome.is_ok() {
                readers.give_back(connection);
            }
            drop(permit);
            outcome
        });
        reading.await.map_err(|_| closing())?
    }

    /// Closes the connections that nobody uses.
    pub(super) fn close_idle(&self) {
        self.lock().clear();
    }

    fn take(&self) -> Result<Connection, StoreError> {
        let idle = self.lock().pop();
        match idle {
            Some(connection) => Ok(connection),
            None => open_reader(&self.path, &self.options),
        }
    }

    fn give_back(&self, connection: Connection) {
        self.lock().push(connection);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
