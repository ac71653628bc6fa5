//! Two nodes on one PostgreSQL database: a reply that one of them receives is seen whole on the other, and the work of a node that ends is taken over: at once if it was stopped, when its lease
//! ends if it was killed.

use std::time::Duration;

use askback_client::FeedItem;
use askback_core::id::ConversationId;
use askback_store_testing::PostgresServer;
use askback_wire::event::EventResponse;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::support::server_process::{Directory, Server, next_item};
use super::support::timeout::within;
use super::two_nodes::{POSTGRES, node_with_lease};

const LONG_LEASE: Duration = Duration::from_mins(10);
const SHORT_LEASE: Duration = Duration::from_secs(2);

/// What a model writes word by word on one node comes in one message to those who watch on another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reply_of_one_node_is_seen_whole_on_the_other() {
    let url = POSTGRES.create_database().expect("a database");
    let directories = [Directory::new(), Directory::new()];
    let words: Vec<String> = (0..60).map(|word| format!("word{word}")).collect();
    let words = words.join(" ");
    let ask = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which?", "options": ["A", "B"]}]}}]);
    let script = json!({"steps": [{"calls": ask}, {"say": words}], "chunk_ms": 20});
    let nodes = directories
        .each_ref()
        .map(|it| node_with_lease(it, &url, &script, LONG_LEASE));
    let id = nodes[0].begin("go").await;
    nodes[0].reaches(&id, "awaiting_user_response").await;
    let mut feed = nodes[1].client.conversation_events(&id, None);
    next_item(&mut feed).await;
    nodes[0].respond(&id, json!({"Which?": "A"})).await;
    let message = async {
        loop {
            if let FeedItem::Event(event) = next_item(&mut feed).await
                && let EventResponse::Message(said) = *event
                && said.message.blocks.iter().any(|it| it.text == words)
            {
                return;
            }
        }
    };
    within("the message arrives", message).await;
}

/// A model that takes a while, so that the node ends in the middle of its request.
fn slow_script() -> Value {
    json!({"steps": [{"say": "done", "delay_ms": 1000}]})
}

/// Starts two nodes and a request on the first one. `end` ends that node; returns how long the other one
/// then needs to complete the reply.
async fn time_to_take_over(lease: Duration, end: impl FnOnce(Server)) -> Duration {
    let postgres = PostgresServer::start().expect("PostgreSQL starts");
    let url = postgres.create_database().expect("a database");
    let directories = [Directory::new(), Directory::new()];
    let start = |it: &Directory| node_with_lease(it, &url, &slow_script(), lease);
    let [first, second] = directories.each_ref().map(start);
    let id = first.begin("go").await;
    first.reaches(&id, "llm_requesting").await;
    let ended_at = Instant::now();
    tokio::task::block_in_place(|| end(first));
    within("the other node takes over", second.reaches(&id, "idle")).await;
    let took = ended_at.elapsed();
    assert_done(&second, &id).await;
    took
}

async fn assert_done(node: &Server, id: &ConversationId) {
    let transcript = node.transcript(id).await;
    assert_eq!(transcript, ["user: go", "assistant: done"]);
}

/// The lease is far longer than the test may take.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_node_hands_its_jobs_over_at_once() {
    let took = time_to_take_over(LONG_LEASE, Server::terminate).await;
    eprintln!("taken over from a stopped node after {took:?}, of which the model takes 1 s");
    assert!(took < LONG_LEASE / 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jobs_of_a_killed_node_are_taken_over_when_its_lease_ends() {
    let took = time_to_take_over(SHORT_LEASE, Server::kill).await;
    eprintln!("taken over from a killed node after {took:?}, with a lease of {SHORT_LEASE:?}");
}
