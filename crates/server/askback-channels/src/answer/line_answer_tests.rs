use askback_core::dialect::Dialect;
use askback_wire::question::QuestionResponse;
use serde_json::{Value, json};

use super::{LineAnswer, read_line};
use crate::contract::incoming::FieldInput;
use crate::fixtures::parse;

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

fn text(question: usize, text: &str) -> FieldInput {
    FieldInput {
        question,
        text: Some(text.to_owned()),
        ..FieldInput::default()
    }
}

fn left_open(question: usize) -> FieldInput {
    FieldInput {
        question,
        is_left_open: true,
        ..FieldInput::default()
    }
}

#[test]
fn a_line_is_the_answer_to_a_single_question() {
    let questions = ask(&[choice(false)]);
    for line in [" 2 ", "staging", "1,2", "3: 1"] {
        let expected = LineAnswer::Fields(vec![text(0, line.trim())]);
        assert_eq!(read_line(&questions, line), expected, "{line:?}");
    }
    assert_eq!(read_line(&questions, "-"), LineAnswer::Decline);
    assert_eq!(read_line(&questions, "  "), LineAnswer::Nothing);
    assert_eq!(read_line(&[], "2"), LineAnswer::Nothing);
}

#[test]
fn several_questions_are_answered_by_their_numbers() {
    let mut second = choice(true);
    second["question"] = json!("When?");
    let questions = ask(&[choice(false), second]);
    let cases = [
        ("1: 2; 2: 1,3", vec![text(0, "2"), text(1, "1,3")]),
        ("2: 3", vec![text(1, "3")]),
        (
            "1: first; then more; 2: 1",
            vec![text(0, "first; then more"), text(1, "1")],
        ),
        ("3: 1", vec![text(0, "3: 1")]),
        ("1: 2; 2: -", vec![text(0, "2"), left_open(1)]),
    ];
    for (line, expected) in cases {
        assert_eq!(
            read_line(&questions, line),
            LineAnswer::Fields(expected),
            "{line:?}"
        );
    }
}
