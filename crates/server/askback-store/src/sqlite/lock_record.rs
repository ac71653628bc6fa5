//! The content of the lock file: who uses the database, and which files the last user left behind.
//!
//! Only the lock itself says whether the database is in use. A server that closes its database leaves an empty record.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use crate::sqlite::database_file::beside;
use crate::sqlite::file_identity::inode_of;
use crate::sqlite::wal::LogPosition;

/// More than the longest record.
const RECORD_BYTES: usize = 160;

/// What a lock file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LockRecord {
    /// For people.
    pub(super) process: Option<u32>,
    /// The files of a database that was not closed.
    pub(super) files: Option<OpenFiles>,
    /// What was committed to the log, unless all of it is in the database.
    pub(super) log: Option<LogPosition>,
    pub(super) mark: Option<FailureMark>,
}

/// The inodes of files that belong together. Their device may have another number after a restart of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenFiles {
    pub(super) database: u64,
    pub(super) wal: u64,
}

impl OpenFiles {
    /// Those that are there now. No file has the number 0.
    pub(super) fn at(path: &Path) -> OpenFiles {
        OpenFiles {
            database: inode_of(path).unwrap_or(0),
            wal: inode_of(&beside(path, "-wal")).unwrap_or(0),
        }
    }
}

/// Why a server stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureMark {
    /// SQLite found damage.
    Damaged,
    /// Another program wrote to the database file.
    Overwritten,
}

impl FailureMark {
    const ALL: [FailureMark; 2] = [FailureMark::Damaged, FailureMark::Overwritten];

    fn name(self) -> &'static str {
        match self {
            FailureMark::Damaged => "damaged",
            FailureMark::Overwritten => "overwritten",
        }
    }
}

impl LockRecord {
    /// A missing file, or one that says something else, is an empty record.
    pub(super) fn read(lock: &Path) -> LockRecord {
        let mut record = LockRecord::default();
        let text = fs::read_to_string(lock).unwrap_or_default();
        for line in text.trim_end().lines() {
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
                ["log", first, second, frames] => {
                    let numbers = [first, second, frames].map(|number| number.parse().ok());
                    if let [Some(first), Some(second), Some(frames)] = numbers {
                        record.log = Some(LogPosition {
                            salts: [first, second],
                            frames,
                        });
                    }
                }
                [mark] => {
                    let mut known = FailureMark::ALL.into_iter();
                    record.mark = known.find(|known| known.name() == mark);
                }
                _ => {}
            }
        }
        record
    }

    /// One write of one length: a process that is killed leaves the old record or the new one.
    pub(super) fn write(&self, lock: &File) -> io::Result<()> {
        let lines = [
            self.process.map(|process| format!("process {process}\n")),
            self.files
                .map(|OpenFiles { database, wal }| format!("files {database} {wal}\n")),
            self.log.map(|LogPosition { salts, frames }| {
                format!("log {} {} {frames}\n", salts[0], salts[1])
            }),
            self.mark.map(|mark| format!("{}\n", mark.name())),
        ];
        let text: String = lines.into_iter().flatten().collect();
        lock.write_all_at(format!("{text:<RECORD_BYTES$}").as_bytes(), 0)
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

    /// What the log beside a database must have. `None` if the record is about another database.
    pub(super) fn needed_log(&self, path: &Path) -> Option<LogPosition> {
        let files = self.files?;
        let is_same = inode_of(path) == Some(files.database);
        let is_overwritten = self.mark == Some(FailureMark::Overwritten);
        self.log.filter(|_| is_same && !is_overwritten)
    }
}
