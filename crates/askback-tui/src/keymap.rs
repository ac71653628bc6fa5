//! What each key does, in one table. Hints and the list of all keys are made from it, so that they
//! show what is really bound.

use crate::glyphs::Glyphs;
use crate::key::{Code, Key, Mods};

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
    Read,
    Fold,
    Copy,
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
}

/// Keys that do one thing in some modes.
#[derive(Debug, Clone)]
pub struct Binding {
    /// What they do.
    pub action: Action,
    /// Which keys.
    pub keys: Vec<Key>,
    /// Where.
    pub modes: &'static [Mode],
}

/// All bindings.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

const LISTS: &[Mode] = &[Mode::List, Mode::Several];
const CHOOSING: &[Mode] = &[Mode::List, Mode::Several, Mode::Review];
const MOVING: &[Mode] = &[
    Mode::List,
    Mode::Several,
    Mode::Review,
    Mode::Leave,
    Mode::Reader,
];
const FIELDS: &[Mode] = &[Mode::Text, Mode::Number, Mode::Date, Mode::Calendar];
const TYPING: &[Mode] = &[Mode::Text, Mode::Number, Mode::Date, Mode::Filter];
const ERASING: &[Mode] = &[
    Mode::Text,
    Mode::Number,
    Mode::Date,
    Mode::Calendar,
    Mode::Filter,
];
const ASKED: &[Mode] = &[
    Mode::List,
    Mode::Several,
    Mode::Text,
    Mode::Number,
    Mode::Date,
    Mode::Calendar,
    Mode::Review,
];
const EVERYWHERE: &[Mode] = &[
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
];

const UP: Key = Key::plain(Code::Up);
const DOWN: Key = Key::plain(Code::Down);
const LEFT: Key = Key::plain(Code::Left);
const RIGHT: Key = Key::plain(Code::Right);
const TAB: Key = Key::plain(Code::Tab);
const BACK_TAB: Key = Key::with(Code::Tab, Mods::SHIFT);
const ENTER: Key = Key::plain(Code::Enter);
const ESC: Key = Key::plain(Code::Esc);

const fn alt(ch: char) -> Key {
    Key::with(Code::Char(ch), Mods::ALT)
}

impl Default for Keymap {
    fn default() -> Keymap {
        let mut bindings = moving();
        bindings.extend(choosing());
        bindings.extend(typing());
        bindings.extend(looking());
        Keymap { bindings }
    }
}

fn bind(action: Action, keys: &[Key], modes: &'static [Mode]) -> Binding {
    Binding {
        action,
        keys: keys.to_vec(),
        modes,
    }
}

fn moving() -> Vec<Binding> {
    let page_up = Key::plain(Code::PageUp);
    let page_down = Key::plain(Code::PageDown);
    let paged: &[Mode] = &[
        Mode::List,
        Mode::Several,
        Mode::Review,
        Mode::Reader,
        Mode::Text,
        Mode::Number,
        Mode::Date,
        Mode::Calendar,
    ];
    let scrolled: &[Mode] = &[Mode::List, Mode::Several, Mode::Review, Mode::Reader];
    vec![
        bind(Action::Up, &[UP, Key::char('k'), Key::ctrl('p')], MOVING),
        bind(
            Action::Down,
            &[DOWN, Key::char('j'), Key::ctrl('n')],
            MOVING,
        ),
        bind(Action::Up, &[UP, Key::ctrl('p')], &[Mode::Filter]),
        bind(Action::Down, &[DOWN, Key::ctrl('n')], &[Mode::Filter]),
        bind(Action::Up, &[UP], FIELDS),
        bind(Action::Down, &[DOWN], FIELDS),
        bind(
            Action::First,
            &[Key::plain(Code::Home), Key::char('g')],
            MOVING,
        ),
        bind(
            Action::Last,
            &[Key::plain(Code::End), Key::char('G')],
            MOVING,
        ),
        bind(Action::PageUp, &[page_up], paged),
        bind(Action::PageDown, &[page_down], paged),
        bind(Action::HalfUp, &[Key::ctrl('u')], scrolled),
        bind(Action::HalfDown, &[Key::ctrl('d')], scrolled),
        bind(Action::Next, &[TAB, RIGHT, Key::char('l')], CHOOSING),
        bind(
            Action::Previous,
            &[BACK_TAB, LEFT, Key::char('h')],
            CHOOSING,
        ),
        bind(Action::Next, &[TAB, Key::ctrl('n')], FIELDS),
        bind(Action::Previous, &[BACK_TAB, Key::ctrl('p')], FIELDS),
    ]
}

fn choosing() -> Vec<Binding> {
    let digits: Vec<Key> = ('1'..='9').map(Key::char).collect();
    let confirmed: &[Mode] = &[
        Mode::List,
        Mode::Several,
        Mode::Text,
        Mode::Number,
        Mode::Date,
        Mode::Calendar,
        Mode::Filter,
        Mode::Review,
        Mode::Leave,
        Mode::Folded,
    ];
    let counted: &[Mode] = &[Mode::List, Mode::Several, Mode::Review, Mode::Leave];
    vec![
        bind(Action::Digit, &digits, counted),
        bind(Action::Mark, &[Key::char(' ')], LISTS),
        bind(Action::Confirm, &[ENTER], confirmed),
        bind(
            Action::Send,
            &[Key::with(Code::Enter, Mods::CTRL), Key::ctrl('s')],
            ASKED,
        ),
        bind(Action::All, &[Key::char('a')], &[Mode::Several]),
        bind(Action::Invert, &[Key::char('i')], &[Mode::Several]),
        bind(Action::Filter, &[Key::char('/'), Key::ctrl('f')], LISTS),
        bind(Action::Own, &[Key::char('o')], LISTS),
        bind(Action::Note, &[Key::char('n')], LISTS),
        bind(Action::Note, &[alt('n')], FIELDS),
        bind(Action::Skip, &[Key::char('s')], LISTS),
        bind(Action::Skip, &[alt('s')], FIELDS),
        bind(Action::Review, &[Key::char('r')], LISTS),
        bind(Action::Undo, &[Key::char('u'), Key::ctrl('_')], CHOOSING),
        bind(Action::Undo, &[Key::ctrl('_')], FIELDS),
    ]
}

fn typing() -> Vec<Binding> {
    let new_line = [
        Key::with(Code::Enter, Mods::ALT),
        Key::with(Code::Enter, Mods::SHIFT),
        Key::ctrl('j'),
    ];
    let word_left = [alt('b'), Key::with(Code::Left, Mods::CTRL)];
    let word_right = [alt('f'), Key::with(Code::Right, Mods::CTRL)];
    let delete_word = [Key::ctrl('w'), Key::with(Code::Backspace, Mods::ALT)];
    vec![
        bind(Action::NewLine, &new_line, &[Mode::Text]),
        bind(
            Action::Editor,
            &[Key::ctrl('g')],
            &[Mode::List, Mode::Several, Mode::Text],
        ),
        bind(Action::Left, &[LEFT], TYPING),
        bind(Action::Right, &[RIGHT], TYPING),
        bind(Action::WordLeft, &word_left, TYPING),
        bind(Action::WordRight, &word_right, TYPING),
        bind(
            Action::LineStart,
            &[Key::plain(Code::Home), Key::ctrl('a')],
            TYPING,
        ),
        bind(
            Action::LineEnd,
            &[Key::plain(Code::End), Key::ctrl('e')],
            TYPING,
        ),
        bind(Action::Backspace, &[Key::plain(Code::Backspace)], ERASING),
        bind(Action::Delete, &[Key::plain(Code::Delete)], ERASING),
        bind(Action::DeleteWord, &delete_word, ERASING),
        bind(Action::DayBack, &[LEFT], &[Mode::Calendar]),
        bind(Action::DayOn, &[RIGHT], &[Mode::Calendar]),
        bind(Action::MonthBack, &[Key::char('[')], &[Mode::Calendar]),
        bind(Action::MonthOn, &[Key::char(']')], &[Mode::Calendar]),
        bind(Action::YearBack, &[Key::char('{')], &[Mode::Calendar]),
        bind(Action::YearOn, &[Key::char('}')], &[Mode::Calendar]),
        bind(Action::Today, &[Key::char('t')], &[Mode::Calendar]),
    ]
}

fn looking() -> Vec<Binding> {
    let helped: &[Mode] = &[Mode::List, Mode::Several, Mode::Review, Mode::Leave];
    vec![
        bind(Action::Preview, &[Key::char('p')], LISTS),
        bind(Action::Read, &[Key::char('v')], CHOOSING),
        bind(Action::Read, &[Key::ctrl('o')], FIELDS),
        bind(
            Action::Fold,
            &[Key::char('z')],
            &[Mode::List, Mode::Several, Mode::Review, Mode::Folded],
        ),
        bind(Action::Fold, &[alt('z')], FIELDS),
        bind(Action::Copy, &[Key::char('y')], CHOOSING),
        bind(Action::Help, &[Key::char('?')], helped),
        bind(Action::Help, &[alt('?')], FIELDS),
        bind(
            Action::Back,
            &[Key::char('q'), Key::char('v'), Key::char('p')],
            &[Mode::Reader],
        ),
        bind(Action::Back, &[ESC], EVERYWHERE),
        bind(Action::Detach, &[Key::ctrl('c')], EVERYWHERE),
        bind(Action::Suspend, &[Key::ctrl('z')], EVERYWHERE),
        bind(Action::Repaint, &[Key::ctrl('l')], EVERYWHERE),
    ]
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

    /// Binds other keys to an action, wherever it is bound.
    pub fn rebind(&mut self, action: Action, keys: &[Key]) {
        for binding in &mut self.bindings {
            if binding.action == action {
                binding.keys = keys.to_vec();
            } else {
                binding.keys.retain(|key| !keys.contains(key));
            }
        }
    }

    /// The first key bound to an action in a mode.
    pub fn key(&self, mode: Mode, action: Action) -> Option<Key> {
        let found = self
            .bindings(mode)
            .find(|binding| binding.action == action)?;
        found.keys.first().copied()
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

impl Action {
    /// The message that says what it does in a mode; keys that every text field has need none.
    pub(crate) fn message(self, mode: Mode) -> Option<&'static str> {
        let message = match (self, mode) {
            (Action::Up | Action::Down, Mode::Number) => "help-step",
            (Action::Up | Action::Down, Mode::Date | Mode::Calendar) => "help-week",
            (Action::Up | Action::Down | Action::PageUp | Action::PageDown, Mode::Text)
            | (
                Action::Left
                | Action::Right
                | Action::WordLeft
                | Action::WordRight
                | Action::Backspace
                | Action::Delete
                | Action::DeleteWord,
                _,
            ) => return None,
            (Action::PageUp | Action::PageDown, Mode::Number) => "help-step-ten",
            (Action::PageUp | Action::PageDown, Mode::Date | Mode::Calendar)
            | (Action::MonthBack | Action::MonthOn, _) => "help-month",
            (Action::Up | Action::Down, _) => "help-move",
            (Action::First | Action::Last, _) => "help-ends",
            (Action::PageUp | Action::PageDown, _) => "help-page",
            (Action::HalfUp | Action::HalfDown, _) => "help-half-page",
            (Action::Digit, Mode::Several) => "help-digit-several",
            (Action::Digit, _) => "help-digit",
            (Action::Mark, Mode::Several) => "help-toggle",
            (Action::Mark, _) => "help-mark",
            (Action::Confirm, Mode::Several) => "help-confirm-several",
            (Action::Confirm, Mode::List | Mode::Review | Mode::Leave) => "help-confirm",
            (Action::Confirm, _) => "help-confirm-text",
            (Action::Send, _) => "help-send",
            (Action::NewLine, _) => "help-new-line",
            (Action::Next, _) => "help-next-question",
            (Action::Previous, _) => "help-previous-question",
            (Action::All, _) => "help-all",
            (Action::Invert, _) => "help-invert",
            (Action::Filter, _) => "help-filter",
            (Action::Own, _) => "help-other",
            (Action::Note, _) => "help-note",
            (Action::Skip, _) => "help-skip",
            (Action::Review, _) => "help-review",
            (Action::Preview, _) => "help-preview",
            (Action::Read, _) => "help-read",
            (Action::Fold, _) => "help-fold",
            (Action::Copy, _) => "help-link",
            (Action::Undo, _) => "help-unclear",
            (Action::Help, _) => "help-help",
            (Action::Editor, _) => "help-editor",
            (Action::LineStart | Action::LineEnd, _) => "help-line-ends",
            (Action::DayBack | Action::DayOn, _) => "help-day",
            (Action::YearBack | Action::YearOn, _) => "help-year",
            (Action::Today, _) => "help-today",
            (Action::Back, _) => "help-back",
            (Action::Detach, _) => "help-detach",
            (Action::Suspend, _) => "help-suspend",
            (Action::Repaint, _) => "help-repaint",
        };
        Some(message)
    }

    /// Whether it only moves or leaves, and so is heard before the prompt is armed.
    pub(crate) fn is_harmless(self) -> bool {
        matches!(
            self,
            Action::Up
                | Action::Down
                | Action::First
                | Action::Last
                | Action::PageUp
                | Action::PageDown
                | Action::Left
                | Action::Right
                | Action::Next
                | Action::Previous
                | Action::Back
                | Action::Detach
                | Action::Suspend
                | Action::Repaint
        )
    }
}

#[cfg(test)]
#[path = "keymap_tests.rs"]
mod tests;
