//! Keys and the other things a terminal sends.

mod parse_name;

use crate::glyphs::Glyphs;

pub use parse_name::KeyNameError;

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A character.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Up.
    Up,
    /// Down.
    Down,
    /// Left.
    Left,
    /// Right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
}

/// Keys that are held down with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mods(u8);

impl Mods {
    /// None.
    pub const NONE: Mods = Mods(0);
    /// Shift.
    pub const SHIFT: Mods = Mods(1);
    /// Alt.
    pub const ALT: Mods = Mods(2);
    /// Control.
    pub const CTRL: Mods = Mods(4);

    /// From the number terminals send, which is one more than the bits.
    pub(crate) fn from_parameter(parameter: u32) -> Mods {
        let bits = parameter.saturating_sub(1) & 7;
        Mods(u8::try_from(bits).unwrap_or(0))
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Mods) -> Mods {
        Mods(self.0 | other.0)
    }

    /// Whether all of `other` are held.
    pub const fn has(self, other: Mods) -> bool {
        self.0 & other.0 == other.0
    }

    /// Without `other`.
    #[must_use]
    pub(crate) const fn without(self, other: Mods) -> Mods {
        Mods(self.0 & !other.0)
    }
}

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key.
    pub code: Code,
    /// What is held with it.
    pub mods: Mods,
}

impl Key {
    /// A key alone.
    pub const fn plain(code: Code) -> Key {
        Key {
            code,
            mods: Mods::NONE,
        }
    }

    /// A character.
    pub const fn char(ch: char) -> Key {
        Key::plain(Code::Char(ch))
    }

    /// A character with control.
    pub const fn ctrl(ch: char) -> Key {
        Key {
            code: Code::Char(ch),
            mods: Mods::CTRL,
        }
    }

    /// A key with others held.
    pub const fn with(code: Code, mods: Mods) -> Key {
        Key { code, mods }
    }

    /// The character it types, if it types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(ch) if !self.mods.has(Mods::CTRL) && !self.mods.has(Mods::ALT) => Some(ch),
            Code::Char(_)
            | Code::Enter
            | Code::Esc
            | Code::Tab
            | Code::Backspace
            | Code::Delete
            | Code::Up
            | Code::Down
            | Code::Left
            | Code::Right
            | Code::Home
            | Code::End
            | Code::PageUp
            | Code::PageDown => None,
        }
    }

    /// How hints and help name it.
    pub fn name(self, glyphs: &Glyphs) -> String {
        let mut name = String::new();
        for (held, word) in [
            (Mods::CTRL, "ctrl+"),
            (Mods::ALT, "alt+"),
            (Mods::SHIFT, "shift+"),
        ] {
            if self.mods.has(held) {
                name.push_str(word);
            }
        }
        let ascii = glyphs.is_ascii();
        let arrow = |glyph: &'static str, word: &'static str| if ascii { word } else { glyph };
        match self.code {
            Code::Char(' ') => name.push_str("space"),
            Code::Char(ch) => name.push(ch),
            Code::Enter => name.push_str("enter"),
            Code::Esc => name.push_str("esc"),
            Code::Tab => name.push_str("tab"),
            Code::Backspace => name.push_str("backspace"),
            Code::Delete => name.push_str("del"),
            Code::Up => name.push_str(arrow("↑", "up")),
            Code::Down => name.push_str(arrow("↓", "down")),
            Code::Left => name.push_str(arrow("←", "left")),
            Code::Right => name.push_str(arrow("→", "right")),
            Code::Home => name.push_str("home"),
            Code::End => name.push_str("end"),
            Code::PageUp => name.push_str("pgup"),
            Code::PageDown => name.push_str("pgdn"),
        }
        name
    }
}

/// What a terminal sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A key.
    Key(Key),
    /// A click of the first button: in a frame, or on the screen where the terminal sends it.
    Click(crate::row::Cursor),
    /// Text that was pasted as a whole.
    Paste(String),
    /// The window has the focus.
    FocusIn,
    /// The window lost it.
    FocusOut,
    /// The size changed.
    Resize(crate::row::Size),
    /// Where the cursor is: row and column from one.
    CursorAt(usize, usize),
    /// The body of a reply to a question about the terminal.
    Reply(String),
    /// The terminal named its abilities; it answered everything that was asked before.
    Attributes,
}
