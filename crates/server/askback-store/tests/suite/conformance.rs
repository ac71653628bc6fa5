//! Goal: the SQLite store passes the conformance suite.

use std::sync::Arc;

use askback_store::{SqliteOptions, SqliteStore, Store, StoreFuture};
use askback_store_testing::{ScratchDir, TestDatabase};

struct SqliteFile(ScratchDir);

impl SqliteFile {
    fn new() -> SqliteFile {
        SqliteFile(ScratchDir::new().unwrap())
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
