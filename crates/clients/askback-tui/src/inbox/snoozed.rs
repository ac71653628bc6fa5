//! Questions that a person has hidden until a time, here or on another device.

use std::time::Duration;

use askback_terminal::clock::MonotonicTime;

use super::{Inbox, Item, Overlay};

impl Inbox {
    /// Whether a question is hidden. One that is open on the screen is not taken away.
    pub(super) fn is_hidden(&self, item: &Item) -> bool {
        let id = &item.inquiry.id;
        let is_open = match &self.overlay {
            Some(Overlay::Prompt(open, _) | Overlay::Ended(open)) => open == id,
            Some(Overlay::Confirm(_, ids)) => ids.contains(id),
            Some(Overlay::Help) | None => false,
        };
        !is_open && self.snoozes.get(id).is_some_and(|until| *until > self.now)
    }

    pub(super) fn hidden_count(&self) -> usize {
        self.items
            .iter()
            .filter(|item| item.is_open() && self.is_hidden(item))
            .count()
    }

    /// Shows questions again whose time has come.
    pub(super) fn wake_snoozed(&mut self) {
        let (before, now) = (self.snoozes.len(), self.now);
        self.snoozes.retain(|_, until| *until > now);
        if self.snoozes.len() != before {
            self.refocus();
        }
    }

    /// How long until the next one is shown again.
    pub(super) fn next_wake(&self, now: MonotonicTime) -> Option<Duration> {
        let next = self.snoozes.values().min();
        next.map(|until| until.saturating_sub(now))
    }
}
