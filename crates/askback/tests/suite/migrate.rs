//! `askback migrate`: a conversation is moved while its question is pending, answered on the other store, and
//! goes on; and back again.

use std::process::{Command, Output};
use std::sync::LazyLock;

use askback_store_testing::PostgresServer;
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::server_process::{Directory, Server};

/// Ends with this process.
static POSTGRES: LazyLock<PostgresServer> =
    LazyLock::new(|| PostgresServer::start().expect("PostgreSQL starts"));

fn script() -> Value {
    let calls = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which of {{reply}}?", "options": ["A", "B"]}]}}]);
    json!({"steps": [{"calls": calls, "times": 3}, {"say": "done"}]})
}

fn server(directory: &Directory, store: Option<&str>) -> Server {
    let path = directory.path().join("script.json");
    std::fs::write(&path, script().to_string()).expect("the script can be written");
    let provider = format!("scripted:{}", path.display());
    let mut args = vec!["--provider", &provider];
    let store = store.map(|url| format!("{url}?lease=2s"));
    args.extend(store.iter().flat_map(|store| ["--store", store.as_str()]));
    Server::start_with(directory, &args)
}

fn migrate(from: &str, to: &str) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_askback"))
        .args(["migrate", "--from", from, "--to", to])
        .output();
    output.expect("the command runs")
}

fn move_all(from: &str, to: &str) -> String {
    let output = migrate(from, to);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refusal(from: &str, to: &str) -> String {
    let output = migrate(from, to);
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The data directory of its server.
fn path(directory: &Directory) -> String {
    let data = directory.path().join("data");
    data.to_str().expect("a path").to_owned()
}

/// The same request under the same key finds what was asked before.
async fn ask_with_key(server: &Server, key: &str) -> InquiryResponse {
    let params = NewInquiryParams {
        input: json!({"question": "Keyed?", "options": ["A", "B"]}),
        key: Some(key.to_owned()),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.expect("it is asked")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conversation_goes_on_after_each_move() {
    let url = POSTGRES.create_database().expect("a database");
    let [first, node, back] = [Directory::new(), Directory::new(), Directory::new()];
    let long_key = "k".repeat(100);

    let server_1 = server(&first, None);
    let id = server_1.begin("go").await;
    server_1.reaches(&id, "awaiting_user_response").await;
    let keyed = ask_with_key(&server_1, "short").await.id;
    let keyed_long = ask_with_key(&server_1, &long_key).await.id;
    server_1.terminate();
    let shown = move_all(&path(&first), &url);
    assert!(shown.contains("Moved and compared"), "{shown}");
    assert!(shown.contains("token"), "{shown}");

    let server_2 = server(&node, Some(&url));
    let state = server_2.reaches(&id, "awaiting_user_response").await;
    assert_eq!(state.id, id);
    server_2.respond(&id, json!({"Which of 1?": "A"})).await;
    server_2.reaches(&id, "awaiting_user_response").await;
    assert_eq!(ask_with_key(&server_2, "short").await.id, keyed);
    assert_eq!(ask_with_key(&server_2, &long_key).await.id, keyed_long);
    let on_postgres = ask_with_key(&server_2, "asked on PostgreSQL").await.id;
    let events_before = newest(&server_2).await;
    server_2.terminate();
    move_all(&url, &path(&back));

    let server_3 = server(&back, None);
    server_3.reaches(&id, "awaiting_user_response").await;
    assert_eq!(ask_with_key(&server_3, "short").await.id, keyed);
    assert_eq!(ask_with_key(&server_3, &long_key).await.id, keyed_long);
    assert_eq!(
        ask_with_key(&server_3, "asked on PostgreSQL").await.id,
        on_postgres
    );
    server_3.respond(&id, json!({"Which of 2?": "A"})).await;
    server_3.reaches(&id, "awaiting_user_response").await;
    server_3.respond(&id, json!({"Which of 3?": "B"})).await;
    server_3.reaches(&id, "idle").await;
    let transcript = server_3.transcript(&id).await;
    assert_eq!(
        transcript.last().map(String::as_str),
        Some("assistant: done")
    );
    assert!(
        newest(&server_3).await > events_before,
        "numbers are not used again"
    );
    let answer = AnswerParams {
        answers: json!({"q1": "A"}),
        ..AnswerParams::default()
    };
    let answered = server_3.client.answer(&keyed, &answer).await;
    answered.expect("what was asked at first can still be answered");
}

/// The highest sequence number of the store.
async fn newest(server: &Server) -> u64 {
    let params = askback_wire::audit::AuditParams::default();
    server
        .client
        .audit(&params)
        .await
        .expect("it is read")
        .newest
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_in_use_and_filled_targets_are_refused() {
    let url = POSTGRES.create_database().expect("a database");
    let [first, node] = [Directory::new(), Directory::new()];
    let running = server(&first, None);
    ask_with_key(&running, "one").await;
    let text = refusal(&path(&first), &url);
    assert!(text.contains("in use by another askback"), "{text}");
    running.terminate();

    let on_postgres = server(&node, Some(&url));
    let text = refusal(&path(&first), &url);
    assert!(text.contains("a node runs on the database"), "{text}");
    ask_with_key(&on_postgres, "other").await;
    on_postgres.terminate();
    let text = refusal(&path(&first), &url);
    assert!(text.contains("the target is not empty"), "{text}");
    let text = refusal("/nonexistent/askback", &url);
    assert!(text.contains("There is no database"), "{text}");
}
