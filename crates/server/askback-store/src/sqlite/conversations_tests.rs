//! Goal: lists of conversations use an index, so that their cost does not grow.

use super::*;
use crate::sqlite::query_plan::assert_indexed;

#[test]
fn lists_are_read_off_their_index() {
    assert_indexed(ONE, "sqlite_autoindex_conversations_1");
    assert_indexed(LIST, "conversations_by_activity");
    assert_indexed(LIST_IN_STATE, "conversations_by_state");
}
