//! Goal: a session is told from one that had ended before it started, for as many as there may be.

use super::*;

#[test]
fn only_sessions_after_the_end_are_later() {
    let mut order = SessionOrder::default();
    order.note_start("running");
    order.note_start("owner");
    order.note_end("owner");
    order.note_start("next");
    assert!(!order.started_after_end("running", "owner"));
    assert!(order.started_after_end("next", "owner"));
    // It ended before this process started.
    assert!(order.started_after_end("running", "of an earlier server"));
    // An earlier server started it.
    assert!(!order.started_after_end("restored", "owner"));
}

#[test]
fn forgotten_end_is_not_taken_for_an_earlier_one() {
    let mut order = SessionOrder::default();
    order.note_start("running");
    for number in 0..3 * ENTRIES_MAX {
        order.note_end(&number.to_string());
    }
    assert!(order.ends.len() <= ENTRIES_MAX);
    assert!(!order.started_after_end("running", "0"));
    order.note_start("next");
    assert!(order.started_after_end("next", "0"));
}
