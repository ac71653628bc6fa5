//! Goal: reading records costs as much as is read, however long the log is.

use super::*;
use crate::sqlite::query_plan::{assert_indexed, query_plan};

#[test]
fn the_feed_is_read_off_its_index() {
    assert_indexed(AFTER, "PRIMARY KEY");
    for sql in [AFTER_IN, UP_TO_IN] {
        assert_indexed(sql, "sqlite_autoindex_conversations_1");
        let plan = query_plan(sql);
        let rest = "records_in (conversation=? AND rowid";
        assert!(plan.contains(rest), "{plan}");
    }
    let plan = query_plan(NEWEST_IN);
    assert!(
        plan.contains("COVERING INDEX records_in (conversation=?)"),
        "{plan}"
    );
}
