//! Undo over HTTP: an answer is held, undone or committed, and survives a crash in between.

use askback_wire::inquiry::{CommitAnswerParams, InquiryResponse, InquiryStatus, UndoParams};
use askback_wire::outcome::OutcomeResponse;
use askback_wire::respond::{AnswerParams, DeclineParams};
use serde_json::json;

use super::deadlines::{code, next_event_of_inquiry, next_of_inquiry, question, serve};
use super::support::server_process::Directory;
use super::support::timeout::TEST_TIMEOUT;

/// Long enough that nothing is released while a slow machine runs a test.
const LONG: u32 = 60;

fn answer_a(undo_seconds: Option<u32>) -> AnswerParams {
    AnswerParams {
        answers: json!({"q1": "A"}),
        undo_seconds,
        ..AnswerParams::default()
    }
}

/// The inquiry with its outcome, waited for as an agent does.
async fn outcome(client: &askback_client::Client, asked: &InquiryResponse) -> InquiryResponse {
    client
        .wait_for_inquiry(&asked.id, TEST_TIMEOUT)
        .await
        .unwrap()
}

/// In its undo window an answer is pending for the asker, and undo reopens the question.
#[tokio::test]
async fn answer_can_be_undone_within_its_window() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let mut feed = client.events(Some(0));
    let asked = client.ask(&question(None)).await.unwrap();
    let held = client
        .answer(&asked.id, &answer_a(Some(LONG)))
        .await
        .unwrap();
    assert_eq!(held.status, InquiryStatus::Pending);
    assert!(held.outcome.is_none() && held.result.is_none());
    assert!(held.held.is_some());

    let other = AnswerParams {
        answers: json!({"q1": "B"}),
        ..AnswerParams::default()
    };
    let refused = client.answer(&asked.id, &other).await;
    assert_eq!(code(refused), "held");

    let undo = UndoParams::default();
    let open = client.undo(&asked.id, &undo).await.unwrap();
    assert_eq!((open.status, open.held), (InquiryStatus::Pending, None));
    assert_eq!(code(client.undo(&asked.id, &undo).await), "nothing_held");

    let answered = client.answer(&asked.id, &other).await.unwrap();
    assert_eq!(answered.status, InquiryStatus::Answered);
    assert_eq!(code(client.undo(&asked.id, &undo).await), "not_pending");
    let mut names = Vec::new();
    for _ in 0..2 {
        names.push(next_of_inquiry(&mut feed).await.0);
    }
    let reopened = next_event_of_inquiry(&mut feed).await;
    let undone_by = serde_json::to_value(&reopened.undone_by).unwrap();
    assert_eq!(undone_by, json!({ "surface": "http" }));
    names.push(reopened.change.to_string());
    names.push(next_of_inquiry(&mut feed).await.0);
    let expected = ["asked", "held", "reopened", "resolved"];
    assert_eq!(names, expected);
}

/// Without an undo the answer takes effect, and a waiting agent gets it.
#[tokio::test]
async fn answer_takes_effect_after_its_undo_window() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let asked = client.ask(&question(None)).await.unwrap();
    let held = client.answer(&asked.id, &answer_a(Some(1))).await.unwrap();
    let given = held.held.unwrap();
    let ended = outcome(client, &asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    assert_eq!(ended.outcome, Some(given.outcome));
    assert_eq!(
        ended.resolved_at,
        Some(given.at),
        "when the person answered"
    );
}

/// An answer can take effect before its window ends, but only the one that is meant.
#[tokio::test]
async fn answer_can_be_committed_early() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let asked = client.ask(&question(None)).await.unwrap();
    let any = CommitAnswerParams::default();
    assert_eq!(
        code(client.commit_answer(&asked.id, &any).await),
        "nothing_held"
    );
    let first = client
        .answer(&asked.id, &answer_a(Some(LONG)))
        .await
        .unwrap();
    client
        .undo(&asked.id, &UndoParams::default())
        .await
        .unwrap();
    let first = CommitAnswerParams {
        until: first.held.map(|held| held.until),
    };
    let second = client
        .answer(&asked.id, &answer_a(Some(LONG)))
        .await
        .unwrap();
    let refused = client.commit_answer(&asked.id, &first).await;
    assert_eq!(code(refused), "nothing_held", "the first answer was undone");
    let given = second.held.unwrap();
    let committed = client.commit_answer(&asked.id, &any).await.unwrap();
    assert_eq!(committed.status, InquiryStatus::Answered);
    assert_eq!(committed.resolved_at, Some(given.at));
    assert_eq!(
        code(client.commit_answer(&asked.id, &any).await),
        "not_pending"
    );
}

/// A held answer survives a crash of the server.
#[tokio::test]
async fn crash_does_not_lose_a_held_answer() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(None)).await.unwrap();
    let kept = server.client.ask(&question(None)).await.unwrap();
    let client = &server.client;
    client.answer(&asked.id, &answer_a(Some(1))).await.unwrap();
    client
        .answer(&kept.id, &answer_a(Some(LONG)))
        .await
        .unwrap();
    server.kill();
    let server = serve(&directory);
    let ended = outcome(&server.client, &asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    let reopened = server.client.undo(&kept.id, &UndoParams::default()).await;
    assert_eq!(reopened.unwrap().status, InquiryStatus::Pending);
}

#[tokio::test]
async fn decline_can_be_undone_and_undo_windows_are_bounded() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let asked = client.ask(&question(None)).await.unwrap();
    let refused = client.answer(&asked.id, &answer_a(Some(61))).await;
    assert_eq!(code(refused), "invalid_undo_window");
    let decline = DeclineParams {
        undo_seconds: Some(LONG),
        ..DeclineParams::default()
    };
    let held = client.decline_inquiry(&asked.id, &decline).await.unwrap();
    assert_eq!(held.held.unwrap().outcome, OutcomeResponse::Declined);
    client
        .undo(&asked.id, &UndoParams::default())
        .await
        .unwrap();
    // As on the command line and in the configuration.
    let answered = client.answer(&asked.id, &answer_a(Some(0))).await.unwrap();
    assert_eq!(answered.status, InquiryStatus::Answered);
}
