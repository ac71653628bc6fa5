//! Files that nobody else can have written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askback_store::private_file::shared_mode;

/// Why the content of a file or directory may come from somebody else.
#[derive(Debug, thiserror::Error)]
pub enum UntrustedFile {
    /// Neither this user nor root owns it, or the link that leads to it.
    #[error(
        "{} belongs to another user (id {owner}; this process runs as {user}): choose a file or directory of your own, or run \
         askback as that user",
        path.display()
    )]
    ForeignOwner {
        /// The file, directory or link.
        path: PathBuf,
        /// Its owner.
        owner: u32,
        /// The user of this process.
        user: u32,
    },
    /// Others can write to it.
    #[error(
        "other users can write to {0} (mode {mode:o}): check that it has what you put there, and run chmod go-w {0}",
        path.display()
    )]
    Writable {
        /// The file or directory.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It cannot be looked at.
    #[error("cannot look at {}: {source}", path.display())]
    Unreadable {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Fails unless this user or root owns a file or directory, and the link that leads to it. Root is no exception: in a
/// directory of another user it would do what that user has prepared. A missing path is no error.
pub fn check_owner(path: &Path) -> Result<(), UntrustedFile> {
    for found in [fs::symlink_metadata(path), fs::metadata(path)] {
        let found = match found {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => {
                let path = path.to_owned();
                return Err(UntrustedFile::Unreadable { path, source });
            }
        };
        let (owner, user) = owner_and_user(&found);
        if owner != user && owner != ROOT {
            return Err(UntrustedFile::ForeignOwner {
                path: path.to_owned(),
                owner,
                user,
            });
        }
    }
    Ok(())
}

/// Fails like [`check_owner`], and if others can write to a file or directory.
pub fn check_trusted(path: &Path) -> Result<(), UntrustedFile> {
    check_owner(path)?;
    let mode = fs::metadata(path).ok().as_ref().and_then(shared_mode);
    match mode {
        Some(mode) if mode & 0o022 != 0 => Err(UntrustedFile::Writable {
            path: path.to_owned(),
            mode,
        }),
        Some(_) | None => Ok(()),
    }
}

/// Whether root owns a file.
pub fn is_of_root(metadata: &fs::Metadata) -> bool {
    owner_and_user(metadata).0 == ROOT
}

const ROOT: u32 = 0;

fn owner_and_user(metadata: &fs::Metadata) -> (u32, u32) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.uid(), rustix::process::geteuid().as_raw())
}
