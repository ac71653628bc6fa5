//! Ignores keys that were typed before their target was visible.

use std::time::Duration;

use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::Key;

/// Keys that answer are ignored until no key was pressed for this long.
pub const TYPEAHEAD_WINDOW: Duration = Duration::from_millis(350);
/// After this time, keys are accepted even without a pause, unless a key is held down.
const TYPEAHEAD_WINDOW_MAX: Duration = Duration::from_secs(1);
/// A held key repeats within this time.
const REPEAT_INTERVAL: Duration = Duration::from_millis(120);

/// Whether keys that answer are accepted. It closes when something new appears that handles the
/// keys: a question, the next question of an inquiry, a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TypeaheadGuard {
    window: Duration,
    /// `None` until it was painted.
    shown_at: Option<MonotonicTime>,
    last: Option<(Option<Key>, MonotonicTime)>,
    /// The key that made the new content appear. A held key first repeats after half a second or
    /// more, so it must wait longer than other keys.
    cause: Option<Key>,
    open: bool,
}

impl TypeaheadGuard {
    /// A closed guard. With a window of zero it is always open.
    pub(crate) fn new(window: Duration) -> TypeaheadGuard {
        TypeaheadGuard {
            window,
            shown_at: None,
            last: None,
            cause: None,
            open: window.is_zero(),
        }
    }

    /// An open guard, for what the user has seen already.
    pub(crate) fn opened(window: Duration) -> TypeaheadGuard {
        TypeaheadGuard {
            open: true,
            ..TypeaheadGuard::new(window)
        }
    }

    /// Must be called when something new handles the keys.
    pub(crate) fn close(&mut self) {
        let cause = self.last.and_then(|(key, _)| key);
        *self = TypeaheadGuard {
            last: self.last,
            cause,
            ..TypeaheadGuard::new(self.window)
        };
    }

    /// The last key, for the guard of a prompt that appears next.
    pub(crate) fn last(&self) -> Option<(Option<Key>, MonotonicTime)> {
        self.last
    }

    /// Records a key that another component handled.
    pub(crate) fn saw(&mut self, last: Option<(Option<Key>, MonotonicTime)>) {
        self.last = last.or(self.last);
    }

    /// Only the first call after [`Self::close`] counts.
    pub(crate) fn painted(&mut self, now: MonotonicTime) {
        self.shown_at.get_or_insert(now);
    }

    /// Records a key, or with `None` a paste or click. Returns whether one that answers is
    /// accepted.
    pub(crate) fn key(&mut self, key: Option<Key>, now: MonotonicTime) -> bool {
        if !self.open {
            self.open = self.opens(key, now);
        }
        self.last = Some((key, now));
        self.open
    }

    /// Whether the key repeats the last one so fast that it is held down.
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
