//! A code signs in once, and for ten minutes.

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).expect("a time")
}

fn administrator() -> SessionOwner {
    owner(None)
}

fn owner(person: Option<&str>) -> SessionOwner {
    SessionOwner {
        credential: None,
        person: person.map(str::to_owned),
    }
}

#[test]
fn code_works_once() {
    let codes = SignInCodes::default();
    let issued = codes
        .issue(administrator(), Caller::admin(), at(0))
        .expect("randomness");
    assert_eq!((issued.code.len(), issued.expires_at), (20, at(600)));
    assert!(codes.take("", at(1)).is_none());
    assert!(codes.take(&issued.code[1..], at(1)).is_none());
    assert!(codes.take(&issued.code, at(599)).is_some());
    assert!(codes.take(&issued.code, at(599)).is_none());
}

#[test]
fn code_expires() {
    let codes = SignInCodes::default();
    let issued = codes
        .issue(administrator(), Caller::admin(), at(0))
        .expect("randomness");
    assert!(codes.take(&issued.code, at(600)).is_none());
}

#[test]
fn oldest_of_too_many_codes_is_dropped() {
    let codes = SignInCodes::default();
    let issued: Vec<SignInCode> = (0..17)
        .map(|second| {
            codes
                .issue(administrator(), Caller::admin(), at(second))
                .expect("randomness")
        })
        .collect();
    assert!(codes.take(&issued[0].code, at(20)).is_none());
    assert!(codes.take(&issued[1].code, at(20)).is_some());
}

#[test]
fn codes_of_one_person_end_none_of_another_and_go_with_the_person() {
    let codes = SignInCodes::default();
    let kept = codes
        .issue(administrator(), Caller::admin(), at(0))
        .expect("randomness");
    let bens: Vec<SignInCode> = (1..20)
        .map(|second| {
            codes
                .issue(owner(Some("ben")), Caller::admin(), at(second))
                .expect("randomness")
        })
        .collect();
    assert!(codes.take(&bens[18].code, at(20)).is_some());
    codes.end_of_person("ben");
    assert!(codes.take(&bens[17].code, at(20)).is_none());
    assert!(codes.take(&kept.code, at(20)).is_some());
}
