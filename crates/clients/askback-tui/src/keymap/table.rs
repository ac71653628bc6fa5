//! Default key bindings of the question prompt.

use super::{Action, Binding, Keymap, Mode, screens};
use askback_terminal::key::{Key, KeyCode, Modifiers};

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
pub(super) const EVERYWHERE: &[Mode] = &[
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

pub(super) const UP: Key = Key::plain(KeyCode::Up);
pub(super) const DOWN: Key = Key::plain(KeyCode::Down);
pub(super) const LEFT: Key = Key::plain(KeyCode::Left);
pub(super) const RIGHT: Key = Key::plain(KeyCode::Right);
pub(super) const TAB: Key = Key::plain(KeyCode::Tab);
const BACK_TAB: Key = Key::with(KeyCode::Tab, Modifiers::SHIFT);
pub(super) const ENTER: Key = Key::plain(KeyCode::Enter);
pub(super) const ESC: Key = Key::plain(KeyCode::Esc);

pub(super) const fn alt(ch: char) -> Key {
    Key::with(KeyCode::Char(ch), Modifiers::ALT)
}

impl Default for Keymap {
    fn default() -> Keymap {
        let mut bindings = moving();
        bindings.extend(choosing());
        bindings.extend(typing());
        bindings.extend(looking());
        bindings.extend(screens::bindings());
        Keymap { bindings }
    }
}

pub(super) fn bind(action: Action, keys: &[Key], modes: &[Mode]) -> Binding {
    Binding {
        action,
        keys: keys.to_vec(),
        modes: modes.to_vec(),
    }
}

fn moving() -> Vec<Binding> {
    let page_up = Key::plain(KeyCode::PageUp);
    let page_down = Key::plain(KeyCode::PageDown);
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
            &[Key::plain(KeyCode::Home), Key::char('g')],
            MOVING,
        ),
        bind(
            Action::Last,
            &[Key::plain(KeyCode::End), Key::char('G')],
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
    let counted: &[Mode] = &[Mode::List, Mode::Several, Mode::Review];
    vec![
        bind(Action::Digit, &digits, counted),
        bind(Action::Mark, &[Key::char(' ')], LISTS),
        bind(Action::Confirm, &[ENTER], confirmed),
        bind(
            Action::Send,
            &[Key::ctrl('s'), Key::with(KeyCode::Enter, Modifiers::CTRL)],
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
        bind(
            Action::Undo,
            &[Key::char('u'), Key::ctrl('_')],
            &[Mode::Undo],
        ),
        bind(Action::Confirm, &[ENTER], &[Mode::Undo]),
    ]
}

fn typing() -> Vec<Binding> {
    let new_line = [
        Key::with(KeyCode::Enter, Modifiers::ALT),
        Key::with(KeyCode::Enter, Modifiers::SHIFT),
        Key::ctrl('j'),
    ];
    let word_left = [alt('b'), Key::with(KeyCode::Left, Modifiers::CTRL)];
    let word_right = [alt('f'), Key::with(KeyCode::Right, Modifiers::CTRL)];
    let delete_word = [
        Key::ctrl('w'),
        Key::with(KeyCode::Backspace, Modifiers::ALT),
    ];
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
            &[Key::plain(KeyCode::Home), Key::ctrl('a')],
            TYPING,
        ),
        bind(
            Action::LineEnd,
            &[Key::plain(KeyCode::End), Key::ctrl('e')],
            TYPING,
        ),
        bind(
            Action::Backspace,
            &[Key::plain(KeyCode::Backspace)],
            ERASING,
        ),
        bind(Action::Delete, &[Key::plain(KeyCode::Delete)], ERASING),
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
        bind(Action::PreviewUp, &[Key::char('[')], LISTS),
        bind(Action::PreviewDown, &[Key::char(']')], LISTS),
        bind(Action::Read, &[Key::char('v')], CHOOSING),
        bind(Action::Read, &[Key::ctrl('o')], FIELDS),
        bind(
            Action::Fold,
            &[Key::char('z')],
            &[Mode::List, Mode::Several, Mode::Review, Mode::Folded],
        ),
        bind(Action::Fold, &[alt('z')], FIELDS),
        bind(Action::Copy, &[Key::char('y')], CHOOSING),
        bind(Action::Copy, &[Key::char('y')], &[Mode::Reader]),
        bind(Action::Share, &[Key::char('Q')], CHOOSING),
        bind(Action::Share, &[alt('q')], FIELDS),
        bind(Action::HandOn, &[Key::char('H')], CHOOSING),
        bind(Action::HandOn, &[alt('h')], FIELDS),
        bind(Action::Decline, &[Key::char('d')], &[Mode::Leave]),
        bind(Action::Reject, &[Key::char('r')], &[Mode::Leave]),
        bind(Action::Help, &[Key::char('?')], helped),
        bind(Action::Help, &[alt('?')], FIELDS),
        bind(Action::Back, &[ESC], EVERYWHERE),
        bind(
            Action::Back,
            &[Key::char('q'), Key::char('v'), Key::char('p')],
            &[Mode::Reader],
        ),
        bind(Action::Detach, &[Key::ctrl('c')], EVERYWHERE),
        bind(Action::Suspend, &[Key::ctrl('z')], EVERYWHERE),
        bind(Action::Repaint, &[Key::ctrl('l')], EVERYWHERE),
        bind(Action::Detach, &[Key::ctrl('c')], &[Mode::Undo]),
        bind(Action::Suspend, &[Key::ctrl('z')], &[Mode::Undo]),
        bind(Action::Repaint, &[Key::ctrl('l')], &[Mode::Undo]),
    ]
}
