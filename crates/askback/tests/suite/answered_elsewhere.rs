//! A question answered elsewhere closes at the terminal, within half a second, and the line that
//! remains says who answered it and where.

use std::fs;
use std::time::Duration;

use askback_wire::inquiry::NewInquiryParams;
use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;
use tokio::time::Instant;

use super::support::pty::Pty;
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::clock_counts;

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];
const HALF_A_SECOND: Duration = Duration::from_millis(500);

fn question() -> serde_json::Value {
    json!({"questions": [{"question": "Which database?", "header": "Database",
        "options": ["PostgreSQL", "SQLite"]}]})
}

/// Answers the pending question; returns when the answer was accepted.
async fn answer(server: &Server) -> Instant {
    let pending = ListInquiriesParams {
        status: Some(askback_wire::inquiry::InquiryStatus::Pending),
        ..ListInquiriesParams::default()
    };
    let listed = server.client.inquiries(&pending).await.expect("a list");
    let params = AnswerParams {
        answers: json!({"q1": "PostgreSQL"}),
        ..AnswerParams::default()
    };
    let id = &listed.items[0].id;
    server
        .client
        .answer(id, &params)
        .await
        .expect("it is taken");
    Instant::now()
}

/// Opens a terminal, answers elsewhere, and returns how long the frame stayed.
async fn attempt(server: &Server, directory: &Directory, command: &str) -> Duration {
    let data = directory.path().join("data");
    let input = directory.path().join("question.json");
    fs::write(&input, question().to_string()).expect("it is written");
    let [data, input] = [&data, &input].map(|path| path.to_str().expect("text"));
    let mut args = vec![command, "--data", data];
    match command {
        "ask" => args.extend(["--durable", "--source", "builder", "--json", input]),
        "inbox" => {
            let params = NewInquiryParams {
                input: question(),
                ..NewInquiryParams::default()
            };
            server.client.ask(&params).await.expect("it is asked");
        }
        _ => {}
    }
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    match command {
        "chat" => {
            pty.shows("Write a message");
            pty.send("hello\r");
        }
        "inbox" => {
            pty.shows(">   Database");
            pty.send("\r");
        }
        _ => {}
    }
    pty.shows("Which database?");
    pty.shows("enter select");
    let answered = answer(server).await;
    let stayed = pty.shows_after(answered, "✔ Database: PostgreSQL — answered ");
    let screen = pty.screen().join("\n");
    assert!(!screen.contains("Which database?"), "{command}: {screen}");
    pty.kill();
    stayed
}

/// Where the clock counts, the limit is half a second for the best of three attempts.
async fn collapses(command: &str) {
    let directory = Directory::new();
    let script = json!({"steps": [
        {"calls": [{"tool": "ask_user_question", "input": question()}]},
        {"say": "Heard: {{answer}}"}]});
    let server = Server::start(&directory, &script);
    let mut stayed = Vec::new();
    for _ in 0..(if clock_counts() { 3 } else { 1 }) {
        stayed.push(attempt(&server, &directory, command).await);
        if stayed.last().is_some_and(|time| *time <= HALF_A_SECOND) {
            break;
        }
    }
    let best = stayed.iter().min().expect("an attempt");
    let is_quick = *best <= HALF_A_SECOND;
    assert!(is_quick || !clock_counts(), "{command}: {stayed:?}");
    server.kill();
}

#[tokio::test]
async fn prompt_closes_when_answered_elsewhere() {
    collapses("ask").await;
}

#[tokio::test]
async fn chat_question_closes_when_answered_elsewhere() {
    collapses("chat").await;
}

#[tokio::test]
async fn inbox_question_closes_when_answered_elsewhere() {
    collapses("inbox").await;
}
