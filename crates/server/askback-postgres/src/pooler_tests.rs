//! Goal: the store works behind pgbouncer in transaction mode, where every transaction may get another
//! session.

use std::sync::LazyLock;
use std::time::Duration;

use tokio::time::timeout;

use super::*;
use askback_store::RemoteChange;
use askback_store_testing::sample::{conversation, create};
use askback_store_testing::{PgBouncer, PostgresServer, TestDatabase};

/// A server with a pooler for all tests of this file. Both end with the process.
static POOLER: LazyLock<(PostgresServer, Option<PgBouncer>)> = LazyLock::new(|| {
    let server = PostgresServer::start().unwrap();
    if !PgBouncer::is_installed() {
        eprintln!("skipped: pgbouncer is not installed, so these tests use the server itself");
        return (server, None);
    }
    let bouncer = PgBouncer::start(&server).unwrap();
    (server, Some(bouncer))
});

/// The URL of a database through the pooler.
fn pooled_url(database: &str) -> String {
    let (server, bouncer) = &*POOLER;
    let url = bouncer
        .as_ref()
        .map(|bouncer| bouncer.url(server, database));
    url.unwrap_or_else(|| format!("{database}?prepare=off"))
}

struct Pooled {
    database: String,
}

impl Pooled {
    fn new() -> Pooled {
        Pooled {
            database: POOLER.0.create_database().unwrap(),
        }
    }

    async fn store(&self) -> Result<Arc<PostgresStore>, StoreError> {
        let url = pooled_url(&self.database);
        let store = PostgresStore::open(PostgresOptions::parse(&url)?).await?;
        Ok(Arc::new(store))
    }
}

impl TestDatabase for Pooled {
    fn open(&self) -> StoreFuture<'_, Arc<dyn Store>> {
        Box::pin(async move { Ok(self.store().await? as Arc<dyn Store>) })
    }
}

// The cases with the most transactions. All others pass with `prepare=off` on the server itself.
askback_store_testing::store_conformance! { super::Pooled::new();
    commits: one_of_many_concurrent_commits_wins, concurrent_requests_with_one_key_write_once;
    feed: the_feed_has_no_gaps_under_load;
    jobs: a_job_is_claimed_once, jobs_are_brought_forward;
    askers: one_of_many_sessions_takes_over;
    removal: removal_deletes_the_content_of_a_closed_conversation;
    reopening: reopening_keeps_all;
}

/// Waits until a node learns of a record.
async fn learns_of(changes: &mut RemoteChanges, sequence: Sequence) {
    let learned = async { while changes.recv().await != Some(RemoteChange::Records(sequence)) {} };
    timeout(Duration::from_mins(2), learned)
        .await
        .expect("it learns of the record");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_behind_a_pooler_learn_of_each_other() {
    let pooled = Pooled::new();
    let (first, second) = (pooled.store().await.unwrap(), pooled.store().await.unwrap());
    let mut changes = second.remote_changes().unwrap();
    first.commit(create(&conversation(1), 1)).await.unwrap();
    learns_of(&mut changes, 1).await;
}

/// Without an address for the listener, notifications do not arrive. The node asks for news instead.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn without_notifications_a_node_asks_for_news() {
    let pooled = Pooled::new();
    let Some(bouncer) = &POOLER.1 else { return };
    let url = bouncer.url_without_listener(&pooled.database);
    let options = PostgresOptions::parse(&url).unwrap();
    let deaf = PostgresStore::open(options).await.unwrap();
    let mut changes = deaf.remote_changes().unwrap();
    let other = pooled.store().await.unwrap();
    for number in 1..=3_u64 {
        other
            .commit(create(&conversation(u128::from(number)), 1))
            .await
            .unwrap();
        learns_of(&mut changes, number).await;
    }
}
