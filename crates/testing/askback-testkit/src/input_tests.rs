//! Generated inputs are what they promise: reproducible, and mostly accepted where they should be.

use askback_core::dialect::{Dialect, ParseOptions};

use super::{near_contract, tool_input, valid};
use crate::rng::Rng;

/// The same seed must give the same input, or no finding could be run again.
#[test]
fn same_seed_gives_same_input() {
    for dialect in Dialect::TOOLS {
        let draw = |seed| tool_input(&mut Rng::new(seed), dialect);
        assert!((0..200).all(|seed| draw(seed) == draw(seed)));
        let distinct = (0..200)
            .filter(|seed| draw(*seed) != draw(seed + 1))
            .count();
        assert!(distinct > 190, "{distinct} of 200 differ");
    }
}

/// An input that follows the contract must be taken as it is: no refusal, and no repair apart from
/// what the contract itself leaves to askback.
#[test]
fn inputs_that_follow_the_contract_are_accepted_without_repair() {
    let mut rng = Rng::new(11);
    for dialect in Dialect::TOOLS {
        for _ in 0..500 {
            let input = valid::input(&mut rng, dialect);
            let parsed = dialect.parse(&input, ParseOptions::default());
            let parsed = parsed.unwrap_or_else(|error| panic!("{error}\n{input}"));
            assert_eq!(parsed.repairs, [], "{input}");
        }
    }
}

/// Near misses must come out on both sides often enough for a comparison to mean something.
#[test]
fn near_contract_inputs_fall_on_both_sides() {
    let mut rng = Rng::new(12);
    for dialect in Dialect::TOOLS {
        let accepted = (0..500)
            .map(|_| near_contract(&mut rng, dialect))
            .filter(|input| dialect.parse(input, ParseOptions::default()).is_ok())
            .count();
        assert!(
            (200..450).contains(&accepted),
            "{dialect:?}: {accepted} of 500"
        );
    }
}
