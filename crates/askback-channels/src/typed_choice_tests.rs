//! Numbers, labels and values name choices. Anything else is own text where that is allowed, and refused elsewhere.

use askback_core::answer::AnswerProblem;
use askback_core::dialect::Dialect;
use askback_core::inquiry::Inquiry;
use askback_core::question::{ChoiceKind, Kind};
use serde_json::json;

use super::{TypedChoice, read_typed};
use crate::fixtures::parse;

fn inquiry(labels: &[&str], several: bool, own_text: bool) -> Inquiry {
    let options = labels
        .iter()
        .map(|label| json!({ "label": label, "value": format!("value of {label}") }));
    let input = json!({
        "question": "Where?", "input_type": if several { "multi_select" } else { "single_select" },
        "allow_other": own_text, "options": options.collect::<Vec<_>>(),
    });
    parse(Dialect::AskUser, &input)
}

fn check(
    (labels, several, own_text): (&[&str], bool, bool),
    cases: &[(&str, Result<TypedChoice, AnswerProblem>)],
) {
    let inquiry = inquiry(labels, several, own_text);
    let Kind::Choice(kind) = &inquiry.questions()[0].kind else {
        panic!("it has choices");
    };
    for (typed, expected) in cases {
        assert_eq!(read_typed(kind, typed), *expected, "{typed:?}");
    }
    assert_eq!(read_typed(kind, " \n"), Err(AnswerProblem::Empty));
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a table reads better without it in every line"
)]
fn taken<const N: usize>(rows: [usize; N]) -> Result<TypedChoice, AnswerProblem> {
    Ok(TypedChoice::Choices(rows.to_vec()))
}

fn unknown(labels: &[&str]) -> Result<TypedChoice, AnswerProblem> {
    let inquiry = inquiry(labels, false, false);
    let choices = inquiry.questions()[0].choices();
    let labels = choices.iter().map(|choice| choice.label.clone()).collect();
    Err(AnswerProblem::UnknownChoice { labels })
}

const OWN: Result<TypedChoice, AnswerProblem> = Ok(TypedChoice::OwnText);

const PLACES: &[&str] = &["Production (Recommended)", "Staging", "Here, there"];

#[test]
fn one_choice_without_own_text_is_named_or_refused() {
    let refused = || unknown(PLACES);
    check(
        (PLACES, false, false),
        &[
            ("1", taken([0])),
            (" 2. ", taken([1])),
            ("2) staging", taken([1])),
            ("STAGING", taken([1])),
            ("value of staging", taken([1])),
            ("production", taken([0])),
            ("Here, there", taken([2])),
            ("1. Staging", refused()),
            ("0", refused()),
            ("4", refused()),
            ("wait, not yet!", refused()),
            ("Stag", refused()),
            ("1,2", Err(AnswerProblem::OneChoiceOnly)),
        ],
    );
}

#[test]
fn what_names_no_choice_is_own_text_where_that_is_allowed() {
    check(
        (PLACES, false, true),
        &[
            ("2", taken([1])),
            ("staging", taken([1])),
            ("on my laptop", OWN),
            ("2 hours later", OWN),
            // No choice is a number, so this is one that the message does not have.
            ("9", unknown(PLACES)),
            ("1, 2", Err(AnswerProblem::OneChoiceOnly)),
        ],
    );
}

#[test]
fn a_number_that_could_mean_two_choices_is_refused() {
    let labels = &["2", "3", "16"];
    check(
        (labels, false, true),
        &[
            ("1", taken([0])),
            ("2", unknown(labels)),
            ("2.", taken([1])),
            ("1. 2", taken([0])),
            ("16", taken([2])),
            ("5", OWN),
        ],
    );
    check((labels, true, true), &[("1,2", unknown(labels))]);
    let labels = &["no", "No"];
    check(
        (labels, false, false),
        &[("no", taken([0])), ("NO", unknown(labels))],
    );
}

#[test]
fn several_choices_are_all_named_or_none_is_taken() {
    check(
        (PLACES, true, false),
        &[
            ("1,3", taken([0, 2])),
            ("3 1 3", taken([0, 2])),
            ("staging, production", taken([0, 1])),
            ("here, there, 2", taken([1, 2])),
            ("Staging\nProduction", taken([0, 1])),
            ("1, nothing else", unknown(PLACES)),
            ("1,9", unknown(PLACES)),
        ],
    );
    check(
        (PLACES, true, true),
        &[("1, nothing else", OWN), ("1,9", unknown(PLACES))],
    );
}

#[test]
fn a_long_text_is_own_text_at_once() {
    let kind = ChoiceKind {
        several: true,
        own_text: true,
        choices: inquiry(PLACES, true, true).questions()[0]
            .choices()
            .to_vec(),
    };
    assert_eq!(read_typed(&kind, &"a,".repeat(100_000)), OWN);
}

#[test]
fn digits_of_other_scripts_are_numbers_and_what_cannot_be_seen_is_nothing() {
    let labels = ["prod", "staging"];
    check(
        (&labels, true, true),
        &[
            ("２", taken([1])),
            ("٢", taken([1])),
            ("۱, ۲", taken([0, 1])),
            ("\u{200b}", Err(AnswerProblem::Empty)),
        ],
    );
}
