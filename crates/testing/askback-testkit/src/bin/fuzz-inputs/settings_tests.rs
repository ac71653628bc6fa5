//! The arguments of `fuzz-inputs` name the cases they say.

use askback_core::dialect::Dialect;

use super::{Settings, parse};

/// What a failure prints as its way to be run again must select exactly that case.
#[test]
fn arguments_select_one_case() {
    let arguments = "--dialect question --seed 7 --from 12 --count 1_000";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    assert_eq!(
        parse(&arguments).unwrap(),
        Settings {
            dialects: vec![Dialect::Question],
            seed: 7,
            from: 12,
            count: 1_000,
        }
    );
}

/// An unknown or unfinished argument must be refused: a run of the wrong cases proves nothing.
#[test]
fn unknown_and_unfinished_arguments_are_refused() {
    let all: [&[&str]; 4] = [
        &["--sed", "1"],
        &["--seed"],
        &["--count", "many"],
        &["--dialect", "ask"],
    ];
    for arguments in all {
        assert!(parse(arguments).is_err(), "{arguments:?}");
    }
}
