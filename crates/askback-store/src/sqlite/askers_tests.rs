//! Goal: finding the same call reads the undelivered inquiries of one agent, not all.

use super::*;
use crate::sqlite::query_plan::assert_indexed;

#[test]
fn the_same_call_is_found_by_the_index_of_what_is_undelivered() {
    let plan = SAME_CALL;
    assert_indexed(plan, "askers_undelivered");
}
