//! Goal: the PostgreSQL store passes the conformance suite, and several nodes on one database agree.

use std::sync::{Arc, LazyLock, Mutex};

use crate::{PostgresOptions, PostgresStore};
use askback_store::store::{Store, StoreFuture};
use askback_store_testing::{PostgresServer, TestDatabase};

/// One server for all tests of this process. It ends with the process.
static SERVER: LazyLock<PostgresServer> = LazyLock::new(|| PostgresServer::start().unwrap());

/// Databases that no test uses. Making a new one takes longer than emptying one.
static FREE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// An empty database for one test.
pub(super) struct Database {
    pub(super) url: String,
}

impl Database {
    pub(super) fn new() -> Database {
        let free = FREE.lock().unwrap().pop();
        Database {
            url: free.unwrap_or_else(|| SERVER.create_database().unwrap()),
        }
    }

    pub(super) fn sql(&self, sql: &str) -> String {
        SERVER.run_sql(&self.url, sql).unwrap()
    }

    /// A node that keeps its lease, however long the machine stands still.
    pub(super) async fn node(&self) -> Arc<PostgresStore> {
        self.node_with_lease(3_600).await
    }

    /// A node that renews its lease, and looks at the other nodes, every five seconds.
    pub(super) async fn renewing_node(&self) -> Arc<PostgresStore> {
        self.node_with_lease(15).await
    }

    async fn node_with_lease(&self, seconds: u64) -> Arc<PostgresStore> {
        let url = format!("{}?lease={seconds}", self.url);
        let options = PostgresOptions::parse(&url).unwrap();
        Arc::new(PostgresStore::open(options).await.unwrap())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A database that cannot be emptied is not used again.
        if SERVER
            .run_sql(
                &self.url,
                "SET client_min_messages = error; DROP SCHEMA IF EXISTS askback CASCADE",
            )
            .is_ok()
        {
            FREE.lock().unwrap().push(self.url.clone());
        }
    }
}

impl TestDatabase for Database {
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        Box::pin(async move {
            let options = PostgresOptions::parse(&self.url)?;
            let store = PostgresStore::open(options).await?;
            Ok(Arc::new(store) as Arc<dyn Store>)
        })
    }
}

askback_store_testing::store_conformance!(super::Database::new());

/// Statements that are not prepared, for poolers in transaction mode.
mod unprepared {
    use super::*;

    pub(super) struct Unprepared(Database);

    impl Unprepared {
        pub(super) fn new() -> Unprepared {
            Unprepared(Database::new())
        }
    }

    impl TestDatabase for Unprepared {
        fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
            Box::pin(async move {
                let url = format!("{}?prepare=off", self.0.url);
                let store = PostgresStore::open(PostgresOptions::parse(&url)?).await?;
                Ok(Arc::new(store) as Arc<dyn Store>)
            })
        }
    }

    askback_store_testing::store_conformance!(super::Unprepared::new());
}
