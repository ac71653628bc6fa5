//! A code signs in once, and for ten minutes.

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).expect("a time")
}

#[test]
fn code_works_once() {
    let codes = SignInCodes::default();
    let issued = codes.issue(None, at(0)).expect("randomness");
    assert_eq!((issued.code.len(), issued.expires_at), (20, at(600)));
    assert!(codes.take("", at(1)).is_none());
    assert!(codes.take(&issued.code[1..], at(1)).is_none());
    assert!(codes.take(&issued.code, at(599)).is_some());
    assert!(codes.take(&issued.code, at(599)).is_none());
}

#[test]
fn code_expires() {
    let codes = SignInCodes::default();
    let issued = codes.issue(None, at(0)).expect("randomness");
    assert!(codes.take(&issued.code, at(600)).is_none());
}

#[test]
fn oldest_of_too_many_codes_is_dropped() {
    let codes = SignInCodes::default();
    let issued: Vec<SignInCode> = (0..17)
        .map(|second| codes.issue(None, at(second)).expect("randomness"))
        .collect();
    assert!(codes.take(&issued[0].code, at(20)).is_none());
    assert!(codes.take(&issued[1].code, at(20)).is_some());
}
