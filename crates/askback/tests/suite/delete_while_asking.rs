//! Every acknowledged question gets its outcome, even if its conversation is deleted at the same
//! moment.

use askback_client::{Client, ClientError};
use askback_core::id::ConversationId;
use askback_testkit::short_or_full;
use askback_wire::conversation::{NewConversationParams, ReadConversationParams};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams};
use askback_wire::message::MessageParams;
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::deadlines::code;
use super::support::server_process::{Directory, Server};
use super::support::timeout::{TEST_TIMEOUT, within};

const ASKERS: usize = 4;

fn serve(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-", "times": 99}]}))
}

async fn external(client: &Client) -> ConversationId {
    let params = NewConversationParams {
        external: true,
        ..NewConversationParams::default()
    };
    client.create_conversation(&params).await.unwrap().id
}

fn question(conversation: &ConversationId) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": "A secret?", "options": ["A", "B"]}),
        conversation_id: Some(conversation.clone()),
        ..NewInquiryParams::default()
    }
}

/// Asks until the conversation is closed; returns what was acknowledged.
async fn ask_until_closed(client: Client, id: ConversationId) -> Vec<InquiryResponse> {
    let mut acknowledged = Vec::new();
    loop {
        match client.ask(&question(&id)).await {
            Ok(asked) => acknowledged.push(asked),
            Err(ClientError::Problem(problem)) => {
                let refusal = (problem.status, problem.code.as_str());
                match refusal {
                    (409, "conversation_closed") => return acknowledged,
                    // The bound of what may wait: the delete is still to come.
                    (429, "too_many_pending") => tokio::task::yield_now().await,
                    other => panic!("{other:?}"),
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Deletes at twenty points, against four askers each: what got 201 ends as withdrawn, and nothing is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn question_asked_during_a_delete_gets_its_outcome() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    let mut acknowledged = 0;
    for number in 0..short_or_full(20, 60) {
        let id = external(client).await;
        let askers: Vec<_> = (0..ASKERS)
            .map(|_| tokio::spawn(ask_until_closed(client.clone(), id.clone())))
            .collect();
        // A point that differs from delete to delete.
        for _ in 0..number % 20 {
            // Refused when the askers were fast; that takes its time as well.
            drop(client.ask(&question(&id)).await);
        }
        client.delete_conversation(&id).await.unwrap();
        for asker in askers {
            for asked in within("the asker ends", asker).await.unwrap() {
                acknowledged += 1;
                let now = client.inquiry(&asked.id).await.unwrap();
                assert_eq!(now.status, InquiryStatus::Withdrawn);
                assert!(now.result.is_some() && now.questions.is_empty());
            }
        }
    }
    assert!(acknowledged > 0, "the askers were heard");
}

/// A waiting asker gets the outcome at once, and the same later and after a crash. Later requests are
/// refused, and no content is left.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleted_conversation_resolves_its_questions_and_accepts_nothing() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = server.client.clone();
    let id = external(&client).await;
    let asking = NewInquiryParams {
        key: Some("k".to_owned()),
        ..question(&id)
    };
    let asked = client.ask(&asking).await.unwrap();
    let waiting = tokio::spawn({
        let (client, asked) = (client.clone(), asked.id.clone());
        async move { client.wait_for_inquiry(&asked, TEST_TIMEOUT).await }
    });
    client.delete_conversation(&id).await.unwrap();
    let told = within("the outcome comes", waiting).await.unwrap().unwrap();
    assert_eq!(told.status, InquiryStatus::Withdrawn);
    assert_eq!(code(client.delete_conversation(&id).await), "not_found");
    assert_eq!(
        code(client.ask(&question(&id)).await),
        "conversation_closed"
    );
    server.kill();

    let server = serve(&directory);
    let client = &server.client;
    let now = client.inquiry(&asked.id).await.unwrap();
    assert_eq!(
        (&now.status, now.questions.len()),
        (&InquiryStatus::Withdrawn, 0)
    );
    assert_eq!(client.ask(&asking).await.unwrap(), now, "the key is known");
    let say = MessageParams {
        text: "Hello".to_owned(),
        message_id: None,
    };
    let own = server.begin("Hello").await;
    client.delete_conversation(&own).await.unwrap();
    assert_eq!(
        code(client.send_message(&own, &say).await),
        "conversation_closed"
    );
    for gone in [&id, &own] {
        assert_eq!(
            code(
                client
                    .conversation(gone, &ReadConversationParams::default())
                    .await
            ),
            "not_found"
        );
    }
}

/// An answer during the delete is accepted or refused with a conflict, never with “not found”.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answer_during_a_delete_is_accepted_or_a_conflict() {
    let directory = Directory::new();
    let server = serve(&directory);
    let client = &server.client;
    for _ in 0..short_or_full(30, 60) {
        let id = external(client).await;
        let asked = client.ask(&question(&id)).await.unwrap();
        let params = AnswerParams {
            answers: json!({"q1": "A"}),
            ..AnswerParams::default()
        };
        let (answered, deleted) = tokio::join!(
            client.answer(&asked.id, &params),
            client.delete_conversation(&id)
        );
        deleted.unwrap();
        match answered {
            Ok(now) => {
                assert_eq!(now.status, InquiryStatus::Answered);
                assert!(now.result.is_some() && !now.questions.is_empty());
            }
            Err(ClientError::Problem(problem)) => assert_eq!(problem.status, 409, "{problem:?}"),
            Err(error) => panic!("{error}"),
        }
    }
}
