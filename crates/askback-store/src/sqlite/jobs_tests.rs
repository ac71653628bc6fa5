//! Goal: finding what is due costs as much as there is due, and no more.

use super::*;
use crate::sqlite::query_plan::{assert_indexed, plan};

#[test]
fn due_jobs_are_read_off_their_index() {
    assert_indexed(IN_ORDER, "jobs_due");
}

/// The names of the queues are found by seeking, not by walking through the jobs.
#[test]
fn queues_are_found_by_seeking() {
    let plan = plan(QUEUES);
    let of_jobs: Vec<&str> = plan.lines().filter(|line| line.contains("jobs")).collect();
    assert_eq!(of_jobs.len(), 2, "{plan}");
    for line in of_jobs {
        assert!(
            line.contains("SEARCH jobs USING COVERING INDEX jobs_due"),
            "{plan}"
        );
    }
}
