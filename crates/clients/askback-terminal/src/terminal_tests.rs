//! What goes to the terminal beside the frame.

use super::{clipboard_sequence, printable};

#[test]
fn clipboard_text_is_base64() {
    for (text, encoded) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(clipboard_sequence(text), format!("\x1b]52;c;{encoded}\x07"));
    }
}

#[test]
fn titles_hold_no_control_characters() {
    assert_eq!(printable("? a\x1b]0;b\x07"), "? a ]0;b ");
    assert_eq!(printable("a\u{202e}b\u{9b}"), "a b ");
}
