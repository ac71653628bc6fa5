//! Keys as somebody wants them: what is taken, and what is refused in which words.

use super::{Action, Key, KeySection, Keymap, Mode};
use askback_terminal::key::{KeyCode, Modifiers};

fn bound(part: KeySection, name: &str, keys: &[&str]) -> Result<Keymap, String> {
    let mut keymap = Keymap::default();
    keymap
        .bind(part, name, keys)
        .and_then(|()| keymap.check())
        .map_err(|error| error.to_string())?;
    Ok(keymap)
}

#[test]
fn bound_keys_are_the_ones_that_work_and_show() {
    let keymap = bound(KeySection::Question, "skip", &["x"]).expect("x is free");
    let x = Key::char('x');
    assert_eq!(keymap.action(Mode::List, x), Some(Action::Skip));
    assert_eq!(keymap.action(Mode::List, Key::char('s')), None);
    assert_eq!(keymap.key(Mode::Several, Action::Skip), Some(x));
    let keys = ["ctrl+enter", "ctrl+x"];
    let keymap = bound(KeySection::Question, "send-all", &keys).expect("both are free");
    for mode in [Mode::List, Mode::Text, Mode::Review] {
        let sent = keymap.action(mode, Key::ctrl('x'));
        assert_eq!(sent, Some(Action::Send), "{mode:?}");
        assert_eq!(keymap.action(mode, Key::ctrl('s')), None, "{mode:?}");
    }
}

/// Whatever is bound, a printable key is text in a field, which keeps its own key then.
#[test]
fn text_fields_keep_printable_keys() {
    let mut keymap = Keymap::default();
    let all: Vec<(KeySection, &str)> = keymap
        .bindings
        .iter()
        .filter(|binding| binding.action != Action::Digit)
        .map(|binding| (binding.modes[0].section(), binding.action.name()))
        .collect();
    for (part, name) in all {
        keymap.bind(part, name, &["€"]).expect("a key of its own");
    }
    for mode in [
        Mode::Text,
        Mode::Number,
        Mode::Date,
        Mode::Filter,
        Mode::Compose,
    ] {
        assert_eq!(keymap.action(mode, Key::char('€')), None, "{mode:?}");
        let esc = keymap.action(mode, Key::plain(KeyCode::Esc));
        assert_eq!(esc, Some(Action::Back), "{mode:?}");
    }
    let skip = Key::with(KeyCode::Char('s'), Modifiers::ALT);
    assert_eq!(keymap.action(Mode::Text, skip), Some(Action::Skip));
    let days = keymap.action(Mode::Calendar, Key::char('€'));
    assert!(days.is_some(), "the calendar has printable keys");
}

#[test]
fn unknown_names_are_refused_with_the_known_ones() {
    let said = bound(KeySection::Question, "skp", &["x"]).expect_err("no such action");
    assert!(
        said.starts_with("[keys] has no action `skp`; it has up, down,"),
        "{said}"
    );
    assert!(said.contains(" skip,") && !said.contains("digit"), "{said}");
    let said = bound(KeySection::Inbox, "send-all", &["x"]).expect_err("not there");
    assert!(
        said.starts_with("[keys.inbox] has no action `send-all`"),
        "{said}"
    );
    let said = bound(KeySection::Question, "skip", &["hyper+x"]).expect_err("no such key");
    assert!(
        said.starts_with("`skip`: there is no key `hyper+x`; write"),
        "{said}"
    );
    let said = bound(KeySection::Question, "skip", &["ctrl+i"]).expect_err("not a key of its own");
    assert!(
        said.contains("`ctrl+i` cannot be bound: terminals send the same for it as for `tab`"),
        "{said}"
    );
    let said = bound(KeySection::Question, "digit", &["x"]).expect_err("digits stay");
    assert!(said.contains("a digit chooses by its number"), "{said}");
}

#[test]
fn clash_names_both() {
    let said = bound(KeySection::Question, "skip", &["n"]).expect_err("n adds a note");
    assert_eq!(
        said,
        "`n` is bound to both `note` and `skip` (one of a list); give one of them another key"
    );
    let said = bound(KeySection::Question, "skip", &["7"]).expect_err("digits choose");
    assert!(said.contains("`digit` and `skip`"), "{said}");
    let said =
        bound(KeySection::Question, "skip", &["ctrl+t"]).expect_err("the chat hears it first");
    assert!(said.contains("`next-waiting` and `skip`"), "{said}");
    let mut swapped = Keymap::default();
    swapped
        .bind(KeySection::Question, "skip", &["n"])
        .expect("known");
    swapped
        .bind(KeySection::Question, "note", &["s"])
        .expect("known");
    assert_eq!(swapped.check(), Ok(()));
}

#[test]
fn action_may_lose_its_keys_unless_nobody_could_go_on() {
    let keymap = bound(KeySection::Question, "copy-link", &[]).expect("it is not needed");
    assert_eq!(keymap.key(Mode::List, Action::Copy), None);
    for name in ["confirm", "back", "detach"] {
        let said = bound(KeySection::Question, name, &[]).expect_err("it is needed");
        assert!(said.contains("needs a key"), "{said}");
    }
}

#[test]
fn keys_have_names() {
    let named = |name: &str| Key::named(name).ok();
    let enter = |mods| Some(Key::with(KeyCode::Enter, mods));
    assert_eq!(named("ctrl+enter"), enter(Modifiers::CTRL));
    assert_eq!(
        named("Ctrl+Alt+Enter"),
        enter(Modifiers::CTRL.and(Modifiers::ALT))
    );
    assert_eq!(named("ctrl+S"), Some(Key::ctrl('s')));
    assert_eq!(named("shift+g"), Some(Key::char('G')));
    assert_eq!(named("+"), Some(Key::char('+')));
    assert_eq!(
        named("alt++"),
        Some(Key::with(KeyCode::Char('+'), Modifiers::ALT))
    );
    assert_eq!(named("space"), Some(Key::char(' ')));
    assert_eq!(named("↑"), Some(Key::plain(KeyCode::Up)));
    assert_eq!(named("ß"), Some(Key::char('ß')));
    for wrong in ["", "ctrl+", "f5", "shift+1", "ctrl+ctrl+x", "ab", "\n"] {
        assert_eq!(named(wrong), None, "{wrong:?}");
    }
}

/// Every key can be bound by the name under which it is shown.
#[test]
fn shown_names_can_be_written() {
    let keymap = Keymap::default();
    for binding in &keymap.bindings {
        for key in &binding.keys {
            for glyphs in [super::Glyphs::ASCII, super::Glyphs::LINES] {
                let name = key.name(&glyphs);
                assert_eq!(Key::named(&name).as_ref(), Ok(key), "{name}");
            }
        }
    }
    assert_eq!(keymap.check(), Ok(()));
}
