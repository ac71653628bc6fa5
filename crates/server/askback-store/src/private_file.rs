//! Files that only their owner can read, whatever the umask is.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for writing, without truncating it. A new file has mode 0600 from the start.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().create(true).truncate(false).write(true)).open(path)
}

/// Creates a file with mode 0600. Fails if it exists: another process may have it open already.
pub fn create_new(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().create_new(true).write(true)).open(path)
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
    set_mode(path, mode & 0o700)?;
    Ok(true)
}

/// The permission bits of a file if group or others have any; otherwise `None`.
#[cfg(unix)]
pub fn shared_mode(metadata: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

/// Always `None`: only Unix has such bits.
#[cfg(not(unix))]
pub fn shared_mode(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}
