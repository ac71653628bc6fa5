//! Every outcome names the node that took it, on both stores, and keeps that name.

use std::sync::LazyLock;

use askback_store_testing::PostgresServer;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::support::server_process::{Directory, Server};

/// Ends with this process.
static POSTGRES: LazyLock<PostgresServer> =
    LazyLock::new(|| PostgresServer::start().expect("PostgreSQL starts"));

async fn ask(server: &Server) -> InquiryResponse {
    let question = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    server.client.ask(&question).await.expect("it is asked")
}

async fn answer(server: &Server, asked: &InquiryResponse) -> InquiryResponse {
    let params = AnswerParams {
        answers: json!({"q1": "A"}),
        ..AnswerParams::default()
    };
    let answered = server.client.answer(&asked.id, &params).await;
    answered.expect("the answer is taken")
}

/// The name is cleaned, and a later server of another name does not change it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outcome_keeps_the_node_that_took_it() {
    let directory = Directory::new();
    let first = Server::start_with(&directory, &["--node", " alpha\n1 "]);
    let asked = ask(&first).await;
    assert_eq!(asked.node, None, "a pending question names no node");
    assert_eq!(
        answer(&first, &asked).await.node.as_deref(),
        Some("alpha 1")
    );
    first.terminate();
    let second = Server::start_with(&directory, &["--node", "beta"]);
    let read = second.client.inquiry(&asked.id).await.expect("it is read");
    assert_eq!(read.node.as_deref(), Some("alpha 1"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_node_is_named_that_answers_not_the_one_that_asks() {
    let url = POSTGRES.create_database().expect("a database");
    let directories = [Directory::new(), Directory::new()];
    let start = |index: usize, name: &str| {
        Server::start_with(&directories[index], &["--store", &url, "--node", name])
    };
    let nodes = [start(0, "alpha"), start(1, "beta")];
    let asked = ask(&nodes[0]).await;
    assert_eq!(
        answer(&nodes[1], &asked).await.node.as_deref(),
        Some("beta")
    );
    for node in &nodes {
        let read = node.client.inquiry(&asked.id).await.expect("it is read");
        assert_eq!(read.node.as_deref(), Some("beta"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_host_name_is_the_default() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let asked = ask(&server).await;
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").expect("a host name");
    assert_eq!(
        answer(&server, &asked).await.node.as_deref(),
        Some(host.trim())
    );
}
