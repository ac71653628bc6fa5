//! T10: every key of the specification, pressed, in a list and where text is typed.

use std::time::Duration;

use askback_terminal::key::{Code, Event, Key, Mods};
use askback_terminal::row::Canvas;
use askback_tui::keymap::{Keymap, Mode};
use askback_tui::prompt::{End, Kept, Prompt, Reaction};
use serde_json::{Value, json};

use super::stage::{
    database, features, inquiry, key, languages, options, press, prompt, resize, sent, shown,
    three, typed, write,
};

/// What a key leads to.
enum Then {
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
fn check(input: &Value, before: &str, keys: &str, then: &Then) {
    for name in keys.split(' ') {
        let mut options = options("en");
        options.kept = Kept::InStore;
        options.link = Some("http://127.0.0.1/q/1".to_owned());
        let mut prompt = Prompt::new(inquiry(input), options);
        press(&mut prompt, before);
        let reaction = press(&mut prompt, name);
        let told = format!("{name} behind {before:?}\n{}", shown(&prompt));
        match then {
            Then::Focus(row) => {
                assert_eq!(reaction, Reaction::Redraw, "{told}");
                assert_eq!(prompt.draft().entries[0].focus, *row, "{told}");
            }
            Then::Shows(text) => {
                assert_eq!(reaction, Reaction::Redraw, "{told}");
                assert!(shown(&prompt).replace('█', "").contains(text), "{told}");
            }
            Then::Sends(answers) => assert_eq!(sent(&reaction), *answers, "{told}"),
            Then::Does(expected) => assert_eq!(reaction, *expected, "{told}"),
        }
    }
}

#[test]
fn moving_in_a_list() {
    let one = database();
    check(&one, "down down", "up k ctrl+p", &Then::Focus(1));
    check(&one, "", "down j ctrl+n", &Then::Focus(1));
    check(&one, "", "up k ctrl+p", &Then::Focus(0));
    check(&one, "end", "down j ctrl+n", &Then::Focus(3));
    check(&one, "down down", "home g", &Then::Focus(0));
    check(&one, "", "end G", &Then::Focus(3));
    // Thirteen of eighteen are in view.
    let many = languages();
    check(&many, "", "pgdn", &Then::Focus(13));
    check(&many, "end", "pgup", &Then::Focus(4));
    check(&many, "", "ctrl+d", &Then::Focus(6));
    check(&many, "end", "ctrl+u", &Then::Focus(11));
    check(&three(), "", "tab right l", &Then::Shows("Question 2 of 3"));
    check(
        &three(),
        "",
        "shift+tab left h",
        &Then::Shows("Check your answers"),
    );
    check(
        &three(),
        "tab",
        "shift+tab left h",
        &Then::Shows("Question 1 of 3"),
    );
}

#[test]
fn choosing_one_of_a_list() {
    let one = database();
    let first = json!({"q1": {"values": ["PostgreSQL (Recommended)"]}});
    check(&one, "", "1 enter", &Then::Sends(first.clone()));
    check(&one, "space", "ctrl+enter ctrl+s", &Then::Sends(first));
    check(&one, "", "4 o", &Then::Shows("Please specify:"));
    check(&one, "", "9", &Then::Does(Reaction::Nothing));
    check(&one, "", "space", &Then::Shows("1 ● PostgreSQL"));
    check(&one, "space", "u ctrl+_", &Then::Shows("1 ○ PostgreSQL"));
    check(&one, "", "a i", &Then::Does(Reaction::Nothing));
    let lines = "shift+enter alt+enter ctrl+j";
    check(&one, "", lines, &Then::Does(Reaction::Nothing));
    // With ten and more, digits move.
    check(&languages(), "", "3", &Then::Focus(2));
    check(&languages(), "1", "2", &Then::Focus(11));
    let sends = "ctrl+enter ctrl+s";
    check(&three(), "1", sends, &Then::Shows("Check your answers"));
}

#[test]
fn choosing_several() {
    let some = features();
    check(&some, "", "space 1 enter", &Then::Shows("1 ☑ TypeScript"));
    check(&some, "space", "space 1", &Then::Shows("1 ☐ TypeScript"));
    check(&some, "", "a i", &Then::Shows("3 selected"));
    check(&some, "1", "i", &Then::Shows("2 selected"));
    let first = json!({"q1": {"values": ["TypeScript"]}});
    check(&some, "1", "enter ctrl+enter ctrl+s", &Then::Sends(first));
    check(&some, "", "5 o", &Then::Shows("Please specify:"));
}

#[test]
fn other_keys_of_a_list() {
    let one = database();
    check(&languages(), "", "/ ctrl+f", &Then::Shows("type to filter"));
    // Four rows need no filter.
    check(&one, "", "/ ctrl+f", &Then::Shows("enter select"));
    check(&one, "", "n", &Then::Shows("Note:"));
    check(&one, "", "s", &Then::Shows("✘"));
    check(
        &three(),
        "",
        "s",
        &Then::Shows("– Auth Method │ > Providers"),
    );
    check(&three(), "", "r", &Then::Shows("Check your answers"));
    check(
        &one,
        "",
        "p [ ]",
        &Then::Shows("This choice has no preview"),
    );
    check(&one, "", "v", &Then::Shows("1 PostgreSQL (Recommended)"));
    check(&one, "", "z", &Then::Shows("? 1 question waits"));
    check(&one, "z", "z", &Then::Shows("enter select"));
    let link = "http://127.0.0.1/q/1".to_owned();
    check(&one, "", "y", &Then::Does(Reaction::Copy(link)));
    check(&one, "", "?", &Then::Shows("Keys"));
    check(
        &one,
        "",
        "ctrl+g",
        &Then::Does(Reaction::Editor(String::new())),
    );
    check(&one, "", "esc", &Then::Shows("Leave this question?"));
    check(&one, "?", "esc", &Then::Shows("enter select"));
    check(&one, "o", "esc", &Then::Shows("enter select"));
    check(&languages(), "/ a", "esc", &Then::Shows("enter select"));
    let left = Reaction::End(End::Detached);
    check(&one, "", "ctrl+c", &Then::Does(left));
    check(&one, "", "ctrl+z", &Then::Does(Reaction::Suspend));
    check(&one, "", "ctrl+l", &Then::Does(Reaction::Repaint));
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

/// T11: what is bound in a list is text in a field, every character of it.
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
    check(&text, "a", "enter ctrl+enter ctrl+s", &Then::Sends(given));
    check(&text, "", "enter", &Then::Shows("✘"));
    check(
        &text,
        "a",
        "ctrl+o",
        &Then::Shows("How many replicas should run?"),
    );
    check(&text, "a", "alt+z", &Then::Shows("? 1 question waits"));
    check(&text, "a", "alt+?", &Then::Shows("Keys"));
    check(&text, "a", "alt+n", &Then::Shows("Note:"));
    check(&text, "a", "alt+s", &Then::Shows("✘"));
    check(
        &text,
        "a",
        "ctrl+g",
        &Then::Does(Reaction::Editor("a".to_owned())),
    );
    check(&text, "a", "esc", &Then::Shows("Leave this question?"));
    check(&text, "a", "ctrl+c", &Then::Shows("› \n"));
    check(&text, "a ctrl+c", "ctrl+_", &Then::Shows("› a"));
    let left = Reaction::End(End::Detached);
    check(&text, "", "ctrl+c", &Then::Does(left));
    check(&text, "a", "ctrl+z", &Then::Does(Reaction::Suspend));
    check(&text, "a", "ctrl+l", &Then::Does(Reaction::Repaint));
    check(
        &text,
        "a",
        "ctrl+f ctrl+u ctrl+d",
        &Then::Does(Reaction::Nothing),
    );
    // A field of one of several questions.
    check(
        &three(),
        "o a",
        "tab ctrl+n",
        &Then::Shows("Question 2 of 3"),
    );
    check(
        &three(),
        "o a",
        "shift+tab ctrl+p",
        &Then::Shows("Check your answers"),
    );
    check(&three(), "o a", "esc", &Then::Shows("3 ● Other"));
}

#[test]
fn steps_of_numbers_and_days() {
    let rules = json!({"validation": {"min": 1, "max": 99}});
    let number = typed("number", &rules);
    check(&number, "2 0", "up", &Then::Shows("› 21"));
    check(&number, "2 0", "down", &Then::Shows("› 19"));
    check(&number, "2 0", "pgup", &Then::Shows("› 30"));
    check(&number, "2 0", "pgdn", &Then::Shows("› 10"));
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
        check(&day, before, key, &Then::Shows(shown));
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
    keys.extend((' '..='~').map(|ch| Key::with(Code::Char(ch), Mods::ALT)));
    for code in [
        Code::Enter,
        Code::Esc,
        Code::Tab,
        Code::Backspace,
        Code::Delete,
        Code::Up,
        Code::Down,
        Code::Left,
        Code::Right,
        Code::Home,
        Code::End,
        Code::PageUp,
        Code::PageDown,
    ] {
        for mods in [Mods::NONE, Mods::CTRL, Mods::ALT, Mods::SHIFT] {
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

/// T10: the help lists exactly the keys that do something.
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
            let reaction = prompt.handle(&Event::Key(key), Duration::from_secs(10));
            let bound = Keymap::default().action(start.mode(), key).is_some();
            assert_eq!(
                bound,
                listed.contains(&key),
                "{key:?} of {:?}",
                start.mode()
            );
            if !bound {
                assert_eq!(reaction, Reaction::Nothing, "{key:?}");
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
        assert_eq!(prompt.view().canvas, Canvas::Screen);
        prompt.handle(&Event::Key(key(name)), Duration::from_secs(10));
        assert_eq!(prompt.view().canvas, Canvas::Inline, "{name}");
    }
}
