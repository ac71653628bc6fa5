//! Goal: known names are stored as small numbers, and every name is read back unchanged.

use rusqlite::Connection;
use rusqlite::types::Type;

use super::*;

fn round_trip(name: &str) -> (Type, String) {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .query_row("SELECT ?1", [InternedName(name)], |row| {
            let back: InternedName<String> = row.get(0)?;
            Ok((row.get_ref(0)?.data_type(), back.0))
        })
        .unwrap()
}

#[test]
fn known_names_are_numbers() {
    for name in NAMES {
        assert_eq!(round_trip(name), (Type::Integer, (*name).to_owned()));
    }
}

#[test]
fn other_names_are_text() {
    for name in ["", "Pending", "0", "7", "someone's own"] {
        assert_eq!(round_trip(name), (Type::Text, name.to_owned()));
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
fn no_name_has_two_numbers() {
    let mut names = NAMES.to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), NAMES.len());
    assert!(names.len() <= 127, "every number fits one byte");
}

#[test]
fn numbers_in_sql_statements_are_right() {
    assert_eq!(NAMES[..3], ["pending", "idle", "error"]);
}
