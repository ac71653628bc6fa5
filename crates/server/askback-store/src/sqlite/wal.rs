//! A write-ahead log that nobody uses, read as SQLite reads it: <https://www.sqlite.org/fileformat2.html#walformat>.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;

/// How often a log may have been started anew since its position was recorded. A server records it after each commit,
/// but after a power failure the file system may have an older record.
const RESTARTS_MAX: u32 = 1 << 16;

/// How much of a log is needed: it has commits that may not be in the database yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogPosition {
    /// The first is one more, and the second another one, each time that the log is started anew.
    pub(super) salts: [u32; 2],
    pub(super) frames: u32,
}

impl LogPosition {
    /// What a log of that many frames has, as the beginning of the file says.
    pub(super) fn of(header: &[u8; HEADER_BYTES], frames: u32) -> LogPosition {
        LogPosition {
            salts: [number(header, 16), number(header, 20)],
            frames,
        }
    }
}

/// What is valid in a log.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wal {
    salts: Option<[u32; 2]>,
    /// The pages of its frames, those of an incomplete transaction included.
    pages: Vec<u32>,
}

impl Wal {
    /// Empty if there is none.
    pub(super) fn read(path: &Path) -> io::Result<Wal> {
        match File::open(path) {
            Ok(file) => Wal::parse(&mut BufReader::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Wal::default()),
            Err(error) => Err(error),
        }
    }

    /// Reads frames until one is incomplete, of an earlier use of the file, or overwritten.
    fn parse(log: &mut impl Read) -> io::Result<Wal> {
        let mut header = [0; HEADER_BYTES];
        if !fill(log, &mut header)? {
            return Ok(Wal::default());
        }
        let is_big_endian = match number(&header, 0) {
            0x377f_0682 => false,
            0x377f_0683 => true,
            _ => return Ok(Wal::default()),
        };
        let mut sums = Checksum {
            is_big_endian,
            sums: [0; 2],
        };
        sums.add(&header[..24]);
        let page_bytes = number(&header, 8) as usize;
        if sums.sums != [number(&header, 24), number(&header, 28)]
            || !(512..=65536).contains(&page_bytes)
        {
            return Ok(Wal::default());
        }
        let mut pages = Vec::new();
        let mut frame = vec![0; FRAME_HEADER_BYTES + page_bytes];
        while fill(log, &mut frame)? {
            sums.add(&frame[..8]);
            sums.add(&frame[FRAME_HEADER_BYTES..]);
            let is_of_this_use = frame[8..16] == header[16..24];
            if !is_of_this_use || sums.sums != [number(&frame, 16), number(&frame, 20)] {
                break;
            }
            pages.push(number(&frame, 0));
        }
        Ok(Wal {
            salts: Some(LogPosition::of(&header, 0).salts),
            pages,
        })
    }

    pub(super) fn has_page(&self, page: u64) -> bool {
        self.pages.iter().any(|&logged| u64::from(logged) == page)
    }

    /// Whether everything up to a position is here, or SQLite has copied it into the database and started anew.
    pub(super) fn has(&self, needed: LogPosition) -> bool {
        let Some(salts) = self.salts else {
            return false;
        };
        let restarts = salts[0].wrapping_sub(needed.salts[0]);
        if restarts == 0 {
            salts == needed.salts && self.pages.len() >= needed.frames as usize
        } else {
            restarts <= RESTARTS_MAX
        }
    }
}

/// Whether there is more than a header. Fails if something else has the name of the log.
pub(super) fn has_frames(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(found.len() > HEADER_BYTES as u64),
        Ok(_) => Err(io::Error::other("it is not a file; move it away")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// False at the end of the log.
fn fill(log: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match log.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The running checksum of a log.
struct Checksum {
    is_big_endian: bool,
    sums: [u32; 2],
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let [mut first, mut second] = self.sums;
        for pair in bytes.chunks_exact(8) {
            let [one, other] = [number(pair, 0), number(pair, 4)].map(|number| {
                if self.is_big_endian {
                    number
                } else {
                    number.swap_bytes()
                }
            });
            first = first.wrapping_add(one).wrapping_add(second);
            second = second.wrapping_add(other).wrapping_add(first);
        }
        self.sums = [first, second];
    }
}
