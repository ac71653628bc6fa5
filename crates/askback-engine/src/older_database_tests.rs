//! Goal: a database that an earlier version wrote is opened, shows the same, and goes on.

use std::sync::Arc;

use askback_core::conversation::command::{Command, Target};
use askback_core::id::{ConversationId, InquiryId};
use askback_store::conformance::SCHEMA_7;
use askback_store::{AskerFilter, InquiryFilter, RequestKey, StoreError};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::clock::Clock as _;
use crate::engine::{Engine, EngineParts};
use crate::fixtures::{AdjustableClock, OneToolModel, TempStore, http_actor, parts, with_timeout};

/// The built-in agent's first question was answered; its second one is pending.
const BUILT_IN: &str = "cnv_01m7jmtnwnewer6q6pk4c3pj1h";
/// The first of two calls in one round was answered; the second one is pending.
const TWO_CALLS: &str = "cnv_01m7jmtpasetqssrcc3er716de";
/// An external agent with three inquiries; the first was answered.
const EXTERNAL: &str = "cnv_01m7jmtrdbee0b8v6grp066hnv";
const DELETED: &str = "cnv_01m7jmtsc3e7psg494gnje3j1n";
/// An answer whose undo window has ended since.
const HELD: &str = "inq_01m7jmttf9ez1b71e7mtde9agn";
/// The sequence number of the newest event in it.
const NEWEST: u64 = 130;

/// An engine a few minutes after the last change, when no deadline has passed yet.
async fn open(temp_store: &TempStore) -> Engine {
    let clock = AdjustableClock::default();
    let then: Timestamp = "2026-11-16T17:05:00Z".parse().unwrap();
    clock.set(then.duration_since(clock.now()));
    let parts = EngineParts {
        clock: Arc::new(clock),
        ..parts(temp_store.store(), OneToolModel("none", Value::Null))
    };
    Engine::start(parts).await.unwrap()
}

#[tokio::test]
async fn inquiries_are_as_they_were() {
    let temp_store = TempStore::from_sql(SCHEMA_7);
    let engine = open(&temp_store).await;
    let expected = [
        ("inq_01m7jmtp65e05a10t8rjsbafje", "pending"),
        ("inq_01m7jmtpbke27rvwt5j2bxagya", "pending"),
        ("inq_01m7jmtrcae6xr30tsmef4h12f", "pending"),
        ("inq_01m7jmtrdke4maqvcrsqfszpxp", "answered"),
        ("inq_01m7jmtrdserdr47gggh429vb0", "pending"),
        ("inq_01m7jmts14e3091g8qdyvk093v", "pending"),
        ("inq_01m7jmts1nea793z6pkpw94j8b", "pending"),
        ("inq_01m7jmts2neqr9br7kj0jktkam", "expired"),
        ("inq_01m7jmts3xet29feyreyr28y1m", "declined"),
        ("inq_01m7jmtsc3e7psg494gnje3j1p", "withdrawn"),
        ("inq_01m7jmtt59e65v83ry4c7354rh", "pending"),
    ];
    for (id, status) in expected {
        let view = engine.inquiry(&InquiryId::new(id)).await.unwrap();
        let view = view.expect("it is known");
        assert_eq!(view.row.status, status, "{id}");
        assert_eq!(view.resolution.is_some(), status != "pending", "{id}");
    }
    let filter = InquiryFilter {
        status: Some("pending".to_owned()),
        asker: Some(AskerFilter {
            client: "claude-code".to_owned(),
            project: Some("/home/ada/shop".to_owned()),
            session: None,
        }),
        limit: 9,
        ..InquiryFilter::default()
    };
    let asked = engine.inquiries(filter).await.unwrap();
    assert_eq!(asked.items.len(), 1, "the agent finds its question");
    let key = RequestKey {
        key: "key:ask-key".to_owned(),
        request: [0; 32],
    };
    let used = engine.store().check_keys(&[key]).await;
    assert!(matches!(used, Err(StoreError::KeyReused)), "{used:?}");
}

/// The held answer of the earlier version takes effect.
#[tokio::test]
async fn a_held_answer_takes_effect() {
    let temp_store = TempStore::from_sql(SCHEMA_7);
    let engine = open(&temp_store).await;
    let held = InquiryId::new(HELD);
    let waiting = engine.wait_for(&held, std::time::Duration::from_mins(1));
    let view = waiting.await.unwrap().expect("it is known");
    assert_eq!(view.row.status, "answered");
}

/// Every record is read, in order, with the positions that its events had.
#[tokio::test]
async fn the_feed_is_replayed() {
    let temp_store = TempStore::from_sql(SCHEMA_7);
    let engine = open(&temp_store).await;
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let mut last = 0;
    let mut states = 0;
    while listener.last() < NEWEST {
        let record = with_timeout("it goes on", listener.next()).await.unwrap();
        assert!(!record.is_damaged, "{record:?}");
        assert!(record.first > last && record.last >= record.first);
        last = record.last;
        states += usize::from(record.state.is_some());
        if record.conversation.as_str() == DELETED {
            let names = record.events.iter().map(|(_, event)| event.name());
            assert_eq!(names.collect::<Vec<_>>(), ["inquiry_resolved", "closed"]);
            assert_eq!((record.first, record.last), (99, 101));
        }
    }
    assert_eq!(last, NEWEST);
    assert!(
        states >= 15,
        "each conversation shows its state once: {states}"
    );
    // A client that was in the middle of a commit continues there.
    let mut inside = engine.listen(None, Some(9)).await.unwrap();
    let record = with_timeout("it goes on", inside.next()).await.unwrap();
    assert_eq!((record.first, record.last), (8, 12));
}

/// The conversations go on: pending questions are answered, and positions continue.
#[tokio::test]
async fn conversations_go_on() {
    let temp_store = TempStore::from_sql(SCHEMA_7);
    let engine = open(&temp_store).await;
    let answers = [
        (BUILT_IN, "inq_01m7jmtp65e05a10t8rjsbafje", "Red"),
        (TWO_CALLS, "inq_01m7jmtpbke27rvwt5j2bxagya", "B"),
        (EXTERNAL, "inq_01m7jmtrdserdr47gggh429vb0", "A"),
    ];
    for (conversation, inquiry, answer) in answers {
        let command = Command::Answer {
            target: Target::from(InquiryId::new(inquiry)),
            answers: json!({"q1": answer}),
            notes: None,
        };
        let id = ConversationId::new(conversation);
        let answered = engine.submit(&id, command, http_actor()).await.unwrap();
        assert!(answered.record.first > NEWEST);
        let view = engine.conversation(&id).await.unwrap().unwrap();
        assert_eq!(view.row.snapshot.version, answered.conversation.version);
    }
}
