//! Clicks: the first one moves the focus, one on what has the focus chooses.

use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_terminal::row::Cursor;
use askback_tui::prompt::{End, Prompt, Reaction};
use serde_json::json;

use super::fixtures::{
    database, features, inquiry, languages, options, press, prompt, resize, sent, shown, three,
    typed, write,
};

/// Clicks on the first row that shows this text.
fn click(prompt: &mut Prompt, text: &str) -> Reaction {
    let rows = prompt.view().rows;
    let row = rows.iter().position(|row| row.text().contains(text));
    let row = row.unwrap_or_else(|| panic!("{text} is not in\n{}", shown(prompt)));
    let at = Cursor { row, column: 10 };
    prompt.handle(&InputEvent::Click(at), Duration::from_secs(10))
}

#[test]
fn click_focuses_and_the_next_chooses() {
    let mut one = prompt(&database());
    assert_eq!(click(&mut one, "MongoDB"), Reaction::Redraw);
    assert!(shown(&one).contains("> 2 ○"), "{}", shown(&one));
    let answers = json!({"q1": {"values": ["MongoDB"]}});
    // The description belongs to the choice.
    assert_eq!(sent(&click(&mut one, "Document DB")), answers);
    let mut several = prompt(&features());
    click(&mut several, "Testing");
    click(&mut several, "Testing");
    assert!(shown(&several).contains("3 ☑"), "{}", shown(&several));
    click(&mut several, "Testing");
    assert!(shown(&several).contains("3 ☐"), "{}", shown(&several));
}

#[test]
fn scrolled_and_small_lists_are_clicked_as_they_are_seen() {
    let mut many = prompt(&languages());
    press(&mut many, "end");
    click(&mut many, "Finnish");
    assert_eq!(many.draft().entries[0].focus, 16);
    let mut tiny = prompt(&database());
    resize(&mut tiny, 20, 6);
    click(&mut tiny, "MongoDB");
    assert_eq!(tiny.draft().entries[0].focus, 1);
}

#[test]
fn review_and_leave_menu_are_clicked_too() {
    let mut all = prompt(&three());
    press(&mut all, "r");
    click(&mut all, "Storage: not answered");
    assert_eq!(all.draft().review_focus, 2);
    click(&mut all, "Storage: not answered");
    assert!(shown(&all).contains("Question 3 of 3"), "{}", shown(&all));
    press(&mut all, "esc");
    click(&mut all, "Stop the agent");
    assert_eq!(click(&mut all, "Stop the agent"), Reaction::Redraw);
    assert_eq!(press(&mut all, "y"), Reaction::End(End::Rejected));
}

#[test]
fn click_in_a_field_moves_the_caret() {
    let mut text = prompt(&typed("text", &json!({})));
    write(&mut text, "one");
    press(&mut text, "alt+enter");
    write(&mut text, "two");
    let row = text.view().cursor.row - 1;
    let at = Cursor { row, column: 6 };
    text.handle(&InputEvent::Click(at), Duration::from_secs(10));
    write(&mut text, "X");
    let answers = json!({"q1": {"text": "oXne\ntwo"}});
    assert_eq!(sent(&press(&mut text, "enter")), answers);
}

/// A click that comes before anybody can have seen the question answers nothing.
#[test]
fn early_click_answers_nothing() {
    let mut options = options("en");
    options.typeahead_window = askback_tui::TYPEAHEAD_WINDOW;
    let mut prompt = Prompt::new(inquiry(&database()), options);
    prompt.painted(Duration::ZERO);
    let at = Cursor { row: 4, column: 10 };
    for ms in [10, 100, 300] {
        let reaction = prompt.handle(&InputEvent::Click(at), Duration::from_millis(ms));
        assert_eq!(reaction, Reaction::Redraw, "{ms}");
    }
    let later = prompt.handle(&InputEvent::Click(at), Duration::from_secs(1));
    assert!(
        matches!(later, Reaction::End(End::Answered(_))),
        "{later:?}"
    );
}
