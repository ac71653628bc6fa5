//! What each key does, in one table. Hints and the list of all keys are made from it, so that they
//! show what is really bound.

mod configured;
mod labels;
mod screens;
mod table;
mod yes_no;

use askback_locale::Locale;

use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::Key;

pub use configured::KeymapError;

/// What the respondent is doing, which decides what a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Choosing one.
    List,
    /// Choosing several.
    Several,
    /// Typing text: an answer, an own answer, a note.
    Text,
    /// Typing a number.
    Number,
    /// Typing a day.
    Date,
    /// Moving through the calendar.
    Calendar,
    /// Typing a filter.
    Filter,
    /// Looking at all answers.
    Review,
    /// Choosing how to leave.
    Leave,
    /// Reading a long text.
    Reader,
    /// Folded away to one line.
    Folded,
    /// Writing a message in the chat.
    Compose,
    /// Choosing from a menu of the chat.
    Menu,
    /// Reading back what was said in the chat.
    Scrollback,
    /// In the list of the inbox.
    Inbox,
    /// Being asked by the inbox whether it is really meant.
    Confirm,
}

/// The parts of the program that have keys of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeySection {
    /// Questions, wherever they are asked.
    Question,
    /// The chat around them.
    Chat,
    /// The inbox around them.
    Inbox,
}

impl Mode {
    /// All modes, in the order in which they are told.
    pub const ALL: [Mode; 16] = [
        Mode::List,
        Mode::Several,
        Mode::Text,
        Mode::Number,
        Mode::Date,
        Mode::Calendar,
        Mode::Filter,
        Mode::Review,
        Mode::Leave,
        Mode::Reader,
        Mode::Folded,
        Mode::Compose,
        Mode::Menu,
        Mode::Scrollback,
        Mode::Inbox,
        Mode::Confirm,
    ];

    /// The part whose mode it is.
    pub fn section(self) -> KeySection {
        match self {
            Mode::List
            | Mode::Several
            | Mode::Text
            | Mode::Number
            | Mode::Date
            | Mode::Calendar
            | Mode::Filter
            | Mode::Review
            | Mode::Leave
            | Mode::Reader
            | Mode::Folded => KeySection::Question,
            Mode::Compose | Mode::Menu | Mode::Scrollback => KeySection::Chat,
            Mode::Inbox | Mode::Confirm => KeySection::Inbox,
        }
    }

    /// Whether printable keys are text in it.
    pub fn is_typing(self) -> bool {
        match self {
            Mode::Text
            | Mode::Number
            | Mode::Date
            | Mode::Calendar
            | Mode::Filter
            | Mode::Compose => true,
            Mode::List
            | Mode::Several
            | Mode::Review
            | Mode::Leave
            | Mode::Reader
            | Mode::Folded
            | Mode::Menu
            | Mode::Scrollback
            | Mode::Inbox
            | Mode::Confirm => false,
        }
    }
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "each is named for what its row of the help says"
)]
pub enum Action {
    Up,
    Down,
    First,
    Last,
    PageUp,
    PageDown,
    HalfUp,
    HalfDown,
    Digit,
    Mark,
    Confirm,
    Send,
    NewLine,
    Next,
    Previous,
    All,
    Invert,
    Filter,
    Own,
    Note,
    Skip,
    Review,
    Preview,
    PreviewUp,
    PreviewDown,
    Read,
    Fold,
    Copy,
    Share,
    Undo,
    Help,
    Editor,
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
    Backspace,
    Delete,
    DeleteWord,
    DeleteToStart,
    DeleteToEnd,
    DayBack,
    DayOn,
    MonthBack,
    MonthOn,
    YearBack,
    YearOn,
    Today,
    Back,
    Detach,
    Suspend,
    Repaint,
    Open,
    NextWaiting,
    Earlier,
    Later,
    Leave,
    Decline,
    Reject,
    Yes,
    No,
}

/// Keys that do one thing in some modes.
#[derive(Debug, Clone)]
pub struct Binding {
    /// What they do.
    pub action: Action,
    /// Which keys.
    pub keys: Vec<Key>,
    /// Where.
    pub modes: Vec<Mode>,
}

/// A row of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpRow {
    /// The keys, with spaces between.
    pub keys: String,
    /// What they do.
    pub words: String,
}

impl Binding {
    /// What it does in a mode, in words. Hints name the key themselves; here it stands before them.
    pub fn words(&self, mode: Mode, locale: Locale) -> String {
        let words = locale.text(self.action.message(mode), &[("keys", "".into())]);
        words.trim().to_owned()
    }
}

/// All bindings.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl Keymap {
    /// What a key does in a mode.
    pub fn action(&self, mode: Mode, key: Key) -> Option<Action> {
        let bound =
            |binding: &&Binding| binding.modes.contains(&mode) && binding.keys.contains(&key);
        self.bindings
            .iter()
            .find(bound)
            .map(|binding| binding.action)
    }

    /// The bindings of a mode, in the order of the table.
    pub fn bindings(&self, mode: Mode) -> impl Iterator<Item = &Binding> {
        self.bindings
            .iter()
            .filter(move |binding| binding.modes.contains(&mode))
    }

    /// The first key bound to an action in a mode.
    pub fn key(&self, mode: Mode, action: Action) -> Option<Key> {
        let mut found = self
            .bindings(mode)
            .filter(|binding| binding.action == action);
        found.find_map(|binding| binding.keys.first().copied())
    }

    /// How the first key of an action is named in a mode, if it has one.
    pub(crate) fn name(&self, mode: Mode, action: Action, glyphs: &Glyphs) -> Option<String> {
        let key = self.key(mode, action)?;
        Some(if action == Action::Digit {
            "1-9".to_owned()
        } else {
            key.name(glyphs)
        })
    }

    /// How the first keys of two actions that belong together are named: `↑↓`, `j/k`.
    pub(crate) fn pair(&self, mode: Mode, both: [Action; 2], glyphs: &Glyphs) -> Option<String> {
        let first = self.name(mode, both[0], glyphs)?;
        let second = self.name(mode, both[1], glyphs)?;
        let arrows = !first.is_ascii() && !second.is_ascii();
        let between = if arrows { "" } else { "/" };
        Some(format!("{first}{between}{second}"))
    }

    /// What is bound in a mode, as the help shows it: keys that do the same share a row.
    pub fn rows(&self, mode: Mode, locale: Locale, glyphs: &Glyphs) -> Vec<HelpRow> {
        let mut rows: Vec<HelpRow> = Vec::new();
        for binding in self.bindings(mode) {
            if binding.keys.is_empty() {
                continue;
            }
            let keys = Keymap::names(binding, glyphs);
            let words = glyphs.to_supported(binding.words(mode, locale));
            match rows.last_mut() {
                Some(row) if row.words == words => {
                    row.keys.push(' ');
                    row.keys.push_str(&keys);
                }
                Some(_) | None => rows.push(HelpRow { keys, words }),
            }
        }
        rows
    }

    /// The keys of a binding, as the help shows them.
    pub fn names(binding: &Binding, glyphs: &Glyphs) -> String {
        if binding.action == Action::Digit {
            return "1-9".to_owned();
        }
        let names: Vec<String> = binding.keys.iter().map(|key| key.name(glyphs)).collect();
        names.join(" ")
    }
}

#[cfg(test)]
#[path = "keymap_tests.rs"]
mod tests;
