//! Turns SQLite errors into store errors. No message contains a stored value.

use rusqlite::ErrorCode;
use rusqlite::ffi;

use crate::store::StoreError;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error() {
            Some(failure) => from_code(*failure),
            // All other errors come from a row whose values have the wrong type or range.
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
    let is_damage = matches!(
        failure.code,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase
    ) || matches!(
        failure.extended_code,
        ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS
    );
    if is_damage {
        let code = failure.extended_code;
        return StoreError::Damaged(format!("it is not a valid SQLite database (code {code})"));
    }
    StoreError::Unavailable(sentence(failure))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "codes without a sentence of their own are reported by number"
)]
fn sentence(failure: ffi::Error) -> String {
    let known = match failure.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => {
            "another process has locked the database; stop that process, or use another data \
             directory"
        }
        ErrorCode::DiskFull => "the disk is full; nothing was written",
        ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
            "the database file or its directory is not writable"
        }
        ErrorCode::CannotOpen => {
            "cannot open the database file; check that its directory exists and is writable"
        }
        ErrorCode::SystemIoFailure => "the disk failed to read or write the database",
        ErrorCode::OutOfMemory => "there is not enough memory",
        ErrorCode::TooBig => "a value is too large for the database",
        _ => "the database reported an error",
    };
    format!("{known} (SQLite code {})", failure.extended_code)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only errors of reading a row need their own text"
)]
fn reading(error: &rusqlite::Error) -> &'static str {
    match error {
        rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..) => {
            "a column has the wrong type"
        }
        rusqlite::Error::IntegralValueOutOfRange(..) => "a number is out of range",
        rusqlite::Error::QueryReturnedNoRows => "it is missing",
        _ => "the statement does not match the tables",
    }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
