//! A deadline: hidden until it is near, and stopped by any key.

use std::time::Duration;

use jiff::Timestamp;

use askback_terminal::clock::MonotonicTime;

/// When a question expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// The time of expiry.
    pub at: Timestamp,
    /// The same on the monotonic clock.
    pub ends: MonotonicTime,
    /// The time from the question to its expiry.
    pub total: Duration,
}

/// The last minute is always shown.
const SHOWN_AT_LEAST: Duration = Duration::from_mins(1);

impl Deadline {
    pub(crate) fn left(&self, now: MonotonicTime) -> Duration {
        self.ends.saturating_sub(now)
    }

    /// It is shown for the last minute, or the last tenth if that is longer.
    pub(crate) fn shown_from(&self) -> MonotonicTime {
        let shown = SHOWN_AT_LEAST.max(self.total / 10);
        self.ends.saturating_sub(shown)
    }

    pub(crate) fn is_near(&self, now: MonotonicTime) -> bool {
        now >= self.shown_from()
    }

    pub(crate) fn is_over(&self, now: MonotonicTime) -> bool {
        self.left(now).is_zero()
    }

    /// The time until the display changes: each second while it is shown.
    pub(crate) fn next_change(&self, now: MonotonicTime) -> Duration {
        if self.is_near(now) {
            let left = self.left(now);
            let part = Duration::from_nanos(u64::from(left.subsec_nanos()));
            if part.is_zero() {
                Duration::from_secs(1).min(left)
            } else {
                part
            }
        } else {
            self.shown_from().saturating_sub(now)
        }
    }
}

/// Minutes and seconds, rounded up.
pub(crate) fn countdown(left: Duration) -> String {
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
#[path = "deadline_tests.rs"]
mod tests;
