//! The arguments of `exactly-once` name a store, a number of faults and a seed.

use super::{FAULTS, parse};

#[test]
fn arguments_name_store_faults_and_seed() {
    let usual = parse(&[]).unwrap();
    assert!(usual.test.ends_with("sqlite"), "{}", usual.test);
    assert_eq!((usual.faults, usual.seed), (FAULTS, None));
    let other = parse(&["--seed", "7", "--postgres", "--faults", "50"]).unwrap();
    assert!(other.test.ends_with("postgres_nodes"), "{}", other.test);
    assert_eq!((other.faults, other.seed), (50, Some(7)));
}

/// Anything else must be refused: a shorter run proves less than it seems to.
#[test]
fn other_arguments_are_refused() {
    let all: [&[&str]; 4] = [
        &["--fault", "3"],
        &["--faults"],
        &["--faults", "many"],
        &["7"],
    ];
    for arguments in all {
        assert!(parse(arguments).is_err(), "{arguments:?}");
    }
}
