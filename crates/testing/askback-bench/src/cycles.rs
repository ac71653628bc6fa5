//! What runs of cycles cost, and what that comes to per cycle.

use std::time::Duration;

use anyhow::Context as _;

/// The figures of all cycles of one server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CycleStats {
    pub(crate) p50: Duration,
    pub(crate) per_second: f64,
    pub(crate) cpu_per_cycle: Duration,
    pub(crate) written_per_cycle: f64,
    pub(crate) fsyncs_per_cycle: f64,
}

/// What runs of cycles have cost so far.
#[derive(Debug, Default)]
pub(crate) struct CycleTotals {
    pub(crate) times: Vec<Duration>,
    pub(crate) elapsed: Duration,
    pub(crate) cpu: Duration,
    pub(crate) written: u64,
    pub(crate) fsyncs: u64,
}

impl CycleTotals {
    pub(crate) fn add(&mut self, other: CycleTotals) {
        self.times.extend(other.times);
        self.elapsed += other.elapsed;
        self.cpu += other.cpu;
        self.written += other.written;
        self.fsyncs += other.fsyncs;
    }

    pub(crate) fn stats(mut self) -> anyhow::Result<CycleStats> {
        self.times.sort();
        let count = self.times.len();
        let each = u32::try_from(count)?;
        Ok(CycleStats {
            p50: *self.times.get(count / 2).context("no cycle was run")?,
            per_second: ratio(count as u64, 1) / self.elapsed.as_secs_f64(),
            cpu_per_cycle: self.cpu / each,
            written_per_cycle: ratio(self.written, count as u64),
            fsyncs_per_cycle: ratio(self.fsyncs, count as u64),
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below what a float holds")]
pub(crate) fn ratio(of: u64, to: u64) -> f64 {
    of as f64 / to as f64
}

/// Milliseconds with two digits after the point.
pub(crate) fn ms(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1e3)
}
