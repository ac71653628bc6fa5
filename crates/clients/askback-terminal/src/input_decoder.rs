//! Decodes the bytes of a terminal into events. An incomplete sequence waits for its rest. If the
//! rest does not arrive, the whole sequence is dropped, so that no part of it counts as typing.

use crate::key::{InputEvent, Key, KeyCode, Modifiers};
use crate::row::Cursor;

/// Holds the bytes of incomplete sequences.
#[derive(Debug, Default)]
pub struct InputDecoder {
    bytes: Vec<u8>,
    pasting: Option<Vec<u8>>,
}

enum Parsed {
    /// The length and the event; `None` for an unknown sequence, which is dropped.
    Complete(usize, Option<InputEvent>),
    Incomplete,
}

const PASTE_END: &[u8] = b"\x1b[201~";
/// A control string longer than this is not a response.
const SEQUENCE_MAX: usize = 4096;

impl InputDecoder {
    /// Adds bytes and returns the complete events.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<InputEvent> {
        self.bytes.extend_from_slice(bytes);
        let mut events = Vec::new();
        loop {
            if self.pasting.is_some() {
                match self.end_paste() {
                    Some(event) => events.push(event),
                    None => break,
                }
                continue;
            }
            match parse(&self.bytes) {
                Parsed::Complete(0, _) | Parsed::Incomplete => break,
                Parsed::Complete(taken, event) => {
                    let begins_paste = self.bytes[..taken] == *b"\x1b[200~";
                    self.bytes.drain(..taken);
                    if begins_paste {
                        self.pasting = Some(Vec::new());
                    }
                    events.extend(event);
                }
            }
        }
        events
    }

    /// Whether a sequence is incomplete. If it stays so, call [`InputDecoder::give_up`].
    pub fn is_incomplete(&self) -> bool {
        !self.bytes.is_empty() && self.pasting.is_none()
    }

    /// Ends an incomplete sequence: a lone escape becomes the key, anything else is dropped.
    pub fn give_up(&mut self) -> Option<InputEvent> {
        let bytes = std::mem::take(&mut self.bytes);
        match bytes.as_slice() {
            [0x1b] | [0x1b, 0x1b] => Some(InputEvent::Key(Key::plain(KeyCode::Esc))),
            [
                0x1b,
                byte @ (b'[' | b']' | b'O' | b'P' | b'_' | b'^' | b'X'),
            ] => Some(InputEvent::Key(Key::with(
                KeyCode::Char(char::from(*byte)),
                Modifiers::ALT,
            ))),
            _ => None,
        }
    }

    fn end_paste(&mut self) -> Option<InputEvent> {
        let pasted = self.pasting.get_or_insert_default();
        let end = self
            .bytes
            .windows(PASTE_END.len())
            .position(|window| window == PASTE_END);
        if let Some(at) = end {
            pasted.extend(self.bytes.drain(..at));
            self.bytes.drain(..PASTE_END.len());
            let text = String::from_utf8_lossy(pasted)
                .replace("\r\n", "\n")
                .replace('\r', "\n");
            self.pasting = None;
            return Some(InputEvent::Paste(text));
        }
        // The end marker itself may be incomplete.
        let keep = PASTE_END.len() - 1;
        let whole = self.bytes.len().saturating_sub(keep);
        pasted.extend(self.bytes.drain(..whole));
        None
    }
}

fn parse(bytes: &[u8]) -> Parsed {
    match bytes {
        [] | [0x1b] => Parsed::Incomplete,
        [0x1b, b'[', rest @ ..] => control_sequence(rest, 2),
        [0x1b, b'O', rest @ ..] => match rest.first() {
            Some(end) => {
                Parsed::Complete(3, cursor_key(*end, Modifiers::NONE).map(InputEvent::Key))
            }
            None => Parsed::Incomplete,
        },
        [0x1b, b']' | b'P' | b'_' | b'^' | b'X', rest @ ..] => control_string(rest),
        [0x1b, 0x1b, ..] => Parsed::Complete(1, Some(InputEvent::Key(Key::plain(KeyCode::Esc)))),
        [0x1b, rest @ ..] => match parse(rest) {
            Parsed::Complete(taken, Some(InputEvent::Key(key))) => {
                let key = Key::with(key.code, key.mods.and(Modifiers::ALT));
                Parsed::Complete(taken + 1, Some(InputEvent::Key(key)))
            }
            Parsed::Complete(taken, event) => Parsed::Complete(taken + 1, event),
            Parsed::Incomplete => Parsed::Incomplete,
        },
        [byte @ 0..=0x1f, ..] => Parsed::Complete(1, Some(InputEvent::Key(control_key(*byte)))),
        [0x7f, ..] => Parsed::Complete(1, Some(InputEvent::Key(Key::plain(KeyCode::Backspace)))),
        [first, ..] => character(bytes, *first),
    }
}

fn control_key(byte: u8) -> Key {
    match byte {
        0 => Key::ctrl(' '),
        0x08 => Key::plain(KeyCode::Backspace),
        0x09 => Key::plain(KeyCode::Tab),
        0x0d => Key::plain(KeyCode::Enter),
        1..=26 => Key::ctrl(char::from(b'a' + byte - 1)),
        _ => Key::ctrl(char::from(byte + 0x40)),
    }
}

fn character(bytes: &[u8], first: u8) -> Parsed {
    let length = match first {
        0x20..=0x7e => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Parsed::Complete(1, None),
    };
    match bytes.get(..length) {
        Some(whole) => match std::str::from_utf8(whole)
            .ok()
            .and_then(|text| text.chars().next())
        {
            Some(ch) => Parsed::Complete(length, Some(InputEvent::Key(Key::char(ch)))),
            None => Parsed::Complete(1, None),
        },
        None => Parsed::Incomplete,
    }
}

/// A string up to its terminator, which is the response to a query.
fn control_string(rest: &[u8]) -> Parsed {
    let bell = rest.iter().position(|byte| *byte == 0x07).map(|at| (at, 1));
    let string = rest
        .windows(2)
        .position(|pair| pair == b"\x1b\\")
        .map(|at| (at, 2));
    let end = match (bell, string) {
        (Some(bell), Some(string)) => Some(bell.min(string)),
        (bell, string) => bell.or(string),
    };
    match end {
        Some((at, mark)) => {
            let body = String::from_utf8_lossy(&rest[..at]).into_owned();
            Parsed::Complete(2 + at + mark, Some(InputEvent::QueryResponse(body)))
        }
        None if rest.len() > SEQUENCE_MAX => Parsed::Complete(2 + rest.len(), None),
        None => Parsed::Incomplete,
    }
}

/// `parameters intermediates final`.
fn control_sequence(rest: &[u8], before: usize) -> Parsed {
    let Some(at) = rest.iter().position(|byte| !matches!(byte, 0x20..=0x3f)) else {
        return if rest.len() > SEQUENCE_MAX {
            Parsed::Complete(before + rest.len(), None)
        } else {
            Parsed::Incomplete
        };
    };
    let end = rest[at];
    if !matches!(end, 0x40..=0x7e) {
        return Parsed::Complete(before + at, None);
    }
    let parameters = std::str::from_utf8(&rest[..at]).unwrap_or_default();
    Parsed::Complete(before + at + 1, sequence_event(parameters, end))
}

fn sequence_event(parameters: &str, end: u8) -> Option<InputEvent> {
    if let Some(mouse) = parameters.strip_prefix('<') {
        return click(mouse, end);
    }
    if let Some(private) = parameters.strip_prefix('?') {
        return (end == b'c' && !private.is_empty()).then_some(InputEvent::Attributes);
    }
    let mut numbers = parameters.split(';').map(|part| {
        let number = part.split(':').next().unwrap_or_default();
        number.parse::<u32>().ok()
    });
    let first = numbers.next().flatten();
    let second = numbers.next().flatten();
    let mods = Modifiers::from_parameter(second.unwrap_or(1));
    match end {
        b'I' => Some(InputEvent::FocusIn),
        b'O' => Some(InputEvent::FocusOut),
        b'R' => Some(InputEvent::CursorAt(
            usize::try_from(first?).ok()?,
            usize::try_from(second?).ok()?,
        )),
        b'Z' => Some(InputEvent::Key(Key::with(KeyCode::Tab, Modifiers::SHIFT))),
        b'u' => extended_key(first?, mods).map(InputEvent::Key),
        b'~' if first == Some(27) => {
            let code = numbers.next().flatten()?;
            extended_key(code, mods).map(InputEvent::Key)
        }
        b'~' => tilde_key(first?, mods).map(InputEvent::Key),
        _ => cursor_key(end, mods).map(InputEvent::Key),
    }
}

/// `button;column;row`: only presses of the first button count.
fn click(parameters: &str, end: u8) -> Option<InputEvent> {
    /// Modifier bits.
    const HELD: u32 = 4 | 8 | 16;
    let mut numbers = parameters.split(';').map(|part| part.parse::<u32>().ok());
    let button = numbers.next()??;
    let column = usize::try_from(numbers.next()??).ok()?.checked_sub(1)?;
    let row = usize::try_from(numbers.next()??).ok()?.checked_sub(1)?;
    let first = button & !HELD == 0 && end == b'M';
    first.then_some(InputEvent::Click(Cursor { row, column }))
}

fn cursor_key(end: u8, mods: Modifiers) -> Option<Key> {
    let code = match end {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'M' => KeyCode::Enter,
        _ => return None,
    };
    Some(Key::with(code, mods))
}

fn tilde_key(number: u32, mods: Modifiers) -> Option<Key> {
    let code = match number {
        1 | 7 => KeyCode::Home,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        _ => return None,
    };
    Some(Key::with(code, mods))
}

/// A key by its code point, as the extended keyboard protocols send it.
fn extended_key(number: u32, mods: Modifiers) -> Option<Key> {
    let code = match number {
        8 | 127 => KeyCode::Backspace,
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57426 => KeyCode::Delete,
        57399..=57408 => KeyCode::Char(char::from_digit(number - 57399, 10)?),
        57344..=63743 => return None,
        _ => {
            let ch = char::from_u32(number).filter(|ch| !ch.is_control())?;
            return Some(shifted(ch, mods));
        }
    };
    Some(Key::with(code, mods))
}

fn shifted(ch: char, mods: Modifiers) -> Key {
    let mut upper = ch.to_uppercase();
    match (mods.has(Modifiers::SHIFT), upper.next(), upper.next()) {
        (true, Some(upper), None) if !mods.has(Modifiers::CTRL) => {
            Key::with(KeyCode::Char(upper), mods.without(Modifiers::SHIFT))
        }
        _ => Key::with(KeyCode::Char(ch), mods),
    }
}

#[cfg(test)]
#[path = "input_decoder_tests.rs"]
mod tests;
