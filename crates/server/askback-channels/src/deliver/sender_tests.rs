//! A provider decides how long a channel pauses, but not for days.

use std::time::Duration;

use jiff::SignedDuration;

use super::requested_pause;

#[test]
fn a_provider_is_obeyed_for_an_hour_at_most() {
    let cases = [
        (Duration::from_secs(5), SignedDuration::from_secs(5)),
        (
            Duration::from_secs(1_000_000),
            SignedDuration::from_hours(1),
        ),
        (Duration::MAX, SignedDuration::from_hours(1)),
    ];
    for (asked, expected) in cases {
        assert_eq!(requested_pause(asked), expected);
    }
}
