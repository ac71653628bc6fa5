//! What the database says, in the words of the store. No value that was written is ever named.

use rusqlite::ErrorCode;
use rusqlite::ffi;

use crate::store::StoreError;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error() {
            Some(failure) => from_code(*failure),
            // Everything else comes from reading a row that does not hold what was written.
            None => StoreError::Corrupt(format!("a row cannot be read: {}", reading(&error))),
        }
    }
}

fn from_code(failure: ffi::Error) -> StoreError {
    if failure.code == ErrorCode::ConstraintViolation {
        return match failure.extended_code {
            ffi::SQLITE_CONSTRAINT_UNIQUE
            | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
            | ffi::SQLITE_CONSTRAINT_FOREIGNKEY
            | ffi::SQLITE_CONSTRAINT_TRIGGER => StoreError::Conflict,
            _ => StoreError::Corrupt("a row breaks a rule of its table".to_owned()),
        };
    }
    if matches!(
        failure.code,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase
    ) {
        return StoreError::Corrupt("the file is not a sound SQLite database".to_owned());
    }
    StoreError::Unavailable(sentence(failure))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "codes without a sentence of their own are told by number"
)]
fn sentence(failure: ffi::Error) -> String {
    let known = match failure.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => {
            "the database is locked by another process; stop that one, or use another data \
             directory"
        }
        ErrorCode::DiskFull => "the disk is full; nothing was written",
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
            "the database file or its directory cannot be written"
        }
        ErrorCode::CannotOpen => {
            "the database file cannot be opened; does its directory exist, and may it be written?"
        }
        ErrorCode::SystemIoFailure => "the disk failed to read or write the database",
        ErrorCode::OutOfMemory => "there is not enough memory",
        ErrorCode::TooBig => "a value is too large for the database",
        _ => "the database refused",
    };
    format!("{known} (SQLite code {})", failure.extended_code)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only reading errors are told apart"
)]
fn reading(error: &rusqlite::Error) -> &'static str {
    match error {
        rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..) => {
            "a column has another type"
        }
        rusqlite::Error::IntegralValueOutOfRange(..) => "a number is out of range",
        rusqlite::Error::QueryReturnedNoRows => "it is missing",
        _ => "the statement does not fit",
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
