//! Keys typed before anybody can have seen the question never answer it.

use std::time::Duration;

use crate::clock::Moment;

/// How long no key may come before the prompt hears the ones that answer.
pub const QUIET: Duration = Duration::from_millis(350);

/// Whether keys that answer are heard yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arming {
    quiet: Duration,
    /// Since when it is quiet; `None` before the first paint.
    since: Option<Moment>,
    armed: bool,
}

impl Arming {
    /// Not armed, and not seen yet.
    pub(crate) fn new(quiet: Duration) -> Arming {
        Arming {
            quiet,
            since: None,
            armed: quiet.is_zero(),
        }
    }

    /// The prompt was painted; the first time counts.
    pub(crate) fn painted(&mut self, now: Moment) {
        self.since.get_or_insert(now);
    }

    /// A key came. Gives whether one that answers is heard.
    pub(crate) fn key(&mut self, now: Moment) -> bool {
        if !self.armed {
            self.armed = self
                .since
                .is_some_and(|since| now.saturating_sub(since) >= self.quiet);
            self.since = self.since.map(|since| since.max(now));
        }
        self.armed
    }
}

#[cfg(test)]
#[path = "arming_tests.rs"]
mod tests;
