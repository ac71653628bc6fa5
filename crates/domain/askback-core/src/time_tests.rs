//! Goal: every time has one whole millisecond below it and one above it, less than one apart.

use jiff::Timestamp;

use super::{next_whole_millis, whole_millis};

fn nanos(nanosecond: i128) -> Timestamp {
    Timestamp::from_nanosecond(nanosecond).unwrap()
}

#[test]
fn a_time_is_cut_to_its_millisecond() {
    for (nanosecond, below, above) in [
        (0, 0, 0),
        (1, 0, 1_000_000),
        (999_999, 0, 1_000_000),
        (1_000_000, 1_000_000, 1_000_000),
        (
            1_731_000_000_123_456_789,
            1_731_000_000_123_000_000,
            1_731_000_000_124_000_000,
        ),
        (-1, -1_000_000, 0),
        (-1_000_001, -2_000_000, -1_000_000),
    ] {
        let at = nanos(nanosecond);
        assert_eq!(whole_millis(at), nanos(below), "{nanosecond}");
        assert_eq!(next_whole_millis(at), nanos(above), "{nanosecond}");
    }
}

#[test]
fn the_ends_of_time_stay_in_the_calendar() {
    assert!(whole_millis(Timestamp::MIN) <= whole_millis(Timestamp::MAX));
    assert!(next_whole_millis(Timestamp::MAX) <= Timestamp::MAX);
}
