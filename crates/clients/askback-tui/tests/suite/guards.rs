//! What appears where something else was is seen before a key acts on it.

use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_terminal::row::Size;
use askback_tui::prompt::{End, Reaction};
use serde_json::json;

use super::fixtures::{Guarded, SIZES, database, resize, shown, three};

const IGNORED: &str = "Too soon: key ignored";

/// Eight enters, one every quarter of a second: the guard says that it ignores them, and opens
/// after a second.
#[test]
fn impatient_enters_are_ignored_for_a_second_and_told_so() {
    let mut prompt = Guarded::new(&database());
    for at in 1..=3 {
        assert_eq!(prompt.press("enter", 250), Reaction::Redraw, "{at}");
        assert!(prompt.shows(IGNORED), "{at}");
    }
    assert!(matches!(
        prompt.press("enter", 250),
        Reaction::End(End::Answered(_))
    ));
}

/// Esc and a key at once neither reject nor leave, whatever the key.
#[test]
fn leave_menu_ignores_what_comes_with_esc() {
    for name in ["1", "2", "3", "enter", "y", "space"] {
        let mut prompt = Guarded::new(&database());
        prompt.press("down", 1000);
        prompt.press("esc", 1000);
        let reaction = prompt.press(name, 60);
        assert!(!matches!(reaction, Reaction::End(_)), "{name}");
        assert!(prompt.shows("Leave this question?") || prompt.shows(IGNORED));
    }
}

/// Neither enter nor esc that is held down ends a question, from any state.
#[test]
fn held_keys_end_nothing() {
    for held in ["enter", "esc", "y", "n", "1"] {
        for before in ["esc", "esc down", "esc down enter", "esc end enter"] {
            let mut prompt = Guarded::new(&database());
            prompt.press("down", 1000);
            for name in before.split(' ') {
                prompt.press(name, 800);
            }
            if before.ends_with("enter") && held == "y" {
                continue;
            }
            let first = prompt.press(held, 500);
            let leaves =
                first == Reaction::End(End::Postponed) && before == "esc" && held == "enter";
            assert!(
                leaves || !matches!(first, Reaction::End(_)),
                "{held} {before}"
            );
            for _ in 0..60 {
                let reaction = prompt.press(held, 33);
                let ended = !leaves && matches!(reaction, Reaction::End(_));
                assert!(!ended, "{held} {before}");
            }
        }
    }
}

/// The next question of a batch is not answered by the second press of an impatient finger.
#[test]
fn next_question_is_seen_before_it_is_answered() {
    for name in ["1", "enter"] {
        let mut prompt = Guarded::new(&three());
        prompt.press(name, 1000);
        assert!(prompt.shows("Question 2 of 3"));
        prompt.press(name, 150);
        prompt.press(name, 150);
        assert!(prompt.shows("> Providers"), "{}", shown(&prompt.prompt));
        assert!(prompt.shows(IGNORED), "{}", shown(&prompt.prompt));
        assert!(prompt.prompt.draft().entries[1].picked.is_empty(), "{name}");
    }
}

/// Ctrl+s that is held down leads to the review and sends nothing.
#[test]
fn held_send_stops_at_the_review() {
    let mut prompt = Guarded::new(&three());
    prompt.press("1", 1000);
    prompt.press("ctrl+s", 1000);
    assert!(prompt.shows("Check your answers"));
    assert_eq!(prompt.press("ctrl+s", 500), Reaction::Redraw);
    for _ in 0..60 {
        assert_eq!(prompt.press("ctrl+s", 33), Reaction::Redraw);
    }
}

/// Closing a note is not answering.
#[test]
fn enter_that_closes_a_note_does_not_answer() {
    let mut prompt = Guarded::new(&database());
    prompt.press("n", 1000);
    prompt.press("a", 1000);
    prompt.press("enter", 1000);
    assert_eq!(prompt.press("enter", 200), Reaction::Redraw);
    assert!(prompt.shows(IGNORED));
}

/// What is typed into a field that a key opened is not lost while the guard is closed.
#[test]
fn text_is_taken_where_a_key_led() {
    let mut prompt = Guarded::new(&database());
    prompt.press("o", 1000);
    prompt.press("b", 1000);
    prompt.press("u n", 40);
    assert_eq!(prompt.prompt.draft().entries[0].own, "bun");
}

/// Held down, ctrl+c empties a field and does not leave.
#[test]
fn held_ctrl_c_does_not_leave() {
    let mut prompt = Guarded::new(&database());
    prompt.press("o", 1000);
    prompt.press("b u n", 40);
    assert_eq!(prompt.press("ctrl+c", 500), Reaction::Redraw);
    for _ in 0..20 {
        assert_eq!(prompt.press("ctrl+c", 33), Reaction::Nothing);
    }
    assert_eq!(prompt.press("ctrl+c", 500), Reaction::End(End::Detached));
}

/// A paste that comes before the question can have been seen is not taken, and said so.
#[test]
fn early_paste_is_not_taken() {
    let mut prompt = Guarded::new(&database());
    let pasted = InputEvent::Paste("1".to_owned());
    prompt.prompt.handle(&pasted, Duration::from_millis(100));
    assert!(prompt.shows(IGNORED));
    assert_eq!(prompt.prompt.draft().entries[0].own, "");
}

/// Menu, confirmation and notices fit every size.
#[test]
fn menus_and_notices_fit_every_size() {
    for size in SIZES {
        let mut prompt = Guarded::new(&json!({"question": "Deploy?", "input_type": "confirm"}));
        resize(&mut prompt.prompt, size.columns, size.rows);
        let fits = |prompt: &Guarded, what: &str| {
            let frame = prompt.prompt.view();
            let Size { columns, rows } = size;
            assert!(frame.rows.len() <= rows, "{what} at {size:?}");
            for row in &frame.rows {
                assert!(row.width() <= columns, "{what} at {size:?}: {}", row.text());
            }
        };
        fits(&prompt, "question");
        prompt.press("enter", 10);
        fits(&prompt, "ignored key");
        prompt.press("esc", 1000);
        fits(&prompt, "leave menu");
        prompt.press("end", 10);
        prompt.press("enter", 1000);
        fits(&prompt, "confirmation");
        assert!(prompt.shows("Stop the agent?"), "{}", shown(&prompt.prompt));
    }
}

/// A note that will be sent is shown at every size.
#[test]
fn note_is_shown_at_every_size() {
    for size in SIZES {
        let mut prompt = Guarded::new(&database());
        resize(&mut prompt.prompt, size.columns, size.rows);
        prompt.press("n", 1000);
        prompt.press("x y", 1000);
        prompt.press("esc", 1000);
        assert!(
            prompt.shows("Note: xy"),
            "{size:?}: {}",
            shown(&prompt.prompt)
        );
    }
}
