use askback_core::id::InquiryId;
use jiff::SignedDuration;

use super::{PressKey, PressLinks, SignedPress};
use crate::contract::button::{Button, Press};
use crate::fixtures::at;

fn press() -> SignedPress {
    SignedPress {
        channel: "phone".to_owned(),
        recipient: "zoe".to_owned(),
        data: "01hzy3v5q0k2m4n6p8r0s2t4v6.1.0.2".to_owned(),
    }
}

#[test]
fn a_key_is_for_one_recipient_one_inquiry_and_one_choice() {
    let key = PressKey::derive(b"the token of the server");
    let expires = at("2027-03-28T12:00:00Z");
    let signed = key.sign(&press(), expires);
    let before = expires - SignedDuration::from_secs(1);
    assert!(key.verify(&press(), &signed, before));
    assert!(!key.verify(&press(), &signed, expires), "expired");
    let others = [
        SignedPress {
            channel: "tablet".to_owned(),
            ..press()
        },
        SignedPress {
            recipient: "ben".to_owned(),
            ..press()
        },
        SignedPress {
            data: "01hzy3v5q0k2m4n6p8r0s2t4v6.1.0.1".to_owned(),
            ..press()
        },
        SignedPress {
            data: "01hzy3v5q0k2m4n6p8r0s2t4v7.1.0.2".to_owned(),
            ..press()
        },
    ];
    for other in others {
        assert!(!key.verify(&other, &signed, before), "{other:?}");
    }
    let other_server = PressKey::derive(b"another token");
    assert!(!other_server.verify(&press(), &signed, before));
    let (_, signature) = signed.split_once('-').expect("it has an expiry");
    let later = format!("{}-{signature}", expires.as_second() + 9);
    for forged in [later.as_str(), "", "-", "x-y", signature] {
        assert!(!key.verify(&press(), forged, before), "{forged:?}");
    }
}

#[test]
fn a_url_names_what_it_presses_and_hides_the_key() {
    let key = PressKey::derive(b"the token of the server");
    let links = PressLinks {
        base_url: "https://ask.example".to_owned(),
        channel: "phone".to_owned(),
        recipient: "zoë/{data}".to_owned(),
        expires_at: at("2027-03-28T12:00:00Z"),
        key: key.clone(),
    };
    let button = Button {
        inquiry: InquiryId::new("inq_01hzy3v5q0k2m4n6p8r0s2t4v6"),
        revision: 1,
        press: Press::Choose {
            question: 0,
            choice: 2,
        },
    };
    let url = links.url(&button);
    let (path, signed) = url.split_once("?key=").expect("it has a key");
    let expected =
        "https://ask.example/press/phone/zo%C3%AB%2F%7Bdata%7D/01hzy3v5q0k2m4n6p8r0s2t4v6.1.0.2";
    assert_eq!(path, expected);
    let press = SignedPress {
        recipient: links.recipient.clone(),
        ..press()
    };
    assert!(key.verify(&press, signed, at("2027-03-28T11:00:00Z")));
    assert_eq!(format!("{key:?}"), "PressKey { .. }");
}
