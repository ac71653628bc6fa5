//! Which file a path leads to.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

pub(super) fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// What no other file has at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct FileIdentity {
    device: u64,
    pub(super) inode: u64,
}

impl FileIdentity {
    pub(super) fn of(metadata: &Metadata) -> FileIdentity {
        FileIdentity {
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }
}

/// The inode of a file, not of what it links to.
pub(super) fn inode_of(path: &Path) -> Option<u64> {
    let metadata = fs::symlink_metadata(path).ok()?;
    Some(FileIdentity::of(&metadata).inode)
}
