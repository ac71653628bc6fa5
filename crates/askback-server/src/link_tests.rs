//! A key opens its inquiry until its time, and nothing else ever.

use askback_core::id::InquiryId;
use jiff::Timestamp;

use super::{key, opens};
use crate::auth::Token;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn key_opens_one_inquiry_until_its_time() {
    let token = Token::chosen("0123456789abcdef").unwrap();
    let inquiry = InquiryId::new("inq_1");
    let good = key(&token, &inquiry, at(1_000));
    assert!(opens(&token, &inquiry, &good, at(999)));
    assert!(!opens(&token, &inquiry, &good, at(1_000)), "it has expired");
    let other = InquiryId::new("inq_2");
    assert!(!opens(&token, &other, &good, at(0)), "another inquiry");
    let renewed = Token::chosen("fedcba9876543210").unwrap();
    assert!(!opens(&renewed, &inquiry, &good, at(0)), "another token");
}

#[test]
fn key_that_was_changed_opens_nothing() {
    let token = Token::chosen("0123456789abcdef").unwrap();
    let inquiry = InquiryId::new("inq_1");
    let good = key(&token, &inquiry, at(1_000));
    let (_, signature) = good.split_once('-').unwrap();
    for bad in [
        format!("2000-{signature}"),
        format!("01000-{signature}0"),
        format!("1000-{}", &signature[1..]),
        format!("1000-{}", "0".repeat(signature.len())),
        "1000-".to_owned(),
        "-".to_owned(),
        String::new(),
        signature.to_owned(),
    ] {
        assert!(!opens(&token, &inquiry, &bad, at(0)), "{bad}");
    }
}
