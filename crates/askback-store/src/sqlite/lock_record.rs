//! The content of the lock file: who uses the database, and which files the last user left behind.
//!
//! Only the lock itself says whether the database is in use. A server that closes its database leaves an empty record.

use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::path::Path;

use crate::sqlite::database_file::{beside, inode_of};

/// What a lock file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LockRecord {
    /// For people.
    pub(super) process: Option<u32>,
    /// The files of a database that was not closed.
    pub(super) files: Option<OpenFiles>,
    pub(super) mark: Option<FailureMark>,
}

/// The inodes of files that belong together. Their device may have another number after a restart of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenFiles {
    pub(super) database: u64,
    pub(super) wal: u64,
}

/// Why a server stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureMark {
    /// SQLite found damage.
    Damaged,
    /// Another program wrote to the database file.
    Overwritten,
    /// Another program cut the log.
    LogCut,
}

impl FailureMark {
    const ALL: [FailureMark; 3] = [
        FailureMark::Damaged,
        FailureMark::Overwritten,
        FailureMark::LogCut,
    ];

    fn name(self) -> &'static str {
        match self {
            FailureMark::Damaged => "damaged",
            FailureMark::Overwritten => "overwritten",
            FailureMark::LogCut => "log-cut",
        }
    }
}

impl LockRecord {
    /// A missing file, or one that says something else, is an empty record.
    pub(super) fn read(lock: &Path) -> LockRecord {
        let mut record = LockRecord::default();
        for line in fs::read_to_string(lock).unwrap_or_default().lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match *words {
                ["process", id] => record.process = id.parse().ok(),
                ["files", database, wal] => {
                    record.files = database
                        .parse()
                        .ok()
                        .zip(wal.parse().ok())
                        .map(|(database, wal)| OpenFiles { database, wal });
                }
                [mark] => {
                    let known = FailureMark::ALL.into_iter();
                    record.mark = known.into_iter().find(|known| known.name() == mark);
                }
                _ => {}
            }
        }
        record
    }

    pub(super) fn write(&self, mut lock: &File) -> io::Result<()> {
        let lines = [
            self.process.map(|process| format!("process {process}\n")),
            self.files
                .map(|OpenFiles { database, wal }| format!("files {database} {wal}\n")),
            self.mark.map(|mark| format!("{}\n", mark.name())),
        ];
        let text: String = lines.into_iter().flatten().collect();
        lock.set_len(0)?;
        lock.rewind()?;
        lock.write_all(text.as_bytes())
    }

    /// Whether the log beside a database is that of the record, and the database is not.
    pub(super) fn has_other_database(&self, path: &Path) -> bool {
        let Some(files) = self.files else {
            return false;
        };
        let is_replaced =
            inode_of(path) != Some(files.database) || self.mark == Some(FailureMark::Overwritten);
        is_replaced && inode_of(&beside(path, "-wal")) == Some(files.wal)
    }

    /// Whether the database is that of the record, and lacks what its log had: it was not closed, so there was one.
    pub(super) fn has_lost_log(&self, path: &Path) -> bool {
        let is_same = |files: OpenFiles| inode_of(path) == Some(files.database);
        let is_log_gone = match self.mark {
            Some(FailureMark::LogCut) => true,
            Some(FailureMark::Overwritten) => false,
            Some(FailureMark::Damaged) | None => inode_of(&beside(path, "-wal")).is_none(),
        };
        is_log_gone && self.files.is_some_and(is_same)
    }
}
