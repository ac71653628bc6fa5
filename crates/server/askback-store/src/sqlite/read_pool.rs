//! A pool of read-only connections.

use parking_lot::Mutex;
use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::sqlite::connection::open_reader;
use crate::sqlite::database_file::DatabaseFile;
use crate::sqlite::options::SqliteOptions;
use crate::store::StoreError;

pub(super) struct ReadPool {
    file: Arc<DatabaseFile>,
    options: SqliteOptions,
    /// Unused connections. Connections are opened when they are first needed.
    idle: Mutex<Vec<Connection>>,
    /// One for each connection that may be open.
    permits: Arc<Semaphore>,
}

impl ReadPool {
    pub(super) fn new(file: Arc<DatabaseFile>, options: SqliteOptions) -> ReadPool {
        let permits = Arc::new(Semaphore::new(options.readers.get()));
        ReadPool {
            file,
            options,
            idle: Mutex::default(),
            permits,
        }
    }

    /// Runs `read` with a connection on a blocking thread.
    pub(super) async fn read<T, R>(self: &Arc<Self>, read: R) -> Result<T, StoreError>
    where
        T: Send + 'static,
        R: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let closing = || StoreError::Unavailable("the server is shutting down".to_owned());

        let permit = Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .map_err(|_| closing())?;
        let readers = Arc::clone(self);
        let reading = spawn_blocking(move || {
            if readers.options.faults.are_reads_failing() {
                let why = "a simulated disk failure".to_owned();
                return Err(StoreError::Unavailable(why));
            }
            let outcome = readers.take().and_then(|connection| {
                let read = read(&connection)?;
                // A connection is not used again after an error.
                readers.give_back(connection);
                Ok(read)
            });
            drop(permit);
            outcome.map_err(|error| error.map_damaged(|why| readers.file.mark_damaged(why)))
        });
        reading.await.map_err(|_| closing())?
    }

    pub(super) fn close_idle(&self) {
        self.idle.lock().clear();
    }

    fn take(&self) -> Result<Connection, StoreError> {
        let idle = self.idle.lock().pop();
        if let Some(connection) = idle {
            return Ok(connection);
        }
        // Another database may have its name by now.
        self.file.check_in_place()?;
        open_reader(self.file.path(), &self.options)
    }

    fn give_back(&self, connection: Connection) {
        self.idle.lock().push(connection);
    }
}
