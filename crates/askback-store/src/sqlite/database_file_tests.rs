//! Goal: a database is free as soon as its user is done with it.

use super::*;
use crate::conformance::ScratchDir;

/// A child process has a copy of every open file between fork and exec.
#[test]
fn lock_is_released_although_a_child_has_the_file_open() {
    let scratch = ScratchDir::new().unwrap();
    let path = scratch.path().join("askback.db");
    let first = DatabaseFile::lock(&path).unwrap();
    let in_child = first.lock.try_clone().unwrap();
    assert!(DatabaseFile::lock(&path).is_err());
    drop(first);
    DatabaseFile::lock(&path).unwrap();
    drop(in_child);
}
