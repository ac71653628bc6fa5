//! Goal: reading events costs as much as is read, however long the log is.

use super::*;
use crate::sqlite::query_plan::{assert_indexed, query_plan};

#[test]
fn the_feed_is_read_off_its_index() {
    assert_indexed(AFTER, "PRIMARY KEY");
    for sql in [AFTER_IN, BEFORE_IN] {
        assert_indexed(sql, "sqlite_autoindex_conversations_1");
        let plan = query_plan(sql);
        let rest = "events_by_conversation (conversation=? AND sequence";
        assert!(plan.contains(rest), "{plan}");
    }
}
