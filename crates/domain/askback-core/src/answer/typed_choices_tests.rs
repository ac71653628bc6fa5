//! What depends on where choices are shown, and what would be too much to read. The table that every surface replays has the rest.

use serde_json::{Value, json};

use super::*;
use crate::dialect::{Dialect, ParseOptions};
use crate::inquiry::Inquiry;
use crate::question::Kind;

fn inquiry(input: &Value) -> Inquiry {
    let parsed = Dialect::AskUser.parse(input, ParseOptions::default());
    parsed.expect("the question is valid").inquiry
}

fn choices(inquiry: &Inquiry) -> &ChoiceKind {
    let Kind::Choice(kind) = &inquiry.questions()[0].kind else {
        panic!("it has choices");
    };
    kind
}

fn asked(labels: &[&str]) -> Inquiry {
    inquiry(&json!({
        "question": "Which?", "input_type": "multi_select", "allow_other": true, "options": labels,
    }))
}

#[test]
fn mark_of_the_language_is_understood_beside_the_english_one() {
    let inquiry = inquiry(&json!({
        "question": "Which?", "input_type": "single_select", "allow_other": true,
        "options": ["Ja (Recommended)", "Nein"],
    }));
    let shown = ShownChoices::of(choices(&inquiry)).marked("(Empfohlen)");
    for text in ["1. Ja, empfohlen.", "Ja (Empfohlen)", "Ja (Recommended)"] {
        assert_eq!(shown.read(text).expect(text).rows, [0], "{text}");
    }
    let other = shown.read("Nein (Empfohlen)").expect("own text");
    assert_eq!(other.own.as_deref(), Some("Nein (Empfohlen)"));
}

#[test]
fn row_of_own_text_has_a_number_only_where_it_is_shown() {
    let inquiry = asked(&["Red", "Blue"]);
    let shown = ShownChoices::of(choices(&inquiry));
    assert!(shown.read("3").is_err());
    let shown = shown.with_own_row();
    assert_eq!(shown.read("3").expect("a row").rows, [2]);
    assert_eq!(shown.read("1, 3").expect("two rows").rows, [0, 2]);
    assert!(shown.read("4").is_err());
}

/// The message names the lines that can be typed instead.
#[test]
fn ambiguous_text_is_refused_with_the_lines_that_are_clear() {
    let inquiry = asked(&["2 hours", "4 hours", "Never", "never"]);
    let shown = ShownChoices::of(choices(&inquiry));
    for (text, lines) in [
        ("2", ["1. 2 hours", "2. 4 hours"]),
        ("1. 4 hours", ["1. 2 hours", "2. 4 hours"]),
        ("NEVER", ["3. Never", "4. never"]),
        ("2 hours, NEVER", ["3. Never", "4. never"]),
    ] {
        let lines = lines.map(str::to_owned).to_vec();
        let refused = Err(AnswerProblem::AmbiguousChoice { lines });
        assert_eq!(shown.read(text), refused, "{text}");
    }
}

/// The field is for own text: a number in it is no choice, neither by what is shown nor by a value.
#[test]
fn hidden_number_in_a_field_for_own_text_is_own_text() {
    let inquiry = inquiry(&json!({
        "question": "Which?", "input_type": "single_select", "allow_other": true,
        "options": [{"label": "Red", "value": "1"}, {"label": "Blue", "value": "RED"}],
    }));
    let shown = ShownChoices::of(choices(&inquiry));
    assert_eq!(shown.named_row("1"), None);
    assert_eq!(shown.named_row("RED"), Some(0));
}

#[test]
fn name_in_a_field_for_own_text_is_no_number() {
    let inquiry = asked(&["Red", "Blue"]);
    let shown = ShownChoices::of(choices(&inquiry));
    assert_eq!(shown.named_row(" blue."), Some(1));
    assert_eq!(shown.named_row("2"), None);
    assert_eq!(shown.named_row("2. Blue"), None);
}

#[test]
fn invisible_text_is_empty_and_long_text_is_own_text_at_once() {
    let inquiry = asked(&["Red", "Blue"]);
    let shown = ShownChoices::of(choices(&inquiry));
    for text in ["", " \n", "\u{200b}"] {
        assert_eq!(shown.read(text), Err(AnswerProblem::Empty), "{text:?}");
        assert_eq!(shown.read_part(text), Err(AnswerProblem::Empty), "{text:?}");
    }
    let long = "a,".repeat(100_000);
    assert_eq!(shown.read(&long).expect("own text").own, Some(long));
}
