use std::time::Duration;

use super::{ANYBODY, LastSeen, wait_until};
use crate::fixtures::at;

const ANNA: &str = "anna";
const ASKED: &str = "2027-03-27T12:00:00Z";

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// A page that is left open sends nothing, so it counts for nothing after a while.
#[test]
fn somebody_is_present_for_a_while_after_the_last_sign_of_them() {
    let presence = LastSeen::default();
    assert_eq!(presence.left(ANNA, seconds(100)), None);
    presence.note(ANNA, seconds(100));
    assert_eq!(presence.left(ANNA, seconds(110)), Some(seconds(35)));
    // Another browser of the same person.
    presence.note(ANNA, seconds(120));
    assert_eq!(presence.left(ANNA, seconds(150)), Some(seconds(15)));
    assert_eq!(presence.left(ANNA, seconds(165)), None);
}

/// Somebody whom nobody can name may be Anna; Ben is not.
#[test]
fn a_person_is_not_present_because_another_one_is() {
    let presence = LastSeen::default();
    presence.note("ben", seconds(100));
    assert_eq!(presence.left(ANNA, seconds(101)), None);
    presence.note(ANYBODY, seconds(100));
    assert_eq!(presence.left(ANNA, seconds(101)), Some(seconds(44)));
}

#[test]
fn a_message_waits_two_minutes_at_most() {
    let held = |now: &str, left| wait_until(at(ASKED), at(now), seconds(left));
    assert_eq!(
        held("2027-03-27T12:00:01Z", 45),
        Some(at("2027-03-27T12:00:46Z"))
    );
    assert_eq!(
        held("2027-03-27T12:01:50Z", 45),
        Some(at("2027-03-27T12:02:00Z"))
    );
    assert_eq!(held("2027-03-27T12:02:00Z", 45), None);
    assert_eq!(held("2027-03-27T18:00:00Z", 45), None);
}

/// Somebody has set the clock back: the message is not held until the time comes again.
#[test]
fn a_message_does_not_wait_for_a_clock_that_was_set_back() {
    let now = at("2027-03-27T09:00:00Z");
    assert_eq!(wait_until(at(ASKED), now, seconds(45)), None);
}
