//! Tells the program that somebody uses the terminal, at most once in a while.

use std::fmt;
use std::time::Duration;

use crate::clock::MonotonicTime;

/// What is called when somebody presses a key, pastes or clicks.
pub(crate) struct ActivityListener {
    every: Duration,
    last: Option<MonotonicTime>,
    notify: Box<dyn FnMut()>,
}

impl fmt::Debug for ActivityListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActivityListener")
            .field("every", &self.every)
            .field("last", &self.last)
            .finish_non_exhaustive()
    }
}

impl ActivityListener {
    /// A listener that is called at most once in `every`.
    pub(crate) fn new(every: Duration, notify: Box<dyn FnMut()>) -> ActivityListener {
        ActivityListener {
            every,
            last: None,
            notify,
        }
    }

    /// Somebody did something.
    pub(crate) fn note(&mut self, now: MonotonicTime) {
        let is_due = self
            .last
            .is_none_or(|last| now.saturating_sub(last) >= self.every);
        if is_due {
            self.last = Some(now);
            (self.notify)();
        }
    }
}

#[cfg(test)]
#[path = "activity_tests.rs"]
mod tests;
