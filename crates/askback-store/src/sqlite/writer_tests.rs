//! Goal: waiters share transactions without sharing each other's failures, and whatever goes wrong
//! with the disk, nothing is half-written and the writer goes on.

use std::time::Duration;

use rusqlite::ErrorCode;
use tokio::task::{JoinSet, yield_now};

use super::*;
use crate::conformance::ScratchDir;
use crate::sqlite::connection::{open_reader, open_writer};
use crate::sqlite::options::SqliteOptions;

/// A writer on a table of its own.
struct Bench {
    writer: Arc<Writer>,
    scratch: ScratchDir,
}

fn options() -> SqliteOptions {
    SqliteOptions {
        busy_timeout: Duration::from_mins(1),
        ..SqliteOptions::default()
    }
}

impl Bench {
    fn new(options: &SqliteOptions) -> Bench {
        let scratch = ScratchDir::new().unwrap();
        let path = scratch.path().join("bench.db");
        let connection = open_writer(&path, options).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE things (number INTEGER PRIMARY KEY, text TEXT) STRICT;
                 CREATE TABLE parts (thing INTEGER NOT NULL REFERENCES things (number)
                     DEFERRABLE INITIALLY DEFERRED) STRICT;",
            )
            .unwrap();
        let writer = Writer::start(connection, &path, options, Arc::default()).unwrap();
        Bench {
            writer: Arc::new(writer),
            scratch,
        }
    }

    fn second_connection(&self) -> Connection {
        open_writer(&self.scratch.path().join("bench.db"), &options()).unwrap()
    }

    fn insert(&self, number: i64) -> impl Future<Output = Result<i64, StoreError>> + use<> {
        let writer = Arc::clone(&self.writer);
        async move {
            let text = "x".repeat(2000);
            let insert = move |transaction: &Connection| {
                transaction.execute("INSERT INTO things VALUES (?1, ?2)", (number, text))?;
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
        let path = self.scratch.path().join("bench.db");
        let connection = open_reader(&path, &options()).unwrap();
        let mut statement = connection
            .prepare("SELECT number FROM things ORDER BY number")
            .unwrap();
        let numbers = statement.query_map([], |row| row.get(0)).unwrap();
        numbers.collect::<rusqlite::Result<_>>().unwrap()
    }

    /// Holds the writer up in a transaction until the returned value is dropped. What comes
    /// meanwhile shares the next one.
    async fn hold(&self) -> Sender<()> {
        let (held, release) = mpsc::channel::<()>();
        let (begun, has_begun) = oneshot::channel();
        let writer = Arc::clone(&self.writer);
        tokio::spawn(async move {
            let wait = move |_: &Connection| {
                begun.send(()).unwrap();
                // Nothing is ever sent: this is the wait for the other side to be dropped.
                release.recv().unwrap_err();
                Ok(Written::from(()))
            };
            writer.write(wait).await
        });
        has_begun.await.unwrap();
        held
    }

    /// Waits until so many items have been sent and not settled.
    async fn until_waiting(&self, items: usize) {
        let waiting = async {
            while self.writer.room.available_permits() > WAITING_MAX - items {
                yield_now().await;
            }
        };
        let waiting = tokio::time::timeout(Duration::from_mins(1), waiting).await;
        waiting.expect("they all come to wait");
    }
}

#[tokio::test]
async fn a_lone_commit_is_one_transaction() {
    let bench = Bench::new(&options());
    for number in 1..=10 {
        bench.insert(number).await.unwrap();
        assert_eq!(bench.writer.transactions(), number.cast_unsigned());
    }
    bench.insert(1).await.unwrap_err();
    assert_eq!(bench.writer.transactions(), 10);
}

#[tokio::test]
async fn sixty_four_waiters_share_a_transaction() {
    let bench = Bench::new(&options());
    let held = bench.hold().await;
    let mut waiters = JoinSet::new();
    for number in 1..=64 {
        waiters.spawn(bench.insert(number));
    }
    bench.until_waiting(65).await;
    drop(held);
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    assert_eq!(bench.things(), (1..=64).collect::<Vec<_>>());
    // One for what held the writer up, and one for all that came meanwhile.
    assert_eq!(bench.writer.transactions(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn more_waiters_than_there_is_room_all_get_through() {
    let bench = Bench::new(&options());
    let mut waiters = JoinSet::new();
    let all = 1..=3 * i64::try_from(WAITING_MAX).unwrap();
    for number in all.clone() {
        waiters.spawn(bench.insert(number));
    }
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    assert_eq!(bench.things(), all.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_refused_item_leaves_its_neighbours_alone() {
    let bench = Bench::new(&options());
    let held = bench.hold().await;
    let mut waiters = JoinSet::new();
    for number in 1..=30 {
        // Every third comes twice; one of the two is refused.
        waiters.spawn(bench.insert(number));
        if number % 3 == 0 {
            waiters.spawn(bench.insert(number));
        }
    }
    bench.until_waiting(41).await;
    drop(held);
    let outcomes = waiters.join_all().await;
    let refused = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Err(StoreError::Conflict)));
    assert_eq!(refused.count(), 10);
    assert_eq!(bench.things(), (1..=30).collect::<Vec<_>>());
    assert_eq!(bench.writer.transactions(), 2);
}

#[tokio::test]
async fn a_commit_that_fails_fails_for_all_and_the_writer_goes_on() {
    let bench = Bench::new(&options());
    bench.insert(1).await.unwrap();
    let held = bench.hold().await;
    let mut waiters = JoinSet::new();
    for number in 2..=20 {
        waiters.spawn(bench.insert(number));
    }
    // A reference to nothing is found out when all of it is committed.
    let broken = bench.execute("INSERT INTO parts VALUES (99)");
    let release = async {
        bench.until_waiting(21).await;
        drop(held);
    };
    let (broken, ()) = tokio::join!(broken, release);
    assert!(matches!(broken, Err(StoreError::Unavailable(_))));
    for outcome in waiters.join_all().await {
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))));
    }
    assert_eq!(bench.things(), [1]);
    bench.insert(2).await.unwrap();
    assert_eq!(bench.things(), [1, 2]);
}

/// F-S15: a commit that failed may be on disk. Its callers are told that nobody knows, the database is
/// opened anew, and what is read then stays.
#[tokio::test]
async fn a_commit_of_unknown_result_is_told_as_such_and_the_writer_goes_on() {
    for (fault, found) in [
        (CommitFault::Written, vec![1, 2]),
        (CommitFault::NotWritten, vec![1]),
    ] {
        let options = options();
        let bench = Bench::new(&options);
        bench.insert(1).await.unwrap();
        // It is gone with its connection.
        bench.execute("CREATE TEMP TABLE mark (x)").await.unwrap();
        options.faults.inject(fault);
        let unknown = bench.insert(2).await.unwrap_err();
        assert!(matches!(unknown, StoreError::CommitUnknown(_)), "{unknown}");
        assert_eq!(bench.things(), found, "{fault:?}");
        let mark = bench.execute("SELECT x FROM mark").await;
        mark.expect_err("the connection is another one");
        bench.insert(3).await.unwrap();
        let expected: Vec<i64> = found.into_iter().chain([3]).collect();
        assert_eq!(bench.things(), expected, "{fault:?}");
    }
}

/// F-S15: a database that cannot be opened anew takes nothing until it can be.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_before_the_database_is_opened_anew() {
    let options = options();
    let bench = Bench::new(&options);
    bench.insert(1).await.unwrap();
    let (path, away) = (
        bench.scratch.path().join("bench.db"),
        bench.scratch.path().join("away.db"),
    );
    std::fs::rename(&path, &away).unwrap();
    options.faults.inject(CommitFault::NotWritten);
    let unknown = bench.insert(2).await.unwrap_err();
    assert!(matches!(unknown, StoreError::CommitUnknown(_)), "{unknown}");
    let refusal = bench.insert(2).await.unwrap_err();
    assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
    assert!(!bench.writer.is_working());
    assert!(!path.exists(), "no database is made in its place");
    std::fs::rename(&away, &path).unwrap();
    // F-S33: nobody has to write for that to be noticed.
    let works = async {
        while !bench.writer.is_working() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let works = tokio::time::timeout(Duration::from_mins(1), works).await;
    works.expect("it is opened anew");
    bench.insert(2).await.unwrap();
    assert_eq!(bench.things(), [1, 2]);
}

/// F-S33: a panic while writing fails those who were written together, and the writer goes on.
#[tokio::test]
async fn a_panic_fails_its_batch_and_the_writer_goes_on() {
    let bench = Bench::new(&options());
    bench.insert(1).await.unwrap();
    let held = bench.hold().await;
    let neighbour = tokio::spawn(bench.insert(2));
    bench.until_waiting(2).await;
    let panic = bench.writer.write::<(), _>(|_| panic!("a mistake"));
    let release = async {
        bench.until_waiting(3).await;
        drop(held);
    };
    let (panicked, ()) = tokio::join!(panic, release);
    for outcome in [panicked, neighbour.await.unwrap().map(drop)] {
        let told = outcome.unwrap_err();
        assert!(matches!(told, StoreError::CommitUnknown(_)), "{told}");
    }
    assert_eq!(bench.things(), [1]);
    assert!(bench.writer.is_working());
    bench.insert(2).await.unwrap();
    assert_eq!(bench.things(), [1, 2]);
}

#[tokio::test]
async fn a_full_disk_refuses_and_takes_again_when_there_is_room() {
    let bench = Bench::new(&options());
    bench.execute("PRAGMA max_page_count = 40").await.unwrap();
    let mut written = 0;
    let refusal = loop {
        match bench.insert(written + 1).await {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(written > 10);
    assert!(matches!(refusal, StoreError::Unavailable(_)), "{refusal}");
    bench.insert(written + 1).await.unwrap_err();
    assert_eq!(bench.things(), (1..=written).collect::<Vec<_>>());
    bench.execute("PRAGMA max_page_count = 4000").await.unwrap();
    bench.insert(written + 1).await.unwrap();
    assert_eq!(bench.things(), (1..=written + 1).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_read_only_database_refuses() {
    let bench = Bench::new(&options());
    bench.execute("PRAGMA query_only = ON").await.unwrap();
    let refusal = bench.insert(1).await.unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the store is not available: the database file or its directory cannot be written (SQLite \
         code 8)"
    );
    assert_eq!(bench.things(), [0; 0]);
}

#[tokio::test]
async fn a_locked_database_refuses_and_takes_again_when_it_is_free() {
    let bench = Bench::new(&SqliteOptions {
        busy_timeout: Duration::from_millis(5),
        ..options()
    });
    let other = bench.second_connection();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refusal = bench.insert(1).await.unwrap_err();
    let sentence = refusal.to_string();
    assert!(sentence.contains("locked by another process"), "{sentence}");
    other.execute_batch("COMMIT").unwrap();
    bench.insert(1).await.unwrap();
}

#[tokio::test]
async fn closing_writes_what_waits_and_refuses_what_comes_later() {
    let bench = Bench::new(&options());
    let mut waiters = JoinSet::new();
    for number in 1..=50 {
        waiters.spawn(bench.insert(number));
    }
    bench.until_waiting(50).await;
    bench.writer.close();
    for outcome in waiters.join_all().await {
        outcome.unwrap();
    }
    let late = bench.insert(51).await.unwrap_err();
    let sentence = "the store is not available: the store is closed";
    assert_eq!(late.to_string(), sentence);
    assert_eq!(bench.things(), (1..=50).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_caller_that_gives_up_does_not_stop_the_write() {
    let bench = Bench::new(&options());
    let other = bench.second_connection();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiter = tokio::spawn(bench.insert(1));
    bench.until_waiting(1).await;
    waiter.abort();
    other.execute_batch("COMMIT").unwrap();
    bench.insert(2).await.unwrap();
    assert_eq!(bench.things(), [1, 2]);
}

#[test]
fn readers_cannot_write() {
    let bench = Bench::new(&options());
    let path = bench.scratch.path().join("bench.db");
    let reader = open_reader(&path, &options()).unwrap();
    let refusal = reader.execute_batch("DELETE FROM things").unwrap_err();
    assert_eq!(refusal.sqlite_error_code(), Some(ErrorCode::ReadOnly));
}
