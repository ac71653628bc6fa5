//! Goal: finding the same call reads the undelivered inquiries of one agent, not all.

use super::*;
use crate::sqlite::query_plan::assert_indexed;

#[test]
fn the_same_call_is_found_by_the_index_of_what_is_undelivered() {
    assert_indexed(SAME_CALL, "askers_undelivered");
}

/// The names of sessions are read off the index, and a takeover finds its inquiries there.
#[test]
fn sessions_are_found_by_the_index_of_what_is_undelivered() {
    assert_indexed(SESSIONS, "askers_undelivered");
    assert_indexed(TAKE_OVER, "askers_undelivered");
}
