//! How far the clock of a store is ahead of the clock of this machine.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::SignedDuration;

/// Smaller differences are not worth a step of the clock.
const STEP_MIN_MICROS: u64 = 500_000;

/// The difference between the clock of a shared store and that of this machine, as last measured. All nodes add it
/// to their own time, so that a deadline means the same on each of them.
#[derive(Debug, Default)]
pub struct ClockOffset(AtomicI64);

impl ClockOffset {
    /// What to add to the time of this machine.
    pub fn get(&self) -> SignedDuration {
        SignedDuration::from_micros(self.0.load(Ordering::Relaxed))
    }

    /// Takes a measurement, in microseconds. It counts if it differs enough from the one before.
    pub fn measured(&self, micros: i64) {
        let before = self.0.load(Ordering::Relaxed);
        if micros.abs_diff(before) < STEP_MIN_MICROS {
            return;
        }
        tracing::warn!(
            seconds = micros / 1_000_000,
            "the clock of the database is that much ahead of the clock of this machine; using the one of the database"
        );
        self.0.store(micros, Ordering::Relaxed);
    }
}

#[cfg(test)]
#[path = "clock_offset_tests.rs"]
mod tests;
