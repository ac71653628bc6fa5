//! Goal: each migration runs once, and an unknown database is left unchanged.

use rusqlite::Connection;

use super::*;

const FIRST: Migration = Migration {
    number: 1,
    name: "first",
    sql: "CREATE TABLE one (a INTEGER) STRICT; INSERT INTO one VALUES (1);",
};
const SECOND: Migration = Migration {
    number: 2,
    name: "second",
    sql: "ALTER TABLE one ADD COLUMN b INTEGER;",
};

fn tables(connection: &Connection) -> Vec<String> {
    let mut statement = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    names.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn each_migration_is_applied_once() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, &[FIRST]).unwrap();
    migrate(&mut connection, &[FIRST]).unwrap();
    migrate(&mut connection, &[FIRST, SECOND]).unwrap();
    migrate(&mut connection, &[FIRST, SECOND]).unwrap();
    let rows: Vec<(i64, Option<i64>)> = connection
        .prepare("SELECT a, b FROM one")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<rusqlite::Result<_>>()
        .unwrap();
    assert_eq!(rows, [(1, None)]);
}

#[test]
fn a_migration_that_fails_leaves_nothing() {
    let mut connection = Connection::open_in_memory().unwrap();
    let broken = Migration {
        sql: "CREATE TABLE two (a INTEGER) STRICT; INSERT INTO missing VALUES (1);",
        ..SECOND
    };
    assert!(migrate(&mut connection, &[FIRST, broken]).is_err());
    assert_eq!(tables(&connection), ["migrations", "one"]);
    migrate(&mut connection, &[FIRST, SECOND]).unwrap();
}

#[test]
fn a_newer_database_is_refused() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, &[FIRST, SECOND]).unwrap();
    let refusal = migrate(&mut connection, &[FIRST]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the store is not available: the database was written by a newer version of askback (its \
         schema is version 2, this version supports 1); use that version, or another data directory"
    );
}

#[test]
fn a_changed_migration_is_refused() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, &[FIRST]).unwrap();
    let changed = Migration {
        sql: "CREATE TABLE one (a TEXT) STRICT;",
        ..FIRST
    };
    let refusal = migrate(&mut connection, &[changed]).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the store is damaged: migration 1 (first) in this database differs from the one in this \
         version; the database was made by a different build of askback"
    );
}

#[test]
fn the_database_of_another_program_is_refused() {
    for sql in ["CREATE TABLE mine (a)", "PRAGMA application_id = 7"] {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(sql).unwrap();
        let before = tables(&connection);
        let refusal = migrate(&mut connection, MIGRATIONS).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "the store is not available: the file is a database of another program; use \
             another file"
        );
        assert_eq!(tables(&connection), before);
    }
}

#[test]
fn line_endings_do_not_change_the_checksum() {
    let checksum = |sql| {
        let (number, name) = (1, "test");
        Migration { number, name, sql }.checksum()
    };
    assert_eq!(checksum("a\nb\n"), checksum("a\r\nb\r\n"));
    assert_ne!(checksum("a\nb\n"), checksum("ab\n"));
}

#[test]
fn migrations_are_numbered_without_a_gap() {
    for (expected, migration) in (1..).zip(MIGRATIONS) {
        assert_eq!(migration.number, expected);
    }
}

#[test]
fn tables_refuse_a_second_outcome() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection, MIGRATIONS).unwrap();
    connection
        .execute_batch(
            "INSERT INTO conversations
                 (number, id, driver, state, version, created_at, updated_at, json)
             VALUES (1, 'c', 7, 1, 1, 0, 0, '{}');
             INSERT INTO inquiries
                 (number, id, conversation, dialect, revision, version, asked_at, expires_at, json)
             VALUES (1, 'i', 1, 20, 1, 1, 0, 0, '{}');
             UPDATE inquiries SET status = 9, resolved_at = 1, resolution = '{}';",
        )
        .unwrap();
    for second in [
        "UPDATE inquiries SET status = 10",
        "UPDATE inquiries SET status = 0, resolved_at = NULL, resolution = NULL",
        "UPDATE inquiries SET resolution = '{\"other\":1}'",
        "UPDATE inquiries SET expires_at = 9",
    ] {
        let refusal = connection.execute_batch(second).unwrap_err();
        assert!(matches!(refusal.into(), StoreError::Conflict), "{second}");
    }
    // Part of an outcome is refused.
    let half = "INSERT INTO inquiries
        (id, conversation, status, dialect, revision, version, asked_at, expires_at, json)
        VALUES ('j', 1, 9, 20, 1, 1, 0, 0, '{}')";
    let refusal = connection.execute_batch(half).unwrap_err();
    assert!(matches!(refusal.into(), StoreError::Corrupt(_)));
}
