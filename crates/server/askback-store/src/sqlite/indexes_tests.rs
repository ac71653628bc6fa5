//! Goal: every index has a query that needs it. An index that no query uses costs a write for each row, and
//! a query that lost its index reads the whole table.

use rusqlite::Connection;

use super::migrations::{MIGRATIONS, migrate};
use super::query_plan::query_plan;
use super::{askers, conversations, inquiries, jobs, records, removal, sql_executor};
use crate::sql::executor::{backlog, deliveries, for_sqlite};

/// Deleting a row deletes those that refer to it, by statements of SQLite's own. Without an index, each of
/// them would read its whole table.
macro_rules! cascade {
    ($table:literal, $column:literal) => {
        concat!("DELETE FROM ", $table, " WHERE ", $column, " = ?1")
    };
}

/// Every index of the schema with a query that uses it.
const INDEXES: [(&str, &str); 18] = [
    ("askers_undelivered", askers::SAME_CALL),
    ("channel_values_of_inquiry", sql_executor::OF_ENDED),
    ("conversations_by_activity", conversations::LIST),
    (
        "conversations_by_parent",
        cascade!("conversations", "parent"),
    ),
    ("conversations_by_state", conversations::LIST_IN_STATE),
    ("conversations_closed", removal::CLOSED),
    ("deliveries_by_message", deliveries::OF_MESSAGE),
    ("deliveries_due", deliveries::DUE),
    ("deliveries_ended", deliveries::PRUNE),
    ("inquiries_in", inquiries::LIST_IN),
    ("inquiries_pending", inquiries::LIST_PENDING),
    ("inquiries_resolved", inquiries::LIST_RESOLVED),
    ("jobs_by_conversation", cascade!("jobs", "conversation")),
    ("jobs_due", jobs::JOBS_BY_DUE_TIME),
    ("jobs_of_inquiry", cascade!("jobs", "inquiry")),
    ("records_in", records::NEWEST_IN),
    (
        "request_keys_by_conversation",
        cascade!("request_keys", "conversation"),
    ),
    (
        "tombstones_by_conversation",
        cascade!("tombstones", "conversation"),
    ),
];

fn indexes_of_schema() -> Vec<String> {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, MIGRATIONS).unwrap();
    // Those of constraints have no SQL.
    let mut statement = connection
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name",
        )
        .unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    names.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn every_index_has_its_query() {
    assert_eq!(indexes_of_schema(), INDEXES.map(|(index, _)| index));
}

#[test]
fn every_query_uses_its_index() {
    for (index, sql) in INDEXES {
        let plan = query_plan(&for_sqlite(sql));
        assert!(plan.contains(&format!(" {index} ")), "{sql}\n{plan}");
        assert!(!plan.contains("SCAN"), "{sql}\n{plan}");
    }
}

/// Monitoring counts without reading a row: where an index does not cover the query, the seek for the row is deferred and
/// never made.
#[test]
fn backlog_is_counted_from_indexes() {
    for (index, sql) in [
        ("inquiries_pending", super::PENDING),
        ("jobs_due", backlog::JOBS),
        ("deliveries_due", backlog::MESSAGES),
    ] {
        let plan = query_plan(&for_sqlite(sql));
        let used = format!("INDEX {index}");
        assert!(plan.contains(&used), "{sql}\n{plan}");
        assert!(!plan.contains("TEMP B-TREE"), "{sql}\n{plan}");
    }
}

/// Retention reads old conversations in order, however many are newer.
#[test]
fn ended_conversations_are_found_by_index() {
    let plan = query_plan(removal::ENDED);
    assert!(plan.contains("conversations_by_activity "), "{plan}");
    assert!(!plan.contains("SCAN"), "{plan}");
    assert!(!plan.contains("TEMP B-TREE"), "{plan}");
}
