//! Checks the query plans of statements, for tests.

use rusqlite::Connection;

use crate::sqlite::migrations::{MIGRATIONS, migrate};

/// The output of `EXPLAIN QUERY PLAN` on our schema, one step per line.
pub(super) fn query_plan(sql: &str) -> String {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, MIGRATIONS).unwrap();
    let mut statement = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let mut rows = statement.raw_query();
    let mut plan = String::new();
    while let Some(row) = rows.next().unwrap() {
        plan += &row.get::<_, String>(3).unwrap();
        plan += " \n";
    }
    plan
}

/// Asserts that a statement starts with this index, scans no table and sorts nothing.
pub(super) fn assert_indexed(sql: &str, index: &str) {
    let plan = query_plan(sql);
    let first = plan.lines().next().unwrap_or_default();
    assert!(first.contains(&format!("{index} ")), "{sql}\n{plan}");
    assert!(!plan.contains("SCAN"), "{sql}\n{plan}");
    assert!(!plan.contains("TEMP B-TREE"), "{sql}\n{plan}");
}
