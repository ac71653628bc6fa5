//! What is encoded comes back, and broken codes do no harm.

use super::{decode, encode};

#[test]
fn any_text_comes_back_and_is_plain_ascii_in_between() {
    for text in ["", "inq_01hz", "a/b?c#d e%", "Zoë 山田", "..", "\n\0"] {
        let coded = encode(text);
        assert!(coded.bytes().all(|byte| byte.is_ascii_graphic()), "{coded}");
        assert!(!coded.contains('/'));
        assert_eq!(decode(coded.as_bytes()), text.as_bytes());
    }
}

#[test]
fn broken_codes_stand_for_themselves() {
    for text in ["%", "%4", "%zz", "100%", "%%41"] {
        let decoded = String::from_utf8(decode(text.as_bytes())).unwrap();
        assert_eq!(decoded, text.replace("%41", "A"));
    }
}
