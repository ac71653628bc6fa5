//! Goal: concurrent writes share transactions without sharing failures, and whatever goes wrong
//! with the disk, nothing is half-written and the writer continues.

use std::time::Duration;

use rusqlite::ErrorCode;
use tokio::task::{JoinSet, yield_now};

use super::*;
use crate::sqlite::connection::{open_reader, open_writer};
use crate::sqlite::options::SqliteOptions;
use tempfile::TempDir;

/// A writer with a table for tests.
struct WriterFixture {
    writer: Arc<Writer>,
    scratch: TempDir,
}

fn options() -> SqliteOptions {
    SqliteOptions {
        busy_timeout: Duration::from_mins(1),
        ..SqliteOptions::default()
    }
}

impl WriterFixture {
    fn new(options: &SqliteOptions) -> WriterFixture {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("fixture.db");
        let file = Arc::new(DatabaseFile::lock(&path).unwrap());
        let connection = open_writer(&path, options).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE things (number INTEGER PRIMARY KEY, text TEXT) STRICT;
                 CREATE TABLE parts (thing INTEGER NOT NULL REFERENCES things (number)
                     DEFERRABLE INITIALLY DEFERRED) STRICT;",
            )
            .unwrap();
        file.watch(None).unwrap();
        let writer = Writer::start(connection, file, options, Arc::default()).unwrap();
        WriterFixture {
            writer: Arc::new(writer),
            scratch,
        }
    }

    fn second_connection(&self) -> Connection {
        open_writer(&self.scratch.path().join("fixture.db"), &options()).unwrap()
    }

    fn insert(&self, number: i64) -> impl Future<Output = Result<i64, StoreError>> + use<> {
        let writer = Arc::clone(&self.writer);
        async move {
            let text = "x".repeat(2000);
            let insert = move |transaction: &Connection| {
                transaction.execute("INSERT INTO things VALUES (?1, ?2)", (number, &text))?;
                Ok(Written::from(number))
            };
            writer.write(insert).await
        }
    }

    async fn execute(&self, sql: &'static str) -> Result<(), StoreError> {
        let execute = move |transaction: &Connection| {
            transaction.execute_batch(sql)?;
            Ok(Written::from(()))
        };
        self.writer.write(execute).await
    }

    fn things(&self) -> Vec<i64> {
        let path = self.scratch.path().join("fixture.db");
        let connection = open_reader(&path, &options()).unwrap();
        let mut statement = connection
            .prepare("SELECT number FROM things ORDER BY number")
            .unwrap();
        let numbers = statement.query_map([], |row| row.get(0)).unwrap();
        numbers.collect::<rusqlite::Result<_>>().unwrap()
    }

    /// Blocks the writer in a transaction until the returned value is dropped. Later writes
    /// share the next transaction.
    async fn block(&self) -> Sender<()> {
        let (held, release) = mpsc::channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let mut begun = Some(begun);
        let writer = Arc::clone(&self.writer);
        tokio::spawn(async move {
            let wait = move |_: &Connection| {
                begun.take().unwrap().send(()).unwrap();
                // Nothing is ever sent: this waits until the sender is dropped.
                release.recv().unwrap_err();
                Ok(Written::from(()))
            };
            writer.write(wait).await
        });
        has_begun.await.unwrap();
        held
    }

    /// Waits until that many writes are queued or running.
    async fn wait_until_queued(&self, items: usize) {
        let waiting = async {
            while self.writer.queue_permits.available_permits() > QUEUE_MAX - items {
                yield_now().await;
            }
        };
        let waiting = tokio::time::timeout(Duration::from_mins(1), waiting).await;
        waiting.expect("all of them are queued");
    }
}

#[tokio::test]
async fn a_single_write_is_one_transaction() {
    let fixture = WriterFixture::new(&options());
    for number in 1..=10 {
        fixture.insert(number).await.unwrap();
        assert_eq!(fixture.writer.transactions(), number.cast_unsigned());
    }
    fixture.insert(1).await.unwrap_err();
    assert_eq!(fixture.writer.transactions(), 10);
}

#[tokio::test]
async fn concurrent_writes_share_a_transaction() {
    let fixture = WriterFixture::new(&options());
    let held = fixture.block().await;
    let mut waiters = JoinSet::new();
    for number in 1..=64 {
        waiters.spawn(fixture.insert(number));
    }
    fixture.wait_until_queued(65).await;
    drop(held);
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    assert_eq!(fixture.things(), (1..=64).collect::<Vec<_>>());
    // One for the write that blocked, and one for all others.
    assert_eq!(fixture.writer.transactions(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_writes_than_the_queue_holds_all_succeed() {
    let fixture = WriterFixture::new(&options());
    let mut waiters = JoinSet::new();
    let all = 1..=3 * i64::try_from(QUEUE_MAX).unwrap();
    for number in all.clone() {
        waiters.spawn(fixture.insert(number));
    }
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    assert_eq!(fixture.things(), all.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_refused_write_does_not_affect_others() {
    let fixture = WriterFixture::new(&options());
    let held = fixture.block().await;
    let mut waiters = JoinSet::new();
    for number in 1..=30 {
        // Every third number is inserted twice; one of the two is refused.
        waiters.spawn(fixture.insert(number));
        if number % 3 == 0 {
            waiters.spawn(fixture.insert(number));
        }
    }
    fixture.wait_until_queued(41).await;
    drop(held);
    let outcomes = waiters.join_all().await;
    let refused = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(StoreError::Conflict)));
    assert_eq!(refused.count(), 10);
    assert_eq!(fixture.things(), (1..=30).collect::<Vec<_>>());
    assert_eq!(fixture.writer.transactions(), 2);
}

/// A write that fails after its first statement leaves nothing, and those beside it are not lost.
#[tokio::test]
async fn a_write_that_fails_in_the_middle_leaves_nothing() {
    let fixture = WriterFixture::new(&options());
    let held = fixture.block().await;
    let mut waiters = JoinSet::new();
    for number in 1..=5 {
        waiters.spawn(fixture.insert(number));
    }
    let half = fixture
        .execute("INSERT INTO things VALUES (70, 'a'); INSERT INTO things VALUES (70, 'b');");
    let release = async {
        fixture.wait_until_queued(7).await;
        drop(held);
    };
    let (half, ()) = tokio::join!(half, release);
    assert!(matches!(half, Err(StoreError::Conflict)), "{half:?}");
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    assert_eq!(fixture.things(), [1, 2, 3, 4, 5]);
    assert_eq!(fixture.writer.transactions(), 2);
}

#[tokio::test]
async fn a_failed_commit_fails_its_batch_and_the_writer_continues() {
    let fixture = WriterFixture::new(&options());
    fixture.insert(1).await.unwrap();
    let held = fixture.block().await;
    let mut waiters = JoinSet::new();
    for number in 2..=20 {
        waiters.spawn(fixture.insert(number));
    }
    // The deferred foreign key fails at the commit.
    let broken = fixture.execute("INSERT INTO parts VALUES (99)");
    let release = async {
        fixture.wait_until_queued(21).await;
        drop(held);
    };
    let (broken, ()) = tokio::join!(broken, release);
    assert!(matches!(broken, Err(StoreError::Unavailable(_))));
    for outcome in waiters.join_all().await {
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))));
    }
    assert_eq!(fixture.things(), [1]);
    fixture.insert(2).await.unwrap();
    assert_eq!(fixture.things(), [1, 2]);
}

/// A failed commit may be on disk. Its callers get `CommitUnknown`, the database is opened
/// again, and what can be read then is final.
#[tokio::test]
async fn an_unknown_result_is_reported_and_the_writer_continues() {
    for (fault, found) in [
        (CommitFault::Written, vec![1, 2]),
        (CommitFault::NotWritten, vec![1]),
    ] {
        let options = options();
        let fixture = WriterFixture::new(&options);
        fixture.insert(1).await.unwrap();
        // A temporary table disappears with its connection.
        fixture.execute("CREATE TEMP TABLE mark (x)").await.unwrap();
        options.faults.inject(fault);
        let unknown = fixture.insert(2).await.unwrap_err();
        assert!(matches!(unknown, StoreError::CommitUnknown(_)), "{unknown}");
        assert_eq!(fixture.things(), found, "{fault:?}");
        let mark = fixture.execute("SELECT x FROM mark").await;
        mark.expect_err("the connection is another one");
        fixture.insert(3).await.unwrap();
        let expected: Vec<i64> = found.into_iter().chain([3]).collect();
        assert_eq!(fixture.things(), expected, "{fault:?}");
    }
}

/// A database that cannot be opened again refuses writes until it can.
#[tokio::test]
async fn nothing_is_written_before_the_database_is_reopened() {
    let options = options();
    let fixture = WriterFixture::new(&options);
    fixture.insert(1).await.unwrap();
    options.faults.fail_reopening(true);
    options.faults.inject(CommitFault::NotWritten);
    let unknown = fixture.insert(2).await.unwrap_err();
    assert!(matches!(unknown, StoreError::CommitUnknown(_)), "{unknown}");
    let refusal = fixture.insert(2).await.unwrap_err();
    assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
    assert!(!fixture.writer.is_healthy());
    options.faults.fail_reopening(false);
    // No write is needed to notice it.
    let works = async {
        while !fixture.writer.is_healthy() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let works = tokio::time::timeout(Duration::from_mins(1), works).await;
    works.expect("it is reopened");
    fixture.insert(2).await.unwrap();
    assert_eq!(fixture.things(), [1, 2]);
}

/// A panic in a write fails its batch, and the writer continues.
#[tokio::test]
async fn a_panic_fails_its_batch_and_the_writer_continues() {
    let fixture = WriterFixture::new(&options());
    fixture.insert(1).await.unwrap();
    let held = fixture.block().await;
    let neighbour = tokio::spawn(fixture.insert(2));
    fixture.wait_until_queued(2).await;
    let panic = fixture.writer.write::<(), _>(|_| panic!("a mistake"));
    let release = async {
        fixture.wait_until_queued(3).await;
        drop(held);
    };
    let (panicked, ()) = tokio::join!(panic, release);
    for outcome in [panicked, neighbour.await.unwrap().map(drop)] {
        let told = outcome.unwrap_err();
        assert!(matches!(told, StoreError::CommitUnknown(_)), "{told}");
    }
    assert_eq!(fixture.things(), [1]);
    assert!(fixture.writer.is_healthy());
    fixture.insert(2).await.unwrap();
    assert_eq!(fixture.things(), [1, 2]);
}

#[tokio::test]
async fn a_full_disk_refuses_writes_until_there_is_space() {
    let fixture = WriterFixture::new(&options());
    fixture.execute("PRAGMA max_page_count = 40").await.unwrap();
    let mut written = 0;
    let refusal = loop {
        match fixture.insert(written + 1).await {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(written > 10);
    assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
    fixture.insert(written + 1).await.unwrap_err();
    let failures = fixture.writer.failures().expect("readiness must know");
    assert_eq!(fixture.things(), (1..=written).collect::<Vec<_>>());
    fixture
        .execute("PRAGMA max_page_count = 4000")
        .await
        .unwrap();
    fixture.insert(written + 1).await.unwrap();
    fixture.writer.forget_failures(failures);
    assert_eq!(fixture.writer.failures(), None);
    assert_eq!(fixture.things(), (1..=written + 1).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_read_only_database_refuses_writes() {
    let fixture = WriterFixture::new(&options());
    fixture.execute("PRAGMA query_only = ON").await.unwrap();
    let refusal = fixture.insert(1).await.unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the store is not available: the database file or its directory is not writable (SQLite \
         code 8)"
    );
    assert_eq!(fixture.things(), [0; 0]);
}

#[tokio::test]
async fn a_locked_database_refuses_writes_until_it_is_free() {
    let fixture = WriterFixture::new(&SqliteOptions {
        busy_timeout: Duration::from_millis(5),
        ..options()
    });
    let other = fixture.second_connection();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refusal = fixture.insert(1).await.unwrap_err();
    let sentence = refusal.to_string();
    assert!(
        sentence.contains("another process has locked"),
        "{sentence}"
    );
    other.execute_batch("COMMIT").unwrap();
    fixture.insert(1).await.unwrap();
}

#[tokio::test]
async fn closing_writes_the_queue_and_refuses_later_writes() {
    let fixture = WriterFixture::new(&options());
    let mut waiters = JoinSet::new();
    for number in 1..=50 {
        waiters.spawn(fixture.insert(number));
    }
    fixture.wait_until_queued(50).await;
    fixture.writer.close();
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    let late = fixture.insert(51).await.unwrap_err();
    let sentence = "the store is not available: the store is closed";
    assert_eq!(late.to_string(), sentence);
    assert_eq!(fixture.things(), (1..=50).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_cancelled_caller_does_not_stop_the_write() {
    let fixture = WriterFixture::new(&options());
    let other = fixture.second_connection();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiter = tokio::spawn(fixture.insert(1));
    fixture.wait_until_queued(1).await;
    waiter.abort();
    other.execute_batch("COMMIT").unwrap();
    fixture.insert(2).await.unwrap();
    assert_eq!(fixture.things(), [1, 2]);
}

#[test]
fn readers_cannot_write() {
    let fixture = WriterFixture::new(&options());
    let path = fixture.scratch.path().join("fixture.db");
    let reader = open_reader(&path, &options()).unwrap();
    let refusal = reader.execute_batch("DELETE FROM things").unwrap_err();
    assert_eq!(refusal.sqlite_error_code(), Some(ErrorCode::ReadOnly));
}
