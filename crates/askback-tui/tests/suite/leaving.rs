//! Esc never ends a question, and every way to leave is a choice with a name.

use askback_tui::prompt::{End, Reaction};
use serde_json::json;

use super::stage::{database, languages, press, prompt, shown, three, typed};

/// T14: Esc, however often and wherever, ends nothing.
#[test]
fn esc_ends_nothing() {
    let states = [
        (database(), ""),
        (database(), "o x"),
        (database(), "n x"),
        (database(), "?"),
        (database(), "v"),
        (database(), "z"),
        (languages(), "/ a"),
        (three(), "enter r"),
        (typed("text", &json!({})), "a"),
        (typed("date", &json!({})), "down"),
    ];
    for (input, keys) in states {
        for times in 1..=5 {
            let mut prompt = prompt(&input);
            press(&mut prompt, keys);
            let reaction = press(&mut prompt, &"esc ".repeat(times));
            assert_eq!(reaction, Reaction::Redraw, "{keys:?} and {times} times Esc");
        }
    }
}

/// T14: the ways to leave.
#[test]
fn leaving_is_named() {
    for (keys, end) in [
        ("esc 1", End::Kept),
        ("esc 2", End::Rejected),
        ("esc 3", End::Cancelled),
    ] {
        assert_eq!(press(&mut prompt(&database()), keys), Reaction::End(end));
    }
    let focused = press(&mut prompt(&database()), "esc down enter");
    assert_eq!(focused, Reaction::End(End::Rejected));
    assert_eq!(
        press(&mut prompt(&database()), "ctrl+c"),
        Reaction::End(End::Detached)
    );
}

/// T09: folding leaves one row, and everything is there again afterwards.
#[test]
fn folding_keeps_everything() {
    let mut prompt = prompt(&database());
    press(&mut prompt, "down space o x y esc");
    let before = shown(&prompt);
    press(&mut prompt, "z");
    assert_eq!(prompt.view().rows.len(), 1);
    press(&mut prompt, "z");
    assert_eq!(shown(&prompt), before);
}
