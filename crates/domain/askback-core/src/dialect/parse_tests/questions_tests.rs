//! The neutral contract is read to the letter: ids, kinds and fields that are wrong are refused where they stand, and
//! nothing is guessed.

use serde_json::{Value, json};

use super::{ParseProblemCode, inquiry, refusal};
use crate::dialect::Dialect;
use crate::question::Kind;

fn asked(questions: Value) -> Vec<crate::question::Question> {
    inquiry(Dialect::Questions, &json!({ "questions": questions }))
        .questions()
        .to_vec()
}

/// Expects exactly these problems.
fn check_refused(questions: Value, expect: &[(&str, ParseProblemCode)]) {
    let input = json!({ "questions": questions });
    let error = refusal(Dialect::Questions, &input);
    let problems = error.problems().iter();
    let found: Vec<(&str, ParseProblemCode)> =
        problems.map(|it| (it.path.as_str(), it.code)).collect();
    assert_eq!(found, expect, "{input}\n{error}");
}

#[test]
fn kind_follows_from_the_choices() {
    let questions = asked(json!([
        {"text": "Which?", "choices": ["A", "B"]},
        {"text": "Why?"},
        {"text": "Sure?", "kind": "confirm"},
    ]));
    let ids: Vec<&str> = questions.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["q1", "q2", "q3"]);
    assert!(matches!(&questions[0].kind, Kind::Choice(kind) if !kind.own_text && !kind.confirm));
    assert!(matches!(&questions[1].kind, Kind::Text(_)));
    let labels: Vec<&str> = questions[2]
        .choices()
        .iter()
        .map(|it| it.label.as_str())
        .collect();
    assert_eq!(labels, ["Yes", "No"]);
    assert!(matches!(&questions[2].kind, Kind::Choice(kind) if kind.confirm));
}

/// Two questions must not have one id, neither given nor by position.
#[test]
fn ids_are_the_askers_own_and_unique() {
    let own = asked(json!([{"id": "a.b-C_9", "text": "One?"}, {"text": "Two?"}]));
    assert_eq!(own[0].id.as_str(), "a.b-C_9");
    assert_eq!(own[1].id.as_str(), "q2");
    let longest = "i".repeat(64);
    assert_eq!(
        asked(json!([{"id": longest, "text": "?!"}]))[0].id.as_str(),
        longest
    );
    let duplicate = [("questions[1].id", ParseProblemCode::DuplicateId)];
    for (first, second) in [("a", json!("a")), ("q2", Value::Null)] {
        check_refused(
            json!([{"id": first, "text": "One?"}, {"id": second, "text": "Two?"}]),
            &duplicate,
        );
    }
    check_refused(
        json!([{"text": "One?"}, {"id": "q1", "text": "Two?"}]),
        &duplicate,
    );
    for bad in ["", " ", "a b", "ä", "a/b", "a\u{0}", "<b>"] {
        check_refused(
            json!([{"id": bad, "text": "One?"}]),
            &[("questions[0].id", ParseProblemCode::BadId)],
        );
    }
    check_refused(
        json!([{"id": "i".repeat(65), "text": "One?"}]),
        &[("questions[0].id", ParseProblemCode::TooLong)],
    );
}

/// What models get wrong is not repaired for a program: its author would never learn of it.
#[test]
fn nothing_is_guessed() {
    use ParseProblemCode::{FieldNotTaken, Missing, UnknownField, UnknownWord, WrongType};
    let at = |field| format!("questions[0].{field}");
    for (question, field, code) in [
        (json!({"text": 1}), "text", WrongType),
        (
            json!({"text": "?!", "optional": "true"}),
            "optional",
            WrongType,
        ),
        (json!({"text": "?!", "kind": "Number"}), "kind", UnknownWord),
        (
            json!({"text": "?!", "kind": "number", "min": "3"}),
            "min",
            ParseProblemCode::BadBound,
        ),
        (
            json!({"text": "?!", "max_length": "3"}),
            "max_length",
            WrongType,
        ),
        (json!({"text": "?!", "choices": "A"}), "choices", WrongType),
        (
            json!({"text": "?!", "choices": ["A", null]}),
            "choices[1]",
            WrongType,
        ),
        (
            json!({"text": "?!", "choices": ["A", 1]}),
            "choices[1]",
            WrongType,
        ),
        (
            json!({"text": "?!", "choices": [{"value": "a"}]}),
            "choices[0].label",
            Missing,
        ),
        (
            json!({"text": "?!", "kind": "number", "several": true}),
            "several",
            FieldNotTaken,
        ),
        (
            json!({"text": "?!", "kind": "text", "min": 3}),
            "min",
            FieldNotTaken,
        ),
        (
            json!({"text": "?!", "kind": "confirm", "own": true}),
            "own",
            FieldNotTaken,
        ),
        (json!({"kind": "text"}), "text", Missing),
    ] {
        check_refused(json!([question]), &[(at(field).as_str(), code)]);
    }
    check_refused(
        json!([{"text": "?!", "skippable": true}]),
        &[("questions[0]", UnknownField)],
    );
    check_refused(json!({"text": "?!"}), &[("questions", WrongType)]);
    check_refused(json!("[]"), &[("questions", WrongType)]);
    let refused = refusal(
        Dialect::Questions,
        &json!({"questions": [{"text": "?!", "chioces": ["A"]}]}),
    );
    let refused = refused.to_string();
    assert!(
        refused.starts_with("The questions are not valid. Nobody has seen them.\n"),
        "{refused}"
    );
}

/// A misspelt field, and one that the tools call otherwise, get the name that is meant.
#[test]
fn an_unknown_field_has_a_hint() {
    for (name, meant) in [
        ("chioces", "choices"),
        ("options", "choices"),
        ("Options", "choices"),
        ("question", "text"),
        ("inputType", "kind"),
        ("allow_skip", "optional"),
    ] {
        let refused = refusal(
            Dialect::Questions,
            &json!({"questions": [{"text": "?!", name: ["A"]}]}),
        );
        let hint = format!("- questions[0]: Unknown field `{name}`: did you mean `{meant}`?\n");
        assert!(refused.to_string().contains(&hint), "{refused}");
    }
}

#[test]
fn a_choice_needs_choices_and_a_confirmation_two() {
    use ParseProblemCode::{NoChoices, NotTwoChoices};
    for question in [
        json!({"text": "?!", "kind": "choice"}),
        json!({"text": "?!", "choices": []}),
    ] {
        check_refused(json!([question]), &[("questions[0].choices", NoChoices)]);
    }
    for choices in [json!([]), json!(["A"]), json!(["A", "B", "C"])] {
        check_refused(
            json!([{"text": "?!", "kind": "confirm", "choices": choices}]),
            &[("questions[0].choices", NotTwoChoices)],
        );
    }
}

#[test]
fn at_most_twenty_questions_of_a_hundred_choices() {
    let many = |count: usize| -> Value {
        (0..count)
            .map(|at| json!({"text": format!("Number {at}?")}))
            .collect()
    };
    assert_eq!(asked(many(20)).len(), 20);
    check_refused(many(21), &[("questions", ParseProblemCode::TooMany)]);
    check_refused(many(0), &[("questions", ParseProblemCode::TooFew)]);
    let choices = |count: usize| -> Vec<String> { (0..count).map(|at| at.to_string()).collect() };
    assert_eq!(
        asked(json!([{"text": "?!", "choices": choices(100)}]))[0]
            .choices()
            .len(),
        100
    );
    check_refused(
        json!([{"text": "?!", "choices": choices(101)}]),
        &[("questions[0].choices", ParseProblemCode::TooMany)],
    );
}

/// A program says itself what it wants beside its choices.
#[test]
fn an_authored_other_stays() {
    let questions = asked(json!([{"text": "?!", "choices": ["A", "Other"], "own": true}]));
    assert_eq!(questions[0].choices().len(), 2);
}
