//! What goes to the terminal beside the frame.

use super::{base64, printable};

#[test]
fn clipboard_text_is_base64() {
    assert_eq!(base64(b""), "");
    assert_eq!(base64(b"f"), "Zg==");
    assert_eq!(base64(b"fo"), "Zm8=");
    assert_eq!(base64(b"foobar"), "Zm9vYmFy");
}

#[test]
fn titles_hold_no_control_characters() {
    assert_eq!(printable("? a\x1b]0;b\x07"), "? a ]0;b ");
    assert_eq!(printable("a\u{202e}b\u{9b}"), "a b ");
}
