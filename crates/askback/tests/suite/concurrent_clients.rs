//! Concurrent clients: one answer wins, and feeds have no gaps and no repeats.

use std::collections::BTreeMap;

use askback_client::{ClientError, EventStream, FeedItem};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::support::server_process::{Directory, Server, next_item};
use super::support::timeout::within;

fn question(text: &str) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": text, "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    }
}

/// Of fifty concurrent answers one wins, and the others learn who gave it and what it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_fifty_answers_wins_and_the_rest_are_refused() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
    let asked = server.client.ask(&question("Which?")).await.unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let (client, id) = (server.client.clone(), asked.id.clone());
            tokio::spawn(async move {
                let params = AnswerParams {
                    answers: json!({"q1": format!("answer {number}")}),
                    ..AnswerParams::default()
                };
                client.answer(&id, &params).await
            })
        })
        .collect();
    let mut won = Vec::new();
    let mut told = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            Ok(inquiry) => won.push(serde_json::to_value(inquiry.outcome).unwrap()),
            Err(ClientError::Problem(problem)) => {
                assert_eq!(
                    (problem.status, problem.code.as_str()),
                    (409, "not_pending")
                );
                let winner = problem.winner.expect("the winner is named");
                assert_eq!(winner.status, InquiryStatus::Answered);
                told.push(serde_json::to_value(winner.outcome).unwrap());
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((won.len(), told.len()), (1, 49));
    assert!(
        told.iter().all(|outcome| *outcome == won[0]),
        "all are told the same answer"
    );
}

/// The same idempotency key asks once, however often it is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_asks_once() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
    let params = NewInquiryParams {
        key: Some("the same".to_owned()),
        ..question("Which?")
    };
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(server.client.ask(&params).await.unwrap().id);
    }
    ids.dedup();
    assert_eq!(ids.len(), 1);
}

/// A feed that starts anywhere in the log gets everything after it, once and in order, while a hundred
/// conversations run. Only states that were replaced since are left out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn feed_resumes_without_gap_or_repetition() {
    const CONVERSATIONS: usize = 100;
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
    let mut whole = server.client.events(Some(0));
    let tasks: Vec<_> = (0..CONVERSATIONS)
        .map(|number| {
            let client = server.client.clone();
            tokio::spawn(async move {
                let asked = client
                    .ask(&question(&format!("Which {number}?")))
                    .await
                    .unwrap();
                let params = AnswerParams {
                    answers: json!({"q1": "A"}),
                    ..AnswerParams::default()
                };
                client.answer(&asked.id, &params).await.unwrap();
            })
        })
        .collect();
    let seen = read_until_all_resolved(&mut whole, CONVERSATIONS);
    let seen = within("all are resolved", seen).await;
    for task in tasks {
        task.await.unwrap();
    }
    for start in [1, seen.len() / 3, seen.len() - 2] {
        let after = seen[start].0;
        // One record may be several events: a feed begins behind all of them.
        let behind = seen.iter().filter(|(sequence, _)| *sequence > after);
        let behind: Vec<_> = behind.cloned().collect();
        let mut later = server.client.events(Some(after));
        let mut replayed = Vec::new();
        while replayed.last() != behind.last() {
            replayed.extend(next_durable(&mut later).await);
        }
        assert!(replayed.iter().all(|event| behind.contains(event)));
        let but_states = |events: &[(u64, String)]| -> Vec<(u64, String)> {
            let events = events.iter().filter(|(_, name)| name != "state_change");
            events.cloned().collect()
        };
        assert_eq!(but_states(&replayed), but_states(&behind), "from {start}");
    }
}

/// Durable events as (sequence, name).
async fn next_durable(feed: &mut EventStream) -> Option<(u64, String)> {
    match next_item(feed).await {
        FeedItem::Event(event) => Some((event.sequence()?, event.name().to_owned())),
        FeedItem::Disconnected(error) => panic!("the feed is lost: {error}"),
        FeedItem::Reconnected => None,
    }
}

async fn read_until_all_resolved(
    feed: &mut EventStream,
    conversations: usize,
) -> Vec<(u64, String)> {
    let mut seen = Vec::new();
    let mut idle: BTreeMap<String, bool> = BTreeMap::new();
    while idle.len() < conversations {
        let FeedItem::Event(event) = next_item(feed).await else {
            continue;
        };
        seen.extend(
            event
                .sequence()
                .map(|sequence| (sequence, event.name().to_owned())),
        );
        if let EventResponse::StateChange(change) = *event
            && change.state.name() == "idle"
        {
            idle.insert(change.conversation_id.to_string(), true);
        }
    }
    assert!(
        seen.windows(2).all(|pair| pair[0].0 <= pair[1].0),
        "in order"
    );
    let mut unique = seen.clone();
    unique.dedup();
    assert_eq!(unique, seen, "nothing twice");
    seen
}
