//! Goal: known words are stored as small numbers, and every word comes back as it was.

use rusqlite::Connection;
use rusqlite::types::Type;

use super::*;

fn round_trip(word: &str) -> (Type, String) {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .query_row("SELECT ?1", [InternedName(word)], |row| {
            let back: InternedName<String> = row.get(0)?;
            Ok((row.get_ref(0)?.data_type(), back.0))
        })
        .unwrap()
}

#[test]
fn known_words_are_numbers() {
    for word in WORDS {
        assert_eq!(round_trip(word), (Type::Integer, (*word).to_owned()));
    }
}

#[test]
fn other_words_are_text() {
    for word in ["", "Pending", "0", "7", "someone's own"] {
        assert_eq!(round_trip(word), (Type::Text, word.to_owned()));
    }
}

#[test]
fn a_number_of_a_later_version_is_an_error() {
    let connection = Connection::open_in_memory().unwrap();
    for sql in ["SELECT 100000", "SELECT -1", "SELECT NULL", "SELECT x''"] {
        let read: rusqlite::Result<InternedName<String>> =
            connection.query_row(sql, [], |row| row.get(0));
        assert!(read.is_err(), "{sql}");
    }
}

#[test]
fn no_word_has_two_numbers() {
    let mut words = WORDS.to_vec();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), WORDS.len());
    assert!(
        words.len() <= 127,
        "a number of two bytes is a word too many"
    );
}

#[test]
fn statements_name_the_words_they_mean() {
    assert_eq!(WORDS[..3], ["pending", "idle", "error"]);
}
