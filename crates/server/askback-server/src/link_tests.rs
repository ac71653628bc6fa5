//! A key is valid for its inquiry until it expires, for what its creator allowed, and for nothing else.

use askback_channels::PersonCode;
use askback_core::id::InquiryId;
use askback_wire::link::LinkAllow;
use jiff::Timestamp;

use super::{LinkGrant, expired, sign, verify};
use crate::token::Token;

const GRANT: LinkGrant = LinkGrant {
    revision: 1,
    allow: LinkAllow::Decline,
    person: None,
};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn key_opens_one_inquiry_until_its_time() {
    let token = Token::chosen("0123456789abcdef").unwrap();
    let inquiry = InquiryId::new("inq_1");
    for allow in [LinkAllow::Answer, LinkAllow::Decline, LinkAllow::Stop] {
        let grant = LinkGrant {
            revision: 12,
            allow,
            person: Some(PersonCode::new("zoe")),
        };
        let good = sign(&token, &inquiry, grant, at(1_000));
        assert_eq!(verify(&token, &inquiry, &good, at(999)), Some(grant));
    }
    let good = sign(&token, &inquiry, GRANT, at(1_000));
    let granted = |token, inquiry, now| verify(token, inquiry, &good, at(now));
    assert_eq!(granted(&token, &inquiry, 999), Some(GRANT));
    assert_eq!(granted(&token, &inquiry, 1_000), None, "it has expired");
    let other = InquiryId::new("inq_2");
    assert_eq!(granted(&token, &other, 0), None, "another inquiry");
    let renewed = Token::chosen("fedcba9876543210").unwrap();
    assert_eq!(granted(&renewed, &inquiry, 0), None, "another token");
}

/// Only a key of ours, for this inquiry, is told when it expired.
#[test]
fn expired_key_says_when() {
    let token = Token::chosen("0123456789abcdef").unwrap();
    let inquiry = InquiryId::new("inq_1");
    let key = sign(&token, &inquiry, GRANT, at(1_000));
    let told = |key: &str, now| expired(&token, &inquiry, key, at(now));
    assert_eq!(told(&key, 999), None, "still good");
    assert_eq!(told(&key, 1_000), Some((GRANT, at(1_000))));
    assert_eq!(told(&key.replace("1000-", "900-"), 1_000), None, "changed");
    let other = InquiryId::new("inq_2");
    assert_eq!(expired(&token, &other, &key, at(1_000)), None);
}

#[test]
fn changed_key_is_invalid() {
    let token = Token::chosen("0123456789abcdef").unwrap();
    let inquiry = InquiryId::new("inq_1");
    let good = sign(&token, &inquiry, GRANT, at(1_000));
    let signature = good
        .strip_prefix("1000-1d-")
        .expect("the key says what it is for");
    for bad in [
        format!("2000-1d-{signature}"),
        format!("1000-1s-{signature}"),
        format!("1000-1a-{signature}"),
        format!("1000-2d-{signature}"),
        format!("1000-11d-{signature}"),
        format!("1000-d-{signature}"),
        format!("1000-1-{signature}"),
        format!("1000-{signature}"),
        format!("1000-1d-{signature}0"),
        format!("1000-1d-{}", &signature[1..]),
        format!("1000-1d-{}", signature.to_uppercase()),
        format!("1000-1d-{}", "0".repeat(signature.len())),
        "1000-1d-".to_owned(),
        "--".to_owned(),
        String::new(),
        signature.to_owned(),
    ] {
        assert_eq!(verify(&token, &inquiry, &bad, at(0)), None, "{bad}");
    }
}

/// A link in a message is for its recipient: nobody can take the name out of it, or put another one in.
#[test]
fn key_of_one_person_is_not_that_of_another() {
    let token = Token::chosen("0123456789abcdef").unwrap();
    let inquiry = InquiryId::new("inq_1");
    let (zoe, ben) = (PersonCode::new("zoe"), PersonCode::new("ben"));
    let grant = LinkGrant {
        person: Some(zoe),
        ..GRANT
    };
    let key = sign(&token, &inquiry, grant, at(1_000));
    let verified = |key: &str| verify(&token, &inquiry, key, at(0));
    assert_eq!(verified(&key), Some(grant));
    let zoe = zoe.to_string();
    for person in [String::new(), ben.to_string(), zoe.to_uppercase()] {
        let changed = key.replace(&zoe, &person);
        assert_eq!(verified(&changed), None, "{changed}");
    }
}
