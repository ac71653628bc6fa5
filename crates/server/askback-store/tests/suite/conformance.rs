//! Goal: the SQLite store passes the conformance suite.

use std::sync::Arc;

use askback_store::{SqliteOptions, SqliteStore, Store, StoreFuture};
use askback_store_testing::TestDatabase;
use tempfile::TempDir;

struct SqliteFile(TempDir);

impl SqliteFile {
    fn new() -> SqliteFile {
        SqliteFile(tempfile::tempdir().unwrap())
    }
}

impl TestDatabase for SqliteFile {
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        let path = self.0.path().join("askback.db");
        Box::pin(async move {
            let store = SqliteStore::open(&path, SqliteOptions::default())?;
            Ok(Arc::new(store) as Arc<dyn Store>)
        })
    }
}

askback_store_testing::store_conformance!(super::SqliteFile::new());
