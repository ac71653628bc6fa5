//! A link in a message works, however old the question is.

use jiff::{SignedDuration, Timestamp};

use super::{LINK_LIFETIME, recent_start};

/// A question may be handed on, or somebody reminded of it, long after it was asked.
#[test]
fn link_of_a_message_works_for_half_a_lifetime_at_least() {
    let asked_at: Timestamp = "2027-03-01T09:00:00Z".parse().expect("a time");
    let half = LINK_LIFETIME / 2;
    for hours in [0, 1, 83, 84, 85, 24 * 7, 24 * 8, 24 * 400] {
        let now = asked_at + SignedDuration::from_hours(hours);
        let since = recent_start(asked_at, now);
        assert!(since <= now, "{hours}");
        assert!(now < since + half, "{hours}: {since}");
    }
    // Messages of the first days are not edited only because time passes.
    let later = asked_at + half - SignedDuration::from_secs(1);
    assert_eq!(recent_start(asked_at, later), asked_at);
    // A clock that was set back.
    assert_eq!(recent_start(asked_at, asked_at - half), asked_at);
}
