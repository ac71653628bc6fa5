//! Default key bindings of chat and inbox.

use super::table::{DOWN, ENTER, ESC, LEFT, RIGHT, TAB, UP, alt, bind};
use super::{Action, Binding, Mode};
use askback_terminal::key::{Key, KeyCode, Modifiers};

pub(super) fn bindings() -> Vec<Binding> {
    let mut bindings = writing();
    bindings.extend(editing());
    bindings.extend(around_chat());
    bindings.extend(inbox());
    bindings
}

fn writing() -> Vec<Binding> {
    let field: &[Mode] = &[Mode::Compose];
    let new_line = [
        Key::with(KeyCode::Enter, Modifiers::ALT),
        Key::with(KeyCode::Enter, Modifiers::SHIFT),
        Key::ctrl('j'),
    ];
    vec![
        bind(Action::Confirm, &[ENTER], field),
        bind(Action::NewLine, &new_line, field),
        bind(Action::Open, &[TAB], field),
        bind(Action::Read, &[Key::plain(KeyCode::PageUp)], field),
        bind(Action::Editor, &[Key::ctrl('g')], field),
        bind(Action::Back, &[ESC], field),
        bind(Action::Leave, &[Key::ctrl('d')], field),
        bind(Action::Up, &[UP], field),
        bind(Action::Down, &[DOWN], field),
        bind(Action::Earlier, &[Key::ctrl('p')], field),
        bind(Action::Later, &[Key::ctrl('n')], field),
        bind(Action::Undo, &[Key::ctrl('_')], field),
    ]
}

fn editing() -> Vec<Binding> {
    let field: &[Mode] = &[Mode::Compose];
    let word_left = [alt('b'), Key::with(KeyCode::Left, Modifiers::CTRL)];
    let word_right = [alt('f'), Key::with(KeyCode::Right, Modifiers::CTRL)];
    let delete_word = [
        Key::ctrl('w'),
        Key::with(KeyCode::Backspace, Modifiers::ALT),
    ];
    let line_start = [Key::plain(KeyCode::Home), Key::ctrl('a')];
    let line_end = [Key::plain(KeyCode::End), Key::ctrl('e')];
    vec![
        bind(Action::Left, &[LEFT], field),
        bind(Action::Right, &[RIGHT], field),
        bind(Action::WordLeft, &word_left, field),
        bind(Action::WordRight, &word_right, field),
        bind(Action::LineStart, &line_start, field),
        bind(Action::LineEnd, &line_end, field),
        bind(Action::Backspace, &[Key::plain(KeyCode::Backspace)], field),
        bind(Action::Delete, &[Key::plain(KeyCode::Delete)], field),
        bind(Action::DeleteWord, &delete_word, field),
        bind(Action::DeleteToStart, &[Key::ctrl('u')], field),
        bind(Action::DeleteToEnd, &[Key::ctrl('k')], field),
    ]
}

fn around_chat() -> Vec<Binding> {
    let all: &[Mode] = &[Mode::Compose, Mode::Menu, Mode::Scrollback];
    let over: &[Mode] = &[Mode::Menu, Mode::Scrollback];
    let digits: Vec<Key> = ('1'..='9').map(Key::char).collect();
    vec![
        bind(Action::Up, &[UP, Key::char('k')], over),
        bind(Action::Down, &[DOWN, Key::char('j')], over),
        bind(
            Action::First,
            &[Key::plain(KeyCode::Home), Key::char('g')],
            over,
        ),
        bind(
            Action::Last,
            &[Key::plain(KeyCode::End), Key::char('G')],
            over,
        ),
        bind(
            Action::PageUp,
            &[Key::plain(KeyCode::PageUp)],
            &[Mode::Scrollback],
        ),
        bind(
            Action::PageDown,
            &[Key::plain(KeyCode::PageDown)],
            &[Mode::Scrollback],
        ),
        bind(Action::Digit, &digits, &[Mode::Menu]),
        bind(Action::Confirm, &[ENTER], &[Mode::Menu]),
        bind(Action::Back, &[ESC], &[Mode::Menu]),
        bind(Action::Back, &[ESC, Key::char('q')], &[Mode::Scrollback]),
        bind(Action::NextWaiting, &[Key::ctrl('t')], all),
        bind(Action::Detach, &[Key::ctrl('c')], all),
        bind(Action::Suspend, &[Key::ctrl('z')], all),
        bind(Action::Repaint, &[Key::ctrl('l')], all),
    ]
}

fn inbox() -> Vec<Binding> {
    let list: &[Mode] = &[Mode::Inbox];
    let sure: &[Mode] = &[Mode::Confirm];
    let both: &[Mode] = &[Mode::Inbox, Mode::Confirm];
    let digits: Vec<Key> = ('1'..='9').map(Key::char).collect();
    vec![
        bind(Action::Up, &[UP, Key::char('k')], list),
        bind(Action::Down, &[DOWN, Key::char('j')], list),
        bind(
            Action::First,
            &[Key::plain(KeyCode::Home), Key::char('g')],
            list,
        ),
        bind(
            Action::Last,
            &[Key::plain(KeyCode::End), Key::char('G')],
            list,
        ),
        bind(Action::PageUp, &[Key::plain(KeyCode::PageUp)], list),
        bind(Action::PageDown, &[Key::plain(KeyCode::PageDown)], list),
        bind(Action::Digit, &digits, list),
        bind(Action::Confirm, &[ENTER, Key::char('o')], list),
        bind(Action::Skip, &[Key::char('s')], list),
        bind(Action::Decline, &[Key::char('d')], list),
        bind(Action::Reject, &[Key::char('r')], list),
        bind(Action::Mark, &[Key::char('x')], list),
        bind(Action::HandOn, &[Key::char('H')], list),
        bind(Action::Undo, &[Key::char('u')], list),
        bind(Action::Help, &[Key::char('?')], list),
        bind(Action::Back, &[ESC], list),
        bind(Action::Leave, &[Key::char('q')], list),
        bind(Action::Yes, &[Key::char('y')], sure),
        bind(Action::Back, &[Key::char('n'), Key::char('q'), ESC], sure),
        bind(Action::Detach, &[Key::ctrl('c')], both),
        bind(Action::Suspend, &[Key::ctrl('z')], both),
        bind(Action::Repaint, &[Key::ctrl('l')], both),
    ]
}
