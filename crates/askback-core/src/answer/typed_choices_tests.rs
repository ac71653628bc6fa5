//! The table of `typed_choices.json`, which every surface replays, and what would be too much for it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::answer::Answers;
use crate::dialect::{Dialect, ParseOptions};
use crate::inquiry::Inquiry;
use crate::question::Kind;

#[derive(Deserialize)]
struct Group {
    name: String,
    input: Value,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    text: String,
    #[serde(default)]
    values: Vec<String>,
    own: Option<String>,
    refused: Option<String>,
}

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

fn code(problem: &AnswerProblem) -> Value {
    serde_json::to_value(problem).expect("it is JSON")["code"].clone()
}

#[test]
fn typed_texts_name_choices_as_the_table_says() {
    let groups: Vec<Group> =
        serde_json::from_str(include_str!("typed_choices.json")).expect("the table is JSON");
    for group in groups {
        let inquiry = inquiry(&group.input);
        let kind = choices(&inquiry);
        for case in group.cases {
            let what = format!("{}: {:?}", group.name, case.text);
            let read = ShownChoices::of(kind).read(&case.text);
            let sent = Answers::from_json(&inquiry, &json!({ "q1": case.text }), None);
            let Some(refused) = case.refused else {
                let read = read.expect(&what).to_raw(kind);
                assert_eq!(read.values.unwrap_or_default(), case.values, "{what}");
                assert_eq!(read.own, case.own, "{what}");
                let full = json!({ "q1": { "values": case.values, "own": case.own } });
                assert_eq!(sent, Answers::from_json(&inquiry, &full, None), "{what}");
                continue;
            };
            assert_eq!(code(&read.expect_err(&what)), refused, "{what}");
            let problems = sent.expect_err(&what);
            assert_eq!(code(&problems[0].problem), refused, "{what}");
        }
    }
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
