//! Goal: a database that a released version wrote is opened, shows the same, and goes on. Each version of the schema has
//! its database here; docs/operations.md promises it.

use std::sync::Arc;

use askback_core::conversation::command::{Command, Target};
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{AskerFilter, InquiryFilter, RequestKey, StoreError};
use askback_store_testing::VERSION_1;
use askback_testkit::variant_name;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::clock::Clock as _;
use crate::engine::{Engine, EngineParts};
use crate::fixtures::{AdjustableClock, OneToolModel, TempStore, http_actor, parts, with_timeout};

/// A database as a version left it, and what is known about it.
struct StoredDatabase {
    sql: &'static str,
    /// A few minutes after the last change, when no deadline has passed yet.
    opened_at: &'static str,
    /// Inquiries with their status.
    inquiries: &'static [(&'static str, &'static str)],
    /// An answer whose undo window has ended since.
    held: &'static str,
    /// Conversations with an inquiry that is pending in them, and an answer to it.
    pending: &'static [(&'static str, &'static str, &'static str)],
    /// A deleted conversation, with the positions of its last record.
    deleted: (&'static str, u64, u64),
    /// A position inside a record, and the positions of that record.
    inside: (u64, u64, u64),
    /// The highest position.
    newest: u64,
    /// How many conversations show their state.
    states: usize,
}

const DATABASES: [StoredDatabase; 1] = [StoredDatabase {
    sql: VERSION_1,
    opened_at: "2026-11-17T03:15:00Z",
    inquiries: &[
        ("inq_01m7kapqswepeat9bjwcmm89h9", "pending"),
        ("inq_01m7kqv24se3zat2am8axwgac9", "answered"),
        ("inq_01m7kqv26ae8cbkd3rjywxc1jc", "pending"),
        ("inq_01m7kqv26bek8rbjv55pk1ef55", "declined"),
        ("inq_01m7kqv26eea8snfndeqcj1kvy", "pending"),
        ("inq_01m7kqv4epehcr3w84f3nyhjvw", "pending"),
        ("inq_01m7kqv4f7ec0vmhwv6mnb0yds", "withdrawn"),
    ],
    held: "inq_01m7kqv26de9nb8t3j7wzjxz1a",
    pending: &[
        (
            "cnv_01m7kqv24se3zat2am8axwgac8",
            "inq_01m7kqv26ae8cbkd3rjywxc1jc",
            "A",
        ),
        (
            "cnv_01m7kqv273e98ameneskdzszgs",
            "inq_01m7kqv4epehcr3w84f3nyhjvw",
            "Red",
        ),
    ],
    deleted: ("cnv_01m7kqv4f7ec0vmhwv6mnb0ydr", 496, 498),
    inside: (9, 8, 12),
    newest: 504,
    states: 18,
}];

/// A question with a draft, in the first database.
const DRAFTED: &str = "inq_01m7kapqygevxb83t6fpsejarj";
/// A question with a message in a channel, in the first database.
const DELIVERED: &str = "inq_01m7kapqswepeat9bjwcmm89h9";
/// Questions that are hidden from the inbox, in the first database.
const SNOOZED: [&str; 2] = [
    "inq_01m7kapqy7eacak9synn6hcgg6",
    "inq_01m7kqv26eea8snfndeqcj1kvy",
];

async fn open(database: &StoredDatabase) -> (Engine, TempStore) {
    let temp_store = TempStore::from_sql(database.sql);
    let clock = AdjustableClock::default();
    let then: Timestamp = database.opened_at.parse().unwrap();
    clock.set(then.duration_since(clock.now()));
    let parts = EngineParts {
        clock: Arc::new(clock),
        node: None,
        ..parts(temp_store.store(), OneToolModel("none", Value::Null))
    };
    (Engine::start(parts).await.unwrap(), temp_store)
}

#[tokio::test]
async fn inquiries_are_as_they_were() {
    for database in &DATABASES {
        let (engine, _files) = open(database).await;
        for (id, status) in database.inquiries {
            let view = engine.inquiry(&InquiryId::new(*id)).await.unwrap();
            let view = view.expect("it is known");
            assert_eq!(view.row.status, *status, "{id}");
            assert_eq!(view.resolution.is_some(), *status != "pending", "{id}");
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
}

#[tokio::test]
async fn drafts_and_snoozes_are_kept() {
    let (engine, _files) = open(&DATABASES[0]).await;
    let draft = engine.store().draft(&InquiryId::new(DRAFTED)).await;
    let draft = draft.unwrap().expect("it is kept");
    assert!(draft.json.contains("not sure"), "{draft:?}");
    for snoozed in SNOOZED {
        let snoozed = engine.inquiry(&InquiryId::new(snoozed)).await.unwrap();
        let until = snoozed.and_then(|view| view.row.snoozed_until);
        assert!(until > Some(engine.clock().now()), "{until:?}");
    }
}

#[tokio::test]
async fn a_held_answer_takes_effect() {
    for database in &DATABASES {
        let (engine, _files) = open(database).await;
        let held = InquiryId::new(database.held);
        let waiting = engine.wait_for(&held, std::time::Duration::from_mins(1));
        let view = waiting.await.unwrap().expect("it is known");
        assert_eq!(view.row.status, "answered");
    }
}

/// Messages in channels, and what channels keep.
#[tokio::test]
async fn deliveries_are_kept() {
    let temp_store = TempStore::from_sql(DATABASES[0].sql);
    let store = temp_store.store();
    assert_eq!(store.delivery_cursor().await.unwrap(), Some(504));
    let inquiry = InquiryId::new(DELIVERED);
    let sent = store.deliveries_of(&inquiry).await.unwrap();
    assert_eq!(sent[0].external_id.as_deref(), Some("77"));
    let kept = store.channel_values("follow:").await.unwrap();
    assert_eq!(kept[0].inquiry.as_ref(), Some(&inquiry));
}

/// Every record is read, in order, with the positions that its events had.
#[tokio::test]
async fn the_feed_is_replayed() {
    for database in &DATABASES {
        let (engine, _files) = open(database).await;
        let mut listener = engine.listen(None, Some(0)).await.unwrap();
        let mut last = 0;
        let mut states = 0;
        while listener.last() < database.newest {
            let record = with_timeout("it goes on", listener.next()).await.unwrap();
            assert!(!record.is_damaged, "{record:?}");
            assert!(record.first > last && record.last >= record.first);
            last = record.last;
            states += usize::from(record.state.is_some());
            let (deleted, first_left, last_left) = database.deleted;
            if record.conversation.as_str() == deleted {
                let names = record.events.iter().map(|(_, event)| variant_name(event));
                assert_eq!(names.collect::<Vec<_>>(), ["inquiry_resolved", "closed"]);
                assert_eq!((record.first, record.last), (first_left, last_left));
            }
        }
        assert_eq!(last, database.newest);
        // The held answer may take effect meanwhile, and its conversation show another state then.
        assert!(states + 1 >= database.states, "{states}");
        // A client that was in the middle of a commit continues there.
        let (after, first, last) = database.inside;
        let mut inside = engine.listen(None, Some(after)).await.unwrap();
        let record = with_timeout("it goes on", inside.next()).await.unwrap();
        assert_eq!((record.first, record.last), (first, last));
    }
}

/// What belongs to a conversation is found from its row.
#[tokio::test]
async fn conversations_have_what_belongs_to_them() {
    for database in &DATABASES {
        // Without an engine, which would go on with them.
        let temp_store = TempStore::from_sql(database.sql);
        let store = temp_store.store();
        let all = store.records(None, 0, 1000).await.unwrap();
        let filter = InquiryFilter {
            limit: 200,
            ..InquiryFilter::default()
        };
        let asked = store.inquiries(filter.clone()).await.unwrap().items;
        for id in all.iter().map(|record| &record.conversation) {
            let expected: Vec<_> = all.iter().filter(|it| it.conversation == *id).collect();
            let found = store.records(Some(id), 0, 1000).await.unwrap();
            assert_eq!(found.iter().collect::<Vec<_>>(), expected);
            let of_conversation = InquiryFilter {
                conversation: Some(id.clone()),
                ..filter.clone()
            };
            let found = store.inquiries(of_conversation).await.unwrap().items;
            let expected = asked.iter().filter(|it| it.conversation == *id);
            let ids: Vec<_> = expected.map(|inquiry| inquiry.id.clone()).collect();
            let found: Vec<_> = found.into_iter().map(|inquiry| inquiry.id).collect();
            assert_eq!(found, ids);
        }
    }
}

/// The conversations go on: pending questions are answered, and positions continue.
#[tokio::test]
async fn conversations_go_on() {
    for database in &DATABASES {
        let (engine, _files) = open(database).await;
        for (conversation, inquiry, answer) in database.pending {
            let command = Command::Answer {
                target: Target::from(InquiryId::new(*inquiry)),
                answers: json!({"q1": answer}),
                notes: None,
            };
            let id = ConversationId::new(*conversation);
            let answered = engine.submit(&id, command, http_actor()).await.unwrap();
            assert!(answered.record.first > database.newest);
            let view = engine.conversation(&id).await.unwrap().unwrap();
            // The agent may have gone on already.
            assert!(view.row.snapshot.version >= answered.conversation.version);
        }
    }
}
