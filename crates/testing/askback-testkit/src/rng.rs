//! Random numbers that a seed decides: splitmix64.

/// A source of random numbers; the same seed gives the same numbers for ever.
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

/// The increment of splitmix64: the golden ratio in 64 bits.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Rng {
    /// A source that begins at `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The source of the case `index` of a run: neighbouring indices have nothing in common.
    pub fn for_case(seed: u64, index: u64) -> Rng {
        let start = Rng::new(seed).next_u64();
        Rng::new(start.wrapping_add(Rng::new(index).next_u64().rotate_left(17)))
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let drawn = self.next_u64();
        let end = u64::try_from(end).unwrap_or(u64::MAX);
        let number = drawn.checked_rem(end).unwrap_or(0);
        usize::try_from(number).unwrap_or(0)
    }

    /// A number from `first` to `last`, both included.
    pub fn within(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// A double from 0 up to 1, with all the digits a double has.
    pub fn fraction(&mut self) -> f64 {
        const ONE: u64 = 0x3FF0_0000_0000_0000;
        f64::from_bits(ONE | (self.next_u64() >> 12)) - 1.0
    }

    /// True once in `times` draws.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True `percent` times in a hundred.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, of which there must be at least one.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[cfg(test)]
#[path = "rng_tests.rs"]
mod tests;
