//! Goal: lists of inquiries use an index, so that their cost does not grow.

use super::*;
use crate::sqlite::query_plan::{assert_indexed, query_plan};

#[test]
fn lists_are_read_off_their_index() {
    assert_indexed(ONE, "sqlite_autoindex_inquiries_1");
    assert_indexed(NUMBERED, "PRIMARY KEY");
    assert_indexed(NEXT_STATUS, "inquiries_in");
    assert_indexed(PENDING_IN, "inquiries_in");
    assert_indexed(LIST_PENDING, "inquiries_pending");
    assert_indexed(LIST_RESOLVED, "inquiries_resolved");
    assert_indexed(LIST_ALL, "PRIMARY KEY");
    assert_indexed(LIST_IN, "inquiries_in");
}

#[test]
fn what_waits_in_one_conversation_is_sorted_after_it_was_found() {
    let plan = query_plan(LIST_PENDING_IN);
    assert!(plan.contains("inquiries_in "), "{plan}");
    assert!(!plan.contains("SCAN"), "{plan}");
}

/// A session reads its own inquiries, not those of all sessions of its client and project.
#[test]
fn inquiries_of_a_session_are_found_by_its_name() {
    for list in [LIST_ASKED_PENDING, LIST_UNDELIVERED] {
        let plan = query_plan(list);
        let by_session = "(client=? AND project=? AND session>? AND session<?)";
        assert!(plan.contains(by_session), "{plan}");
        assert!(!plan.contains("SCAN i"), "{plan}");
    }
}
