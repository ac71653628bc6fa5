//! What is wrong with an answer, in words.

use askback_core::answer::{AnswerError, AnswerProblem, ExpectedAnswer};
use askback_core::number::Number;
use askback_core::question::{Kind, Question, QuestionId, TextRules};
use askback_core::text::{Lines, Text};
use askback_locale::Locale;
use jiff::civil::date;

/// One of each, so that a new problem without words stops the build of this test.
fn every_problem() -> Vec<AnswerProblem> {
    let label = text("None of these");
    let wants = [
        ExpectedAnswer::Choices,
        ExpectedAnswer::Text,
        ExpectedAnswer::Number,
        ExpectedAnswer::Date,
        ExpectedAnswer::DateRange,
    ];
    let mut problems = vec![
        AnswerProblem::NothingAnswered,
        AnswerProblem::NotAnObject,
        AnswerProblem::UnknownQuestion {
            known: vec![QuestionId::at(0), QuestionId::at(1)],
        },
        AnswerProblem::AnsweredTwice,
        AnswerProblem::Empty,
        AnswerProblem::CannotSkip,
        AnswerProblem::SkippedAndAnswered,
        AnswerProblem::UnknownChoice {
            labels: vec![text("A"), text("B")],
        },
        AnswerProblem::AmbiguousChoice {
            lines: vec!["1. 2".to_owned(), "2. 3".to_owned()],
        },
        AnswerProblem::OneChoiceOnly,
        AnswerProblem::Exclusive { label },
        AnswerProblem::TooShort { min: 2 },
        AnswerProblem::TooLong { max: 500 },
        AnswerProblem::NoteTooLong { max: 2000 },
        AnswerProblem::PatternMismatch,
        AnswerProblem::TooSmall {
            min: Number::Whole(-1),
        },
        AnswerProblem::TooLarge {
            max: Number::Real(9.5),
        },
        AnswerProblem::NotWhole,
        AnswerProblem::NotOnStep {
            step: Number::Real(0.25),
        },
        AnswerProblem::NotANumber,
        AnswerProblem::NotADate,
        AnswerProblem::TooEarly {
            min: date(2027, 3, 1),
        },
        AnswerProblem::TooLate {
            max: date(2027, 3, 31),
        },
        AnswerProblem::EndBeforeStart,
    ];
    problems.extend(wants.map(|wants| AnswerProblem::WrongType { wants }));
    problems
}

fn text(raw: &str) -> Text {
    Text::clean(raw, Lines::One).expect("the text is not empty")
}

fn error(problem: AnswerProblem) -> AnswerError {
    AnswerError {
        question: Some(QuestionId::at(0)),
        name: "Replicas".to_owned(),
        problem,
        message: None,
    }
}

fn question(header: Option<&str>) -> Question {
    Question {
        id: QuestionId::at(0),
        header: header.map(text),
        text: text("How many?"),
        context: None,
        placeholder: None,
        skippable: false,
        kind: Kind::Text(TextRules::default()),
    }
}

/// English says what the core says, but for the full stop. Only an empty answer is named without "is empty", which a reader
/// takes for a word about the question.
#[test]
fn english_agrees_with_core() {
    let english = Locale::choose(&["en"]);
    for problem in every_problem() {
        let error = error(problem);
        let shown = english.problem(&error, &[question(Some("Replicas"))]);
        let expected = if error.problem == AnswerProblem::Empty {
            "Replicas: give an answer.".to_owned()
        } else {
            error.to_string()
        };
        assert_eq!(format!("{shown}."), expected);
    }
}

/// Every language names the question, has a sentence of its own for each problem, and blames
/// nobody.
#[test]
fn every_language_has_words_for_every_problem() {
    let english = Locale::choose(&["en"]);
    for tag in Locale::tags().filter(|tag| !tag.starts_with("en")) {
        let locale = Locale::choose(&[tag]);
        for problem in every_problem() {
            let error = error(problem);
            let shown = locale.problem(&error, &[question(Some("Replicas"))]);
            assert_ne!(shown, english.problem(&error, &[]), "{tag}");
            assert!(!shown.contains("{$"), "{tag}: {shown}");
            let whole = matches!(
                error.problem,
                AnswerProblem::NothingAnswered
                    | AnswerProblem::NotAnObject
                    | AnswerProblem::UnknownQuestion { .. }
            );
            assert_eq!(shown.contains("Replicas"), !whole, "{tag}: {shown}");
        }
    }
}

/// A question without a header is named in the language of the reader.
#[test]
fn question_without_header_is_named() {
    let accented = Locale::choose(&["en-XA"]);
    let shown = accented.problem(&error(AnswerProblem::NotWhole), &[question(None)]);
    let name = accented.text("question-unnamed", &[]);
    assert!(shown.starts_with(&name), "{shown}");
}

/// One of several questions without a header is named by its text.
#[test]
fn one_of_several_questions_is_named_by_its_text() {
    let unnamed = question(None);
    let mut other = question(None);
    other.id = QuestionId::at(1);
    let expected = unnamed.text.as_str().trim_end_matches('?').to_owned();
    let english = Locale::choose(&["en"]);
    let shown = english.problem(&error(AnswerProblem::NotWhole), &[unnamed, other]);
    assert!(shown.starts_with(&expected), "{shown}");
}

/// The agent's own message is shown instead of ours.
#[test]
fn message_of_agent_comes_first() {
    let error = AnswerError {
        message: Some(text("Only even numbers")),
        ..error(AnswerProblem::NotWhole)
    };
    let shown = Locale::choose(&["en"]).problem(&error, &[]);
    assert_eq!(shown, "Only even numbers");
}
