//! Every kind of question with answers that fit and answers that do not, and the exact sentence
//! that a person reads about each misfit.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a table reads better without a borrow in every line"
)]

use serde_json::{Value, json};

use super::*;
use crate::dialect::{Dialect, ParseOptions};

#[path = "check_tests/choice_tests.rs"]
mod choice_tests;
#[path = "check_tests/shape_tests.rs"]
mod shape_tests;
#[path = "check_tests/typed_tests.rs"]
mod typed_tests;
#[path = "check_tests/whole_tests.rs"]
mod whole_tests;

fn parse(dialect: Dialect, input: &Value) -> Inquiry {
    let parsed = dialect.parse(input, ParseOptions::default());
    parsed.expect("the question is valid").inquiry
}

/// An `ask_user` question with these fields.
fn ask(fields: Value) -> Inquiry {
    let mut input = json!({ "question": "What is it?" });
    let (Value::Object(all), Value::Object(more)) = (&mut input, fields) else {
        unreachable!("both are written as objects here");
    };
    all.extend(more);
    parse(Dialect::AskUser, &input)
}

fn ask_text(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "text", "validation": validation }))
}

fn ask_number(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "number", "validation": validation }))
}

fn ask_date(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "date", "validation": validation }))
}

fn ask_range(validation: Value) -> Inquiry {
    ask(json!({ "input_type": "date_range", "validation": validation }))
}

/// One question with own text: Red, Green and Blue, with values r, g and b.
fn ask_color(several: bool, own_text: bool) -> Inquiry {
    ask(json!({
        "input_type": if several { "multi_select" } else { "single_select" },
        "allow_other": own_text,
        "options": [
            { "label": "Red", "value": "r" },
            { "label": "Green", "value": "g" },
            { "label": "Blue", "value": "b" },
        ],
    }))
}

/// Two questions of the list dialect, with headers.
fn ask_two() -> Inquiry {
    parse(
        Dialect::AskUserQuestionClaude,
        &json!({ "questions": [
            {
                "question": "Which database?",
                "header": "Database",
                "multiSelect": false,
                "options": [
                    { "label": "PostgreSQL (Recommended)", "description": "Relational" },
                    { "label": "SQLite", "description": "Embedded" },
                ],
            },
            {
                "question": "Which features?",
                "header": "Features",
                "multiSelect": true,
                "options": [
                    { "label": "Auth", "description": "Accounts" },
                    { "label": "Search", "description": "Index" },
                    { "label": "None of these", "description": "Bare" },
                ],
            },
        ]}),
    )
}

fn clean(raw: &str) -> Text {
    Text::clean(raw, Lines::Many).expect("the text is readable")
}

fn chosen(values: &[&str], own: Option<&str>) -> AnswerValue {
    AnswerValue::Chosen {
        values: values.iter().map(|value| clean(value)).collect(),
        own: own.map(clean),
    }
}

fn text(raw: &str) -> AnswerValue {
    AnswerValue::Text { text: clean(raw) }
}

fn whole(number: i64) -> AnswerValue {
    AnswerValue::Number {
        number: Number::Whole(number),
    }
}

fn real(number: f64) -> AnswerValue {
    AnswerValue::Number {
        number: Number::Real(number),
    }
}

fn day(iso: &str) -> Date {
    iso.parse().expect("a day of the calendar")
}

fn date(iso: &str) -> AnswerValue {
    AnswerValue::Date { date: day(iso) }
}

fn range(start: &str, end: &str) -> AnswerValue {
    AnswerValue::DateRange {
        start: day(start),
        end: day(end),
    }
}

type Verdict = Result<Vec<AnswerValue>, Vec<String>>;

fn verdict(inquiry: &Inquiry, answers: &Value, notes: Option<&Value>) -> Verdict {
    match Answers::from_json(inquiry, answers, notes) {
        Ok(answers) => Ok(answers.iter().map(|answer| answer.given.clone()).collect()),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

/// Checks the answer to the only question of an inquiry.
fn check(inquiry: &Inquiry, answer: Value, expect: Result<AnswerValue, &str>) {
    let answers = json!({ "q1": answer });
    let expect = match expect {
        Ok(given) => Ok(vec![given]),
        Err(sentence) => Err(vec![sentence.to_owned()]),
    };
    assert_eq!(verdict(inquiry, &answers, None), expect, "{answers}");
}

fn check_all(inquiry: &Inquiry, answers: Value, expect: Result<&[AnswerValue], &[&str]>) {
    let expect = expect
        .map(<[AnswerValue]>::to_vec)
        .map_err(|sentences| sentences.iter().map(ToString::to_string).collect());
    assert_eq!(verdict(inquiry, &answers, None), expect, "{answers}");
}

const NO_SUCH_COLOR: &str = "The answer must be one of the choices: Red, Green, Blue.";
const NOT_CHOSEN: &str = "The answer must be chosen: use `values`, and `own` for own text.";
const NOTHING: &str = "No question was answered: answer at least one, or let the agent decide.";
const EMPTY: &str = "The answer is empty; give an answer.";
