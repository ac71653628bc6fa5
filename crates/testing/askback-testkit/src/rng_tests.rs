//! The generator is the published splitmix64, and its helpers stay within their bounds.

use super::Rng;

/// The first numbers for seed 1234567 must be those of the reference implementation: a change of
/// the generator would silently turn every recorded seed into another input.
#[test]
fn numbers_are_those_of_splitmix64() {
    let mut rng = Rng::new(1_234_567);
    let drawn: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
    assert_eq!(
        drawn,
        [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423
        ]
    );
}

/// A drawn number lies within its bounds, and both bounds are reached.
#[test]
fn within_reaches_both_bounds_and_nothing_else() {
    let mut rng = Rng::new(7);
    let mut seen = [0_u32; 3];
    for _ in 0..1_000 {
        seen[rng.within(4, 6) - 4] += 1;
    }
    assert!(seen.iter().all(|count| *count > 200), "{seen:?}");
}

/// Cases of one run, and equal cases of two runs, must not repeat each other's numbers.
#[test]
fn cases_differ_by_seed_and_index() {
    let first = |seed, index| Rng::for_case(seed, index).next_u64();
    let drawn = [first(0, 0), first(0, 1), first(1, 0), first(1, 1)];
    for (at, number) in drawn.iter().enumerate() {
        assert!(!drawn[..at].contains(number), "{drawn:?}");
    }
}
