//! The arguments of `fuzz` name a target and a time.

use super::{Run, SECONDS, parse};

/// A target alone runs for the usual time, with `--seconds` for as long as it says.
#[test]
fn arguments_name_target_and_time() {
    let usual = Run {
        target: "clean",
        seconds: SECONDS,
    };
    let long = Run {
        target: "clean",
        seconds: 300,
    };
    assert_eq!(parse(&["clean"]).unwrap(), usual);
    assert_eq!(parse(&["clean", "--seconds", "300"]).unwrap(), long);
}

/// Anything else must be refused: a run of the wrong length proves less than it seems to.
#[test]
fn other_arguments_are_refused() {
    let all: [&[&str]; 4] = [
        &[],
        &["clean", "--second", "3"],
        &["clean", "--seconds", "long"],
        &["clean", "--seconds"],
    ];
    for arguments in all {
        assert!(parse(arguments).is_err(), "{arguments:?}");
    }
}
