//! Goal: the rest of a response can be read after any of its events, before and after it is complete,
//! and memory stays bounded.

use futures_util::StreamExt as _;
use rmcp::model::{ErrorData, NumberOrString, ServerJsonRpcMessage};

use super::*;

const IDLE_MAX: Duration = Duration::from_mins(30);

fn progress() -> ServerSseMessage {
    ServerSseMessage::retry(Duration::from_secs(3))
}

fn result() -> ServerSseMessage {
    let error = ErrorData::internal_error("The end.", None);
    let id = NumberOrString::Number(1);
    ServerSseMessage::from_message(ServerJsonRpcMessage::error(error, Some(id)))
}

fn record(events: &ResponseEvents, stream: &str, event: &ServerSseMessage) -> String {
    events.record(stream, event, Instant::now())
}

async fn ids_after(events: &ResponseEvents, id: &str) -> Vec<String> {
    let replayed = events.replay_events_after(id).await.unwrap();
    let ids = replayed.map(|event| event.event_id.unwrap());
    ids.collect().await
}

#[tokio::test]
async fn complete_response_is_read_to_its_end() {
    let events = ResponseEvents::new(IDLE_MAX);
    let first = record(&events, "a", &progress());
    let second = record(&events, "a", &progress());
    let last = record(&events, "a", &result());
    assert_eq!(ids_after(&events, &first).await, [second, last.clone()]);
    assert_eq!(ids_after(&events, &last).await, Vec::<String>::new());
}

#[tokio::test]
async fn reader_of_an_open_response_gets_what_comes_later() {
    let events = Arc::new(ResponseEvents::new(IDLE_MAX));
    let first = record(&events, "a", &progress());
    let mut replayed = events.replay_events_after(&first).await.unwrap();
    assert!(futures_util::poll!(replayed.next()).is_pending());
    let last = record(&events, "a", &result());
    assert_eq!(replayed.next().await.unwrap().event_id, Some(last));
    assert!(replayed.next().await.is_none());
}

#[tokio::test]
async fn events_that_nobody_issued_are_refused() {
    let events = ResponseEvents::new(IDLE_MAX);
    record(&events, "a", &progress());
    assert_eq!(record(&events, "session:common", &progress()), NO_RESPONSE);
    for id in [
        "",
        "0",
        "x",
        "1/a",
        "0/b",
        "-1/a",
        "0/session:common",
        "18446744073709551615/a",
    ] {
        assert_eq!(events.resumption(id, "s"), Resumption::Unknown, "{id}");
        assert!(events.replay_events_after(id).await.is_err(), "{id}");
    }
    assert_ne!(events.resumption("0/a", "s"), Resumption::Unknown);
}

#[tokio::test]
async fn long_response_keeps_its_end() {
    let events = ResponseEvents::new(IDLE_MAX);
    let first = record(&events, "a", &progress());
    for _ in 0..3 * EVENTS_MAX {
        record(&events, "a", &progress());
    }
    let last = record(&events, "a", &result());
    let ids = ids_after(&events, &first).await;
    assert_eq!(ids.len(), EVENTS_MAX);
    assert_eq!(ids.last(), Some(&last));
}

#[test]
fn old_responses_are_dropped() {
    let events = ResponseEvents::new(IDLE_MAX);
    let start = Instant::now();
    let after = |time| start + time;
    let open = events.record("open", &progress(), start);
    for number in 0..2 * COMPLETE_MAX {
        events.record(&number.to_string(), &result(), start);
    }
    assert!(events.responses.lock().len() <= COMPLETE_MAX + 1);
    assert_ne!(events.resumption(&open, "s"), Resumption::Unknown);
    events.record("new", &progress(), after(KEEP_COMPLETE));
    assert_eq!(events.responses.lock().len(), 2);
    events.record("newer", &progress(), after(KEEP_COMPLETE + IDLE_MAX));
    assert_eq!(events.responses.lock().len(), 1);
}

/// A response is read by its own session only, and not after the session has ended.
#[tokio::test]
async fn response_belongs_to_its_session() {
    let events = ResponseEvents::new(IDLE_MAX);
    let first = record(&events, "a", &progress());
    assert_eq!(events.resumption(&first, "one"), Resumption::OtherSession);
    events.bind(&first, "one");
    events.bind(&first, "two");
    assert_eq!(events.resumption(&first, "one"), Resumption::Possible);
    assert_eq!(events.resumption(&first, "two"), Resumption::OtherSession);
    events.remove_session("two");
    assert_eq!(events.resumption(&first, "one"), Resumption::Possible);
    events.remove_session("one");
    assert_eq!(events.resumption(&first, "one"), Resumption::Unknown);
}
