//! Goal: a process that is killed at any point loses no acknowledged commit and leaves nothing
//! half-written. A child process (this binary) commits and prints what was acknowledged. It is killed,
//! the database is opened again, and its output is compared with what is stored.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use askback_store::{
    Commit, DraftRow, InquiryChange, InquiryRow, NewConversation, NewJob, NewRecord, NewResolution,
    RequestKey, Snapshot, SqliteOptions, SqliteStore, Store, StoreError,
};
use jiff::Timestamp;
use rusqlite::Connection;
use tokio::task::JoinSet;

use super::workdir::Workdir;

const DATABASES: u64 = 5;
/// One database is used for many kills, so that each starts from what the previous ones left.
const KILLS_PER_DATABASE: u64 = 12;
const TASKS: u64 = 8;

/// Far longer than a child takes for one line, even on a busy machine.
const LINE_TIMEOUT: Duration = Duration::from_mins(2);

const DATABASE: &str = "ASKBACK_TEST_CRASH_DATABASE";
const ROUND: &str = "ASKBACK_TEST_CRASH_ROUND";

/// Queries that must find no row, because every commit is stored completely.
const HALVES: &[&str] = &[
    "SELECT 1 FROM conversations c
     WHERE version <> (SELECT sum(json_extract(body, '$.events')) FROM records r
                       WHERE r.conversation = c.number)",
    "SELECT 1 FROM conversations c JOIN inquiries i ON i.conversation = c.number
     WHERE (c.version = 2) <> (i.status = 0)",
    "SELECT 1 FROM conversations c
     WHERE 1 <> (SELECT count(*) FROM inquiries i WHERE i.conversation = c.number)",
    "SELECT 1 FROM conversations c
     WHERE (c.version = 2) <> (SELECT count(*) FROM jobs j WHERE j.conversation = c.number)",
    "SELECT 1 FROM conversations c
     WHERE 1 <> (SELECT count(*) FROM request_keys k WHERE k.conversation = c.number)",
    "SELECT 1 FROM drafts d JOIN inquiries i ON i.number = d.inquiry WHERE i.status <> 0",
    "SELECT 1 FROM (SELECT sum(json_extract(body, '$.events')) AS n, max(last) AS last FROM records)
     WHERE n <> last",
];

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_any_kill() {
    let mut acknowledged = 0;
    for database in 0..DATABASES {
        let workdir = Workdir::new();
        for kill in 0..KILLS_PER_DATABASE {
            let said = kill_a_child(&workdir.database(), database * KILLS_PER_DATABASE + kill);
            let store = SqliteStore::open(&workdir.database(), SqliteOptions::default()).unwrap();
            for line in &said {
                assert_is_there(&store, line).await;
            }
            drop(store);
            assert_nothing_is_half_written(&workdir.database());
            acknowledged += said.len();
        }
        assert_is_sound(&workdir.database());
    }
    assert!(acknowledged > 1000, "only {acknowledged} were acknowledged");
}

/// Starts a child, kills it after some lines and some yields, and returns all of its output.
fn kill_a_child(database: &Path, round: u64) -> Vec<String> {
    let binary = std::env::current_exe().unwrap();
    let mut child = Command::new(binary)
        .args(["suite::crash::child_commits_until_it_is_killed", "--exact"])
        .arg("--nocapture")
        .env(DATABASE, database)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = acknowledged(BufReader::new(child.stdout.take().unwrap()));
    let mut random = mix(round);
    // Some are killed while opening the database.
    let lines = if round % 6 == 5 { 0 } else { random % 160 };
    let mut said = Vec::new();
    while u64::try_from(said.len()).unwrap() < lines {
        let Ok(line) = output.recv_timeout(LINE_TIMEOUT) else {
            child.kill().unwrap();
            panic!("the child does not go on until it is killed");
        };
        said.push(line);
    }
    random = mix(random);
    for _ in 0..random % 100_000 {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    said.extend(output.iter());
    said
}

/// Reads the output of a child on a thread, so that the test can time out.
fn acknowledged(mut output: impl BufRead + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        while let Some(line) = next_line(&mut output) {
            // A test that has failed no longer receives.
            drop(sender.send(line));
        }
    });
    receiver
}

/// The next acknowledged commit. `None` at the end; an incomplete line does not count.
fn next_line(output: &mut impl BufRead) -> Option<String> {
    loop {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        // The test runner prints, too, and not always on separate lines.
        if let Some((_, what)) = line.strip_suffix('\n')?.split_once("ack ") {
            return Some(what.to_owned());
        }
    }
}

async fn assert_is_there(store: &SqliteStore, line: &str) {
    let (what, number) = line.split_once(' ').unwrap();
    let number: u128 = number.parse().unwrap();
    let loaded = store.load(&ConversationId::from(number)).await.unwrap();
    let version = loaded.unwrap().row.snapshot.version;
    let inquiry = store.inquiry(&InquiryId::from(number)).await.unwrap();
    let status = inquiry.unwrap().status;
    match what {
        "asked" => assert!(version >= 2, "{line}"),
        "answered" => assert_eq!((version, status.as_str()), (3, "answered"), "{line}"),
        "drafted" => {
            let draft = store.draft(&InquiryId::from(number)).await.unwrap();
            assert!(draft.is_some() || status == "answered", "{line}");
        }
        other => panic!("the child said {other}"),
    }
}

fn assert_nothing_is_half_written(database: &Path) {
    let connection = Connection::open(database).unwrap();
    for sql in HALVES {
        assert!(
            !connection.prepare(sql).unwrap().exists([]).unwrap(),
            "{sql}"
        );
    }
}

fn assert_is_sound(database: &Path) {
    let connection = Connection::open(database).unwrap();
    let mut check = connection.prepare("PRAGMA foreign_key_check").unwrap();
    assert!(!check.exists([]).unwrap());
    let sound: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
}

/// Does nothing unless it runs as a child of the test above.
#[tokio::test(flavor = "multi_thread")]
async fn child_commits_until_it_is_killed() {
    let (Ok(database), Ok(round)) = (std::env::var(DATABASE), std::env::var(ROUND)) else {
        return;
    };
    let round: u64 = round.parse().unwrap();
    let store = SqliteStore::open(Path::new(&database), SqliteOptions::default()).unwrap();
    let store = Arc::new(store);
    let mut tasks = JoinSet::new();
    for task in 0..TASKS {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let first = (round * TASKS + task) << 32;
            for number in first.. {
                one_cycle(&store, number.into()).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
}

async fn one_cycle(store: &SqliteStore, number: u128) -> Result<(), StoreError> {
    let committed = store.commit(asks(number)).await?;
    say("asked", number);
    let draft = DraftRow {
        inquiry: InquiryId::from(number),
        json: "{}".to_owned(),
        at: Timestamp::UNIX_EPOCH,
    };
    store.put_draft(draft).await?;
    say("drafted", number);
    let mut answer = commit(number, 1);
    answer.expected_version = Some(2);
    answer.create = None;
    answer.snapshot.version = 3;
    answer.inquiries = vec![InquiryChange::Resolve(NewResolution {
        id: InquiryId::from(number),
        status: "answered".to_owned(),
        json: "{}".to_owned(),
    })];
    answer.finished_jobs = committed.jobs;
    store.commit(answer).await?;
    say("answered", number);
    Ok(())
}

fn asks(number: u128) -> Commit {
    let mut commit = commit(number, 2);
    let id = InquiryId::from(number);
    let row = InquiryRow::new(id, commit.conversation.clone(), "ask_user", commit.at);
    commit.inquiries = vec![InquiryChange::Ask {
        inquiry: Box::new(InquiryRow {
            json: "{\"questions\":[]}".to_owned(),
            ..row
        }),
        asker: None,
    }];
    commit.jobs = vec![NewJob {
        queue: "timer".to_owned(),
        kind: "timer".to_owned(),
        json: "{}".to_owned(),
        run_at: Timestamp::UNIX_EPOCH,
        timer_of: None,
        claim_at_once: false,
    }];
    commit.keys = vec![RequestKey {
        key: format!("key {number}"),
        request: [1; 32],
    }];
    commit
}

/// A commit that creates a conversation with this many events.
fn commit(number: u128, events: u64) -> Commit {
    let text = "x".repeat(300);
    let record = NewRecord {
        positions: events,
        body: format!("{{\"events\":{events},\"text\":\"{text}\"}}"),
    };
    Commit {
        conversation: ConversationId::from(number),
        expected_version: None,
        create: Some(NewConversation {
            driver: "external".to_owned(),
            app: None,
            parent: None,
        }),
        snapshot: Snapshot {
            version: 2,
            state: "idle".to_owned(),
            title: None,
            json: "{}".to_owned(),
        },
        record: Some(record),
        inquiries: Vec::new(),
        jobs: Vec::new(),
        obsolete_timers: Vec::new(),
        finished_jobs: Vec::new(),
        closes: false,
        keys: Vec::new(),
        at: Timestamp::UNIX_EPOCH,
    }
}

/// Writes one line, complete or not at all.
#[expect(
    clippy::disallowed_methods,
    reason = "for the test that started this process"
)]
fn say(what: &str, number: u128) {
    let line = format!("ack {what} {number}\n");
    let mut output = std::io::stdout().lock();
    output.write_all(line.as_bytes()).unwrap();
    output.flush().unwrap();
}

/// The next pseudo-random number: splitmix64.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
