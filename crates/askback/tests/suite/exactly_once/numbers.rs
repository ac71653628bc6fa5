//! Random numbers that follow from a seed.

/// The same numbers for the same seed (splitmix64).
#[derive(Debug, Clone)]
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The numbers of one of those who share the seed of a run.
    pub(crate) fn of(seed: u64, user: usize) -> Numbers {
        let user = u64::try_from(user).unwrap_or_default() + 1;
        Numbers(seed.wrapping_add(user.wrapping_mul(0xd1b5_4a32_d192_ed03)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn between(&mut self, range: std::ops::Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    pub(crate) fn index(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        usize::try_from(self.between(0..count)).unwrap_or_default()
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.between(0..count) == 0
    }

    /// One of the items; none if there are none.
    pub(crate) fn pick<'a, T>(
        &mut self,
        items: impl IntoIterator<Item = &'a T, IntoIter: ExactSizeIterator>,
    ) -> Option<&'a T> {
        let mut items = items.into_iter();
        match items.len() {
            0 => None,
            count => items.nth(self.index(count)),
        }
    }
}
