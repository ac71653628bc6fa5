//! The table of keys is what help, hints and documentation show.

use askback_locale::Locale;

use super::table::BINDINGS;
use super::{Action, Keymap, Mode};
use askback_terminal::glyphs::Glyphs;
use askback_terminal::key::{Key, KeyCode, Modifiers};

/// The rows of the documentation for a mode: keys that do the same share one.
fn documented(mode: Mode) -> String {
    let locale = Locale::choose(&["en"]);
    let rows = Keymap::default().rows(mode, locale, &Glyphs::LINES);
    let rows = rows
        .iter()
        .map(|row| format!("| `{}` | {} |\n", row.keys.replace(' ', "` `"), row.words));
    rows.collect()
}

/// The documentation lists exactly the keys that are bound.
#[test]
fn documentation_lists_the_bound_keys() {
    let page = include_str!("../../../../docs/terminal.md");
    let mut missing = Vec::new();
    for mode in [
        Mode::List,
        Mode::Several,
        Mode::Text,
        Mode::Number,
        Mode::Calendar,
        Mode::Review,
    ] {
        let rows = documented(mode);
        if !page.contains(&rows) {
            missing.extend([format!("{mode:?}"), rows]);
        }
    }
    assert!(
        missing.is_empty(),
        "docs/terminal.md lacks what the table says:\n{}",
        missing.join("\n")
    );
}

/// No key does two things in one mode.
#[test]
fn every_key_has_one_meaning_in_a_mode() {
    let keymap = Keymap::default();
    for mode in Mode::ALL {
        let mut seen = Vec::new();
        for binding in keymap.bindings(mode) {
            for key in &binding.keys {
                assert!(!seen.contains(key), "{key:?} is bound twice in {mode:?}");
                seen.push(*key);
            }
        }
    }
}

/// Where text is typed, no printable key is bound to anything.
#[test]
fn printable_keys_are_text_in_fields() {
    let keymap = Keymap::default();
    for mode in [
        Mode::Text,
        Mode::Number,
        Mode::Date,
        Mode::Filter,
        Mode::Compose,
    ] {
        for binding in keymap.bindings(mode) {
            let typed: Vec<char> = binding.keys.iter().filter_map(|key| key.typed()).collect();
            assert_eq!(
                typed,
                Vec::<char>::new(),
                "{:?} in {mode:?}",
                binding.action
            );
        }
    }
}

/// The keys of a list, as the specification has them.
const LISTS: [(Key, Action); 43] = [
    (Key::plain(KeyCode::Up), Action::Up),
    (Key::char('k'), Action::Up),
    (Key::ctrl('p'), Action::Up),
    (Key::plain(KeyCode::Down), Action::Down),
    (Key::char('j'), Action::Down),
    (Key::ctrl('n'), Action::Down),
    (Key::plain(KeyCode::Home), Action::First),
    (Key::char('g'), Action::First),
    (Key::plain(KeyCode::End), Action::Last),
    (Key::char('G'), Action::Last),
    (Key::plain(KeyCode::PageUp), Action::PageUp),
    (Key::plain(KeyCode::PageDown), Action::PageDown),
    (Key::ctrl('u'), Action::HalfUp),
    (Key::ctrl('d'), Action::HalfDown),
    (Key::char('1'), Action::Digit),
    (Key::char('9'), Action::Digit),
    (Key::char(' '), Action::Mark),
    (Key::plain(KeyCode::Enter), Action::Confirm),
    (Key::with(KeyCode::Enter, Modifiers::CTRL), Action::Send),
    (Key::ctrl('s'), Action::Send),
    (Key::plain(KeyCode::Tab), Action::Next),
    (Key::with(KeyCode::Tab, Modifiers::SHIFT), Action::Previous),
    (Key::plain(KeyCode::Right), Action::Next),
    (Key::plain(KeyCode::Left), Action::Previous),
    (Key::char('l'), Action::Next),
    (Key::char('h'), Action::Previous),
    (Key::char('/'), Action::Filter),
    (Key::ctrl('f'), Action::Filter),
    (Key::char('o'), Action::Own),
    (Key::char('n'), Action::Note),
    (Key::char('s'), Action::Skip),
    (Key::char('r'), Action::Review),
    (Key::char('p'), Action::Preview),
    (Key::char('v'), Action::Read),
    (Key::char('z'), Action::Fold),
    (Key::char('y'), Action::Copy),
    (Key::char('u'), Action::Undo),
    (Key::char('?'), Action::Help),
    (Key::ctrl('g'), Action::Editor),
    (Key::plain(KeyCode::Esc), Action::Back),
    (Key::ctrl('c'), Action::Detach),
    (Key::ctrl('z'), Action::Suspend),
    (Key::ctrl('l'), Action::Repaint),
];

/// The keys of the specification do what it says, in a list and in text.
#[test]
fn keys_are_bound_as_specified() {
    let keymap = Keymap::default();
    for (key, action) in LISTS {
        assert_eq!(keymap.action(Mode::List, key), Some(action), "{key:?}");
        assert_eq!(keymap.action(Mode::Several, key), Some(action), "{key:?}");
    }
}

/// And in several choices, text and the calendar.
#[test]
fn keys_of_the_other_modes_are_bound_as_specified() {
    let keymap = Keymap::default();
    let plain = Key::plain;
    assert_eq!(
        keymap.action(Mode::Several, Key::char('a')),
        Some(Action::All)
    );
    assert_eq!(
        keymap.action(Mode::Several, Key::char('i')),
        Some(Action::Invert)
    );
    let text = [
        (Key::with(KeyCode::Enter, Modifiers::SHIFT), Action::NewLine),
        (Key::with(KeyCode::Enter, Modifiers::ALT), Action::NewLine),
        (Key::ctrl('j'), Action::NewLine),
        (Key::ctrl('o'), Action::Read),
        (Key::ctrl('g'), Action::Editor),
        (Key::ctrl('n'), Action::Next),
        (Key::ctrl('p'), Action::Previous),
        (Key::ctrl('_'), Action::Undo),
        (plain(KeyCode::Left), Action::Left),
        (plain(KeyCode::Tab), Action::Next),
    ];
    for (key, action) in text {
        assert_eq!(keymap.action(Mode::Text, key), Some(action), "{key:?}");
    }
    let days = ['[', ']', '{', '}', 't'];
    let moves = [
        Action::MonthBack,
        Action::MonthOn,
        Action::YearBack,
        Action::YearOn,
        Action::Today,
    ];
    for (day, action) in days.into_iter().zip(moves) {
        assert_eq!(keymap.action(Mode::Calendar, Key::char(day)), Some(action));
    }
}

/// Every name in the table is one of a key.
#[test]
fn every_default_key_has_a_name_of_a_key() {
    for (action, keys, _) in BINDINGS {
        for key in keys.split(' ') {
            assert!(Key::named(key).is_ok(), "{action:?} has no key {key:?}");
        }
    }
}
