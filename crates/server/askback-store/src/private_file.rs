//! Files that only their owner can read, whatever the umask is.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Opens a file for writing, without truncating it. A new file has mode 0600 from the start.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    options.open(path)
}

/// Creates a file with mode 0600. Fails if it exists: another process may have it open already.
pub fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true).mode(0o600).open(path)
}

/// Removes all permissions of group and others from a file or directory. Returns whether there were
/// any. A missing path is no error.
pub fn restrict_to_owner(path: &Path) -> io::Result<bool> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let Some(mode) = shared_mode(&found) else {
        return Ok(false);
    };
    fs::set_permissions(path, Permissions::from_mode(mode & 0o700))?;
    Ok(true)
}

/// The permission bits of a file if group or others have any; otherwise `None`.
pub fn shared_mode(metadata: &fs::Metadata) -> Option<u32> {
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}
