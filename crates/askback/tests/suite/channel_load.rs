//! Many pending questions with deliveries: the server starts at once, idles without work, and keeps its memory.
//!
//! `ASKBACK_PENDING` is the number of questions, 200 by default, 2,000 in a full run; 10,000 is the figure of the requirement.

use std::fs;
use std::time::Duration;

use askback_client::Client;
use askback_core::id::InquiryId;
use askback_wire::channel::ChannelMessageState;
use askback_wire::inquiry::NewInquiryParams;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::support::server_process::Server;
use super::support::telegram_chat::{BEN, Chat, database};
use super::support::timeout::{clock_counts, how_often};

/// For a release build on a machine that does nothing else.
const START_MAX: Duration = Duration::from_millis(300);
/// How long the server is watched while nothing happens.
const IDLE: Duration = Duration::from_secs(3);
/// The kernel counts processor time in these units: hundredths of a second.
const IDLE_TICKS_MAX: u64 = 6;
/// At the same time.
const ASKERS: usize = 20;
const GROWTH_KIB_MAX: u64 = 4096;

fn pending() -> usize {
    how_often("ASKBACK_PENDING", 200, 2_000)
}

/// Processor time of the server so far.
fn ticks(server: &Server) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", server.pid())).expect("it runs");
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let field = |index: usize| fields[index].parse::<u64>().expect("it is a number");
    field(11) + field(12)
}

/// Memory of the server in KiB.
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .expect("it is a number")
}

async fn is_sent(client: &Client, id: &InquiryId) -> bool {
    let messages = client.channel_messages(id).await.expect("they are read");
    let mut states = messages.items.iter().map(|message| message.state);
    states.any(|state| state == ChannelMessageState::Sent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_pending_questions_cost_neither_start_nor_idle_time() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let count = pending() / ASKERS * ASKERS;
    let mut asking = JoinSet::new();
    for _ in 0..ASKERS {
        let client = chat.server().client.clone();
        let share = count / ASKERS;
        asking.spawn(async move {
            let mut asked = Vec::new();
            for _ in 0..share {
                let params = NewInquiryParams {
                    input: database(),
                    recipient: Some("ben".to_owned()),
                    ..NewInquiryParams::default()
                };
                asked.push(client.ask(&params).await.expect("it is asked").id);
            }
            asked
        });
    }
    // A message that was sent and not written down yet would be sent again.
    for id in asking.join_all().await.concat() {
        while !is_sent(&chat.server().client, &id).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    chat.kill();
    let begin = Instant::now();
    chat.serve();
    let started = begin.elapsed();
    // What runs after the start is done.
    tokio::time::sleep(IDLE).await;
    let (before, memory_before) = (ticks(chat.server()), memory(chat.server()));
    tokio::time::sleep(IDLE).await;
    let (after, memory_after) = (ticks(chat.server()), memory(chat.server()));
    let calls = chat.fake.calls();
    eprintln!(
        "{count} pending: start {} ms, {} ticks in {} s idle, memory {memory_before} KiB then {memory_after} KiB",
        started.as_millis(),
        after - before,
        IDLE.as_secs(),
    );
    assert_eq!(chat.messages_of(BEN).len(), count, "nothing is sent again");
    assert!(!calls.contains(&"editMessageText".to_owned()));
    // On a busy machine the server may not be idle yet.
    if clock_counts() {
        assert!(memory_after <= memory_before + GROWTH_KIB_MAX);
        assert!(after - before <= IDLE_TICKS_MAX, "{} ticks", after - before);
    }
    if clock_counts() && !cfg!(debug_assertions) {
        assert!(started <= START_MAX, "{started:?}");
    }
}
