//! Slow work delays no timer, and no deadline is missed.

use askback_wire::inquiry::{DeadlineParams, InquiryResponse, InquiryStatus};
use askback_wire::respond::AnswerParams;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::deadlines::{question, serve};
use super::support::server_process::{Directory, Server};
use super::support::timeout::{TEST_TIMEOUT, clock_counts, within};

/// More model requests than run at once.
const TURNS: usize = 260;

async fn outcome(server: &Server, asked: &InquiryResponse) -> InquiryResponse {
    let waited = server
        .client
        .wait_for_inquiry(&asked.id, TEST_TIMEOUT)
        .await;
    waited.unwrap()
}

/// A deadline and an undo window of a second end in time while every model request is slow.
#[tokio::test]
async fn slow_turns_delay_no_timer() {
    let directory = Directory::new();
    let slow = json!({"steps": [{"say": "-", "delay_ms": 600_000}]});
    let server = Server::start(&directory, &slow);
    let mut last = None;
    for _ in 0..TURNS {
        last = Some(server.begin("Think.").await);
    }
    let held = server.client.ask(&question(None)).await.unwrap();
    let answer = AnswerParams {
        answers: json!({"q1": "A"}),
        undo_seconds: Some(1),
        ..AnswerParams::default()
    };
    server.client.answer(&held.id, &answer).await.unwrap();
    let asked = server.client.ask(&question(Some(1))).await.unwrap();
    let expired = outcome(&server, &asked).await;
    assert_eq!(expired.status, InquiryStatus::Expired);
    let ended = expired.resolved_at.unwrap();
    let late = ended.duration_since(expired.expires_at.unwrap());
    let in_time = late < SignedDuration::from_secs(20);
    assert!(in_time || !clock_counts(), "{late} late");
    let answered = outcome(&server, &held).await;
    assert_eq!(answered.status, InquiryStatus::Answered);
    let state = server.read(&last.unwrap()).await.conversation.state;
    assert_eq!(state.name(), "llm_requesting", "the turns went on");
}

/// Times are truncated to milliseconds, and every deadline fires.
#[tokio::test]
async fn subsecond_deadlines_all_fire() {
    let directory = Directory::new();
    let server = serve(&directory);
    let mut all = Vec::new();
    for nth in 0..40_i32 {
        let asked = server.client.ask(&question(None)).await.unwrap();
        let fine = SignedDuration::new(1, nth * 24_999_983 % 1_000_000_000);
        let at = Timestamp::now() + fine;
        let params = DeadlineParams {
            expires_in: None,
            expires_at: Some(at),
            revision: None,
        };
        let moved = server.client.move_deadline(&asked.id, &params).await;
        let kept = moved.unwrap().expires_at.unwrap();
        assert_eq!(kept.as_millisecond(), at.as_millisecond());
        assert_eq!(kept.subsec_nanosecond() % 1_000_000, 0, "{kept}");
        all.push(asked);
    }
    for asked in &all {
        let ended = within("it expires", outcome(&server, asked)).await;
        assert_eq!(ended.status, InquiryStatus::Expired, "{}", asked.id);
    }
}
