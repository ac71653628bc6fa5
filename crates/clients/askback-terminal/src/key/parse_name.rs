//! Parses key names of the configuration: `x`, `ctrl+s`, `alt+enter`, `shift+tab`.

use super::{Key, KeyCode, Modifiers};

/// Why a key name is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyNameError {
    /// There is no key of this name.
    #[error(
        "there is no key `{0}`; write a character, enter, esc, tab, space, backspace, delete, up, down, left, right, \
         home, end, pgup or pgdn, with ctrl+, alt+ or shift+ before it where it is held"
    )]
    Unknown(String),
    /// Terminals send the same bytes for this other key.
    #[error("`{0}` cannot be bound: terminals send the same for it as for `{1}`")]
    SameAs(String, &'static str),
}

impl Key {
    /// Parses a key name.
    pub fn named(name: &str) -> Result<Key, KeyNameError> {
        let unknown = || KeyNameError::Unknown(name.to_owned());
        let mut mods = Modifiers::NONE;
        let mut rest = name;
        while let Some((word, held, behind)) = held(rest) {
            if mods.has(held) {
                return Err(unknown());
            }
            debug_assert!(!word.is_empty());
            mods = mods.and(held);
            rest = behind;
        }
        let code = code(rest).ok_or_else(unknown)?;
        let KeyCode::Char(ch) = code else {
            return Ok(Key::with(code, mods));
        };
        if mods.has(Modifiers::CTRL) {
            let ch = ch.to_ascii_lowercase();
            let same = match ch {
                'i' => Some("tab"),
                'm' => Some("enter"),
                'h' => Some("backspace"),
                '[' => Some("esc"),
                _ => None,
            };
            return match same {
                Some(other) => Err(KeyNameError::SameAs(name.to_owned(), other)),
                None => Ok(Key::with(KeyCode::Char(ch), mods)),
            };
        }
        if !mods.has(Modifiers::SHIFT) {
            return Ok(Key::with(code, mods));
        }
        // Shift and a letter is the upper-case letter.
        let mut upper = ch.to_uppercase();
        match (upper.next(), upper.next()) {
            (Some(upper), None) if upper != ch => Ok(Key::with(
                KeyCode::Char(upper),
                mods.without(Modifiers::SHIFT),
            )),
            _ => Err(unknown()),
        }
    }
}

/// Splits off the first modifier.
fn held(name: &str) -> Option<(&str, Modifiers, &str)> {
    let (word, rest) = name.split_once('+')?;
    let held = match word.to_ascii_lowercase().as_str() {
        "ctrl" | "control" => Modifiers::CTRL,
        "alt" | "option" | "meta" => Modifiers::ALT,
        "shift" => Modifiers::SHIFT,
        _ => return None,
    };
    (!rest.is_empty()).then_some((word, held, rest))
}

fn code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    if let (Some(ch), None) = (chars.next(), chars.next()) {
        return match ch {
            '↑' => Some(KeyCode::Up),
            '↓' => Some(KeyCode::Down),
            '←' => Some(KeyCode::Left),
            '→' => Some(KeyCode::Right),
            ch if ch.is_control() => None,
            ch => Some(KeyCode::Char(ch)),
        };
    }
    Some(match name.to_ascii_lowercase().as_str() {
        "enter" | "return" => KeyCode::Enter,
        "esc" | "escape" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        "del" | "delete" => KeyCode::Delete,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" | "pageup" => KeyCode::PageUp,
        "pgdn" | "pagedown" => KeyCode::PageDown,
        _ => return None,
    })
}
