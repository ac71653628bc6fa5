//! Ids of requests: sent ones are kept if they can do no harm in a log.

use axum::http::{HeaderMap, HeaderValue};

use super::{REQUEST_ID, TRACEPARENT, id_of, traceparent_of};

fn id_for(sent: &[u8]) -> HeaderValue {
    let mut headers = HeaderMap::new();
    let sent = HeaderValue::from_bytes(sent).unwrap();
    headers.insert(REQUEST_ID, sent);
    id_of(&headers)
}

#[test]
fn valid_ids_are_kept_and_others_replaced() {
    for kept in ["7", "a-b_c.d:e/f+g=", &"x".repeat(128)] {
        assert_eq!(id_for(kept.as_bytes()), kept);
    }
    for replaced in ["", "a b", "a\tb", "<b>", "ä", "\"", &"x".repeat(129)] {
        let made = id_for(replaced.as_bytes());
        assert_ne!(made, replaced);
        assert_eq!(id_for(made.as_bytes()), made, "ours are valid");
    }
}

#[test]
fn new_ids_differ() {
    let headers = HeaderMap::new();
    assert_ne!(id_of(&headers), id_of(&headers));
}

#[test]
fn only_valid_trace_contexts_are_taken() {
    let taken = |sent: &str| {
        let mut headers = HeaderMap::new();
        headers.insert(TRACEPARENT, HeaderValue::from_str(sent).unwrap());
        traceparent_of(&headers)
    };
    let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    assert_eq!(taken(valid).as_deref(), Some(valid));
    for invalid in [
        "",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
    ] {
        assert_eq!(taken(invalid), None, "{invalid}");
    }
}
