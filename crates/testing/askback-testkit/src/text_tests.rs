//! Generated texts have the length and the cleanness they promise.

use askback_core::text::{Lines, Text};

use super::{fitting, hostile, readable};
use crate::rng::Rng;

/// A readable text has exactly the wanted length and passes cleaning unchanged; otherwise the
/// generator would not know which of its inputs follow the contract.
#[test]
fn readable_text_is_exact_and_clean() {
    let mut rng = Rng::new(1);
    for length in (1..300).cycle().take(3_000) {
        let text = readable(&mut rng, length);
        assert_eq!(text.chars().count(), length, "{text:?}");
        let cleaned = Text::clean(&text, Lines::One);
        assert_eq!(cleaned.as_ref().map(Text::as_str), Some(text.as_str()));
    }
}

/// A fitting text never breaks its limit and often stands right at it.
#[test]
fn fitting_text_reaches_the_limit_and_stays_within() {
    let mut rng = Rng::new(2);
    let lengths: Vec<usize> = (0..500)
        .map(|_| fitting(&mut rng, 12).chars().count())
        .collect();
    assert!(lengths.iter().all(|length| (1..=12).contains(length)));
    assert!(lengths.iter().filter(|length| **length == 12).count() > 50);
}

/// Most hostile texts hold something that cleaning has to change.
#[test]
fn hostile_text_needs_cleaning() {
    let mut rng = Rng::new(3);
    let changed = (0..500)
        .map(|_| hostile(&mut rng))
        .filter(|text| Text::clean(text, Lines::Many).is_none_or(|clean| clean.as_str() != text))
        .count();
    assert!(changed > 350, "{changed} of 500");
}
