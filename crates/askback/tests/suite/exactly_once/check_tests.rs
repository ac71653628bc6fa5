//! The checks find what is planted in a made-up history, and nothing else.

use super::alterations::ALTERATIONS;
use super::check::{Invariant, check};
use super::sample::sound_history;

#[test]
fn sound_history_has_no_violations() {
    assert_eq!(check(&sound_history()), []);
}

#[test]
fn every_planted_fault_is_found() {
    for alteration in ALTERATIONS {
        let mut history = sound_history();
        let applied = (alteration.apply)(&mut history);
        assert_eq!(applied, Some(()), "{} alters something", alteration.name);
        let found = check(&history);
        assert!(
            found.iter().any(|it| it.invariant == alteration.breaks),
            "{} breaks {:?}, and the checks find {found:#?}",
            alteration.name,
            alteration.breaks
        );
    }
}

#[test]
fn every_invariant_has_a_planted_fault() {
    for invariant in Invariant::ALL {
        let mut alterations = ALTERATIONS.iter();
        assert!(
            alterations.any(|it| it.breaks == invariant),
            "nothing breaks {invariant:?}"
        );
    }
}
