//! Goal: ids, times and numbers are read back as they were stored, and our own ids take 16 bytes.

use rusqlite::Connection;
use rusqlite::types::{FromSql, ToSql, Type};

use super::*;

/// Stores a value and reads it back, with its SQLite type.
fn round_trip<T: FromSql>(value: &dyn ToSql) -> (Type, T) {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .query_row("SELECT ?1", [value], |row| {
            Ok((row.get_ref(0)?.data_type(), row.get(0)?))
        })
        .unwrap()
}

#[test]
fn own_ids_take_sixteen_bytes() {
    for number in [
        0,
        1,
        31,
        32,
        u128::MAX,
        u128::MAX - 1,
        1 << 127,
        0x0198 << 112,
    ] {
        let id = InquiryId::from(number);
        let (kind, back): (_, SqlId<InquiryId>) = round_trip(&SqlId(&id));
        assert_eq!((kind, back.0), (Type::Blob, id));
    }
}

#[test]
fn every_digit_has_its_value() {
    // Each digit has five bits; this number contains all 32 digits.
    let mut number: u128 = 0;
    for digit in 0..32 {
        number = (number << 5) | digit;
        let id = ConversationId::from(number);
        let (kind, back): (_, SqlId<ConversationId>) = round_trip(&SqlId(&id));
        assert_eq!((kind, back.0), (Type::Blob, id));
    }
}

#[test]
fn other_ids_are_text() {
    let own = ConversationId::from(7).to_string();
    let others = [
        String::new(),
        "cnv_".to_owned(),
        own.to_uppercase(),
        own.replacen("cnv_0", "cnv_8", 1),
        own.replacen("cnv_0", "cnv_l", 1),
        own.replace("cnv_", "inq_"),
        format!("{own}0"),
    ];
    for other in others {
        let id = ConversationId::new(other);
        let (kind, back): (_, SqlId<ConversationId>) = round_trip(&SqlId(&id));
        assert_eq!((kind, back.0), (Type::Text, id));
    }
}

#[test]
fn stored_ids_sort_as_the_ids_do() {
    let connection = Connection::open_in_memory().unwrap();
    let (low, high) = (InquiryId::from(0x00ff), InquiryId::from(0x0100));
    let is_less: bool = connection
        .query_row("SELECT ?1 < ?2", (SqlId(&low), SqlId(&high)), |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(is_less, low < high);
}

#[test]
fn bytes_of_a_wrong_length_are_no_id() {
    let connection = Connection::open_in_memory().unwrap();
    for sql in ["SELECT x'00'", "SELECT 1", "SELECT NULL", "SELECT 1.5"] {
        let read: rusqlite::Result<SqlId<InquiryId>> =
            connection.query_row(sql, [], |row| row.get(0));
        assert!(read.is_err(), "{sql}");
    }
}

/// Finer times are rounded down, so that all columns agree on a time.
#[test]
fn times_are_stored_to_the_millisecond() {
    for nanos in [0, 999_999, 123_456_789] {
        let moment = Timestamp::new(1_731_000_000, nanos).unwrap();
        let kept = Timestamp::new(1_731_000_000, nanos / 1_000_000 * 1_000_000).unwrap();
        let (_, back): (_, SqlTimestamp) = round_trip(&SqlTimestamp(moment));
        assert_eq!(back.0, kept);
        let (_, back): (_, SqlDeadline) = round_trip(&SqlDeadline(Some(moment)));
        assert_eq!(back.0, Some(kept));
    }
    let (_, back): (_, SqlDeadline) = round_trip(&SqlDeadline(None));
    assert_eq!(back.0, None);
    let connection = Connection::open_in_memory().unwrap();
    let read: rusqlite::Result<SqlTimestamp> =
        connection.query_row("SELECT ?1", [i64::MAX], |row| row.get(0));
    assert!(read.is_err());
}

#[test]
fn deadlines_sort_before_none() {
    let connection = Connection::open_in_memory().unwrap();
    let moments = [
        Some(Timestamp::MIN),
        Some(Timestamp::UNIX_EPOCH),
        Some(Timestamp::MAX),
        None,
    ];
    for pair in moments.windows(2) {
        let pair = (SqlDeadline(pair[0]), SqlDeadline(pair[1]));
        let is_less: bool = connection
            .query_row("SELECT ?1 < ?2", pair, |row| row.get(0))
            .unwrap();
        assert!(is_less);
    }
}

#[test]
fn negative_numbers_are_an_error() {
    let (_, back): (_, SqlU64) = round_trip(&SqlU64(42));
    assert_eq!(back.0, 42);
    let (_, back): (_, SqlU64) = round_trip(&SqlU64(u64::MAX));
    assert_eq!(back.0, i64::MAX.cast_unsigned());
    let connection = Connection::open_in_memory().unwrap();
    let read: rusqlite::Result<SqlU64> = connection.query_row("SELECT -1", [], |row| row.get(0));
    assert!(read.is_err());
}
