//! Who is at the terminal or in the browser right now, so that their phone stays silent.
//!
//! The first message of a question waits while they are, and is not sent if the question ends meanwhile. Whether
//! they are is known from what they do: typing, pressing, saving a draft. A page that is left open says
//! nothing, and counts for nothing.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};

use crate::dispatcher::{Dispatcher, Shared};
use crate::people::recipients::Recipient;
use crate::state::last_seen;

/// How long somebody counts as present after the last sign of them. Pages and terminals tell of it more often.
const PRESENT: Duration = Duration::from_secs(45);
/// The longest time that the first message of a question waits.
const HOLD_MAX: SignedDuration = SignedDuration::from_secs(120);
/// Nodes of a shared store tell each other at most this often.
const SHARED_EVERY: Duration = Duration::from_secs(10);

/// Whoever has the server's token: nobody knows which person they are, so they count for each.
const ANYBODY: &str = "";

/// When each person was last seen at this process, in monotonic time: nothing happens if the clock is set.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    seen: Mutex<BTreeMap<String, Duration>>,
}

impl Presence {
    /// Notes that a person is there. Returns when they were seen before.
    fn note(&self, alias: &str, now: Duration) -> Option<Duration> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(alias.to_owned(), now)
    }

    /// How long a person still counts as present, if nothing more is heard of them.
    fn left(&self, alias: &str, now: Duration) -> Option<Duration> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let last = [alias, ANYBODY].into_iter().filter_map(|it| seen.get(it));
        let left = (*last.max()? + PRESENT).saturating_sub(now);
        (!left.is_zero()).then_some(left)
    }
}

/// Until when the first message of a question waits, if somebody is present for `left`. It never waits longer than
/// [`HOLD_MAX`] after the question was asked, nor if the clock is before that time.
fn hold_until(asked_at: Timestamp, now: Timestamp, left: Duration) -> Option<Timestamp> {
    let last = asked_at + HOLD_MAX;
    if now < asked_at || now >= last {
        return None;
    }
    let left = SignedDuration::try_from(left).unwrap_or(HOLD_MAX);
    Some((now + left).min(last))
}

impl Shared {
    /// Until when the first message of a question to this person waits; `None` to send it now.
    pub(crate) async fn held_back_until(
        &self,
        (alias, person): (&str, &Recipient),
        asked_at: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        if !person.presence {
            return Ok(None);
        }
        let (clock, store) = (self.engine.clock(), self.engine.store());
        let mut left = self.presence.left(alias, clock.elapsed());
        if left.is_none() && store.is_shared() {
            let seen = self.state().get(last_seen(alias)).await?;
            let seen = seen.max(self.state().get(last_seen(ANYBODY)).await?);
            left = seen.and_then(|at| {
                let since = Duration::try_from(clock.now().duration_since(at)).ok()?;
                PRESENT.checked_sub(since).filter(|left| !left.is_zero())
            });
        }
        Ok(left.and_then(|left| hold_until(asked_at, clock.now(), left)))
    }
}

impl Dispatcher {
    /// Whether it matters that somebody is at a surface: messages are sent, and to a person whose wait for it.
    pub fn wants_presence(&self) -> bool {
        let config = self.shared.config();
        let mut people = config.recipients.people.values();
        self.is_sending() && people.any(|person| person.presence)
    }

    /// Notes that a person, or somebody with the server's token, does something at the terminal or in the browser.
    pub async fn note_presence(&self, person: Option<&str>) -> Result<(), StoreError> {
        if !self.wants_presence() {
            return Ok(());
        }
        let (clock, store) = (self.shared.engine.clock(), self.shared.engine.store());
        let (alias, now) = (person.unwrap_or(ANYBODY), clock.elapsed());
        let before = self.shared.presence.note(alias, now);
        let is_recent = before.is_some_and(|before| now < before + SHARED_EVERY);
        if store.is_shared() && !is_recent {
            self.shared
                .state()
                .set(last_seen(alias), &clock.now())
                .await?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "presence_tests.rs"]
mod tests;
