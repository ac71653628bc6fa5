//! Goal: reading the feed costs as much as is read, however long it is.

use super::*;
use crate::sqlite::query_plan::{assert_indexed, plan};

#[test]
fn the_feed_is_read_off_its_index() {
    assert_indexed(AFTER, "PRIMARY KEY");
    for sql in [AFTER_IN, BEFORE_IN] {
        assert_indexed(sql, "sqlite_autoindex_conversations_1");
        let plan = plan(sql);
        let rest = "events_by_conversation (conversation=? AND sequence";
        assert!(plan.contains(rest), "{plan}");
    }
}
