//! Reports of the first seeds, for all tests that look at them: each seed is simulated once.

use std::sync::OnceLock;

use askback_sim::Report;

pub(crate) struct SharedReports<const SEEDS: usize>([OnceLock<Report>; SEEDS]);

impl<const SEEDS: usize> SharedReports<SEEDS> {
    pub(crate) const fn new() -> SharedReports<SEEDS> {
        SharedReports([const { OnceLock::new() }; SEEDS])
    }

    /// The first violation of a seed. A later seed is simulated for this call alone.
    pub(crate) fn violation(&self, seed: u64, run: impl FnOnce(u64) -> Report) -> Option<String> {
        let index = usize::try_from(seed).unwrap();
        match self.0.get(index) {
            Some(shared) => shared.get_or_init(|| run(seed)).violation.clone(),
            None => run(seed).violation,
        }
    }

    /// The reports of all shared seeds.
    pub(crate) fn all(&self, run: impl Fn(u64) -> Report) -> impl Iterator<Item = &Report> {
        let seeds = (0..).zip(&self.0);
        seeds.map(move |(seed, shared)| shared.get_or_init(|| run(seed)))
    }
}
