//! Decisions and rows for the cases.

use jiff::{SignedDuration, Timestamp};

use askback_core::id::{ConversationId, InquiryId};

use crate::rows::{
    Commit, ConversationRemoval, InquiryChange, InquiryFilter, NewConversation, NewEvent,
    NewInquiry, NewJob, NewResolution, RequestKey, Snapshot,
};

/// A moment some seconds into the test. It has milliseconds, which a store must keep.
pub(super) fn at(second: i64) -> Timestamp {
    let start = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * 20_000);
    start + SignedDuration::from_secs(second) + SignedDuration::from_millis(123)
}

/// A conversation of our own making.
pub(super) fn conversation(number: u128) -> ConversationId {
    ConversationId::from((0x0198_0000_u128 << 96) | number)
}

/// An inquiry of our own making.
pub(super) fn inquiry(number: u128) -> InquiryId {
    InquiryId::from((0x0198_0001_u128 << 96) | number)
}

/// The first decision about a conversation, with one event.
pub(super) fn begins(id: &ConversationId, second: i64) -> Commit {
    let create = NewConversation {
        driver: "external".to_owned(),
        app: Some("planner".to_owned()),
        parent: None,
    };
    Commit {
        expected_version: None,
        create: Some(create),
        ..goes_on(id, 0, second)
    }
}

/// A later decision, made on a version, with one event.
pub(super) fn goes_on(id: &ConversationId, expected: u64, second: i64) -> Commit {
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
        events: vec![event(expected + 1)],
        inquiries: Vec::new(),
        jobs: Vec::new(),
        obsolete_timers: Vec::new(),
        finished_jobs: Vec::new(),
        closes: false,
        keys: Vec::new(),
        at: at(second),
    }
}

/// An event that tells by its content which one it is.
pub(super) fn event(number: u64) -> NewEvent {
    NewEvent {
        kind: "message".to_owned(),
        json: format!("{{\"number\":{number}}}"),
    }
}

/// A key that a request of this number was sent under.
pub(super) fn key(key: &str, request: u8) -> Vec<RequestKey> {
    vec![RequestKey {
        key: key.to_owned(),
        request: [request; 32],
    }]
}

/// A question, with or without a deadline.
pub(super) fn ask(id: &InquiryId, expires_at: Option<Timestamp>) -> InquiryChange {
    InquiryChange::Ask(NewInquiry {
        id: id.clone(),
        dialect: "ask_user".to_owned(),
        json: "{\"questions\":[\"Where to?\"]}".to_owned(),
        revision: 1,
        source: Some("the planner".to_owned()),
        webhook: None,
        expires_at,
        asker: None,
    })
}

/// An outcome.
pub(super) fn resolve(id: &InquiryId, status: &str) -> InquiryChange {
    InquiryChange::Resolve(NewResolution {
        id: id.clone(),
        status: status.to_owned(),
        json: format!("{{\"outcome\":\"{status}\"}}"),
        tombstone: None,
    })
}

/// A conversation that begins by asking.
pub(super) fn asks(number: u128, expires_at: Option<Timestamp>, second: i64) -> Commit {
    let mut commit = begins(&conversation(number), second);
    "awaiting_user_response".clone_into(&mut commit.snapshot.state);
    commit.inquiries = vec![ask(&inquiry(number), expires_at)];
    commit
}

/// The decision that ends what [`asks`] began.
pub(super) fn answers(number: u128, status: &str, second: i64) -> Commit {
    let mut commit = goes_on(&conversation(number), 1, second);
    commit.inquiries = vec![resolve(&inquiry(number), status)];
    commit
}

/// The queue of [`job`].
pub(super) const QUEUE: &str = "work";

/// The decision that closes what [`asks`] began.
pub(super) fn closes(number: u128, second: i64) -> Commit {
    let mut commit = goes_on(&conversation(number), 1, second);
    commit.closes = true;
    "closed".clone_into(&mut commit.snapshot.state);
    commit.events = ["inquiry_resolved", "round_finished", "state_change"]
        .map(|kind| NewEvent {
            kind: kind.to_owned(),
            json: "{}".to_owned(),
        })
        .to_vec();
    commit.inquiries = vec![InquiryChange::Resolve(NewResolution {
        id: inquiry(number),
        status: "withdrawn".to_owned(),
        json: "{\"outcome\":\"withdrawn\"}".to_owned(),
        tombstone: Some("{\"questions\":[]}".to_owned()),
    })];
    commit
}

/// What a closed conversation leaves behind.
pub(super) fn removal(number: u128) -> ConversationRemoval {
    ConversationRemoval {
        conversation: conversation(number),
        kept_jobs: vec!["webhook".to_owned()],
        kept_events: vec!["inquiry_resolved".to_owned(), "state_change".to_owned()],
    }
}

/// A job that falls due at a second.
pub(super) fn job(kind: &str, second: i64) -> NewJob {
    NewJob {
        queue: QUEUE.to_owned(),
        kind: kind.to_owned(),
        json: "{\"attempt\":1}".to_owned(),
        run_at: at(second),
        timer_of: None,
        claim: false,
    }
}

/// A timer of an inquiry that falls due at a second.
pub(super) fn timer(kind: &str, inquiry: &InquiryId, second: i64) -> NewJob {
    NewJob {
        queue: "timer".to_owned(),
        timer_of: Some(inquiry.clone()),
        ..job(kind, second)
    }
}

/// The inbox.
pub(super) fn pending(limit: usize, cursor: Option<String>) -> InquiryFilter {
    InquiryFilter {
        status: Some("pending".to_owned()),
        cursor,
        limit,
        ..InquiryFilter::default()
    }
}
