//! Opens the store that the settings name, and closes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use askback_postgres::{NodeIdentity, PostgresOptions, PostgresStore, PostgresTransfer};
use askback_server::{DataDir, trusted_file};
use askback_store::{SqliteOptions, SqliteStore, SqliteTransfer, Store, StoreError, TransferStore};

/// A store that `--store` names.
pub(crate) enum StoreAddress {
    Sqlite(PathBuf),
    Postgres(Box<PostgresOptions>),
}

impl StoreAddress {
    /// The error never contains a password.
    pub(crate) fn parse(store: &str) -> anyhow::Result<StoreAddress> {
        if store.starts_with("postgres://") || store.starts_with("postgresql://") {
            let options = PostgresOptions::parse(store)?;
            return Ok(StoreAddress::Postgres(Box::new(options)));
        }
        match store.strip_prefix("sqlite:") {
            Some(path) if !path.is_empty() => Ok(StoreAddress::Sqlite(PathBuf::from(path))),
            _ => bail!(
                "--store takes sqlite:PATH or postgres://USER@HOST/DATABASE; omit it to use the \
                 database in the data directory"
            ),
        }
    }

    /// Opens the store to move everything from it or to it. Fails if a process uses it.
    pub(crate) async fn open_for_transfer(self) -> Result<Box<dyn TransferStore>, StoreError> {
        Ok(match self {
            StoreAddress::Sqlite(path) => Box::new(SqliteTransfer::open(&path)?),
            StoreAddress::Postgres(options) => Box::new(PostgresTransfer::open(*options).await?),
        })
    }
}

pub(crate) async fn open_store(
    store: Option<&str>,
    directory: &DataDir,
    node: NodeIdentity,
) -> anyhow::Result<Arc<dyn Store>> {
    let address = match store {
        Some(store) => StoreAddress::parse(store)?,
        None => StoreAddress::Sqlite(directory.database()),
    };
    match address {
        StoreAddress::Sqlite(path) => {
            trusted_file::check_owner(&path)?;
            for file in database_files(&path) {
                trusted_file::check_trusted(&file)?;
            }
            Ok(Arc::new(SqliteStore::open(
                &path,
                SqliteOptions::default(),
            )?))
        }
        StoreAddress::Postgres(options) => {
            let database = options.address();
            let opened = PostgresStore::open(options.with_node(node)).await;
            let opened = opened.with_context(|| format!("cannot use PostgreSQL at {database}"));
            Ok(Arc::new(opened?))
        }
    }
}

/// The files of a database that nobody else may have written, and its directory. SQLite follows links.
pub(crate) fn database_files(path: &Path) -> Vec<PathBuf> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let files = ["", "-wal", "-shm", "-lock"].map(|ending| {
        let mut file = path.as_os_str().to_owned();
        file.push(ending);
        PathBuf::from(file)
    });
    [&[directory_of(&path).to_owned()], &files[..]].concat()
}

/// The directory of a file: the current one for a name alone.
pub(crate) fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        Some(_) | None => Path::new("."),
    }
}

const CLOSE_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Closes the database once nothing else uses it.
pub(crate) async fn close_store(store: Arc<dyn Store>) {
    while Arc::strong_count(&store) > 1 {
        tokio::time::sleep(CLOSE_POLL_INTERVAL).await;
    }
    if tokio::task::spawn_blocking(move || drop(store))
        .await
        .is_err()
    {
        tracing::error!("closing the database panicked");
    }
}
