//! Goal: every SQLite error becomes a readable sentence that contains no stored value.

use super::*;

fn message(extended_code: i32) -> String {
    let error = rusqlite::Error::SqliteFailure(
        ffi::Error::new(extended_code),
        Some("near \"secret answer\"".to_owned()),
    );
    StoreError::from(error).to_string()
}

#[test]
fn errors_are_readable_sentences() {
    let expected = [
        (
            ffi::SQLITE_BUSY,
            "the store is not available: another process has locked the database; stop that \
             process, or use another data directory (SQLite code 5)",
        ),
        (
            ffi::SQLITE_FULL,
            "the store is not available: the disk is full; nothing was written (SQLite code 13)",
        ),
        (
            ffi::SQLITE_READONLY,
            "the store is not available: the database file or its directory is not writable \
             (SQLite code 8)",
        ),
        (
            ffi::SQLITE_IOERR_FSYNC,
            "the store is not available: the disk failed to read or write the database (SQLite \
             code 1034)",
        ),
        (
            ffi::SQLITE_NOTADB,
            "the database is damaged: it is not a valid SQLite database (code 26)",
        ),
        (
            ffi::SQLITE_IOERR_SHORT_READ,
            "the database is damaged: it is not a valid SQLite database (code 522)",
        ),
        (
            ffi::SQLITE_CONSTRAINT_UNIQUE,
            "the conversation has changed in the meantime",
        ),
        (
            ffi::SQLITE_CONSTRAINT_TRIGGER,
            "the conversation has changed in the meantime",
        ),
        (
            ffi::SQLITE_CONSTRAINT_CHECK,
            "the store is damaged: a row breaks a rule of its table",
        ),
    ];
    for (code, sentence) in expected {
        assert_eq!(message(code), sentence);
    }
}

#[test]
fn no_error_contains_a_stored_value() {
    for code in 1..30 {
        assert!(!message(code).contains("secret"), "{code}");
    }
    let error = rusqlite::Error::InvalidColumnName("secret".to_owned());
    assert!(!StoreError::from(error).to_string().contains("secret"));
}
