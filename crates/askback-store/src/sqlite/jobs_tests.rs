//! Goal: finding what is due costs as much as there is due, and no more.

use super::*;
use crate::sqlite::plan::{assert_indexed, plan};

#[test]
fn due_jobs_are_read_off_their_index() {
    assert_indexed(DUE, "jobs_due");
    assert_eq!(plan(ALL), "SCAN jobs USING COVERING INDEX jobs_due \n");
}
