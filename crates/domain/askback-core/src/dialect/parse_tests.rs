//! Tool inputs of every dialect at their limits, in the wrong shapes that models send, and beyond
//! repair: what is understood, what is refused, and what the model is told about it.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a table reads better without a borrow in every line"
)]

use serde_json::{Value, json};

use super::*;
use crate::question::{Choice, ChoiceKind, Kind, Question};

#[path = "parse_tests/duplicates_tests.rs"]
mod duplicates_tests;
#[path = "parse_tests/fields_tests.rs"]
mod fields_tests;
#[path = "parse_tests/kinds_tests.rs"]
mod kinds_tests;
#[path = "parse_tests/limits_tests.rs"]
mod limits_tests;
#[path = "parse_tests/questions_tests.rs"]
mod questions_tests;
#[path = "parse_tests/recognition_tests.rs"]
mod recognition_tests;
#[path = "parse_tests/refusal_words_tests.rs"]
mod refusal_words_tests;
#[path = "parse_tests/repairs_tests.rs"]
mod repairs_tests;

const LISTS: [Dialect; 2] = [Dialect::AskUserQuestion, Dialect::AskUserQuestionClaude];
const SINGLES: [Dialect; 2] = [Dialect::Question, Dialect::AskUser];

fn parse(dialect: Dialect, input: &Value) -> Parsed {
    match dialect.parse(input, ParseOptions::default()) {
        Ok(parsed) => parsed,
        Err(error) => panic!("{input} was refused: {error}"),
    }
}

fn inquiry(dialect: Dialect, input: &Value) -> Inquiry {
    parse(dialect, input).inquiry
}

fn refusal(dialect: Dialect, input: &Value) -> ParseError {
    match dialect.parse(input, ParseOptions::default()) {
        Ok(parsed) => panic!("{input} was taken as {parsed:?}"),
        Err(error) => error,
    }
}

/// Expects exactly these problems, and a refusal that says all a model needs for its retry.
fn check_refused(dialect: Dialect, input: &Value, expect: &[(&str, ParseProblemCode)]) {
    let error = refusal(dialect, input);
    let found: Vec<(&str, ParseProblemCode)> = error
        .problems()
        .iter()
        .map(|problem| (problem.path.as_str(), problem.code))
        .collect();
    assert_eq!(found, expect, "{input}");
    let told = error.to_string();
    for problem in error.problems().iter().take(limits::PROBLEMS_MAX) {
        let line = match problem.path.as_str() {
            "" => format!("\n- {}\n", problem.hint),
            path => format!("\n- {path}: {}\n", problem.hint),
        };
        assert!(told.contains(&line), "{told}");
    }
    let (name, contract) = (dialect.name(), dialect.contract().in_one_line());
    assert!(
        told.starts_with(&format!("{name} was not called: ")),
        "{told}"
    );
    assert!(
        told.contains("The user has not seen the question."),
        "{told}"
    );
    assert!(
        told.ends_with(&format!("Call {name} again with: {contract}")),
        "{told}"
    );
}

/// Expects `sent` to be understood as `meant`, which follows the contract to the letter.
fn check_repaired(dialect: Dialect, sent: &Value, meant: &Value) {
    let understood = parse(dialect, sent);
    let plain = parse(dialect, meant);
    assert_eq!(plain.repairs, [], "{meant} follows the contract");
    assert_eq!(understood.inquiry, plain.inquiry, "{sent}");
    assert_ne!(understood.repairs, [], "{sent} was repaired in silence");
}

/// An option with every field that the dialect requires.
fn option(dialect: Dialect, label: &str) -> Value {
    if dialect == Dialect::AskUserQuestionClaude {
        json!({ "label": label, "description": "What it means" })
    } else {
        json!({ "label": label })
    }
}

fn options(dialect: Dialect, labels: &[&str]) -> Value {
    labels.iter().map(|label| option(dialect, label)).collect()
}

/// A question with every field that the dialect requires.
fn question(dialect: Dialect, text: &str, options: Value) -> Value {
    match dialect {
        Dialect::AskUserQuestion | Dialect::Question => {
            json!({ "question": text, "options": options })
        }
        Dialect::AskUserQuestionClaude => json!({
            "question": text, "header": "Header", "multiSelect": false, "options": options,
        }),
        Dialect::AskUser => json!({
            "question": text, "input_type": "single_select", "options": options,
        }),
        Dialect::Questions => json!({ "text": text, "choices": options }),
    }
}

/// A whole input that asks one question.
fn input(dialect: Dialect, question: Value) -> Value {
    if dialect.takes_list() {
        json!({ "questions": [question] })
    } else {
        question
    }
}

fn two_choices(dialect: Dialect) -> Value {
    question(dialect, "Which one?", options(dialect, &["A", "B"]))
}

fn plain(dialect: Dialect) -> Value {
    input(dialect, two_choices(dialect))
}

/// A plain input with something else at this place of its only question.
fn plain_with(dialect: Dialect, pointer: &str, value: Value) -> Value {
    let mut question = two_choices(dialect);
    set(&mut question, pointer, value);
    input(dialect, question)
}

fn set(target: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match target.pointer_mut(parent).expect("the parent exists") {
        Value::Object(map) => {
            map.insert(name.to_owned(), value);
        }
        Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value,
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            panic!("{other} holds nothing")
        }
    }
}

/// Where a place of the only question is reported.
fn path(dialect: Dialect, within: &str) -> String {
    if dialect.takes_list() {
        format!("questions[0].{within}")
    } else {
        within.to_owned()
    }
}

fn only(inquiry: &Inquiry) -> &Question {
    let [question] = inquiry.questions() else {
        panic!("{inquiry:?} has one question");
    };
    question
}

fn choice_kind(inquiry: &Inquiry) -> &ChoiceKind {
    let Kind::Choice(kind) = &only(inquiry).kind else {
        panic!("{inquiry:?} has no choices");
    };
    kind
}

fn labels(inquiry: &Inquiry) -> Vec<&str> {
    let choices = choice_kind(inquiry).choices.iter();
    choices.map(|choice| choice.label.as_str()).collect()
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count)
        .map(|number| format!("Choice {number}"))
        .collect()
}

fn ruled(input_type: &str, validation: Value) -> Value {
    json!({ "question": "q", "input_type": input_type, "validation": validation })
}
