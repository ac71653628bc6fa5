//! Two nodes on one PostgreSQL database: any request to any node, and feeds without a gap on both.

use std::sync::LazyLock;
use std::time::Duration;

use askback_client::{EventStream, FeedItem};
use askback_store_testing::PostgresServer;
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::NewInquiryParams;
use askback_wire::respond::AnswerParams;
use askback_wire::snooze::SnoozeParams;
use serde_json::{Value, json};

use super::stalled_clients::metric;
use super::support::server_process::{Directory, Server, next_item};
use super::support::timeout::{TEST_TIMEOUT, within};

/// Ends with this process.
pub(super) static POSTGRES: LazyLock<PostgresServer> =
    LazyLock::new(|| PostgresServer::start().expect("PostgreSQL starts"));

/// A node that keeps its lease, however busy the machine is.
fn node(directory: &Directory, url: &str, script: &Value) -> Server {
    node_with_lease(directory, url, script, 10 * TEST_TIMEOUT)
}

/// A node with a data directory of its own.
pub(super) fn node_with_lease(
    directory: &Directory,
    url: &str,
    script: &Value,
    lease: Duration,
) -> Server {
    let path = directory.path().join("script.json");
    std::fs::write(&path, script.to_string()).expect("the script can be written");
    let provider = format!("scripted:{}", path.display());
    let store = format!("{url}?lease={}s", lease.as_secs());
    Server::start_with(directory, &["--provider", &provider, "--store", &store])
}

fn question(text: &str) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    }
}

fn answer(label: &str) -> AnswerParams {
    AnswerParams {
        answers: json!({"q1": label}),
        ..AnswerParams::default()
    }
}

/// Durable events as (sequence, name), except states, until that many inquiries are resolved.
async fn events(feed: &mut EventStream, resolved: usize) -> Vec<(u64, String)> {
    let mut seen = Vec::new();
    let mut left = resolved;
    while left > 0 {
        let FeedItem::Event(event) = next_item(feed).await else {
            continue;
        };
        if matches!(&*event, EventResponse::Inquiry(event) if event.change == ChangeName::Resolved)
        {
            left -= 1;
        }
        if let Some(sequence) = event.sequence()
            && event.name() != "state_change"
        {
            seen.push((sequence, event.name().to_owned()));
        }
    }
    seen
}

/// What is asked on one node is answered on the other. Both feeds show the same events in the same
/// order, and a call that waits on one node returns when the other has the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_of_one_node_is_answered_on_the_other() {
    const QUESTIONS: usize = 20;
    let url = POSTGRES.create_database().expect("a database");
    let directories = [Directory::new(), Directory::new()];
    let idle = json!({"steps": [{"say": "-"}]});
    let nodes = directories.each_ref().map(|it| node(it, &url, &idle));
    let mut feeds = nodes.each_ref().map(|node| node.client.events(Some(0)));
    let mut tasks = Vec::new();
    for number in 0..QUESTIONS {
        let asking = nodes[number % 2].client.clone();
        let answering = nodes[(number + 1) % 2].client.clone();
        tasks.push(tokio::spawn(async move {
            let asked = asking.ask(&question(&format!("Which {number}?"))).await;
            let asked = asked.expect("it is asked");
            let waiting = asking.clone();
            let id = asked.id.clone();
            let waiting =
                tokio::spawn(async move { waiting.wait_for_inquiry(&id, TEST_TIMEOUT).await });
            let answered = answering.answer(&asked.id, &answer("B")).await;
            answered.expect("the answer is taken");
            let resolved = waiting.await.expect("no panic").expect("it is read");
            assert!(resolved.outcome.is_some(), "the wait ends with the answer");
            let repeated = asking.answer(&asked.id, &answer("A")).await;
            assert!(repeated.is_err(), "both nodes know that it is answered");
        }));
    }
    let [first, second] = &mut feeds;
    let both = async { tokio::join!(events(first, QUESTIONS), events(second, QUESTIONS)) };
    let (first, second) = within("both feeds show every outcome", both).await;
    assert_eq!(first, second);
    for task in tasks {
        task.await.expect("it is asked and answered");
    }
}

/// What is hidden from the inbox on one node is hidden on the pages of the other, too, and shown again there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_snoozes_or_counts_the_other_shows() {
    let url = POSTGRES.create_database().expect("a database");
    let directories = [Directory::new(), Directory::new()];
    let idle = json!({"steps": [{"say": "-"}]});
    let [first, second] = directories.each_ref().map(|it| node(it, &url, &idle));
    let mut feed = second.client.events(Some(0));
    let asked = first.client.ask(&question("Which?")).await;
    let asked = asked.expect("it is asked");
    // Snoozes are not stored: the feed must be connected before there is one.
    let connected = async {
        while !matches!(next_item(&mut feed).await, FeedItem::Event(event)
            if matches!(*event, EventResponse::Inquiry(_)))
        {}
    };
    within("the feed of the other node has the question", connected).await;
    // The number is that of the database, on whichever node one asks.
    let address = second.address.trim_start_matches("http://");
    let address = address.parse().expect("an address");
    let pending = metric(address, "askback_pending_inquiries").await;
    assert_eq!(pending, "1");
    let until = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    for until in [Some(until), None] {
        let snoozed = first
            .client
            .snooze(&asked.id, &SnoozeParams { until })
            .await;
        snoozed.expect("it is hidden or shown");
        let shown = async {
            loop {
                if let FeedItem::Event(event) = next_item(&mut feed).await
                    && let EventResponse::Inquiry(event) = *event
                    && event.change == ChangeName::Snoozed
                {
                    return event.inquiry;
                }
            }
        };
        let shown = within("the other node tells its feeds", shown).await;
        assert_eq!(shown.id, asked.id);
        let millis = |at: jiff::Timestamp| at.as_millisecond();
        assert_eq!(shown.snoozed_until.map(millis), until.map(millis));
    }
}

/// A conversation of the built-in agent goes on wherever it is answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_continues_on_either_node() {
    let url = POSTGRES.create_database().expect("a database");
    let directories = [Directory::new(), Directory::new()];
    let calls = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which of {{reply}}?", "options": ["A", "B"]}]}}]);
    let script = json!({"steps": [{"calls": calls, "times": 4}, {"say": "done"}]});
    let nodes = directories.each_ref().map(|it| node(it, &url, &script));
    let id = nodes[0].begin("go").await;
    for turn in 0..4 {
        let node = &nodes[(turn + 1) % 2];
        // Both have to see the question, whoever answers.
        nodes[turn % 2].reaches(&id, "awaiting_user_response").await;
        let state = node.reaches(&id, "awaiting_user_response").await;
        assert_eq!(state.id, id);
        node.respond(&id, json!({format!("Which of {}?", turn + 1): "A"}))
            .await;
    }
    nodes[0].reaches(&id, "idle").await;
    let transcript = nodes[1].transcript(&id).await;
    assert_eq!(
        transcript.last().map(String::as_str),
        Some("assistant: done")
    );
}
