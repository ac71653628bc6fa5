//! Every key of the specification, pressed, in a list and where text is typed.

use askback_terminal::app::ScreenRequest;
use std::time::Duration;

use askback_core::draft::DraftField;
use askback_terminal::key::{InputEvent, Key, KeyCode, Modifiers};
use askback_terminal::row::ScreenBuffer;
use askback_tui::keymap::{Keymap, Mode};
use askback_tui::prompt::{End, Persistence, Prompt, Reaction};
use serde_json::{Value, json};

use super::fixtures::{
    database, features, inquiry, key, languages, options, press, prompt, resize, sent, shown,
    three, typed, write,
};

/// What a key leads to.
enum Expect {
    /// The focus is on this row.
    Focus(usize),
    /// The frame shows this.
    Shows(&'static str),
    /// This is sent.
    Sends(Value),
    /// The prompt reacts like this.
    Does(Reaction),
}

/// Presses keys behind others, and looks at what comes of the last.
fn check(input: &Value, before: &str, keys: &str, then: &Expect) {
    for name in keys.split(' ') {
        let mut options = options("en");
        options.persistence = Persistence::Durable;
        options.link = Some("http://127.0.0.1/q/1".to_owned());
        let mut prompt = Prompt::new(inquiry(input), options);
        press(&mut prompt, before);
        let reaction = press(&mut prompt, name);
        let told = format!("{name} behind {before:?}\n{}", shown(&prompt));
        match then {
            Expect::Focus(row) => {
                assert_eq!(reaction, Reaction::Redraw, "{told}");
                assert_eq!(prompt.draft().entries[0].focus, *row, "{told}");
            }
            Expect::Shows(text) => {
                assert_eq!(reaction, Reaction::Redraw, "{told}");
                assert!(shown(&prompt).replace('█', "").contains(text), "{told}");
            }
            Expect::Sends(answers) => assert_eq!(sent(&reaction), *answers, "{told}"),
            Expect::Does(expected) => assert_eq!(reaction, *expected, "{told}"),
        }
    }
}

#[test]
fn moving_in_a_list() {
    let one = database();
    check(&one, "down down", "up k ctrl+p", &Expect::Focus(1));
    check(&one, "", "down j ctrl+n", &Expect::Focus(1));
    check(&one, "", "up k ctrl+p", &Expect::Focus(0));
    check(&one, "end", "down j ctrl+n", &Expect::Focus(3));
    check(&one, "down down", "home g", &Expect::Focus(0));
    check(&one, "", "end G", &Expect::Focus(3));
    // Thirteen of eighteen are in view.
    let many = languages();
    check(&many, "", "pgdn", &Expect::Focus(13));
    check(&many, "end", "pgup", &Expect::Focus(4));
    check(&many, "", "ctrl+d", &Expect::Focus(6));
    check(&many, "end", "ctrl+u", &Expect::Focus(11));
    check(
        &three(),
        "",
        "tab right l",
        &Expect::Shows("Question 2 of 3"),
    );
    check(
        &three(),
        "",
        "shift+tab left h",
        &Expect::Shows("Check your answers"),
    );
    check(
        &three(),
        "tab",
        "shift+tab left h",
        &Expect::Shows("Question 1 of 3"),
    );
}

#[test]
fn choosing_one_of_a_list() {
    let one = database();
    let first = json!({"q1": {"values": ["PostgreSQL (Recommended)"]}});
    check(&one, "", "1 enter", &Expect::Sends(first.clone()));
    check(&one, "space", "ctrl+enter ctrl+s", &Expect::Sends(first));
    check(&one, "", "4 o", &Expect::Shows("Please specify:"));
    check(&one, "", "9", &Expect::Does(Reaction::Nothing));
    check(&one, "", "space", &Expect::Shows("1 ● PostgreSQL"));
    check(&one, "space", "u ctrl+_", &Expect::Shows("1 ○ PostgreSQL"));
    check(&one, "", "a", &Expect::Shows("Please specify:"));
    let lines = "shift+enter alt+enter ctrl+j";
    check(&one, "", lines, &Expect::Does(Reaction::Nothing));
    // With ten and more, digits move.
    check(&languages(), "", "3", &Expect::Focus(2));
    check(&languages(), "1", "2", &Expect::Focus(11));
    let sends = "ctrl+enter ctrl+s";
    check(&three(), "1", sends, &Expect::Shows("Check your answers"));
}

#[test]
fn choosing_several() {
    let some = features();
    check(&some, "", "space 1 enter", &Expect::Shows("1 ☑ TypeScript"));
    check(&some, "space", "space 1", &Expect::Shows("1 ☐ TypeScript"));
    check(&some, "", "a i", &Expect::Shows("3 selected"));
    check(&some, "1", "i", &Expect::Shows("2 selected"));
    let first = json!({"q1": {"values": ["TypeScript"]}});
    check(&some, "1", "enter ctrl+enter ctrl+s", &Expect::Sends(first));
    check(&some, "", "5 o", &Expect::Shows("Please specify:"));
}

#[test]
fn other_keys_of_a_list() {
    let one = database();
    check(
        &languages(),
        "",
        "/ ctrl+f",
        &Expect::Shows("type to filter"),
    );
    // Four rows need no filter.
    check(&one, "", "/ ctrl+f", &Expect::Shows("enter select"));
    check(&one, "", "n", &Expect::Shows("Note:"));
    check(&one, "", "s", &Expect::Shows("✘"));
    check(
        &three(),
        "",
        "s",
        &Expect::Shows("– Auth Method │ > Providers"),
    );
    check(&three(), "", "r", &Expect::Shows("Check your answers"));
    check(
        &one,
        "",
        "p [ ]",
        &Expect::Shows("This choice has no preview"),
    );
    check(&one, "", "v", &Expect::Shows("1 PostgreSQL (Recommended)"));
    check(&one, "", "z", &Expect::Shows("? 1 question waiting"));
    check(&one, "z", "z", &Expect::Shows("enter select"));
    let link = "http://127.0.0.1/q/1".to_owned();
    check(
        &one,
        "",
        "y",
        &Expect::Does(Reaction::Screen(ScreenRequest::CopyToClipboard(link))),
    );
    check(&one, "", "?", &Expect::Shows("Keys"));
    check(
        &one,
        "",
        "ctrl+g",
        &Expect::Does(Reaction::Screen(ScreenRequest::OpenEditor(String::new()))),
    );
    check(&one, "", "esc", &Expect::Shows("Leave this question?"));
    check(&one, "?", "esc", &Expect::Shows("enter select"));
    check(&one, "o", "esc", &Expect::Shows("enter select"));
    check(&languages(), "/ a", "esc", &Expect::Shows("enter select"));
    let left = Reaction::End(End::Detached);
    check(&one, "", "ctrl+c", &Expect::Does(left));
    check(
        &one,
        "",
        "ctrl+z",
        &Expect::Does(Reaction::Screen(ScreenRequest::Suspend)),
    );
    check(
        &one,
        "",
        "ctrl+l",
        &Expect::Does(Reaction::Screen(ScreenRequest::Repaint)),
    );
}

/// Two lines in a field, a key, and an X where the caret is then.
fn caret_after(keys: &str) -> String {
    let mut prompt = prompt(&typed("text", &json!({})));
    write(&mut prompt, "one");
    press(&mut prompt, "alt+enter");
    write(&mut prompt, "two");
    press(&mut prompt, keys);
    write(&mut prompt, "X");
    let answers = sent(&press(&mut prompt, "enter"));
    answers["q1"]["text"].as_str().expect("a text").to_owned()
}

#[test]
fn moving_in_text() {
    for (keys, text) in [
        ("up", "oneX\ntwo"),
        ("up up", "Xone\ntwo"),
        ("up down", "one\ntwoX"),
        ("home", "one\nXtwo"),
        ("ctrl+a", "one\nXtwo"),
        ("home end", "one\ntwoX"),
        ("home ctrl+e", "one\ntwoX"),
        ("pgup", "Xone\ntwo"),
        ("pgup pgdn", "one\ntwoX"),
        ("left", "one\ntwXo"),
        ("left right", "one\ntwoX"),
        ("alt+b", "one\nXtwo"),
        ("ctrl+left", "one\nXtwo"),
        ("alt+b alt+f", "one\ntwoX"),
        ("home ctrl+right", "one\ntwoX"),
        ("backspace", "one\ntwX"),
        ("home del", "one\nXwo"),
        ("ctrl+w", "one\nX"),
        ("alt+backspace", "one\nX"),
    ] {
        assert_eq!(caret_after(keys), text, "{keys}");
    }
}

/// What is bound in a list is text in a field, every character of it.
#[test]
fn printable_keys_are_text() {
    let keymap = Keymap::default();
    let bound = keymap
        .bindings(Mode::List)
        .chain(keymap.bindings(Mode::Several));
    let mut text: String = bound
        .flat_map(|binding| binding.keys.iter().filter_map(|key| key.typed()))
        .collect();
    assert!(text.contains('1') && text.contains('?') && text.contains('z'));
    text.insert(0, 'x');
    text.push_str("[]{}t0.");
    let mut prompt = prompt(&typed("text", &json!({})));
    write(&mut prompt, &text);
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"text": text}})
    );
}

#[test]
fn other_keys_of_text() {
    let text = typed("text", &json!({}));
    let given = json!({"q1": {"text": "a"}});
    check(&text, "a", "enter ctrl+enter ctrl+s", &Expect::Sends(given));
    check(&text, "", "enter", &Expect::Shows("✘"));
    check(
        &text,
        "a",
        "ctrl+o",
        &Expect::Shows("How many replicas should run?"),
    );
    check(&text, "a", "alt+z", &Expect::Shows("? 1 question waiting"));
    check(&text, "a", "alt+?", &Expect::Shows("Keys"));
    check(&text, "a", "alt+n", &Expect::Shows("Note:"));
    check(&text, "a", "alt+s", &Expect::Shows("✘"));
    check(
        &text,
        "a",
        "ctrl+g",
        &Expect::Does(Reaction::Screen(ScreenRequest::OpenEditor("a".to_owned()))),
    );
    check(&text, "a", "esc", &Expect::Shows("Leave this question?"));
    check(&text, "a", "ctrl+c", &Expect::Shows("› \n"));
    check(&text, "a ctrl+c", "ctrl+_", &Expect::Shows("› a"));
    let left = Reaction::End(End::Detached);
    check(&text, "", "ctrl+c", &Expect::Does(left));
    check(
        &text,
        "a",
        "ctrl+z",
        &Expect::Does(Reaction::Screen(ScreenRequest::Suspend)),
    );
    check(
        &text,
        "a",
        "ctrl+l",
        &Expect::Does(Reaction::Screen(ScreenRequest::Repaint)),
    );
    check(
        &text,
        "a",
        "ctrl+f ctrl+u ctrl+d",
        &Expect::Does(Reaction::Nothing),
    );
    // A field of one of several questions.
    check(
        &three(),
        "o a",
        "tab ctrl+n",
        &Expect::Shows("Question 2 of 3"),
    );
    check(
        &three(),
        "o a",
        "shift+tab ctrl+p",
        &Expect::Shows("Check your answers"),
    );
    check(&three(), "o a", "esc", &Expect::Shows("3 ● Other"));
}

#[test]
fn steps_of_numbers_and_days() {
    let rules = json!({"validation": {"min": 1, "max": 99}});
    let number = typed("number", &rules);
    check(&number, "2 0", "up", &Expect::Shows("› 21"));
    check(&number, "2 0", "down", &Expect::Shows("› 19"));
    check(&number, "2 0", "pgup", &Expect::Shows("› 30"));
    check(&number, "2 0", "pgdn", &Expect::Shows("› 10"));
    let day = typed("date", &json!({}));
    let typed = "2 0 2 7 - 0 3 - 1 0";
    let walked = &format!("{typed} down");
    for (before, key, shown) in [
        (typed, "up", "› 2027-03-03"),
        (typed, "down", "› 2027-03-17"),
        (typed, "pgup", "› 2027-02-10"),
        (typed, "pgdn", "› 2027-04-10"),
        (walked, "left", "› 2027-03-16"),
        (walked, "right", "› 2027-03-18"),
        (walked, "[", "› 2027-02-17"),
        (walked, "]", "› 2027-04-17"),
        (walked, "{", "› 2026-03-17"),
        (walked, "}", "› 2028-03-17"),
        (walked, "t", "› 2027-03-26"),
    ] {
        check(&day, before, key, &Expect::Shows(shown));
    }
}

/// Every key that a terminal can send, more or less.
fn all_keys() -> Vec<Key> {
    let mut keys: Vec<Key> = (' '..='~').map(Key::char).collect();
    keys.extend(
        ('a'..='z')
            .filter(|ch| !"himj".contains(*ch))
            .map(Key::ctrl),
    );
    keys.extend((' '..='~').map(|ch| Key::with(KeyCode::Char(ch), Modifiers::ALT)));
    for code in [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
    ] {
        for mods in [
            Modifiers::NONE,
            Modifiers::CTRL,
            Modifiers::ALT,
            Modifiers::SHIFT,
        ] {
            keys.push(Key::with(code, mods));
        }
    }
    keys
}

/// The keys that the help lists.
fn listed(prompt: &Prompt, help: &str) -> Vec<Key> {
    let mut prompt = prompt.clone();
    press(&mut prompt, help);
    resize(&mut prompt, 120, 60);
    let mut keys = Vec::new();
    let page = shown(&prompt).replace('█', "");
    let rows = page.lines().skip(1).filter(|row| row.starts_with("│  "));
    for row in rows {
        let row = row.trim_start_matches("│  ");
        let names = row.split("  ").next().unwrap_or_default();
        for name in names.split(' ') {
            if name == "1-9" {
                keys.extend(('1'..='9').map(Key::char));
            } else {
                keys.push(Key::named(name).expect("the help names keys"));
            }
        }
    }
    keys
}

/// The help lists exactly the keys that do something. Letters that are no keys begin an
/// own answer.
#[test]
fn help_lists_exactly_the_keys_that_work() {
    let rules = json!({"validation": {"max_length": 500}});
    for (input, help, typing) in [
        (database(), "?", false),
        (features(), "?", false),
        (three(), "?", false),
        (typed("text", &rules), "alt+?", true),
        (typed("number", &json!({})), "alt+?", true),
    ] {
        let start = prompt(&input);
        let listed = listed(&start, help);
        for key in all_keys() {
            if typing && key.typed().is_some() {
                assert!(!listed.contains(&key), "{key:?} is text");
                continue;
            }
            let mut prompt = start.clone();
            let reaction = prompt.handle(&InputEvent::Key(key), Duration::from_secs(10));
            let bound = Keymap::default().action(start.mode(), key).is_some();
            if listed.contains(&key) {
                assert!(bound, "{key:?} of {:?}", start.mode());
                continue;
            }
            let own = prompt.draft().entries[0].field == Some(DraftField::Own);
            let letter = key.typed().is_some_and(char::is_alphabetic);
            assert_eq!(own, letter && !bound && !typing, "{key:?}");
            if !own {
                assert_eq!(prompt.draft().page, start.draft().page, "{key:?}");
                assert_eq!(prompt.draft().entries, start.draft().entries, "{key:?}");
                assert!(
                    matches!(reaction, Reaction::Nothing | Reaction::Redraw),
                    "{key:?}"
                );
            }
        }
    }
}

/// The reader has a screen of its own, and every key that closes it does.
#[test]
fn reader_is_closed_by_its_keys() {
    for name in ["esc", "q", "v", "p"] {
        let mut prompt = prompt(&database());
        press(&mut prompt, "v");
        assert_eq!(prompt.view().buffer, ScreenBuffer::Alternate);
        prompt.handle(&InputEvent::Key(key(name)), Duration::from_secs(10));
        assert_eq!(prompt.view().buffer, ScreenBuffer::Inline, "{name}");
    }
}
