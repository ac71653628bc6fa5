//! Goal: finding due jobs costs as much as there are due jobs.

use super::*;
use crate::sql::executor::backlog::QUEUES;
use crate::sql::executor::for_sqlite;
use crate::sqlite::query_plan::{assert_indexed, query_plan};

#[test]
fn due_jobs_are_read_off_their_index() {
    assert_indexed(JOBS_BY_DUE_TIME, "jobs_due");
}

/// The names of queues are found by index seeks, not by a scan of the jobs.
#[test]
fn queues_are_found_by_seeking() {
    let plan = query_plan(&for_sqlite(QUEUES));
    let of_jobs: Vec<&str> = plan.lines().filter(|line| line.contains("jobs")).collect();
    assert_eq!(of_jobs.len(), 2, "{plan}");
    for line in of_jobs {
        assert!(
            line.contains("SEARCH jobs USING COVERING INDEX jobs_due"),
            "{plan}"
        );
    }
}
