//! T13: type-through is ignored until it has been quiet for a while.

use std::time::Duration;

use super::{Arming, QUIET};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn keys_are_heard_after_a_quiet_time_only() {
    let mut arming = Arming::new(QUIET);
    assert!(!arming.key(ms(0)), "nothing is painted yet");
    arming.painted(ms(100));
    assert!(!arming.key(ms(400)), "300 ms after the first paint");
    assert!(!arming.key(ms(700)), "300 ms after the last key");
    assert!(arming.key(ms(1050)));
    assert!(arming.key(ms(1051)), "armed once is armed");
}

#[test]
fn no_quiet_time_is_armed_at_once() {
    assert!(Arming::new(Duration::ZERO).key(ms(0)));
}
