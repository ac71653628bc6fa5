//! Deadlines over HTTP: reminders, keep-open, and limits.

use askback_client::{ClientError, EventStream, FeedItem};
use askback_core::draft::Draft;
use askback_store::{SqliteOptions, SqliteStore, Store as _};
use askback_wire::draft::DraftParams;
use askback_wire::duration::HumanDuration;
use askback_wire::event::{EventResponse, InquiryEvent};
use askback_wire::inquiry::{DeadlineParams, InquiryResponse, KeepOpenParams, NewInquiryParams};
use serde_json::json;

use super::support::server_process::{Directory, Server, next_item};
use super::support::timeout::within;

const DAY: u32 = 24 * 60 * 60;

pub(super) fn question(expires_in: Option<u32>) -> NewInquiryParams {
    NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        expires_in: expires_in.map(HumanDuration::from_secs),
        ..NewInquiryParams::default()
    }
}

pub(super) fn serve(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

pub(super) fn code<T: std::fmt::Debug>(result: Result<T, ClientError>) -> String {
    match result {
        Err(ClientError::Problem(problem)) => problem.code,
        other => panic!("a refusal was expected, not {other:?}"),
    }
}

/// What happens next to an inquiry, and the inquiry after it.
pub(super) async fn next_of_inquiry(feed: &mut EventStream) -> (String, InquiryResponse) {
    let event = next_event_of_inquiry(feed).await;
    (event.change.to_string(), event.inquiry)
}

/// What happens next to an inquiry, whole.
pub(super) async fn next_event_of_inquiry(feed: &mut EventStream) -> InquiryEvent {
    let next = async {
        loop {
            if let FeedItem::Event(event) = next_item(feed).await
                && let EventResponse::Inquiry(event) = *event
            {
                return *event;
            }
        }
    };
    within("something happens to the inquiry", next).await
}

/// One reminder, then the deadline passes, and the outcome is `expired`.
#[tokio::test]
async fn deadline_reminds_once_and_then_expires() {
    let directory = Directory::new();
    let server = serve(&directory);
    let mut feed = server.client.events(Some(0));
    let asked = server.client.ask(&question(Some(10))).await.unwrap();
    let mut seen = Vec::new();
    while seen.last().is_none_or(|(name, _)| name != "resolved") {
        let (name, inquiry) = next_of_inquiry(&mut feed).await;
        assert_eq!(inquiry.id, asked.id);
        seen.push((name, inquiry.status.to_string()));
    }
    let expected = [
        ("asked", "pending"),
        ("reminded", "pending"),
        ("resolved", "expired"),
    ];
    assert_eq!(
        seen,
        expected.map(|(name, status)| (name.to_owned(), status.to_owned()))
    );
}

/// Keep-open removes the deadline and records who did it and from where.
#[tokio::test]
async fn keep_open_removes_the_deadline_and_is_recorded() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(Some(DAY))).await.unwrap();
    let longer = KeepOpenParams {
        expires_in: Some(HumanDuration::from_secs(2 * DAY)),
        revision: Some(asked.revision),
    };
    let kept = server.client.keep_open(&asked.id, &longer).await.unwrap();
    assert!(kept.expires_at > asked.expires_at, "{kept:?}");
    let shorter = KeepOpenParams {
        expires_in: Some(HumanDuration::from_secs(1)),
        revision: None,
    };
    let still = server.client.keep_open(&asked.id, &shorter).await.unwrap();
    assert_eq!(still.expires_at, kept.expires_at, "never shorter");
    let open = KeepOpenParams::default();
    for _ in 0..2 {
        let kept = server.client.keep_open(&asked.id, &open).await.unwrap();
        assert_eq!(kept.expires_at, None);
    }
    let stale = KeepOpenParams {
        expires_in: None,
        revision: Some(7),
    };
    let dated = server.client.ask(&question(Some(DAY))).await.unwrap();
    assert_eq!(
        code(server.client.keep_open(&dated.id, &stale).await),
        "stale_inquiry"
    );
    server.kill();
    let database = directory.path().join("data/askback.db");
    let store = SqliteStore::open(&database, SqliteOptions::default()).unwrap();
    let rows = store
        .records(Some(&asked.conversation_id), 0, 100)
        .await
        .unwrap();
    let bodies = rows.iter().map(|row| row.body.as_str());
    let moved: Vec<&str> = bodies
        .filter(|body| body.contains("deadline_moved"))
        .collect();
    assert_eq!(moved.len(), 2, "what changes nothing writes nothing");
    assert!(moved[0].contains(r#""surface":"http""#), "{moved:?}");
}

/// A deadline beyond the bound is refused wherever one can be set.
#[tokio::test]
async fn deadline_too_far_ahead_is_refused() {
    let directory = Directory::new();
    let server = serve(&directory);
    let too_far = Some(HumanDuration::from_secs(400 * DAY));
    let refused = server.client.ask(&question(Some(400 * DAY))).await;
    assert_eq!(code(refused), "deadline_too_far");
    let asked = server.client.ask(&question(Some(DAY))).await.unwrap();
    let keep = KeepOpenParams {
        expires_in: too_far,
        revision: None,
    };
    assert_eq!(
        code(server.client.keep_open(&asked.id, &keep).await),
        "deadline_too_far"
    );
    for (expires_in, expires_at) in [
        (too_far, None),
        (None, Some("2999-01-01T00:00:00Z".parse().unwrap())),
    ] {
        let moved = DeadlineParams {
            expires_in,
            expires_at,
            revision: None,
        };
        assert_eq!(
            code(server.client.move_deadline(&asked.id, &moved).await),
            "deadline_too_far"
        );
    }
}

/// A draft for another revision is refused, and the saved one stays.
#[tokio::test]
async fn draft_of_another_revision_is_refused() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(None)).await.unwrap();
    let parsed = askback_core::dialect::Dialect::Question
        .parse(
            &question(None).input,
            askback_core::dialect::ParseOptions::default(),
        )
        .unwrap();
    let mut draft = DraftParams {
        draft: Draft::new(&parsed.inquiry),
        revision: Some(asked.revision),
        replaces: None,
    };
    server.client.put_draft(&asked.id, &draft).await.unwrap();
    let kept = server.client.draft(&asked.id).await.unwrap();
    draft.revision = Some(asked.revision + 1);
    let refused = server.client.put_draft(&asked.id, &draft).await;
    assert_eq!(code(refused), "stale_inquiry");
    assert_eq!(server.client.draft(&asked.id).await.unwrap(), kept);
}

/// A draft that was made from another copy than the stored one is refused, and the stored one stays.
#[tokio::test]
async fn draft_is_not_saved_over_one_that_its_sender_has_not_seen() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(None)).await.unwrap();
    let params = |note: &str, replaces: Option<&str>| DraftParams {
        draft: serde_json::from_value(serde_json::json!({
            "page": {"question": 0}, "entries": [{"note": note}]
        }))
        .unwrap(),
        revision: None,
        replaces: replaces.map(str::to_owned),
    };
    let stored = async || server.client.draft(&asked.id).await.unwrap();
    let save = async |params: DraftParams| server.client.put_draft(&asked.id, &params).await;

    assert_eq!(stored().await.version, "");
    save(params("one", Some(""))).await.unwrap();
    let one = stored().await;
    assert_eq!(code(save(params("two", Some(""))).await), "draft_changed");
    assert_eq!(stored().await, one);
    save(params("two", Some(&one.version))).await.unwrap();
    let two = stored().await;
    assert_ne!(two.version, one.version);
    save(params("three", None)).await.unwrap();
    assert_ne!(stored().await.version, two.version);
}
