//! Turns PostgreSQL errors into store errors. No message contains a stored value or a password.

use std::error::Error as _;

use tokio_postgres::error::SqlState;

use askback_store::StoreError;

use crate::tls::certificate_problem;

/// What PostgreSQL or its driver reports.
#[derive(Debug)]
pub(crate) struct DatabaseError(tokio_postgres::Error);

impl From<tokio_postgres::Error> for DatabaseError {
    fn from(error: tokio_postgres::Error) -> DatabaseError {
        DatabaseError(error)
    }
}

impl From<DatabaseError> for StoreError {
    fn from(DatabaseError(error): DatabaseError) -> Self {
        let Some(code) = error.code() else {
            return from_client(&error);
        };
        if [
            SqlState::UNIQUE_VIOLATION,
            SqlState::FOREIGN_KEY_VIOLATION,
            SqlState::RAISE_EXCEPTION,
        ]
        .contains(code)
        {
            return StoreError::Conflict;
        }
        if *code == SqlState::CHECK_VIOLATION {
            return StoreError::Corrupt("a row breaks a rule of its table".to_owned());
        }
        StoreError::Unavailable(sentence(code))
    }
}

/// An error without a code of the server: the connection is gone, or a value has the wrong type.
fn from_client(error: &tokio_postgres::Error) -> StoreError {
    let source = error.source();
    if let Some(io) = source.and_then(|source| source.downcast_ref::<std::io::Error>()) {
        let why = certificate_problem(io).unwrap_or_else(|| format!("the connection failed: {io}"));
        return StoreError::Unavailable(format!("PostgreSQL: {why}"));
    }
    if error.is_closed() {
        let why = "the connection to PostgreSQL was closed";
        return StoreError::Unavailable(why.to_owned());
    }
    let text = error.to_string();
    if text.starts_with("error deserializing") || text.starts_with("error serializing") {
        return StoreError::Corrupt("a row cannot be read: a column has the wrong type".to_owned());
    }
    let detail = source.map(|source| format!(": {source}"));
    let detail = detail.unwrap_or_default();
    StoreError::Unavailable(format!("PostgreSQL: {text}{detail}"))
}

fn sentence(code: &SqlState) -> String {
    let known = match code.code() {
        "28P01" => "PostgreSQL refused the user or the password",
        "28000" => {
            "PostgreSQL refused the user; if its pg_hba.conf allows TLS only, add sslmode=require to the URL"
        }
        "3D000" => "the database does not exist; create it with createdb",
        "42501" => "the user may not do this; it must own the database or its schema askback",
        "53100" => "the disk of PostgreSQL is full; nothing was written",
        "53300" => "PostgreSQL has no connection left; raise max_connections or lower pool=",
        "25006" => "the database is read-only; connect to the primary server",
        "57P01" | "57P02" | "57P03" => "PostgreSQL is stopping or starting",
        "55P03" | "57014" => "PostgreSQL took too long",
        "40P01" | "40001" => "another transaction was in the way",
        "54000" => "a value is too large for the database",
        "26000" | "42P05" => {
            "a prepared statement is missing; if a pooler in transaction mode is in between, add \
             prepare=off to the URL"
        }
        _ => "PostgreSQL reported an error",
    };
    format!("{known} (SQLSTATE {})", code.code())
}

/// Whether the same transaction may succeed if it is tried again at once.
pub(super) fn is_transient(DatabaseError(error): &DatabaseError) -> bool {
    error.code().is_some_and(|code| {
        [
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::T_R_SERIALIZATION_FAILURE,
        ]
        .contains(code)
    })
}

/// Whether the connection cannot be used any more: the server has ended it, or the network has.
pub(super) fn ends_connection(DatabaseError(error): &DatabaseError) -> bool {
    match error.code() {
        Some(code) => {
            code.code().starts_with("57P")
                || code.code().starts_with("08")
                || code.code() == "25P03"
        }
        None => true,
    }
}
