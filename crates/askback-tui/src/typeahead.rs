//! Keys typed before anybody can have seen something never act on it.

use std::time::Duration;

use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::Key;

/// How long no key may come before those that answer are taken.
pub const TYPEAHEAD_WINDOW: Duration = Duration::from_millis(350);
/// After so long keys are taken even if they never paused, unless they come from a key held down.
const TYPEAHEAD_WINDOW_MAX: Duration = Duration::from_secs(1);
/// A key that is held down comes again within this time.
const REPEAT_INTERVAL: Duration = Duration::from_millis(120);

/// Whether keys that answer are taken yet. It closes when something new appears in the place where
/// the keys go: a question, the next question of a batch, a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TypeaheadGuard {
    window: Duration,
    /// `None` until it was painted.
    shown_at: Option<MonotonicTime>,
    last: Option<(Option<Key>, MonotonicTime)>,
    /// The key that made it appear. Held down, it first repeats after half a second or more, so it
    /// has to wait longer than others.
    cause: Option<Key>,
    open: bool,
}

impl TypeaheadGuard {
    /// Closed, and nothing seen yet. Without a window it is always open.
    pub(crate) fn new(window: Duration) -> TypeaheadGuard {
        TypeaheadGuard {
            window,
            shown_at: None,
            last: None,
            cause: None,
            open: window.is_zero(),
        }
    }

    /// Something else appeared where the keys go.
    pub(crate) fn close(&mut self) {
        let cause = self.last.and_then(|(key, _)| key);
        *self = TypeaheadGuard {
            last: self.last,
            cause,
            ..TypeaheadGuard::new(self.window)
        };
    }

    /// The last key, for something that appears elsewhere.
    pub(crate) fn last(&self) -> Option<(Option<Key>, MonotonicTime)> {
        self.last
    }

    /// A key went elsewhere; what appears after it was made to appear by it.
    pub(crate) fn saw(&mut self, last: Option<(Option<Key>, MonotonicTime)>) {
        self.last = last.or(self.last);
    }

    /// It was painted; the first time counts.
    pub(crate) fn painted(&mut self, now: MonotonicTime) {
        self.shown_at.get_or_insert(now);
    }

    /// A key came, or with `None` a paste or a click. Gives whether one that answers is taken.
    pub(crate) fn key(&mut self, key: Option<Key>, now: MonotonicTime) -> bool {
        if !self.open {
            self.open = self.opens(key, now);
        }
        self.last = Some((key, now));
        self.open
    }

    /// Whether a key repeats the last one as a key does that is held down.
    pub(crate) fn is_repeat(&self, key: Key, now: MonotonicTime) -> bool {
        let repeats = |(last, at): (Option<Key>, MonotonicTime)| {
            last == Some(key) && now.saturating_sub(at) <= REPEAT_INTERVAL
        };
        !self.window.is_zero() && self.last.is_some_and(repeats)
    }

    fn opens(&self, key: Option<Key>, now: MonotonicTime) -> bool {
        let Some(shown_at) = self.shown_at else {
            return false;
        };
        let quiet_since = self.last.map_or(shown_at, |(_, at)| at.max(shown_at));
        let quiet = now.saturating_sub(quiet_since);
        let held = key.is_some() && key == self.cause;
        let window = if held { self.window * 2 } else { self.window };
        let longest = self.window.max(TYPEAHEAD_WINDOW_MAX);
        let repeats = key.is_some_and(|key| self.is_repeat(key, now));
        quiet >= window || (now.saturating_sub(shown_at) >= longest && !repeats)
    }
}

#[cfg(test)]
#[path = "typeahead_tests.rs"]
mod tests;
