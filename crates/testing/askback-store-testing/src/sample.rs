//! Sample commits and rows.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use askback_core::id::{ConversationId, InquiryId};
use askback_core::text::Text;

use askback_store::commit::{
    Commit, ConversationRemoval, InquiryChange, NewConversation, NewJob, NewRecord, NewResolution,
    RequestKey,
};
use askback_store::filters::InquiryFilter;
use askback_store::rows::{ConversationRow, InquiryRow, Snapshot};
use askback_store::store::{Store, StoreError};

/// A time in seconds after the start of the test. It has milliseconds, which a store must keep.
pub fn at(second: i64) -> Timestamp {
    let start = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 20_000);
    start + SignedDuration::from_secs(second) + SignedDuration::from_millis(123)
}

/// A conversation id that askback made.
pub fn conversation(number: u128) -> ConversationId {
    ConversationId::from((0x0198_0000_u128 << 96) | number)
}

/// An inquiry id that askback made.
pub fn inquiry(number: u128) -> InquiryId {
    InquiryId::from((0x0198_0001_u128 << 96) | number)
}

/// A commit that creates a conversation, with a record of one position.
pub fn create(id: &ConversationId, second: i64) -> Commit {
    let create = NewConversation {
        driver: "external".to_owned(),
        app: Some("planner".to_owned()),
        parent: None,
    };
    Commit {
        expected_version: None,
        create: Some(create),
        ..update(id, 0, second)
    }
}

/// A commit on an existing version, with a record of one position.
pub fn update(id: &ConversationId, expected: u64, second: i64) -> Commit {
    Commit {
        conversation: id.clone(),
        expected_version: Some(expected),
        create: None,
        snapshot: Snapshot {
            version: expected + 1,
            state: "idle".to_owned(),
            title: Some("A trip".to_owned()),
            json: format!("{{\"version\":{}}}", expected + 1),
        },
        record: Some(record(expected + 1)),
        inquiries: Vec::new(),
        jobs: Vec::new(),
        obsolete_timers: Vec::new(),
        finished_jobs: Vec::new(),
        closes: false,
        keys: Vec::new(),
        at: at(second),
    }
}

/// A record with its number as content.
pub fn record(number: u64) -> NewRecord {
    NewRecord {
        positions: 1,
        body: format!("{{\"number\":{number}}}"),
    }
}

/// A key of the request with this hash.
pub fn key(key: &str, request: u8) -> Vec<RequestKey> {
    vec![RequestKey {
        key: key.to_owned(),
        request: [request; 32],
    }]
}

/// A new inquiry.
pub fn ask(id: &InquiryId, expires_at: Option<Timestamp>) -> InquiryChange {
    // The store takes the conversation and the time from the commit.
    let row = InquiryRow::new(
        id.clone(),
        conversation(0),
        "ask_user",
        Timestamp::UNIX_EPOCH,
    );
    InquiryChange::Ask {
        inquiry: Box::new(InquiryRow {
            json: "{\"questions\":[\"Where to?\"]}".to_owned(),
            source: Text::name("the planner"),
            credential: Some("laptop".to_owned()),
            expires_at,
            ..row
        }),
        asker: None,
    }
}

/// An outcome.
pub fn resolve(id: &InquiryId, status: &str) -> InquiryChange {
    InquiryChange::Resolve(NewResolution {
        id: id.clone(),
        status: status.to_owned(),
        json: format!("{{\"outcome\":\"{status}\"}}"),
    })
}

/// A commit that creates a conversation with an inquiry.
pub fn create_asking(number: u128, expires_at: Option<Timestamp>, second: i64) -> Commit {
    let mut commit = create(&conversation(number), second);
    "awaiting_user_response".clone_into(&mut commit.snapshot.state);
    commit.inquiries = vec![ask(&inquiry(number), expires_at)];
    commit
}

/// A commit that resolves the inquiry of [`create_asking`].
pub fn update_resolving(number: u128, status: &str, second: i64) -> Commit {
    let mut commit = update(&conversation(number), 1, second);
    commit.inquiries = vec![resolve(&inquiry(number), status)];
    commit
}

/// The queue of [`job`].
pub const QUEUE: &str = "work";

/// A commit that closes the conversation of [`create_asking`].
pub fn update_closing(number: u128, second: i64) -> Commit {
    let mut commit = update(&conversation(number), 1, second);
    commit.closes = true;
    "closed".clone_into(&mut commit.snapshot.state);
    commit.record = Some(NewRecord {
        positions: 4,
        body: "[\"what was said\"]".to_owned(),
    });
    commit.inquiries = vec![resolve(&inquiry(number), "withdrawn")];
    commit
}

/// The removal of a closed conversation.
pub fn removal(number: u128) -> ConversationRemoval {
    ConversationRemoval {
        conversation: conversation(number),
        kept_jobs: vec!["webhook".to_owned()],
        closing_record: Some("[\"closed\"]".to_owned()),
        rows_max: 9,
    }
}

/// A job that is due at a second.
pub fn job(kind: &str, second: i64) -> NewJob {
    NewJob {
        queue: QUEUE.to_owned(),
        kind: kind.to_owned(),
        json: "{\"attempt\":1}".to_owned(),
        run_at: at(second),
        timer_of: None,
        claim_at_once: false,
    }
}

/// A timer of an inquiry that is due at a second.
pub fn timer(kind: &str, inquiry: &InquiryId, second: i64) -> NewJob {
    NewJob {
        queue: "timer".to_owned(),
        timer_of: Some(inquiry.clone()),
        ..job(kind, second)
    }
}

/// The row of a conversation without its inquiries.
pub async fn conversation_row(
    store: &Arc<dyn Store>,
    id: &ConversationId,
) -> Result<Option<ConversationRow>, StoreError> {
    Ok(store.load(id).await?.map(|loaded| loaded.row))
}

/// A page of pending inquiries.
pub fn pending(limit: usize, cursor: Option<String>) -> InquiryFilter {
    InquiryFilter {
        cursor,
        ..InquiryFilter::pending(limit)
    }
}
