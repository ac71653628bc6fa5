//! Every generated input is refused with words or becomes an inquiry that keeps its contract, and
//! every outcome of it can be told to the model. `cargo xtask fuzz-inputs` runs millions of them.

use askback_core::dialect::{Dialect, ParseOptions};
use askback_testkit::{Case, CaseCounts, short_or_full};
use serde_json::{Value, json};

/// No rule breaks in the first cases of a fixed seed; and the cases reach what they are for: inputs
/// are accepted, repaired and refused, outcomes rendered and refused, each often.
fn check(dialect: Dialect) {
    let cases = match dialect {
        // Each has up to twenty questions.
        Dialect::Questions => short_or_full(250, 5_000),
        Dialect::AskUserQuestion
        | Dialect::AskUserQuestionClaude
        | Dialect::Question
        | Dialect::AskUser => short_or_full(1_000, 5_000),
    };
    let mut counts = CaseCounts::default();
    for index in 0..cases {
        let case = Case {
            dialect,
            seed: 42,
            index,
        };
        match case.run() {
            Ok(one) => counts += one,
            Err(failure) => panic!("{failure}"),
        }
    }
    let at_least = |count: u64, percent: u64| count * 100 >= cases * percent;
    // Of twenty questions one is soon answered wrongly, and nothing is repaired for programs.
    let (repaired, answered) = match dialect {
        Dialect::Questions => (0, 15),
        Dialect::AskUserQuestion
        | Dialect::AskUserQuestionClaude
        | Dialect::Question
        | Dialect::AskUser => (15, 25),
    };
    let reached = at_least(counts.accepted, 40)
        && at_least(counts.repaired, repaired)
        && at_least(counts.refused, 20)
        && at_least(counts.answered, answered)
        && at_least(counts.misfits, 3);
    assert!(reached, "{counts:?}");
}

/// Generated inputs of `ask_user_question` keep every rule.
#[test]
fn ask_user_question_keeps_every_rule() {
    check(Dialect::AskUserQuestion);
}

/// Generated inputs of `AskUserQuestion` keep every rule.
#[test]
fn claude_keeps_every_rule() {
    check(Dialect::AskUserQuestionClaude);
}

/// Generated inputs of `question` keep every rule.
#[test]
fn question_keeps_every_rule() {
    check(Dialect::Question);
}

/// Generated inputs of `ask_user` keep every rule.
#[test]
fn ask_user_keeps_every_rule() {
    check(Dialect::AskUser);
}

/// Generated inputs of the neutral contract keep every rule.
#[test]
fn questions_keep_every_rule() {
    check(Dialect::Questions);
}

/// A list far beyond its limit is refused unread: reading and comparing a hundred thousand choices
/// would hold the server for minutes, and nobody could repair a call from so many problems.
#[test]
fn crowded_lists_are_refused_unread() {
    let labels: Vec<Value> = (0..100_000)
        .map(|index| json!(format!("c{index}")))
        .collect();
    let wrong: Vec<Value> = (0..100_000).map(Value::from).collect();
    for dialect in Dialect::TOOLS {
        let inputs = [
            json!({ "question": "Which?", "options": labels }),
            json!({ "questions": wrong }),
            json!({ "questions": [{ "question": "Which?", "options": labels }] }),
        ];
        for input in inputs {
            let error = dialect
                .parse(&input, ParseOptions::default())
                .expect_err("it is far too long");
            assert!(error.problems().len() <= 8, "{}", error.problems().len());
        }
    }
}
