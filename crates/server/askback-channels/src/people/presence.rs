//! Who is at the terminal or in the browser right now, so that their phone stays silent.
//!
//! The first message of a question waits while they are, and is not sent if the question ends meanwhile. Whether
//! they are is known from what they do: typing, pressing, saving a draft. A page that is left open says
//! nothing, and counts for nothing.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askback_engine::Engine;
use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};

use crate::config::CurrentConfig;
use crate::people::recipients::Recipient;
use crate::state::{ChannelState, last_seen};

/// How long somebody counts as present after the last sign of them. Pages and terminals tell of it more often.
const PRESENT: Duration = Duration::from_secs(45);
/// The longest time that the first message of a question waits.
const WAIT_MAX: SignedDuration = SignedDuration::from_secs(120);
/// Nodes of a shared store tell each other at most this often.
const SHARED_EVERY: Duration = Duration::from_secs(10);

/// Whoever has the server's token: nobody knows which person they are, so they count for each.
const ANYBODY: &str = "";

/// When each person was last seen at this process, in monotonic time: nothing happens if the clock is set.
#[derive(Debug, Default)]
struct LastSeen(Mutex<BTreeMap<String, Duration>>);

impl LastSeen {
    /// Notes that a person is there. Returns when they were seen before.
    fn note(&self, alias: &str, now: Duration) -> Option<Duration> {
        let mut seen = self.0.lock();
        seen.insert(alias.to_owned(), now)
    }

    /// How long a person still counts as present, if nothing more is heard of them.
    fn left(&self, alias: &str, now: Duration) -> Option<Duration> {
        let seen = self.0.lock();
        let last = [alias, ANYBODY].into_iter().filter_map(|it| seen.get(it));
        let left = (*last.max()? + PRESENT).saturating_sub(now);
        (!left.is_zero()).then_some(left)
    }
}

/// Until when the first message of a question waits, if somebody is present for `left`. It never waits longer than
/// [`WAIT_MAX`] after the question was asked, nor if the clock is before that time.
fn wait_until(asked_at: Timestamp, now: Timestamp, left: Duration) -> Option<Timestamp> {
    let last = asked_at + WAIT_MAX;
    if now < asked_at || now >= last {
        return None;
    }
    let left = SignedDuration::try_from(left).unwrap_or(WAIT_MAX);
    Some((now + left).min(last))
}

/// Who is at the terminal or in the browser.
pub struct Presence {
    engine: Engine,
    config: Arc<CurrentConfig>,
    seen: LastSeen,
    /// Whether messages are sent at all: a channel is configured, or a browser has subscribed.
    is_sending: AtomicBool,
}

impl Presence {
    pub(crate) fn new(engine: Engine, config: Arc<CurrentConfig>) -> Presence {
        Presence {
            engine,
            config,
            seen: LastSeen::default(),
            is_sending: AtomicBool::new(false),
        }
    }

    fn state(&self) -> ChannelState<'_> {
        ChannelState(self.engine.store().as_ref())
    }

    /// This node has begun to act, or would if it had the right to.
    pub(crate) fn messages_are_sent(&self) {
        self.is_sending.store(true, Ordering::Relaxed);
    }

    /// Until when the first message of a question to this person waits; `None` to send it now.
    pub(crate) async fn held_back_until(
        &self,
        alias: &str,
        person: &Recipient,
        asked_at: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        if !person.presence {
            return Ok(None);
        }
        let clock = self.engine.clock();
        let mut left = self.seen.left(alias, clock.elapsed());
        if left.is_none() && self.engine.store().is_shared() {
            let seen = self.state().get(last_seen(alias)).await?;
            let seen = seen.max(self.state().get(last_seen(ANYBODY)).await?);
            left = seen.and_then(|at| {
                let since = Duration::try_from(clock.now().duration_since(at)).ok()?;
                PRESENT.checked_sub(since).filter(|left| !left.is_zero())
            });
        }
        Ok(left.and_then(|left| wait_until(asked_at, clock.now(), left)))
    }

    /// Whether it matters that somebody is at a surface: messages are sent, and to a person whose wait for it.
    pub fn is_wanted(&self) -> bool {
        let config = self.config.get();
        let mut people = config.recipients.people.values();
        self.is_sending.load(Ordering::Relaxed) && people.any(|person| person.presence)
    }

    /// Notes that a person, or somebody with the server's token, does something at the terminal or in the browser.
    pub async fn note(&self, person: Option<&str>) -> Result<(), StoreError> {
        if !self.is_wanted() {
            return Ok(());
        }
        let clock = self.engine.clock();
        let (alias, now) = (person.unwrap_or(ANYBODY), clock.elapsed());
        let before = self.seen.note(alias, now);
        let is_recent = before.is_some_and(|before| now < before + SHARED_EVERY);
        if self.engine.store().is_shared() && !is_recent {
            self.state().set(last_seen(alias), &clock.now()).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "presence_tests.rs"]
mod tests;
