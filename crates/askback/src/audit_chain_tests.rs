//! A chain names the first line that is not as it was written, whatever was done to it.

use askback_core::id::ConversationId;
use askback_wire::audit::{AuditEntryResponse, AuditKind};
use jiff::Timestamp;
use tempfile::NamedTempFile;

use super::{ChainBreak, ChainEnd, ChainHash, end_of, verify};

fn entry(sequence: u64) -> AuditEntryResponse {
    let conversation = ConversationId::new("cnv_1");
    AuditEntryResponse::new(
        AuditKind::Outcome,
        sequence,
        conversation,
        Timestamp::UNIX_EPOCH,
    )
}

fn lines(count: u64) -> Vec<String> {
    let mut end = ChainEnd::start();
    let link = |sequence| end.link(&entry(sequence)).unwrap();
    (1..=count).map(link).collect()
}

fn file_with(lines: &[String]) -> NamedTempFile {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), lines.join("\n") + "\n").unwrap();
    file
}

/// What verifying this file alone says.
fn verified(file: &NamedTempFile) -> Result<ChainEnd, ChainBreak> {
    verify(&[file.path().to_owned()], &ChainHash::start())
}

/// The text of the break, without the name of the file.
fn broken(lines: &[String]) -> String {
    let file = file_with(lines);
    let error = verified(&file).unwrap_err();
    error
        .to_string()
        .replace(&file.path().display().to_string(), "FILE")
}

#[test]
fn untouched_chain_is_verified_over_several_files() {
    let lines = lines(6);
    let first = file_with(&lines[..4]);
    let second = file_with(&lines[4..]);
    let files = [&first, &second].map(|file| file.path().to_owned());
    let end = verify(&files, &ChainHash::start()).unwrap();
    assert_eq!((end.entries, end.sequence), (6, 6));
    assert_eq!(end.hash, end_of(second.path()).unwrap().0.hash);
    let alone = verify(&files[1..], &ChainHash::start()).unwrap_err();
    assert!(alone.to_string().contains("--previous"), "{alone}");
    let previous = end_of(first.path()).unwrap().0.hash;
    assert_eq!(verify(&files[1..], &previous).unwrap().entries, 2);
}

#[test]
fn every_changed_byte_is_noticed() {
    let lines = lines(3);
    for index in 0..lines[1].len() {
        let mut changed = lines.clone();
        let mut bytes = changed[1].clone().into_bytes();
        bytes[index] = if bytes[index] == b'7' { b'8' } else { b'7' };
        changed[1] = String::from_utf8(bytes).unwrap();
        let text = broken(&changed);
        assert!(text.starts_with("FILE, line 2"), "byte {index}: {text}");
    }
}

#[test]
fn removed_line_is_noticed_at_the_one_after_it() {
    let mut lines = lines(5);
    lines.remove(2);
    let text = broken(&lines);
    assert!(
        text.starts_with("FILE, line 3: one or more lines before it were removed"),
        "{text}"
    );
}

#[test]
fn removed_beginning_is_noticed() {
    let mut lines = lines(5);
    lines.remove(0);
    let text = broken(&lines);
    assert!(
        text.starts_with("FILE, line 1: the line continues a chain"),
        "{text}"
    );
}

#[test]
fn swapped_lines_are_noticed() {
    let mut lines = lines(5);
    lines.swap(2, 3);
    let text = broken(&lines);
    assert_eq!(
        text,
        "FILE, line 3: the line was moved: it follows FILE, line 4"
    );
}

/// Somebody who can compute a hash can make a line that fits the one before it, but not the one after it.
#[test]
fn inserted_line_with_a_hash_of_its_own_is_named() {
    let mut lines = lines(5);
    let before = file_with(&lines[..2]);
    let mut end = end_of(before.path()).unwrap().0;
    lines.insert(2, end.link(&entry(77)).unwrap());
    let text = broken(&lines);
    assert!(
        text.starts_with("FILE, line 3: this line was inserted or moved here"),
        "{text}"
    );
    lines[2] = lines[4].clone();
    let text = broken(&lines);
    assert!(text.starts_with("FILE, line 3"), "{text}");
    let mut at_the_start = self::lines(3);
    at_the_start.insert(0, ChainEnd::start().link(&entry(9)).unwrap());
    let text = broken(&at_the_start);
    assert!(
        text.starts_with("FILE, line 1: this line was inserted"),
        "{text}"
    );
}

/// A chain alone cannot show it, so the count and the last hash are printed to be compared.
#[test]
fn truncated_end_is_another_count_and_hash() {
    let lines = lines(5);
    let whole = verified(&file_with(&lines)).unwrap();
    let cut = verified(&file_with(&lines[..4])).unwrap();
    assert_ne!(whole.hash, cut.hash);
    assert_eq!((whole.entries, cut.entries), (5, 4));
}

#[test]
fn line_that_was_not_written_to_its_end_is_left_out() {
    let lines = lines(3);
    let file = file_with(&lines);
    let whole = std::fs::read(file.path()).unwrap();
    std::fs::write(file.path(), &whole[..whole.len() - 9]).unwrap();
    let (end, bytes) = end_of(file.path()).unwrap();
    assert_eq!((end.entries, end.sequence), (2, 2));
    assert_eq!(bytes, (lines[0].len() + lines[1].len() + 2) as u64);
    let error = verified(&file).unwrap_err();
    assert!(error.to_string().contains("not complete"), "{error}");
}
