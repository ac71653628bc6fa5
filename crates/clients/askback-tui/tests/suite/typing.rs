//! Typing: text, pastes, numbers and days.

use askback_terminal::app::ScreenRequest;
use std::time::Duration;

use askback_terminal::key::InputEvent;
use askback_terminal::row::Row;
use askback_tui::prompt::{End, Prompt, Reaction};
use serde_json::{Value, json};

use super::fixtures::{
    database, features, inquiry, options, press, prompt, sent, shown, three, typed, write,
};

fn paste(prompt: &mut Prompt, text: &str) -> Reaction {
    prompt.handle(&InputEvent::Paste(text.to_owned()), Duration::from_secs(10))
}

/// A paste keeps its lines and sends nothing; in a list it opens Other.
#[test]
fn paste_is_text() {
    let mut text = prompt(&typed("text", &json!({})));
    assert_eq!(paste(&mut text, "one\ntwo\nthree"), Reaction::Redraw);
    assert_eq!(
        sent(&press(&mut text, "enter")),
        json!({"q1": {"text": "one\ntwo\nthree"}})
    );
    for input in [database(), features()] {
        let mut list = prompt(&input);
        assert_eq!(paste(&mut list, "mine\nand\nmore"), Reaction::Redraw);
        assert!(shown(&list).contains("Please specify:"), "{}", shown(&list));
        let given = sent(&press(&mut list, "enter"));
        assert_eq!(given["q1"]["own"], json!("mine\nand\nmore"));
    }
    // The review and the ways to leave take no text, and say so.
    for keys in ["r", "esc"] {
        let mut other = prompt(&three());
        press(&mut other, keys);
        assert_eq!(paste(&mut other, "1\n2\n"), Reaction::Redraw);
        assert!(!matches!(press(&mut other, "esc"), Reaction::End(_)));
    }
}

#[test]
fn caret_moves_by_characters_words_and_rows() {
    let mut prompt = prompt(&typed("text", &json!({})));
    write(&mut prompt, "one two");
    press(&mut prompt, "alt+b");
    write(&mut prompt, "x ");
    press(&mut prompt, "home del alt+enter end backspace");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"text": "ne x tw"}})
    );
}

#[test]
fn lines_are_added_without_sending() {
    let mut prompt = prompt(&typed("text", &json!({})));
    press(&mut prompt, "a alt+enter b shift+enter c ctrl+j d");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"text": "a\nb\nc\nd"}})
    );
}

/// While a note is written, the answer is shown as it is: with its rows, none of which is too wide.
#[test]
fn note_leaves_the_rows_of_the_answer() {
    let mut prompt = prompt(&typed("text", &json!({})));
    write(&mut prompt, "first row");
    press(&mut prompt, "alt+enter");
    write(&mut prompt, &"long ".repeat(30));
    let answer = |prompt: &Prompt| -> Vec<String> {
        let rows = prompt.view().rows;
        let rows = rows.iter().map(Row::text);
        let rows = rows.filter(|row| row.contains("first row") || row.contains("long"));
        rows.collect()
    };
    let before = answer(&prompt);
    assert_eq!(before.len(), 4, "{}", shown(&prompt));
    press(&mut prompt, "alt+n");
    assert_eq!(answer(&prompt), before, "{}", shown(&prompt));
}

/// Ctrl+c empties a field, which can be undone; an empty field is left.
#[test]
fn ctrl_c_empties_then_leaves() {
    let mut prompt = prompt(&typed("text", &json!({})));
    write(&mut prompt, "abc");
    assert_eq!(press(&mut prompt, "ctrl+c"), Reaction::Redraw);
    press(&mut prompt, "ctrl+_");
    assert!(shown(&prompt).contains("› abc"), "{}", shown(&prompt));
    press(&mut prompt, "ctrl+c");
    assert_eq!(press(&mut prompt, "ctrl+c"), Reaction::End(End::Detached));
}

/// Leaving keeps the draft, also of a field that only stood in the way.
#[test]
fn ctrl_c_twice_leaves_with_the_text() {
    let mut prompt = prompt(&typed("text", &json!({})));
    write(&mut prompt, "abc");
    press(&mut prompt, "ctrl+c");
    assert_eq!(prompt.draft().entries[0].typed, "");
    assert_eq!(press(&mut prompt, "ctrl+c"), Reaction::End(End::Detached));
    assert_eq!(prompt.draft().entries[0].typed, "abc");
    // Something else in between means that the text was cleared on purpose.
    press(&mut prompt, "ctrl+c left");
    press(&mut prompt, "ctrl+c");
    assert_eq!(prompt.draft().entries[0].typed, "");
}

fn number(tag: &str, text: &str) -> Result<Value, String> {
    let rules = json!({"validation": {"min": 1, "max": 9000}});
    let mut prompt = Prompt::new(inquiry(&typed("number", &rules)), options(tag));
    write(&mut prompt, text);
    if let Reaction::End(End::Answered(answers)) = press(&mut prompt, "enter") {
        return Ok(answers.to_json()["q1"]["number"].clone());
    }
    let shown = shown(&prompt);
    assert!(shown.contains(text), "the input is kept");
    let said = shown.lines().find(|line| line.contains('✘'));
    Err(said.unwrap_or_default().to_owned())
}

/// Each number gives its value or its error, and the input stays as it was typed.
#[test]
fn numbers_are_read_or_refused() {
    assert_eq!(number("en", "10"), Ok(json!(10)));
    assert_eq!(number("en", "3.5"), Ok(json!(3.5)));
    assert_eq!(number("de", "3,5"), Ok(json!(3.5)));
    assert_eq!(number("en", "1e3"), Ok(json!(1000)));
    assert!(number("en", "0").is_err_and(|said| said.contains("must be from 1 to ")));
    assert!(number("en", "1-").is_err_and(|said| said.contains("must be a number")));
}

/// A number field takes no letters, and says so when one is typed.
#[test]
fn number_field_takes_no_letters() {
    let mut field = prompt(&typed("number", &json!({})));
    write(&mut field, "1x");
    let refused = shown(&field);
    assert!(refused.contains("› 1█"), "{refused}");
    assert!(refused.contains("Numbers only"), "{refused}");
    write(&mut field, "2");
    assert!(!shown(&field).contains("Only numbers"));
    field.handle(&InputEvent::Paste("5%".to_owned()), Duration::ZERO);
    assert!(shown(&field).contains("› 125█"), "{}", shown(&field));
    assert!(shown(&field).contains("Numbers only"));
    assert_eq!(
        sent(&press(&mut field, "enter")),
        json!({"q1": {"number": 125}})
    );
}

#[test]
fn number_is_stepped_within_its_bounds() {
    let rules = json!({"validation": {"min": 1, "max": 15}});
    let mut prompt = prompt(&typed("number", &rules));
    press(&mut prompt, "up up up pgup pgup down");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"number": 14}})
    );
}

fn day(text: &str) -> Result<Value, String> {
    let mut prompt = prompt(&typed("date", &json!({})));
    write(&mut prompt, text);
    if let Reaction::End(End::Answered(answers)) = press(&mut prompt, "enter") {
        return Ok(answers.to_json()["q1"]["date"].clone());
    }
    Err(shown(&prompt))
}

/// Days as people type them; a day that is none is refused.
#[test]
fn days_are_read_or_refused() {
    for text in ["27 3 2027", "27 mar 2027", "tomorrow", "2027-03-27"] {
        assert_eq!(day(text), Ok(json!("2027-03-27")), "{text}");
    }
    let refused = day("2027-02-29").expect_err("there is no such day");
    assert!(
        refused.contains("✘ 29 February 2027 does not exist"),
        "{refused}"
    );
    assert!(
        refused.contains("› 2027-02-29█"),
        "the input is kept: {refused}"
    );
}

/// A range that ends before it begins is refused when it is sent, not before.
#[test]
fn range_is_checked_when_it_is_sent() {
    let mut prompt = prompt(&typed("date_range", &json!({})));
    write(&mut prompt, "2027-03-10");
    press(&mut prompt, "enter");
    write(&mut prompt, "2027-03-01");
    assert!(!shown(&prompt).contains('✘'));
    press(&mut prompt, "enter");
    assert!(
        shown(&prompt).contains("✘ The answer must not end before it begins"),
        "{}",
        shown(&prompt)
    );
}

/// Dates as people say them. The date that will be sent is beside what was typed, or below it.
#[test]
fn spoken_date_is_echoed_before_it_is_sent() {
    let mut prompt = prompt(&typed("date", &json!({})));
    write(&mut prompt, "next friday");
    let wide = shown(&prompt);
    assert!(wide.contains("next friday█  Friday 2 April 2027"), "{wide}");
    for (columns, rows) in [(40, 24), (30, 12)] {
        super::fixtures::resize(&mut prompt, columns, rows);
        let small = shown(&prompt);
        assert!(small.contains("Friday 2 April 2027"), "{small}");
    }
    let answers = sent(&press(&mut prompt, "enter"));
    assert_eq!(answers, json!({"q1": {"date": "2027-04-02"}}));
}

/// Typing in the calendar keeps the picked day until another one is typed: esc, or erasing what
/// was typed, brings it back.
#[test]
fn picked_day_comes_back() {
    for keys in ["n backspace", "n e x esc"] {
        let mut prompt = prompt(&typed("date", &json!({})));
        press(&mut prompt, "down down");
        assert!(shown(&prompt).contains("2027-04-02"), "{}", shown(&prompt));
        press(&mut prompt, "n");
        assert!(!shown(&prompt).contains("2027-04-02"), "{}", shown(&prompt));
        press(&mut prompt, "backspace");
        press(&mut prompt, keys);
        assert!(shown(&prompt).contains("2027-04-02█"), "{}", shown(&prompt));
        let answers = sent(&press(&mut prompt, "enter"));
        assert_eq!(answers, json!({"q1": {"date": "2027-04-02"}}), "{keys}");
    }
}

/// Today is marked in the calendar, unless it is the picked day.
#[test]
fn today_is_marked() {
    let mut prompt = prompt(&typed("date", &json!({})));
    assert!(shown(&prompt).contains("25*26 27"), "{}", shown(&prompt));
    write(&mut prompt, "today");
    assert!(shown(&prompt).contains("25[26]27"), "{}", shown(&prompt));
}

/// Just typing begins an own answer: a letter that is no key does so everywhere in the list, and every
/// letter on the row for it. A closed guard ignores both, and a list without own answers takes none.
#[test]
fn typing_begins_an_own_answer() {
    let mut list = prompt(&database());
    press(&mut list, "B u n");
    let shown_list = shown(&list);
    assert!(shown_list.contains("Bun█"), "{shown_list}");
    let mut row = prompt(&database());
    press(&mut row, "end d u c k d b");
    assert_eq!(
        sent(&press(&mut row, "enter")),
        json!({"q1": {"own": "duckdb"}})
    );
    let mut moved = prompt(&database());
    press(&mut moved, "end k");
    assert_eq!(moved.draft().entries[0].focus, 2, "navigation stays");
    let mut fixed = prompt(&typed("confirm", &json!({})));
    assert_eq!(press(&mut fixed, "x"), Reaction::Nothing);
}

/// With nothing selected, enter selects the focused row, and the footer says so.
#[test]
fn footer_says_that_enter_selects_first() {
    let mut several = prompt(&features());
    assert!(
        shown(&several).contains("enter select"),
        "{}",
        shown(&several)
    );
    press(&mut several, "enter");
    assert!(
        shown(&several).contains("enter send"),
        "{}",
        shown(&several)
    );
}

/// In a form, too, enter selects the focused row until one is selected.
#[test]
fn footer_of_a_form_says_what_enter_does() {
    let mut form = prompt(&three());
    assert!(shown(&form).contains("enter select"), "{}", shown(&form));
    press(&mut form, "space");
    assert!(shown(&form).contains("enter next"), "{}", shown(&form));
}

/// In a list of ten rows or more, digits move the focus, and the help says so.
#[test]
fn help_says_that_digits_move_in_a_long_list() {
    let mut long = prompt(&super::fixtures::languages());
    press(&mut long, "7");
    assert_eq!(long.draft().entries[0].focus, 6);
    press(&mut long, "?");
    super::fixtures::resize(&mut long, 80, 60);
    let help = shown(&long);
    let digits = help.lines().find(|line| line.contains("1-9"));
    assert!(
        digits.is_some_and(|line| line.contains("move to the row")),
        "{help}"
    );
    assert!(
        help.contains("choose and continue"),
        "enter chooses: {help}"
    );
}

/// The example of a date is one that would be taken.
#[test]
fn date_example_is_allowed() {
    let rules = |min: &str, max: &str| json!({"validation": {"min": min, "max": max}});
    for (min, max, example) in [
        ("2027-01-01", "2027-12-31", "2027-03-26, tomorrow"),
        ("2027-01-01", "2027-03-26", "2027-03-26"),
        ("2028-06-01", "2028-06-30", "2028-06-01"),
        ("2020-06-01", "2020-06-30", "2020-06-30"),
    ] {
        let field = prompt(&typed("date", &rules(min, max)));
        let frame = shown(&field);
        let row = frame.lines().find(|line| line.contains('›'));
        let text = row.map(|row| row.replace('█', ""));
        assert!(
            text.is_some_and(|text| text.ends_with(&format!("({example})"))),
            "{frame}"
        );
    }
}

#[test]
fn calendar_is_walked_and_typing_begins_anew() {
    let mut prompt = prompt(&typed("date", &json!({})));
    press(&mut prompt, "right right down [ } t left");
    assert!(shown(&prompt).contains("2027-03-25"), "{}", shown(&prompt));
    write(&mut prompt, "1 apr 2027");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"date": "2027-04-01"}})
    );
}

#[test]
fn editor_gets_and_gives_the_text() {
    let mut prompt = prompt(&database());
    assert_eq!(
        press(&mut prompt, "o a ctrl+g"),
        Reaction::Screen(ScreenRequest::OpenEditor("a".to_owned()))
    );
    prompt.edited("from the editor\n");
    assert_eq!(
        sent(&press(&mut prompt, "enter")),
        json!({"q1": {"own": "from the editor"}})
    );
}

/// A placeholder does not look like an answer, and enter says what it does to an empty field.
#[test]
fn empty_field_is_not_skipped_by_enter() {
    let rest = json!({"placeholder": "billing-api", "allow_skip": true});
    let mut prompt = prompt(&typed("text", &rest));
    let empty = shown(&prompt);
    assert!(
        empty.contains("(billing-api)") && empty.contains("alt+s skip"),
        "{empty}"
    );
    assert_eq!(press(&mut prompt, "enter enter"), Reaction::Redraw);
    let refused = shown(&prompt);
    assert!(
        refused.contains("Type an answer, or press alt+s to skip"),
        "{refused}"
    );
    write(&mut prompt, "x");
    let filled = shown(&prompt);
    assert!(
        !filled.contains("billing") && filled.contains("enter send"),
        "{filled}"
    );
    press(&mut prompt, "backspace");
    let answers = sent(&press(&mut prompt, "alt+s"));
    assert_eq!(answers, json!({"q1": {"skipped": true}}));
}
