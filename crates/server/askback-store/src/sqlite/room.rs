//! Whether the disk has room for a commit.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use crate::private_file;
use crate::sqlite::database_file::beside;
use crate::sqlite::disk_fault::DiskFaults;
use crate::store::StoreError;

/// More than a usual commit needs.
const ROOM_BYTES: usize = 1 << 20;

/// Writes a file beside the database that has no name from the start. After a commit has failed on a full disk, a
/// smaller one may succeed: that does not mean that there is room again.
pub(super) fn check_room(database: &Path, faults: &DiskFaults) -> Result<(), StoreError> {
    let write = || -> io::Result<()> {
        if faults.is_disk_full() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let path = beside(database, "-room");
        let mut file = private_file::open_or_create(&path)?;
        fs::remove_file(&path)?;
        file.write_all(&vec![0; ROOM_BYTES])
    };
    write().map_err(|error| {
        let room = ROOM_BYTES >> 20;
        StoreError::Unavailable(format!(
            "a write failed, and there is no room for {room} MiB beside the database: {error}"
        ))
    })
}
