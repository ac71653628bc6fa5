//! Who types at the terminal is there, and can hand a question on.

use askback_wire::inquiry::NewInquiryParams;
use serde_json::json;

use super::support::pty::Pty;
use super::support::raw_http::{bearer, raw, request};
use super::support::server_process::Server;
use super::support::telegram_chat::Chat;

/// How often the route was called.
fn presence_calls(server: &Server) -> usize {
    let headers = [("Host", "127.0.0.1"), ("Authorization", &bearer())];
    let (status, metrics) = raw(server, &request("GET /metrics", &headers));
    assert_eq!(status, 200, "{metrics}");
    let lines = metrics.lines().filter(|line| {
        line.starts_with("askback_http_requests") && line.contains("route=\"/presence\"")
    });
    let counts = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<usize>().ok());
    counts.sum()
}

/// The first key tells the server, the next ones within 20 seconds do not. Then the question goes to Ben, with a reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_at_the_inbox_tell_that_somebody_is_there_and_hand_a_question_on() {
    let chat = Chat::start_with("undo_seconds = 0", "presence = true").await;
    let server = chat.server();
    let params = NewInquiryParams {
        input: json!({"question": "Which database?", "options": ["SQLite", "PostgreSQL"]}),
        recipient: Some("zoe".to_owned()),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    let data = chat.directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let mut inbox = Pty::askback(&["inbox", "--data", data]);
    inbox.shows("Which database?");
    assert_eq!(presence_calls(server), 0, "an open inbox is nobody");
    inbox.send("j");
    chat.until("the server knows", || presence_calls(server) == 1)
        .await;
    inbox.send("H");
    inbox.shows("Hand on to Ben");
    inbox.send("Ben knows it.\r");
    let handed_on = async || {
        let read = chat.inquiry(&asked).await;
        read.handed_on.and_then(|how| how.reason)
    };
    inbox.shows("handed on");
    inbox.send("j");
    inbox.shows("for Ben");
    assert_eq!(handed_on().await.as_deref(), Some("Ben knows it."));
    assert_eq!(presence_calls(server), 1, "at most every 20 seconds");
    inbox.kill();
}

/// So does the first line in line mode.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_tell_that_somebody_is_there() {
    let chat = Chat::start_with("undo_seconds = 0", "presence = true").await;
    let server = chat.server();
    let params = NewInquiryParams {
        input: json!({"question": "Which database?", "options": ["SQLite", "PostgreSQL"]}),
        recipient: Some("zoe".to_owned()),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.expect("it is asked");
    let data = chat.directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let mut inbox = Pty::askback(&["inbox", "--lines", "--data", data]);
    inbox.shows("for the first, or ? for help:");
    assert_eq!(presence_calls(server), 0, "an open inbox is nobody");
    inbox.send("?\n");
    chat.until("the server knows", || presence_calls(server) == 1)
        .await;
    inbox.kill();
}
