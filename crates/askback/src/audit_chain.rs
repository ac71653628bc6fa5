//! Lines that are linked by hashes, so that a changed, removed, moved or inserted one is noticed.
//!
//! A line is a JSON object. It begins with the hash of the line before (`previous`) and ends with its own
//! (`hash`): the SHA-256 of the object without that last field, as it is written.

use std::fmt;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use askback_core::id::ConversationId;
use askback_core::text::{Lines, escape};
use askback_wire::audit::AuditEntryResponse;
use askback_wire::server_process::hex;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

const HASH_CHARS: usize = 64;
const HASH_FIELD: &str = ",\"hash\":\"";
const END: &str = "\"}";

/// The hash of a line, in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct ChainHash(String);

/// The end of a chain: what the next line is linked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChainEnd {
    pub(crate) hash: ChainHash,
    /// Of the last entry; 0 without entries.
    pub(crate) sequence: u64,
    pub(crate) entries: u64,
    /// By what the last entry can be found again; none without entries.
    pub(crate) last: Option<EntryIdentity>,
}

/// What two entries with the same sequence number differ in if they come from different histories: a database
/// that was restored uses numbers again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct EntryIdentity {
    recorded_at: Timestamp,
    conversation_id: ConversationId,
}

impl From<&AuditEntryResponse> for EntryIdentity {
    fn from(entry: &AuditEntryResponse) -> EntryIdentity {
        EntryIdentity {
            recorded_at: entry.recorded_at,
            conversation_id: entry.conversation_id.clone(),
        }
    }
}

#[derive(Serialize)]
struct Linked<'a> {
    previous: &'a str,
    #[serde(flatten)]
    entry: &'a AuditEntryResponse,
}

/// What is read back of a line.
#[derive(Deserialize)]
struct LinkedFields {
    previous: ChainHash,
    sequence: u64,
    hash: ChainHash,
    #[serde(flatten)]
    identity: Option<EntryIdentity>,
}

/// A line of one of several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    file: PathBuf,
    line: u64,
}

/// Why files are not one chain. The texts name the first line that is not as it was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChainBreak {
    #[error("{0}: the line was changed or inserted: its hash does not fit its content")]
    Changed(Position),
    #[error(
        "{0}: the line is not complete. An export that was interrupted leaves such a line; the next one removes it"
    )]
    Incomplete(Position),
    #[error("{0}: this line was inserted or moved here: {1} follows the line before it")]
    Inserted(Position, Position),
    #[error("{0}: the line was moved: it follows {1}")]
    Moved(Position, Position),
    #[error("{0}: one or more lines before it were removed: it follows a line with the hash {1}")]
    Removed(Position, ChainHash),
    #[error(
        "{0}: the line continues a chain that ends with the hash {1}. Name the files before this one first, or use --previous {1}. If this is the first file, lines at its beginning were removed"
    )]
    NotTheBeginning(Position, ChainHash),
    #[error("cannot read {}: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
}

impl ChainHash {
    /// Before the first line of a chain.
    pub(crate) fn start() -> ChainHash {
        ChainHash("0".repeat(HASH_CHARS))
    }

    /// Reads 64 hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<ChainHash> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let fits = text.len() == HASH_CHARS && text.bytes().all(is_digit);
        fits.then(|| ChainHash(text.to_owned()))
    }
}

impl fmt::Display for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file.display(), self.line)
    }
}

impl ChainEnd {
    /// A chain without lines.
    pub(crate) fn start() -> ChainEnd {
        ChainEnd {
            hash: ChainHash::start(),
            sequence: 0,
            entries: 0,
            last: None,
        }
    }

    /// The line of an entry, linked to the end of the chain, which it becomes.
    pub(crate) fn link(&mut self, entry: &AuditEntryResponse) -> serde_json::Result<String> {
        let linked = Linked {
            previous: &self.hash.0,
            entry,
        };
        // The hash is over the line as it is printed.
        let json = serde_json::to_string(&linked)?;
        let mut line = escape(&json, Lines::Many).into_owned();
        self.hash = hash_of(line.as_bytes());
        self.sequence = entry.sequence;
        self.last = Some(entry.into());
        self.entries += 1;
        line.truncate(line.len() - 1);
        line.push_str(HASH_FIELD);
        line.push_str(&self.hash.0);
        line.push_str(END);
        Ok(line)
    }
}

fn hash_of(bytes: &[u8]) -> ChainHash {
    ChainHash(hex(&Sha256::digest(bytes)))
}

/// The line, if its hash fits its content.
fn check_line(line: &[u8]) -> Option<LinkedFields> {
    let fields: LinkedFields = serde_json::from_slice(line).ok()?;
    ChainHash::parse(&fields.previous.0)?;
    let suffix = format!("{HASH_FIELD}{}{END}", fields.hash);
    let content = line.strip_suffix(suffix.as_bytes())?;
    let mut hashed = content.to_vec();
    hashed.push(b'}');
    (hash_of(&hashed) == fields.hash).then_some(fields)
}

/// Checks that the lines of the files are one chain from `start` on. Returns its end.
pub(crate) fn verify(files: &[PathBuf], start: &ChainHash) -> Result<ChainEnd, ChainBreak> {
    let mut end = ChainEnd {
        hash: start.clone(),
        ..ChainEnd::start()
    };
    for_each_line(files, |position, line| {
        let checked = check_line(line.text).ok_or_else(|| line.damage(&position))?;
        if checked.previous != end.hash {
            return Err(explain(files, &position, &checked.previous, end.entries));
        }
        end = ChainEnd {
            hash: checked.hash,
            sequence: checked.sequence,
            entries: end.entries + 1,
            last: checked.identity,
        };
        Ok(())
    })?;
    Ok(end)
}

/// The end of the chain in a file, from its last line, and the bytes up to there. What follows is a line
/// that was not written to its end. Only that last line is checked.
pub(crate) fn end_of(file: &Path) -> Result<(ChainEnd, u64), ChainBreak> {
    let mut end = ChainEnd::start();
    let mut last = None;
    let mut bytes = 0;
    for_each_line(&[file.to_owned()], |position, line| {
        if line.is_complete {
            end.entries += 1;
            bytes += line.text.len() as u64 + 1;
            last = Some((position, line.text.to_vec()));
        }
        Ok(())
    })?;
    if let Some((position, text)) = last {
        let checked = check_line(&text).ok_or(ChainBreak::Changed(position))?;
        end.hash = checked.hash;
        end.sequence = checked.sequence;
        end.last = checked.identity;
    }
    Ok((end, bytes))
}

struct Line<'a> {
    text: &'a [u8],
    /// Whether a line feed ends it.
    is_complete: bool,
}

impl Line<'_> {
    fn damage(&self, position: &Position) -> ChainBreak {
        if self.is_complete {
            ChainBreak::Changed(position.clone())
        } else {
            ChainBreak::Incomplete(position.clone())
        }
    }
}

/// Reads one line at a time.
fn for_each_line(
    files: &[PathBuf],
    mut each: impl FnMut(Position, Line<'_>) -> Result<(), ChainBreak>,
) -> Result<(), ChainBreak> {
    for file in files {
        let unreadable = |error| ChainBreak::Unreadable(file.clone(), error);
        let opened = std::fs::File::open(file).map_err(unreadable)?;
        let mut reader = std::io::BufReader::new(opened);
        let mut text = Vec::new();
        for line in 1.. {
            text.clear();
            if reader.read_until(b'\n', &mut text).map_err(unreadable)? == 0 {
                break;
            }
            let position = Position {
                file: file.clone(),
                line,
            };
            let is_complete = text.last() == Some(&b'\n');
            let text = text.strip_suffix(b"\n").unwrap_or(&text);
            each(position, Line { text, is_complete })?;
        }
    }
    Ok(())
}

/// What happened where a line does not follow the one before it, by where the line is that it follows.
fn explain(files: &[PathBuf], at: &Position, previous: &ChainHash, entries: u64) -> ChainBreak {
    let mut before: Option<Position> = None;
    let mut after_previous: Option<Position> = None;
    let mut is_next = *previous == ChainHash::start();
    let found = for_each_line(files, |position, line| {
        if std::mem::take(&mut is_next) {
            after_previous = Some(position.clone());
        }
        if check_line(line.text).is_some_and(|checked| checked.hash == *previous) {
            before = Some(position);
            is_next = true;
        }
        Ok(())
    });
    if let Err(error) = found {
        return error;
    }
    match (after_previous, before) {
        // The line that it follows is further up: what is between does not belong there.
        (Some(inserted), _) if is_before(files, &inserted, at) => {
            ChainBreak::Inserted(inserted, at.clone())
        }
        (_, Some(before)) => ChainBreak::Moved(at.clone(), before),
        (_, None) if entries == 0 => ChainBreak::NotTheBeginning(at.clone(), previous.clone()),
        (_, None) => ChainBreak::Removed(at.clone(), previous.clone()),
    }
}

fn is_before(files: &[PathBuf], one: &Position, other: &Position) -> bool {
    let order = |position: &Position| {
        let file = files.iter().position(|file| *file == position.file);
        (file, position.line)
    };
    order(one) < order(other)
}

#[cfg(test)]
#[path = "audit_chain_tests.rs"]
mod tests;
