use askback_core::dialect::Dialect;
use askback_wire::question::QuestionResponse;
use serde_json::{Value, json};

use super::{LineAnswer, read_line};
use crate::fixtures::parse;
use crate::incoming::FieldInput;

fn shown(dialect: Dialect, input: &Value) -> Vec<QuestionResponse> {
    let inquiry = parse(dialect, input);
    inquiry
        .questions()
        .iter()
        .map(QuestionResponse::from)
        .collect()
}

fn choice(several: bool) -> Value {
    json!({
        "question": "Where?", "header": "Where", "multiSelect": several,
        "options": [
            { "label": "16", "description": "…" },
            { "label": "staging", "description": "…" },
            { "label": "a, b", "description": "…" },
        ],
    })
}

fn ask(questions: &[Value]) -> Vec<QuestionResponse> {
    shown(Dialect::AskUserQuestion, &json!({ "questions": questions }))
}

fn taken(question: usize, choices: &[usize]) -> FieldInput {
    FieldInput {
        question,
        choices: choices.to_vec(),
        ..FieldInput::default()
    }
}

fn text(question: usize, text: &str) -> FieldInput {
    FieldInput {
        question,
        text: Some(text.to_owned()),
        ..FieldInput::default()
    }
}

#[test]
fn one_choice_is_taken_by_number_or_label_and_all_else_is_own_text() {
    let questions = ask(&[choice(false)]);
    let cases = [
        (" 2 ", taken(0, &[1])),
        ("staging", taken(0, &[1])),
        ("16", taken(0, &[0])),
        ("a, b", taken(0, &[2])),
        ("4", text(0, "4")),
        ("1,2", text(0, "1,2")),
        ("on my laptop", text(0, "on my laptop")),
    ];
    for (line, expected) in cases {
        let read = read_line(&questions, line);
        assert_eq!(read, LineAnswer::Fields(vec![expected]), "{line:?}");
    }
    assert_eq!(read_line(&questions, "-"), LineAnswer::Decline);
    assert_eq!(read_line(&questions, "  "), LineAnswer::Nothing);
    assert_eq!(read_line(&[], "2"), LineAnswer::Nothing);
}

#[test]
fn several_choices_are_taken_once_each() {
    let questions = ask(&[choice(true)]);
    let cases = [
        ("1,3", taken(0, &[0, 2])),
        ("3 1 3", taken(0, &[2, 0])),
        ("staging,16", taken(0, &[1, 0])),
        ("1, nothing else", text(0, "1, nothing else")),
    ];
    for (line, expected) in cases {
        let read = read_line(&questions, line);
        assert_eq!(read, LineAnswer::Fields(vec![expected]), "{line:?}");
    }
}

#[test]
fn several_questions_are_answered_by_their_numbers() {
    let mut second = choice(true);
    second["question"] = json!("When?");
    let questions = ask(&[choice(false), second]);
    let cases = [
        ("1: 2; 2: 1,3", vec![taken(0, &[1]), taken(1, &[0, 2])]),
        ("2: 3", vec![taken(1, &[2])]),
        (
            "1: first; then more; 2: 1",
            vec![text(0, "first; then more"), taken(1, &[0])],
        ),
        ("3: 1", vec![text(0, "3: 1")]),
    ];
    for (line, expected) in cases {
        assert_eq!(
            read_line(&questions, line),
            LineAnswer::Fields(expected),
            "{line:?}"
        );
    }
}

#[test]
fn a_range_has_two_ends() {
    let mut questions = ask(&[choice(false)]);
    questions[0].kind =
        askback_wire::question::QuestionKind::DateRange(askback_wire::question::DateKind {
            min: None,
            max: None,
            message: None,
        });
    for line in ["2027-03-01..2027-03-05", "2027-03-01 / 2027-03-05"] {
        let expected = FieldInput {
            end: Some("2027-03-05".to_owned()),
            ..text(0, "2027-03-01")
        };
        assert_eq!(
            read_line(&questions, line),
            LineAnswer::Fields(vec![expected])
        );
    }
}
