//! Costs that can be counted: fsyncs per question, memory per pending question.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use askback_core::conversation::Driver;
use askback_core::conversation::command::{Command, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::ConversationId;
use askback_core::inquiry::Inquiry;
use askback_engine::{CommitOptions, ConversationStart, Engine, ListenError};
use askback_store::{SqliteOptions, Store as _};
use askback_wire::list::ListInquiriesParams;
use serde_json::{Value, json};

use super::support::in_process_server::{actor, engine, engine_with};
use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

/// Begins a conversation and waits for its first question.
async fn begin(engine: &Engine) -> ConversationId {
    let new = ConversationStart {
        id: None,
        driver: Driver::BuiltIn,
        app: None,
        parent: None,
        title: None,
        message: Some("go".to_owned()),
        message_id: None,
    };
    let begun = engine.create(new, actor(), CommitOptions::default()).await;
    let begun = begun.expect("it begins");
    let id = begun.conversation.settings.id.clone();
    asks(engine, &id, begun.record.first).await;
    id
}

/// Waits until the conversation asks, after the sequence number `after`.
async fn asks(engine: &Engine, id: &ConversationId, mut after: u64) {
    let asked = async {
        let mut feed = engine.listen(Some(id.clone()), Some(after)).await.unwrap();
        loop {
            let recorded = match feed.next().await {
                Ok(recorded) => recorded,
                // Slower than the others: it goes on from the log.
                Err(ListenError::TooSlow) => {
                    feed = engine.listen(Some(id.clone()), Some(after)).await.unwrap();
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            after = recorded.last;
            let state = recorded.state.as_ref();
            if state.is_some_and(|state| !state.pending().is_empty()) {
                return;
            }
        }
    };
    within("it asks", asked).await;
}

/// Answers the pending question and waits for the next one.
async fn cycle(engine: &Engine, id: &ConversationId) {
    let answer = Command::Answer {
        target: Target::Pending,
        answers: json!({"q1": "Yes"}),
        notes: None,
    };
    let answered = engine.submit(id, answer, actor()).await.expect("it waits");
    asks(engine, id, answered.record.first).await;
}

/// Runs conversations side by side, each through this many cycles, and counts what was written.
async fn transactions_per_cycle(conversations: usize, cycles: usize) -> f64 {
    let directory = Directory::new();
    let (engine, store) = engine(&directory.path().join("counts.db")).await;
    let mut ids = Vec::new();
    for _ in 0..conversations {
        ids.push(begin(&engine).await);
    }
    let before = store.transactions().expect("SQLite counts them");
    let tasks: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let engine = engine.clone();
            tokio::spawn(async move {
                for _ in 0..cycles {
                    cycle(&engine, &id).await;
                }
            })
        })
        .collect();
    for task in tasks {
        within("all cycles end", task).await.expect("no panic");
    }
    let written = store.transactions().expect("SQLite counts them") - before;
    #[expect(clippy::cast_precision_loss, reason = "a few thousand at most")]
    let per_cycle = written as f64 / (conversations * cycles) as f64;
    per_cycle
}

/// Ask and answer are one commit each, and commits of many conversations share fsyncs.
///
/// How many share one depends on the speed of processor and disk, so this test only checks that they do.
/// The tests of the store check the number for commits that wait together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cycle_needs_two_fsyncs_and_fewer_under_load() {
    let alone = transactions_per_cycle(1, 50).await;
    assert!(alone <= 2.0, "alone: {alone}");
    let company = transactions_per_cycle(64, 20).await;
    assert!(company < alone, "64 conversations: {company}");
}

/// A cycle of the built-in agent costs its two commits and no read: what a commit knows is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cycle_reads_nothing() {
    let directory = Directory::new();
    let options = SqliteOptions::default();
    let path = directory.path().join("reads.db");
    let (engine, _store) = engine_with(&path, options.clone()).await;
    let id = begin(&engine).await;
    let mut live = engine.feed().subscribe();
    options.faults.fail_reads(true);
    for _ in 0..3 {
        let answer = Command::Answer {
            target: Target::Pending,
            answers: json!({"q1": "Yes"}),
            notes: None,
        };
        let answered = engine.submit(&id, answer, actor()).await;
        let answered = answered.expect("it waits").record;
        let asked = async {
            loop {
                let record = live.recv().await.expect("not too slow");
                let state = record.state.as_ref().expect("it is live");
                if record.first > answered.first && !state.pending().is_empty() {
                    return;
                }
            }
        };
        within("it asks again", asked).await;
    }
}

fn input(number: usize) -> Value {
    json!({
        "question": format!("Which way should service {number} keep its sessions from now on?"),
        "options": [
            {"label": "Yes", "description": "In the database, beside everything else that must last"},
            {"label": "No", "description": "In memory, gone with the process, as quick as can be"},
        ],
    })
}

fn inquiry(number: usize) -> Inquiry {
    let parsed = Dialect::Question.parse(&input(number), ParseOptions::default());
    parsed.expect("it is right").inquiry
}

/// Asks this many questions, each in its own conversation.
async fn park(path: &Path, questions: usize) {
    let (engine, store) = engine(path).await;
    let tasks: Vec<_> = (0..64)
        .map(|lane| {
            let engine = engine.clone();
            tokio::spawn(async move {
                for number in (lane..questions).step_by(64) {
                    let asked =
                        engine.ask(inquiry(number), None, actor(), CommitOptions::default());
                    asked.await.expect("it is asked");
                }
            })
        })
        .collect();
    for task in tasks {
        within("all are asked", task).await.expect("no panic");
    }
    within("it stops", engine.shut_down()).await;
    drop(engine);
    let closed = async {
        while Arc::strong_count(&store) > 1 {
            tokio::task::yield_now().await;
        }
    };
    within("nothing uses the database", closed).await;
}

/// The memory that a process allocated, in bytes. The pages of its executable do not count: a debug build
/// maps several times the code of a release build, whose whole memory `cargo xtask bench` limits.
fn allocated(pid: u32) -> usize {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))
        .expect("it has memory");
    let kilobytes: usize = line
        .trim()
        .trim_end_matches(" kB")
        .trim()
        .parse()
        .expect("a number");
    kilobytes * 1024
}

/// A pending question is rows in the database: a server with many needs no more memory than one with few,
/// and lists the first ones as fast.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pending_questions_cost_no_memory() {
    const QUESTIONS: usize = 20_000;
    let mut used = Vec::new();
    for questions in [50, QUESTIONS] {
        let directory = Directory::new();
        fs::create_dir_all(directory.path().join("data")).expect("made");
        park(&directory.path().join("data/askback.db"), questions).await;
        let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
        let pending = ListInquiriesParams {
            status: Some("pending".into()),
            ..ListInquiriesParams::default()
        };
        let page = server.client.inquiries(&pending).await.expect("a page");
        assert_eq!(page.items.len(), 50);
        used.push(allocated(server.pid()));
    }
    assert!(used[1] < 24 << 20, "{used:?}");
    let grown = used[1].saturating_sub(used[0]);
    assert!(
        grown <= 64 * QUESTIONS,
        "{} bytes for each pending question",
        grown / QUESTIONS
    );
}

/// The size of a database with this many pending questions, after a graceful shutdown.
async fn disk(questions: usize) -> u64 {
    let directory = Directory::new();
    park(&directory.path().join("disk.db"), questions).await;
    let files = fs::read_dir(directory.path()).expect("it exists");
    let sizes = files.map(|file| file.and_then(|file| file.metadata()).expect("a file").len());
    sizes.sum()
}

/// A pending question takes little more space than its text, with its conversation, its record and the
/// entries of indexes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pending_questions_cost_little_space() {
    const QUESTIONS: usize = 4_000;
    let payload = input(QUESTIONS).to_string().len() as u64;
    let grown = disk(QUESTIONS + 200).await - disk(200).await;
    let each = grown / QUESTIONS as u64;
    assert!(
        each <= 2 * payload + 512,
        "{each} bytes for a question of {payload}"
    );
}

/// What a cycle writes does not grow with the conversation: neither its records nor the snapshot.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cycle_writes_no_more_after_a_long_history() {
    let directory = Directory::new();
    let (engine, store) = engine(&directory.path().join("history.db")).await;
    let id = begin(&engine).await;
    let mut written = Vec::new();
    for cycles in [10, 290] {
        for _ in 0..cycles {
            cycle(&engine, &id).await;
        }
        let newest = store.newest_sequence().await.expect("a number");
        cycle(&engine, &id).await;
        let records = store
            .records(Some(&id), newest, 100)
            .await
            .expect("records");
        let records: usize = records.iter().map(|record| record.body.len()).sum();
        let loaded = store.load(&id).await.expect("a row").expect("it exists");
        written.push(records + loaded.row.snapshot.json.len());
    }
    assert!(written[1] * 10 <= written[0] * 11, "{written:?} bytes");
}
