//! A directory for the files of one test.

use std::path::PathBuf;

use tempfile::TempDir;

/// An empty directory in cargo's temporary directory, deleted with this value.
pub(super) struct Workdir(TempDir);

impl Workdir {
    pub(super) fn new() -> Workdir {
        let made = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"));
        Workdir(made.expect("the directory for tests can be written"))
    }

    pub(super) fn database(&self) -> PathBuf {
        self.0.path().join("askback.db")
    }
}
