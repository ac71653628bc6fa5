//! `kill -9` at any point: nothing is lost or duplicated, and every conversation continues.

use std::time::Duration;

use askback_core::id::ConversationId;
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};

use super::support::server_process::{Directory, Server};
use super::support::timeout::within;

/// Questions that one conversation asks before it ends.
const QUESTIONS: usize = 40;
/// Conversations that run at the same time.
const CONVERSATIONS: usize = 4;

pub(super) fn script() -> Value {
    let calls = json!([{"tool": "ask_user_question", "input": {"questions": [
        {"question": "Which of {{reply}}?", "options": ["A", "B"]}]}}]);
    json!({"steps": [{"calls": calls, "times": QUESTIONS}, {"say": "done"}]})
}

/// How often the server is killed; `ASKBACK_KILLS` sets it for a long run.
pub(super) fn kills() -> usize {
    let wanted = std::env::var("ASKBACK_KILLS").ok();
    wanted.and_then(|kills| kills.parse().ok()).unwrap_or(25)
}

/// Answers pending questions until the server is gone. Each answer names its question.
pub(super) async fn answer_all(server: &Server) {
    let pending = ListInquiriesParams {
        status: Some("pending".into()),
        ..ListInquiriesParams::default()
    };
    while let Ok(page) = server.client.inquiries(&pending).await {
        for inquiry in page.items {
            let text = inquiry.questions[0].text.clone();
            let params = AnswerParams {
                answers: json!({"q1": format!("to {text}")}),
                ..AnswerParams::default()
            };
            // Refused if it was answered already, or the server is gone: both are looked at later.
            drop(server.client.answer(&inquiry.id, &params).await);
        }
        tokio::task::yield_now().await;
    }
}

/// Kills the server at random points of running conversations, on one data directory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_lose_and_duplicate_nothing() {
    let directory = Directory::new();
    let mut ids: Vec<ConversationId> = Vec::new();
    let mut finished = 0;
    for kill in 0..kills() {
        let server = Server::start(&directory, &script());
        while ids.len() - finished < CONVERSATIONS {
            ids.push(server.begin("go").await);
        }
        // A point in time that differs from kill to kill, between nothing and a few cycles.
        let after = Duration::from_micros(200 + (kill as u64 * 7_919) % 60_000);
        tokio::select! {
            () = answer_all(&server) => {}
            () = tokio::time::sleep(after) => {}
        }
        finished = count_idle(&server, &ids).await;
        server.kill();
    }
    let server = Server::start(&directory, &script());
    let rest = async {
        tokio::select! {
            () = answer_all(&server) => panic!("the server is gone"),
            () = async { for id in &ids { server.reaches(id, "idle").await; } } => {}
        }
    };
    within("every conversation ends", Box::pin(rest)).await;
    for id in &ids {
        check(&server, id).await;
    }
}

async fn count_idle(server: &Server, ids: &[ConversationId]) -> usize {
    let params = ListConversationsParams {
        state: Some("idle".to_owned()),
        limit: Some(200),
        ..ListConversationsParams::default()
    };
    let page = server.client.conversations(&params).await;
    page.map_or(0, |page| {
        page.items.iter().filter(|c| ids.contains(&c.id)).count()
    })
}

/// Every question was asked once, in order, and has the answer that was given to it.
pub(super) async fn check(server: &Server, id: &ConversationId) {
    let transcript = server.transcript(id).await;
    let asked: Vec<&String> = transcript
        .iter()
        .filter(|line| line.ends_with("[success]"))
        .collect();
    assert_eq!(asked.len(), QUESTIONS, "{id}: {transcript:#?}");
    for (index, line) in asked.iter().enumerate() {
        let question = format!("Which of {}?", index + 1);
        assert!(
            line.contains(&question),
            "{id}: {line} should ask {question}"
        );
    }
    assert_eq!(
        transcript.last().map(String::as_str),
        Some("assistant: done")
    );
    let inquiries = ListInquiriesParams {
        conversation_id: Some(id.clone()),
        limit: Some(200),
        ..ListInquiriesParams::default()
    };
    let page = server.client.inquiries(&inquiries).await.unwrap();
    assert_eq!(page.items.len(), QUESTIONS);
    for inquiry in page.items {
        let text = &inquiry.questions[0].text;
        let result = inquiry.result.expect("it has a result").content;
        let expected = json!({"answers": {text.clone(): format!("to {text}")}}).to_string();
        assert_eq!(result, expected);
    }
}
