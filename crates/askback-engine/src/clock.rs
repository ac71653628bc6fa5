//! The one home of the clock and of fresh ids.

use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;
use std::time::Duration;

use askback_core::time::whole_millis;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;
use uuid::Uuid;

/// What time it is, and waiting for a time.
pub trait Clock: Send + Sync + 'static {
    /// The time, to the millisecond.
    fn now(&self) -> Timestamp;

    /// Waits until the time has come; at once if it has passed. Follows the clock when it is set.
    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// Waits for so long, however the clock is set meanwhile.
    fn sleep(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(tokio::time::sleep(pause))
    }

    /// How much time has passed since some moment, however the clock was set meanwhile.
    fn elapsed(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }

    /// A 128-bit number that no other decision gets.
    fn seed(&self) -> u128;
}

/// Notices that a clock is set back.
#[derive(Debug)]
pub(crate) struct SetBack {
    /// What the clock shows beyond the time that has passed: it changes only when the clock is set.
    ahead: SignedDuration,
}

/// Less than this is no jump: clocks are also corrected little by little.
const JUMP_MIN: SignedDuration = SignedDuration::from_secs(1);

impl SetBack {
    /// Watches a clock from now on.
    pub(crate) fn watch(clock: &dyn Clock) -> SetBack {
        SetBack {
            ahead: ahead(clock),
        }
    }

    /// By how much the clock was set back since it was last asked; zero if it was not.
    pub(crate) fn notice(&mut self, clock: &dyn Clock) -> SignedDuration {
        let now = ahead(clock);
        let back = self.ahead.saturating_sub(now);
        if back >= JUMP_MIN {
            self.ahead = now;
            return back;
        }
        // What adds up slowly is noticed once it is enough.
        self.ahead = self.ahead.max(now);
        SignedDuration::ZERO
    }
}

fn ahead(clock: &dyn Clock) -> SignedDuration {
    let elapsed = SignedDuration::try_from(clock.elapsed()).unwrap_or(SignedDuration::MAX);
    clock.now().as_duration().saturating_sub(elapsed)
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// A wall clock may be set while we wait, so waits are cut into pieces: a clock that is set is
/// noticed within this time. Looking at it costs microseconds.
pub(crate) const MAX_SLEEP: Duration = Duration::from_secs(2);

impl Clock for SystemClock {
    /// To the millisecond, as the store keeps it: what was published reads the same when replayed.
    fn now(&self) -> Timestamp {
        whole_millis(Timestamp::now())
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            while let Ok(left) = Duration::try_from(at.duration_since(self.now()))
                && !left.is_zero()
            {
                tokio::time::sleep(left.min(MAX_SLEEP)).await;
            }
        })
    }

    fn seed(&self) -> u128 {
        Uuid::now_v7().as_u128()
    }
}
