//! The one home of the clock and of fresh ids.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use askback_core::time::whole_millis;
use jiff::Timestamp;
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

    /// A 128-bit number that no other decision gets.
    fn seed(&self) -> u128;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// A wall clock may be set while we wait, so waits are cut into pieces: a clock that is set is
/// noticed within this time. Looking at it costs microseconds.
const MAX_SLEEP: Duration = Duration::from_secs(2);

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
