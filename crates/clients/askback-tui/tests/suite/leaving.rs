//! Esc never ends a question, and every way to leave is a choice with a name.

use askback_tui::prompt::{End, Persistence, Prompt, Reaction};
use serde_json::json;

use super::fixtures::{database, inquiry, languages, options, press, prompt, shown, three, typed};

/// Esc, however often and wherever, ends nothing.
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

/// The ways to leave. What reaches the agent is confirmed by another key.
#[test]
fn leaving_is_named_and_confirmed() {
    for (keys, end) in [
        ("esc enter", End::Postponed),
        ("esc down enter y", End::Declined),
        ("esc end enter y", End::Rejected),
        ("esc d y", End::Declined),
        ("esc r y", End::Rejected),
    ] {
        assert_eq!(press(&mut prompt(&database()), keys), Reaction::End(end));
    }
    for keys in ["esc down enter", "esc end enter", "esc d", "esc r"] {
        for other in [
            "enter",
            "esc",
            "n",
            "q",
            "1",
            "3",
            "space",
            "enter enter enter",
        ] {
            let mut prompt = prompt(&database());
            press(&mut prompt, keys);
            let reaction = press(&mut prompt, other);
            assert!(
                !matches!(reaction, Reaction::End(_)),
                "{keys} {other}: {reaction:?}"
            );
        }
    }
    assert_eq!(
        press(&mut prompt(&database()), "ctrl+c"),
        Reaction::End(End::Detached)
    );
}

/// A digit that is meant for a choice does nothing in the leave menu.
#[test]
fn leave_menu_has_no_digits() {
    for digit in ["1", "2", "3", "4"] {
        let mut prompt = prompt(&database());
        press(&mut prompt, "esc");
        let before = shown(&prompt);
        assert_eq!(press(&mut prompt, digit), Reaction::Nothing, "{digit}");
        assert_eq!(shown(&prompt), before);
    }
}

/// A question that is stored nowhere is not said to stay open.
#[test]
fn keeping_it_open_is_offered_where_it_is_true() {
    let mut alone = prompt(&database());
    press(&mut alone, "esc");
    let menu = shown(&alone);
    assert!(!menu.contains("Answer later"), "{menu}");
    assert!(menu.contains("the question is not saved"), "{menu}");
    let mut options = options("en");
    options.persistence = Persistence::Durable;
    let mut stored = Prompt::new(inquiry(&database()), options);
    press(&mut stored, "esc");
    let menu = shown(&stored);
    assert!(menu.contains("Answer later"), "{menu}");
}

/// Folding leaves one row, and everything is there again afterwards.
#[test]
fn folding_keeps_everything() {
    let mut prompt = prompt(&database());
    press(&mut prompt, "down space o x y esc up");
    let before = shown(&prompt);
    press(&mut prompt, "z");
    assert_eq!(prompt.view().rows.len(), 1);
    press(&mut prompt, "z");
    assert_eq!(shown(&prompt), before);
}
