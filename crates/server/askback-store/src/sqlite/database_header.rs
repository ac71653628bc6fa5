//! What the first bytes of a database say about it.

use std::fs::File;
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt as _;

/// The first bytes of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DatabaseHeader([u8; 100]);

impl DatabaseHeader {
    /// `None` if the file is shorter. Leaves the position of the file alone: several threads read it.
    pub(super) fn read(database: &File) -> io::Result<Option<DatabaseHeader>> {
        let mut bytes = [0; 100];
        match database.read_exact_at(&mut bytes, 0) {
            Ok(()) => Ok(Some(DatabaseHeader(bytes))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn is_sqlite(&self) -> bool {
        self.0.starts_with(b"SQLite format 3\0")
    }

    /// Whether it is a copy that `askback backup` made and no server has opened: it is not in WAL mode, so no log
    /// belongs to it.
    pub(super) fn is_backup(&self) -> bool {
        self.0[18..20] == [1, 1]
    }

    pub(super) fn page_bytes(&self) -> u64 {
        match u16::from_be_bytes([self.0[16], self.0[17]]) {
            1 => 65536,
            bytes => u64::from(bytes),
        }
    }

    /// The pages that a file of this length lacks.
    pub(super) fn missing_pages(&self, bytes: u64) -> RangeInclusive<u64> {
        let [change_counter, pages, valid_for] = [24, 28, 92].map(|at| self.number(at));
        // Otherwise the number of pages is not maintained.
        let pages = if valid_for == change_counter {
            pages
        } else {
            0
        };
        bytes / self.page_bytes().max(1) + 1..=u64::from(pages)
    }

    fn number(&self, at: usize) -> u32 {
        let bytes = &self.0[at..at + 4];
        u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }
}
