//! How many writes a batch waits for.
//!
//! Callers that shared a batch come back soon, and waiting a moment for them saves fsyncs. Waiting for
//! all of them would leave the disk idle while they work, and them idle while the disk works. So a
//! batch waits for half of them: the two halves take turns. How many there are is measured now and
//! then, by a batch that waits for everybody.

/// Batches between two that measure.
const MEASURE_INTERVAL: usize = 64;

#[derive(Debug, Default)]
pub(super) struct BatchTarget {
    /// How many callers write concurrently, as far as it is known.
    callers: usize,
    /// Batches since the last one that measured.
    batches: usize,
}

impl BatchTarget {
    /// How many writes to collect before the batch is written. A batch that has fewer waits for each
    /// further write until none comes in time. 0 or 1 after batches of one: a single caller never waits.
    pub(super) fn get(&self) -> usize {
        if self.callers > 1 && self.batches >= MEASURE_INTERVAL {
            usize::MAX
        } else {
            self.callers / 2
        }
    }

    /// Takes the size of a batch into account.
    pub(super) fn record(&mut self, size: usize) {
        let target = self.get();
        if target == usize::MAX {
            (self.callers, self.batches) = (size, 0);
            return;
        }
        if size < target {
            // Some have left, or were late.
            self.callers /= 2;
        }
        self.callers = self.callers.max(size);
        self.batches += 1;
    }
}

#[cfg(test)]
#[path = "batch_target_tests.rs"]
mod tests;
