//! What a prompt does as time passes: its deadline, and keys that wait for others.

use std::time::Duration;

use super::{End, Persistence, Prompt, Reaction};
use crate::deadline::Deadline;
use askback_terminal::clock::MonotonicTime;

impl Prompt {
    /// Checks the deadline, and carries out a key that waited for others. Must be called when the time from [`Prompt::next_tick`] has passed.
    pub fn tick(&mut self, now: MonotonicTime) -> Reaction {
        self.now = now;
        if let Some(reaction) = self.run_waiting_key() {
            return reaction;
        }
        match &self.options.deadline {
            Some(deadline)
                if deadline.is_over(now) && self.options.persistence == Persistence::None =>
            {
                Reaction::End(End::Expired)
            }
            Some(deadline) if deadline.is_near(now) => Reaction::Redraw,
            Some(_) | None => Reaction::Nothing,
        }
    }

    /// The time until [`Prompt::tick`] must be called, if it must.
    pub fn next_tick(&self, now: MonotonicTime) -> Option<Duration> {
        let deadline = self.options.deadline.as_ref();
        // Once a stored question is shown as late, the server decides what follows.
        let is_shown_late = |deadline: &&Deadline| {
            self.options.persistence == Persistence::Durable && deadline.is_over(self.now)
        };
        let change = deadline
            .filter(|deadline| !is_shown_late(deadline))
            .map(|deadline| deadline.next_change(now));
        change.into_iter().chain(self.next_waiting_key(now)).min()
    }

    /// The deadline; `None` once a key has stopped it.
    pub fn deadline(&self) -> Option<&Deadline> {
        self.options.deadline.as_ref()
    }

    /// The server moved the deadline, or removed it.
    pub fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.options.deadline = deadline;
    }
}
