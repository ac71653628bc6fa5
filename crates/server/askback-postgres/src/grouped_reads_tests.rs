//! Callers share statements, and none of them waits for a reader that is gone.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::sync::Semaphore;

use super::{Found, GroupedReads, KEYS_MAX, STATEMENTS_MAX};
use askback_store::store::StoreError;

/// Rows whose value is their key. Each statement waits for a permit.
struct Table {
    permits: Arc<Semaphore>,
    statements: Arc<Mutex<Vec<Vec<u32>>>>,
    reads: Arc<GroupedReads<u32, u32>>,
}

type Caller = tokio::task::JoinHandle<Result<Option<u32>, StoreError>>;

const MISSING: u32 = 1_000;
const DAMAGED: u32 = 1_001;
const UNAVAILABLE: u32 = 1_002;

fn rows(keys: &[u32]) -> Result<Found<u32, u32>, StoreError> {
    if keys.contains(&UNAVAILABLE) {
        return Err(StoreError::Unavailable("away".to_owned()));
    }
    let row = |key: &u32| match *key {
        MISSING => None,
        DAMAGED => Some((DAMAGED, Err(StoreError::Corrupt("damaged".to_owned())))),
        key => Some((key, Ok(key))),
    };
    Ok(keys.iter().filter_map(row).collect())
}

fn table() -> Table {
    let permits = Arc::new(Semaphore::new(0));
    let statements: Arc<Mutex<Vec<Vec<u32>>>> = Arc::default();
    let (gate, log) = (Arc::clone(&permits), Arc::clone(&statements));
    let reads = GroupedReads::new(move |keys: Vec<u32>| {
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        log.lock().unwrap().push(sorted);
        let gate = Arc::clone(&gate);
        async move {
            gate.acquire().await.unwrap().forget();
            rows(&keys)
        }
    });
    Table {
        permits,
        statements,
        reads: Arc::new(reads),
    }
}

impl Table {
    fn get(&self, key: u32) -> Caller {
        let reads = Arc::clone(&self.reads);
        tokio::spawn(async move { reads.get(key).await })
    }

    /// Callers beyond the first ones, which occupy every statement.
    async fn get_all(&self, keys: impl Iterator<Item = u32>) -> Vec<Caller> {
        let callers = keys.map(|key| self.get(key)).collect();
        settle().await;
        callers
    }

    fn statements(&self) -> Vec<Vec<u32>> {
        self.statements.lock().unwrap().clone()
    }
}

/// What the callers got.
async fn rows_of(callers: Vec<Caller>) -> Vec<Result<Option<u32>, StoreError>> {
    let rows = join_all(callers).await.into_iter();
    rows.map(Result::unwrap).collect()
}

/// Lets all tasks run until they wait.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

#[tokio::test(start_paused = true)]
async fn callers_that_wait_share_a_statement() {
    let table = table();
    let callers = table.get_all(0..10).await;
    assert_eq!(table.statements(), [vec![0], vec![1]]);
    table.permits.add_permits(3);
    let found = join_all(callers).await;
    let found: Vec<_> = found.into_iter().map(|row| row.unwrap().unwrap()).collect();
    assert_eq!(found, (0..10).map(Some).collect::<Vec<_>>());
    assert_eq!(table.statements()[2..], [(2..10).collect::<Vec<_>>()]);
}

#[tokio::test(start_paused = true)]
async fn a_statement_has_a_limited_number_of_keys() {
    let table = table();
    let count = u32::try_from(STATEMENTS_MAX + KEYS_MAX + 5).unwrap();
    let callers = table.get_all(0..count).await;
    table.permits.add_permits(4);
    join_all(callers).await;
    let lengths: Vec<_> = table.statements().iter().map(Vec::len).collect();
    assert_eq!(lengths, [1, 1, KEYS_MAX, 5]);
}

/// What one row is does not matter to those who share the statement.
#[tokio::test(start_paused = true)]
async fn each_caller_gets_its_own_row() {
    let table = table();
    let callers = table
        .get_all([0, 1, 2, MISSING, DAMAGED, 2].into_iter())
        .await;
    table.permits.add_permits(3);
    let found = rows_of(callers).await;
    assert!(matches!(found[2], Ok(Some(2))));
    assert!(matches!(found[3], Ok(None)));
    assert!(matches!(&found[4], Err(StoreError::Corrupt(_))));
    assert!(matches!(found[5], Ok(Some(2))));
    let shared = table.statements().pop();
    assert_eq!(shared, Some(vec![2, MISSING, DAMAGED]), "each key once");
}

#[tokio::test(start_paused = true)]
async fn a_failed_statement_fails_all_of_its_callers_and_no_others() {
    let table = table();
    let callers = table.get_all([0, 1, 2, UNAVAILABLE].into_iter()).await;
    table.permits.add_permits(3);
    let found = rows_of(callers).await;
    assert!(matches!(found[0], Ok(Some(0))));
    assert!(matches!(&found[2], Err(StoreError::Unavailable(why)) if why == "away"));
    assert!(matches!(&found[3], Err(StoreError::Unavailable(_))));
    table.permits.add_permits(1);
    assert!(matches!(table.get(4).await.unwrap(), Ok(Some(4))));
}

/// A caller whose client has gone takes nobody else with it.
#[tokio::test(start_paused = true)]
async fn a_reader_that_is_cancelled_passes_its_statement_on() {
    let table = table();
    let mut callers = table.get_all(0..6).await;
    for first in callers.drain(..STATEMENTS_MAX) {
        first.abort();
    }
    // One of those who wait goes, too.
    callers.pop().unwrap().abort();
    settle().await;
    table.permits.add_permits(2);
    let found = rows_of(callers).await;
    assert!(matches!(found[..], [Ok(Some(2)), Ok(Some(3)), Ok(Some(4))]));
    // Every statement is free again.
    let more = table.get_all(10..12).await;
    assert_eq!(table.statements().last(), Some(&vec![11]));
    table.permits.add_permits(2);
    join_all(more).await;
}

/// A server that shuts down drops its futures in any order, also after the runtime.
#[test]
fn callers_are_told_if_no_runtime_is_left() {
    let table = table();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut reads: Vec<_> = (0..4).map(|key| Box::pin(table.reads.get(key))).collect();
    runtime.block_on(async {
        for read in &mut reads {
            assert!(read.as_mut().now_or_never().is_none());
        }
    });
    drop(runtime);
    drop(reads.drain(..STATEMENTS_MAX));
    for read in reads {
        let told = read.now_or_never();
        assert!(matches!(told, Some(Err(StoreError::Unavailable(_)))));
    }
}
