//! Keys and other input events.

mod parse_name;

use crate::glyphs::Glyphs;

pub use parse_name::KeyNameError;

/// A key without its modifiers.
#[expect(missing_docs, reason = "the variants are names of keys")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyCode {
    Char(char),
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}

/// Modifier keys, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers(u8);

impl Modifiers {
    /// None.
    pub const NONE: Modifiers = Modifiers(0);
    /// Shift.
    pub const SHIFT: Modifiers = Modifiers(1);
    /// Alt.
    pub const ALT: Modifiers = Modifiers(2);
    /// Control.
    pub const CTRL: Modifiers = Modifiers(4);

    /// Terminals send one more than the bits.
    pub(crate) fn from_parameter(parameter: u32) -> Modifiers {
        let bits = parameter.saturating_sub(1) & 7;
        Modifiers(u8::try_from(bits).unwrap_or(0))
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 | other.0)
    }

    /// Whether all of `other` are held.
    pub const fn has(self, other: Modifiers) -> bool {
        self.0 & other.0 == other.0
    }

    /// Without `other`.
    #[must_use]
    pub(crate) const fn without(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 & !other.0)
    }
}

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// A key without its modifiers.
    pub code: KeyCode,
    /// Its modifiers.
    pub mods: Modifiers,
}

impl Key {
    /// A key without modifiers.
    pub const fn plain(code: KeyCode) -> Key {
        Key {
            code,
            mods: Modifiers::NONE,
        }
    }

    /// A character.
    pub const fn char(ch: char) -> Key {
        Key::plain(KeyCode::Char(ch))
    }

    /// A character with control.
    pub const fn ctrl(ch: char) -> Key {
        Key {
            code: KeyCode::Char(ch),
            mods: Modifiers::CTRL,
        }
    }

    /// A key with modifiers.
    pub const fn with(code: KeyCode, mods: Modifiers) -> Key {
        Key { code, mods }
    }

    /// The character it types. Keys with control or alt type none.
    pub fn typed(self) -> Option<char> {
        let KeyCode::Char(ch) = self.code else {
            return None;
        };
        let is_held = self.mods.has(Modifiers::CTRL) || self.mods.has(Modifiers::ALT);
        (!is_held).then_some(ch)
    }

    /// Its name in hints and help.
    pub fn name(self, glyphs: &Glyphs) -> String {
        let mut name = String::new();
        for (held, word) in [
            (Modifiers::CTRL, "ctrl+"),
            (Modifiers::ALT, "alt+"),
            (Modifiers::SHIFT, "shift+"),
        ] {
            if self.mods.has(held) {
                name.push_str(word);
            }
        }
        let ascii = glyphs.is_ascii();
        let arrow = |glyph: &'static str, word: &'static str| if ascii { word } else { glyph };
        match self.code {
            KeyCode::Char(' ') => name.push_str("space"),
            KeyCode::Char(ch) => name.push(ch),
            KeyCode::Enter => name.push_str("enter"),
            KeyCode::Esc => name.push_str("esc"),
            KeyCode::Tab => name.push_str("tab"),
            KeyCode::Backspace => name.push_str("backspace"),
            KeyCode::Delete => name.push_str("del"),
            KeyCode::Up => name.push_str(arrow("↑", "up")),
            KeyCode::Down => name.push_str(arrow("↓", "down")),
            KeyCode::Left => name.push_str(arrow("←", "left")),
            KeyCode::Right => name.push_str(arrow("→", "right")),
            KeyCode::Home => name.push_str("home"),
            KeyCode::End => name.push_str("end"),
            KeyCode::PageUp => name.push_str("pgup"),
            KeyCode::PageDown => name.push_str("pgdn"),
        }
        name
    }
}

/// An input event of the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputEvent {
    /// A key.
    Key(Key),
    /// A click of the first button. The decoder gives the cell of the screen,
    /// [`Screen::handle`](crate::app::Screen::handle) gets the cell of the frame.
    Click(crate::row::Cursor),
    /// Pasted text.
    Paste(String),
    /// The window got the focus.
    FocusIn,
    /// The window lost the focus.
    FocusOut,
    /// The size changed.
    Resize(crate::row::Size),
    /// The response to a query for the cursor: row and column, from 1.
    CursorAt(usize, usize),
    /// The body of a response to another query.
    QueryResponse(String),
    /// The response to the device attributes query, which is sent last: all other responses have
    /// arrived.
    Attributes,
}
