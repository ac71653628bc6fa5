//! Bytes become the keys that were pressed, wherever they are cut.

use super::InputDecoder;
use crate::key::{InputEvent, Key, KeyCode, Modifiers};

fn key(key: Key) -> InputEvent {
    InputEvent::Key(key)
}

fn all(bytes: &[u8]) -> Vec<InputEvent> {
    let mut input = InputDecoder::default();
    let mut events = input.feed(bytes);
    events.extend(input.give_up());
    events
}

#[test]
fn keys_are_read_in_every_spelling() {
    let ctrl_enter = Key::with(KeyCode::Enter, Modifiers::CTRL);
    let cases: [(&[u8], Key); 24] = [
        (b"a", Key::char('a')),
        ("é".as_bytes(), Key::char('é')),
        ("語".as_bytes(), Key::char('語')),
        (b" ", Key::char(' ')),
        (b"\r", Key::plain(KeyCode::Enter)),
        (b"\n", Key::ctrl('j')),
        (b"\x03", Key::ctrl('c')),
        (b"\x1f", Key::ctrl('_')),
        (b"\x7f", Key::plain(KeyCode::Backspace)),
        (b"\x08", Key::plain(KeyCode::Backspace)),
        (b"\t", Key::plain(KeyCode::Tab)),
        (b"\x1b[Z", Key::with(KeyCode::Tab, Modifiers::SHIFT)),
        (b"\x1b", Key::plain(KeyCode::Esc)),
        (b"\x1b[27u", Key::plain(KeyCode::Esc)),
        (b"\x1b[A", Key::plain(KeyCode::Up)),
        (b"\x1bOB", Key::plain(KeyCode::Down)),
        (b"\x1b[1;5D", Key::with(KeyCode::Left, Modifiers::CTRL)),
        (b"\x1b[5~", Key::plain(KeyCode::PageUp)),
        (b"\x1b\r", Key::with(KeyCode::Enter, Modifiers::ALT)),
        (b"\x1bb", Key::with(KeyCode::Char('b'), Modifiers::ALT)),
        (b"\x1b[13;5u", ctrl_enter),
        (b"\x1b[27;5;13~", ctrl_enter),
        (b"\x1b[97;5u", Key::ctrl('a')),
        (b"\x1b[", Key::with(KeyCode::Char('['), Modifiers::ALT)),
    ];
    for (bytes, expected) in cases {
        assert_eq!(all(bytes), [key(expected)], "{bytes:?}");
    }
}

/// A paste is one event with its line breaks, and holds no keys.
#[test]
fn paste_is_one_event() {
    let bytes = b"\x1b[200~one\r\ntwo\rthree\x1b[A\x1b[201~x";
    let expected = [
        InputEvent::Paste("one\ntwo\nthree\x1b[A".into()),
        key(Key::char('x')),
    ];
    assert_eq!(all(bytes), expected);
}

/// The same events come however the bytes are cut.
#[test]
fn cuts_change_nothing() {
    let bytes = "a\x1b[1;5D語\x1b]11;rgb:00/00/00\x1b\\\x1b[3;1R\x1b[?62;4c\x1b[200~p\nq\x1b[201~\x1b[I\x1b[Oz";
    let whole = all(bytes.as_bytes());
    assert_eq!(whole.len(), 10, "{whole:?}");
    for cut in 1..bytes.len() {
        let mut input = InputDecoder::default();
        let (left, right) = bytes.as_bytes().split_at(cut);
        let mut events = input.feed(left);
        events.extend(input.feed(right));
        assert_eq!(events, whole, "cut at {cut}");
    }
}

/// A late response of the terminal is never taken for typing, not even an unfinished one.
#[test]
fn responses_type_nothing() {
    let response = InputEvent::QueryResponse("11;rgb:1e1e/2929/3b3b".into());
    assert_eq!(all(b"\x1b]11;rgb:1e1e/2929/3b3b\x07"), [response]);
    assert_eq!(all(b"\x1b]11;rgb:1e1e/29"), []);
    assert_eq!(all(b"\x1b[?62;4c"), [InputEvent::Attributes]);
    assert_eq!(all(b"\x1b[12;"), []);
}

/// Only the first button counts, and only where it goes down; nothing of a report is typing.
#[test]
fn clicks_are_read_by_cells() {
    let click = |row, column| InputEvent::Click(crate::row::Cursor { row, column });
    assert_eq!(all(b"\x1b[<0;12;5M"), [click(4, 11)]);
    assert_eq!(all(b"\x1b[<4;300;1M"), [click(0, 299)], "with shift");
    for other in [
        &b"\x1b[<0;12;5m"[..],
        b"\x1b[<2;12;5M",
        b"\x1b[<64;12;5M",
        b"\x1b[<32;12;5M",
        b"\x1b[<0;0;0M",
        b"\x1b[<0;12M",
    ] {
        assert_eq!(all(other), [], "{other:?}");
    }
}
