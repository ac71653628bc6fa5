//! Writing a message: lines, moves, what was sent before, and nothing lost.

use super::{Composed, Composer};
use crate::keymap::{Keymap, Mode};
use askback_terminal::key::{Key, KeyCode, Modifiers};

const WIDE: usize = 40;

fn typed(text: &str) -> Composer {
    let mut composer = Composer::default();
    composer.insert(text);
    composer
}

fn press(composer: &mut Composer, keys: &[Key]) {
    for pressed in keys {
        key(composer, *pressed);
    }
}

/// What a key does in the field of a chat.
fn key(composer: &mut Composer, key: Key) -> Composed {
    let action = Keymap::default().action(Mode::Compose, key);
    if let Some(action) = action {
        return composer.act(action, WIDE);
    }
    composer.type_char(key.typed().expect("it is bound or it types"));
    Composed::Changed
}

#[test]
fn enter_sends_and_alt_enter_begins_a_line() {
    let mut composer = typed("one");
    press(&mut composer, &[Key::with(KeyCode::Enter, Modifiers::ALT)]);
    composer.insert("two");
    press(&mut composer, &[Key::ctrl('j'), Key::char('3')]);
    assert_eq!(composer.text(), "one\ntwo\n3");
    let sent = key(&mut composer, Key::plain(KeyCode::Enter));
    assert_eq!(sent, Composed::Send("one\ntwo\n3".to_owned()));
    assert!(composer.is_empty());
    assert_eq!(
        key(&mut composer, Key::plain(KeyCode::Enter)),
        Composed::Nothing
    );
}

/// A paste of several lines is kept as it is and sends nothing.
#[test]
fn pasted_lines_stay_lines() {
    let mut composer = typed("a");
    composer.insert("b\nc\u{1b}[31m\n");
    assert_eq!(composer.text().matches('\n').count(), 2);
    assert!(!composer.text().contains('\u{1b}'));
}

#[test]
fn what_was_cleared_comes_back() {
    let mut composer = typed("long thought");
    composer.clear();
    assert!(composer.is_empty());
    press(&mut composer, &[Key::ctrl('_')]);
    assert_eq!(composer.text(), "long thought");
}

/// Up goes through the lines first, then to what was sent; down comes back to what was typed.
#[test]
fn up_recalls_own_messages_and_down_returns() {
    let mut composer = typed("new");
    composer.remember("first");
    composer.remember("second");
    press(&mut composer, &[Key::plain(KeyCode::Up)]);
    assert_eq!(composer.text(), "second");
    press(
        &mut composer,
        &[Key::plain(KeyCode::Up), Key::plain(KeyCode::Up)],
    );
    assert_eq!(composer.text(), "first");
    press(
        &mut composer,
        &[Key::plain(KeyCode::Down), Key::plain(KeyCode::Down)],
    );
    assert_eq!(composer.text(), "new");
    composer.set("a\nb");
    press(&mut composer, &[Key::plain(KeyCode::Up), Key::char('x')]);
    assert_eq!(composer.text(), "ax\nb");
}

#[test]
fn the_caret_stays_in_view() {
    let composer = typed("one two three four five six seven");
    let drawn = composer.visible_rows(10, 2);
    assert_eq!(drawn.lines, ["four five", "six seven"]);
    assert_eq!((drawn.cursor.row, drawn.cursor.column), (1, 9));
}

#[test]
fn words_are_erased_whole() {
    let mut composer = typed("one two  日本");
    press(
        &mut composer,
        &[Key::plain(KeyCode::Backspace), Key::ctrl('w')],
    );
    assert_eq!(composer.text(), "one two  ");
    press(&mut composer, &[Key::ctrl('w'), Key::ctrl('u')]);
    assert_eq!(composer.text(), "");
}
