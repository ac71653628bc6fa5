//! What `--text` and `--choose` say is what the same text says on every surface.

use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_locale::Locale;
use askback_wire::question::QuestionResponse;
use serde_json::{Value, json};

use super::{from_flags, read_typed};
use crate::args::given_answers::{GivenAnswer, GivenAnswers};

fn ask(input: &Value) -> Inquiry {
    let parsed = Dialect::AskUser.parse(input, ParseOptions::default());
    parsed.expect("the question is valid").inquiry
}

/// What is sent for a flag.
fn answers(inquiry: &Inquiry, given: GivenAnswer) -> Value {
    let locale = Locale::choose(&["en"]);
    let questions: Vec<QuestionResponse> = inquiry.questions().iter().map(Into::into).collect();
    let given = GivenAnswers(vec![given]);
    let answers = from_flags(&given, &questions, locale).expect("one flag answers one question");
    read_typed(answers, &questions, locale).expect("the server decides")
}

#[test]
fn flags_name_choices_as_on_every_surface() {
    let table = include_str!("../../../askback-core/src/answer/typed_choices.json");
    let groups: Vec<Value> = serde_json::from_str(table).expect("the table is JSON");
    for group in groups {
        let inquiry = ask(&group["input"]);
        for case in group["cases"].as_array().expect("cases") {
            let text = case["text"].as_str().expect("a text").to_owned();
            let expected = json!({"q1": {"values": case["values"], "own": case["own"]}});
            let expected = Answers::from_json(&inquiry, &expected, None).ok();
            let expected = expected.filter(|_| case["refused"].is_null());
            let sent = answers(&inquiry, GivenAnswer::Text(text.clone()));
            let sent = Answers::from_json(&inquiry, &sent, None).ok();
            assert_eq!(sent, expected, "--text {case}");
            // One flag is one choice, and never own text.
            let is_one = case["values"].as_array().is_some_and(|all| all.len() == 1);
            let expected = expected.filter(|_| is_one && case["own"].is_null());
            let sent = answers(&inquiry, GivenAnswer::Choice(text));
            let sent = Answers::from_json(&inquiry, &sent, None).ok();
            assert_eq!(sent, expected, "--choose {case}");
        }
    }
}

#[test]
fn text_is_a_range_of_days() {
    let range = ask(&json!({"question": "When?", "input_type": "date_range"}));
    let text = GivenAnswer::Text("27 mar 2027 to 3 apr 2027".to_owned());
    let expected = json!({"q1": {"start": "2027-03-27", "end": "2027-04-03"}});
    assert_eq!(answers(&range, text), expected);
}
