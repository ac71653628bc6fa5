//! The clock and the source of new ids. No other file of the engine reads the system clock.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use askback_core::time::whole_millis;
use askback_store::ClockOffset;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use uuid::Uuid;

/// The wall clock, timers, and the seed of new ids.
pub trait Clock: Send + Sync + 'static {
    /// The wall-clock time, to the millisecond.
    fn now(&self) -> Timestamp;

    /// Waits for a wall-clock time. Returns at once if it has passed, and follows the clock when
    /// somebody changes it.
    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// The same; without a time, it never returns.
    fn sleep_until_or_forever(
        &self,
        at: Option<Timestamp>,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        match at {
            Some(at) => self.sleep_until(at),
            None => Box::pin(std::future::pending()),
        }
    }

    /// Waits for an elapsed time. Changes of the wall clock do not matter.
    fn sleep(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(pause))
    }

    /// Monotonic time since some fixed point. Changes of the wall clock do not matter.
    fn elapsed(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }

    /// A 128-bit number that is unique to one decision. Its ids are derived from it.
    fn seed(&self) -> u128;
}

/// Detects that somebody set the wall clock back.
#[derive(Debug)]
pub(crate) struct RollbackDetector {
    /// Wall-clock time minus elapsed time. It changes only when the clock is set.
    offset: SignedDuration,
}

/// Smaller steps are ordinary clock corrections.
const ROLLBACK_MIN: SignedDuration = SignedDuration::from_secs(1);

impl RollbackDetector {
    pub(crate) fn watch(clock: &dyn Clock) -> RollbackDetector {
        RollbackDetector {
            offset: offset(clock),
        }
    }

    /// By how much the clock was set back since the last call, or zero.
    pub(crate) fn check(&mut self, clock: &dyn Clock) -> SignedDuration {
        let now = offset(clock);
        let back = self.offset.saturating_sub(now);
        if back >= ROLLBACK_MIN {
            self.offset = now;
            return back;
        }
        // Keeping the largest offset lets small steps back add up until they count.
        self.offset = self.offset.max(now);
        SignedDuration::ZERO
    }
}

fn offset(clock: &dyn Clock) -> SignedDuration {
    let elapsed = SignedDuration::try_from(clock.elapsed()).unwrap_or(SignedDuration::MAX);
    clock.now().as_duration().saturating_sub(elapsed)
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// The wall clock may be set during a wait, so long waits are cut into pieces: a change is noticed
/// within this time.
pub(crate) const MAX_SLEEP: Duration = Duration::from_secs(2);

impl Clock for SystemClock {
    /// To the millisecond, as it is stored: an event reads the same live and replayed.
    fn now(&self) -> Timestamp {
        whole_millis(Timestamp::now())
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(sleep_until(self, at))
    }

    fn seed(&self) -> u128 {
        Uuid::now_v7().as_u128()
    }
}

async fn sleep_until(clock: &dyn Clock, at: Timestamp) {
    while let Ok(left) = Duration::try_from(at.duration_since(clock.now()))
        && !left.is_zero()
    {
        tokio::time::sleep(left.min(MAX_SLEEP)).await;
    }
}

/// The clock of a store that several machines share. If their own clocks differ, a question would expire on one of
/// them while it can still be answered on another.
#[derive(Debug)]
pub struct SharedClock(pub Arc<ClockOffset>);

impl Clock for SharedClock {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        whole_millis(now.checked_add(self.0.get()).unwrap_or(now))
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(sleep_until(self, at))
    }

    fn seed(&self) -> u128 {
        SystemClock.seed()
    }
}
