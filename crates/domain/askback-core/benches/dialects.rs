//! How long a typical tool call takes to be read and its answer to be written, and what it
//! allocates. Targets, with optimisation: reading at most 20 µs, writing at most 10 µs.
#![expect(
    clippy::expect_used,
    reason = "a bench whose fixture does not fit must stop"
)]

use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use divan::{AllocProfiler, Bencher, black_box};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// The names by which a run shows the dialects.
const DIALECTS: [&str; 4] = [
    "ask_user_question",
    "AskUserQuestion",
    "question",
    "ask_user",
];

fn dialect(name: &str) -> Dialect {
    Dialect::from_name(name).expect("the dialect exists")
}

/// From a JSON value to a checked inquiry.
#[divan::bench(args = DIALECTS)]
fn parse(bencher: Bencher, name: &str) {
    let dialect = dialect(name);
    let input = typical_input(dialect);
    bencher.bench_local(|| dialect.parse(black_box(&input), ParseOptions::default()));
}

/// From JSON text, as a provider delivers it, to a checked inquiry.
#[divan::bench(args = DIALECTS)]
fn parse_text(bencher: Bencher, name: &str) {
    let dialect = dialect(name);
    let text = typical_input(dialect).to_string();
    bencher.bench_local(|| dialect.parse_text(black_box(&text), ParseOptions::default()));
}

/// From a JSON answer to checked answers.
#[divan::bench(args = DIALECTS)]
fn check_answers(bencher: Bencher, name: &str) {
    let (inquiry, answers) = typical_answer(dialect(name));
    bencher.bench_local(|| Outcome::from_json(black_box(&inquiry), black_box(&answers)));
}

/// From checked answers to the tool result.
#[divan::bench(args = DIALECTS)]
fn render(bencher: Bencher, name: &str) {
    let (inquiry, answers) = typical_answer(dialect(name));
    let outcome = Outcome::from_json(&inquiry, &answers).expect("the answers fit");
    bencher.bench_local(|| Dialect::render(black_box(&inquiry), black_box(&outcome)));
}

/// Four questions with four described choices each, or the dialect's one question.
fn typical_input(dialect: Dialect) -> Value {
    match dialect {
        Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude => {
            let questions: Vec<Value> = (1..=4)
                .map(|number| {
                    json!({
                        "question": format!("Question {number}: which way should it go from here?"),
                        "header": format!("Way {number}"),
                        "options": choices(4),
                        "multiSelect": number % 2 == 0,
                    })
                })
                .collect();
            json!({ "questions": questions })
        }
        Dialect::Questions => json!({ "questions": [
            { "text": "Which way should it go from here?", "choices": choices(6), "several": true },
            { "text": "How many?", "kind": "number", "min": 1, "max": 9, "integer": true, "optional": true },
        ]}),
        Dialect::Question => json!({
            "header": "Next step",
            "question": "The tests pass. What should happen next?",
            "options": choices(5),
            "multiple": true,
        }),
        Dialect::AskUser => json!({
            "question": "Which parts of the report do you need?",
            "input_type": "multi_select",
            "options": choices(6),
            "allow_other": true,
            "allow_skip": true,
            "context": "The full report has forty pages.",
        }),
    }
}

fn choices(count: usize) -> Value {
    (1..=count)
        .map(|number| {
            json!({
                "label": format!("Choice {number}"),
                "description": "What taking this choice means, in a sentence of usual length.",
            })
        })
        .collect()
}

/// The typical inquiry with an answer to each of its questions.
fn typical_answer(dialect: Dialect) -> (Inquiry, Value) {
    let parsed = dialect
        .parse(&typical_input(dialect), ParseOptions::default())
        .expect("the input fits");
    let answers: Value = match dialect {
        Dialect::AskUserQuestion | Dialect::AskUserQuestionClaude => json!({
            "q1": "Choice 2",
            "q2": ["Choice 1", "Choice 3"],
            "q3": "Something that nobody thought of.",
            "q4": { "values": ["Choice 4"], "own": "And a remark.", "note": "Only for now." },
        }),
        Dialect::Question | Dialect::AskUser | Dialect::Questions => {
            json!({ "q1": ["Choice 1", "Choice 3"] })
        }
    };
    let outcome = json!({ "type": "answered", "answers": answers });
    (parsed.inquiry, outcome)
}
