//! A deadline is hidden until it is near.

use std::time::Duration;

use jiff::Timestamp;

use super::{Deadline, countdown};

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

#[test]
fn deadline_shows_in_the_last_minute_or_tenth() {
    let short = Deadline {
        at: Timestamp::UNIX_EPOCH,
        ends: secs(300),
        total: secs(300),
    };
    assert!(!short.is_near(secs(239)));
    assert!(short.is_near(secs(240)));
    assert_eq!(short.next_change(secs(200)), secs(40));
    let long = Deadline {
        at: Timestamp::UNIX_EPOCH,
        ends: secs(3600),
        total: secs(3600),
    };
    assert!(!long.is_near(secs(3239)));
    assert!(long.is_near(secs(3240)));
    assert_eq!(
        long.next_change(Duration::from_millis(3_240_250)),
        Duration::from_millis(750)
    );
}

#[test]
fn countdown_counts_to_the_end() {
    assert_eq!(countdown(secs(80)), "1:20");
    assert_eq!(countdown(Duration::from_millis(400)), "0:01");
    assert_eq!(countdown(Duration::ZERO), "0:00");
}
