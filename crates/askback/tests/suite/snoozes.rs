//! Snoozes over HTTP: a question is hidden until a time, on every device, and nothing else changes.

use askback_core::id::InquiryId;
use askback_wire::snooze::SnoozeParams;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::deadlines::{code, question, serve};
use super::support::server_process::{Directory, Server};

const HOUR: u32 = 60 * 60;

fn in_hours(hours: i64) -> Timestamp {
    Timestamp::now() + SignedDuration::from_hours(hours)
}

async fn snoozed_until(server: &Server, id: &InquiryId) -> Option<Timestamp> {
    server.client.inquiry(id).await.unwrap().snoozed_until
}

/// It is the same for every client and after a restart, and nothing else of the inquiry changes.
#[tokio::test]
async fn snooze_survives_a_restart_and_changes_nothing_else() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(None)).await.unwrap();
    let until = in_hours(3);
    let params = SnoozeParams { until: Some(until) };
    let mut snoozed = server.client.snooze(&asked.id, &params).await.unwrap();
    assert_eq!(server.client.inquiry(&asked.id).await.unwrap(), snoozed);
    server.kill();
    let server = serve(&directory);
    let stored = snoozed_until(&server, &asked.id).await;
    // Times have millisecond precision.
    let millis = |at: Timestamp| at.as_millisecond();
    assert_eq!(stored.map(millis), Some(millis(until)));
    snoozed.snoozed_until = None;
    assert_eq!(snoozed, asked);
    let now = SnoozeParams::default();
    let shown = server.client.snooze(&asked.id, &now).await.unwrap();
    assert_eq!(shown, asked);
}

/// A time in the past would hide nothing: whoever sends it has the wrong clock or the wrong time zone.
#[tokio::test]
async fn snooze_into_the_past_is_refused() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(None)).await.unwrap();
    let params = SnoozeParams {
        until: Some(in_hours(-1)),
    };
    let refused = server.client.snooze(&asked.id, &params).await;
    assert_eq!(code(refused), "deadline_passed");
    assert_eq!(snoozed_until(&server, &asked.id).await, None);
}

/// A question whose deadline comes first is shown before its deadline.
#[tokio::test]
async fn deadline_ends_a_snooze_early() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(Some(HOUR))).await.unwrap();
    let params = SnoozeParams {
        until: Some(in_hours(30)),
    };
    let snoozed = server.client.snooze(&asked.id, &params).await.unwrap();
    let until = snoozed.snoozed_until.unwrap();
    let deadline = asked.expires_at.unwrap();
    assert_eq!(
        deadline.duration_since(until).as_secs(),
        i64::from(HOUR) / 10
    );
}

/// An outcome ends the snooze, and a resolved question cannot be snoozed.
#[tokio::test]
async fn outcome_ends_a_snooze() {
    let directory = Directory::new();
    let server = serve(&directory);
    let asked = server.client.ask(&question(None)).await.unwrap();
    let params = SnoozeParams {
        until: Some(in_hours(1)),
    };
    server.client.snooze(&asked.id, &params).await.unwrap();
    let answer = serde_json::from_value(json!({"answers": {"q1": "A"}})).unwrap();
    server.client.answer(&asked.id, &answer).await.unwrap();
    assert_eq!(snoozed_until(&server, &asked.id).await, None);
    let refused = server.client.snooze(&asked.id, &params).await;
    assert_eq!(code(refused), "not_pending");
}
