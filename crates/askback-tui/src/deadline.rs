//! A deadline: hidden until it is near, stopped by any key, and told as what it is when it passes.

use std::time::Duration;

use jiff::Timestamp;

use askback_terminal::clock::MonotonicTime;

/// When a question ends unanswered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// The time of day.
    pub at: Timestamp,
    /// The same on the clock of the program.
    pub ends: MonotonicTime,
    /// How long the question was given in all.
    pub total: Duration,
}

/// The last minute is always shown.
const SHOWN_AT_LEAST: Duration = Duration::from_mins(1);

impl Deadline {
    /// What is left.
    pub(crate) fn left(&self, now: MonotonicTime) -> Duration {
        self.ends.saturating_sub(now)
    }

    /// From when on it is shown: the last minute, or the last tenth if that is longer.
    pub(crate) fn shown_from(&self) -> MonotonicTime {
        let shown = SHOWN_AT_LEAST.max(self.total / 10);
        self.ends.saturating_sub(shown)
    }

    /// Whether it is shown.
    pub(crate) fn is_near(&self, now: MonotonicTime) -> bool {
        now >= self.shown_from()
    }

    /// When it next changes what is shown: each second while it is shown.
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

/// Minutes and seconds, the last second as long as any of it is left.
pub(crate) fn countdown(left: Duration) -> String {
    let seconds = left.as_secs() + u64::from(left.subsec_nanos() > 0);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
#[path = "deadline_tests.rs"]
mod tests;
