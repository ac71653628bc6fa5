//! Goal: an undo window never lasts longer than it was, whatever the clock says.

use jiff::{SignedDuration, Timestamp};

use super::window_left;

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(20_000 * 86_400 + seconds)
}

#[test]
fn an_undo_window_never_becomes_longer() {
    let left = |now| window_left(at(now), at(0), at(5)).as_secs();
    assert_eq!([left(0), left(2), left(5)], [5, 3, 0]);
    // Set forward: over. Set back: the whole window again.
    assert_eq!(left(7_200), 0);
    assert_eq!(left(-7_200), 5);
    assert_eq!(left(-1), 5);
}
