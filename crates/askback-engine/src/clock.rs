//! The one home of the clock and of fresh ids.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

/// What time it is, and waiting for a time.
pub trait Clock: Send + Sync + 'static {
    /// The time.
    fn now(&self) -> Timestamp;

    /// Waits until the time has come; at once if it has passed.
    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// A 128-bit number that no other decision gets.
    fn seed(&self) -> u128;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// A wall clock may be set while we wait, so long waits are cut into pieces.
const LONGEST_NAP: Duration = Duration::from_hours(1);

impl Clock for SystemClock {
    /// To the millisecond, as the store keeps it: what was published reads the same when replayed.
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            while let Ok(left) = Duration::try_from(at.duration_since(self.now()))
                && !left.is_zero()
            {
                tokio::time::sleep(left.min(LONGEST_NAP)).await;
            }
        })
    }

    fn seed(&self) -> u128 {
        Uuid::now_v7().as_u128()
    }
}
