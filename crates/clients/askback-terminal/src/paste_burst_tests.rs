//! What is pasted without marks is told from what is typed.

use super::{as_paste, is_burst};
use crate::input_decoder::InputDecoder;
use crate::key::InputEvent;

fn events(bytes: &str) -> Vec<InputEvent> {
    InputDecoder::default().feed(bytes.as_bytes())
}

#[test]
fn several_characters_at_once_are_pasted() {
    for pasted in [
        "deploy",
        "5432",
        "one\rtwo\rthree\r",
        "a b\r",
        "x\ny z",
        "1,2",
        "aaa\r",
    ] {
        assert!(is_burst(&events(pasted)), "{pasted:?}");
    }
}

#[test]
fn keys_that_may_be_typed_are_keys() {
    let typed = [
        "2",
        "2\r",
        "no\r",
        "\r\r\r",
        "jjjjjj",
        "\x1b[B\x1b[B\r",
        "\x1b",
        "4\x07ab",
    ];
    for keys in typed {
        assert!(!is_burst(&events(keys)), "{keys:?}");
    }
}

#[test]
fn paste_keeps_its_lines() {
    for text in ["one\rtwo", "one\rtwo\r"] {
        let pasted = as_paste(events(text));
        assert_eq!(pasted, [InputEvent::Paste("one\ntwo".to_owned())]);
    }
}
