//! A directory for the files of one test.

use std::path::{Path, PathBuf};

/// An empty directory in cargo's temporary directory, deleted with this value.
pub(super) struct Workdir(PathBuf);

impl Workdir {
    pub(super) fn new(name: &str) -> Workdir {
        let name = format!("{name}-{}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).expect("the directory for tests can be written");
        Workdir(path)
    }

    pub(super) fn database(&self) -> PathBuf {
        self.0.join("askback.db")
    }
}

impl Drop for Workdir {
    fn drop(&mut self) {
        // `cargo clean` removes what is left.
        drop(std::fs::remove_dir_all(&self.0));
    }
}
