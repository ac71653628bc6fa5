//! Goal: a held answer never waits longer than it was held for, whatever the clock says.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::window_left;

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(20_000 * 86_400 + seconds)
}

/// F-S12
#[test]
fn a_hold_is_never_longer_than_it_was() {
    let left = |now| window_left(at(now), Some(at(0)), at(5)).as_secs();
    assert_eq!([left(0), left(2), left(5)], [5, 3, 0]);
    // Set forward: over. Set back: once more from its beginning.
    assert_eq!(left(7_200), 0);
    assert_eq!(left(-7_200), 5);
    assert_eq!(left(-1), 5);
    // As earlier versions wrote it: no longer than an answer can be held at all.
    assert_eq!(window_left(at(-7_200), None, at(5)), Duration::from_mins(1));
    assert_eq!(window_left(at(3), None, at(5)), Duration::from_secs(2));
}
