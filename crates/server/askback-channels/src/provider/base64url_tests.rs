//! Goal: keys are written and read as browsers do.

use super::{decode, encode};

#[test]
fn the_examples_of_the_rfc_hold_in_both_directions() {
    let examples = [
        ("", ""),
        ("f", "Zg"),
        ("fo", "Zm8"),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg"),
        ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ];
    for (plain, encoded) in examples {
        assert_eq!(encode(plain.as_bytes()), encoded);
        assert_eq!(decode(encoded).as_deref(), Some(plain.as_bytes()));
    }
    assert_eq!(encode(&[0xfb, 0xff]), "-_8");
    assert_eq!(decode("-_8="), Some(vec![0xfb, 0xff]));
}

#[test]
fn what_is_no_base64_is_refused() {
    for text in ["A", "AAAAA", "+/8", "Zg==x", "Z g"] {
        assert_eq!(decode(text), None, "{text}");
    }
}
