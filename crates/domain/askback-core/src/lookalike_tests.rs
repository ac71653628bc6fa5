//! What looks the same, and what only nearly does.

use serde_json::{Value, json};

use super::look_alike;
use crate::contract::ParseProblemCode;
use crate::dialect::{Dialect, ParseOptions};
use crate::text::{Lines, Text};

fn text(raw: &str) -> Text {
    Text::clean(raw, Lines::One).unwrap()
}

/// Invisible and confusable characters make no difference that a person sees.
#[test]
fn invisible_and_confusable_characters_look_alike() {
    for (one, other) in [
        ("Delete", "D\u{435}lete"),
        ("paypal", "p\u{430}yp\u{430}l"),
        ("Yes", "Y\u{200D}es"),
        ("Yes", "Yes\u{200E}"),
        ("Yes", "Y\u{34F}es"),
        ("Caf\u{e9}", "Cafe\u{301}"),
        ("PayPal", "PayPaI"),
        ("Version 1", "Version l"),
        ("Room O", "Room 0"),
        ("A", "\u{FF21}"),
        ("No", "\u{39D}o"),
    ] {
        assert!(look_alike(&text(one), &text(other)), "{one:?} {other:?}");
        assert!(look_alike(&text(other), &text(one)), "{other:?} {one:?}");
    }
}

#[test]
fn ordinary_lists_do_not_look_alike() {
    for (one, other) in [
        ("Yes", "Yes"),
        ("Yes", "No"),
        ("yes", "Yes"),
        ("modern", "modem"),
        ("resume", "r\u{e9}sum\u{e9}"),
        ("Polnisch", "polnisch"),
        ("v1.0", "v1.1"),
        ("\u{5973}", "\u{7537}"),
        ("\u{441}\u{43e}\u{43d}", "\u{441}\u{44b}\u{43d}"),
        ("\u{1F468}\u{200D}\u{1F4BB}", "\u{1F469}\u{200D}\u{1F4BB}"),
    ] {
        assert!(!look_alike(&text(one), &text(other)), "{one:?} {other:?}");
    }
}

fn refused(dialect: Dialect, input: &Value) -> Vec<(String, ParseProblemCode)> {
    let parsed = dialect.parse(input, ParseOptions::default());
    let problems = parsed.err().map(|error| error.problems().to_vec());
    let problems = problems.unwrap_or_default().into_iter();
    problems
        .map(|problem| (problem.path, problem.code))
        .collect()
}

/// All four dialects refuse such labels, with words from which the call is repaired.
#[test]
fn lookalike_labels_are_refused_in_every_dialect() {
    let labels = ["Delete", "D\u{435}lete"];
    let options = labels.map(|label| json!({"label": label, "description": "-"}));
    let list = json!({"questions": [{
        "question": "Which?", "header": "H", "options": options, "multiSelect": false,
    }]});
    let single = json!({"question": "Which?", "header": "H", "options": options});
    for (dialect, input, path) in [
        (Dialect::AskUserQuestion, &list, "questions[0].options[1]"),
        (
            Dialect::AskUserQuestionClaude,
            &list,
            "questions[0].options[1]",
        ),
        (Dialect::Question, &single, "options[1]"),
        (Dialect::AskUser, &single, "options[1]"),
    ] {
        let problems = refused(dialect, input);
        let expected = (path.to_owned(), ParseProblemCode::DuplicateLabel);
        assert_eq!(problems, [expected], "{dialect:?}");
        let error = dialect.parse(input, ParseOptions::default()).unwrap_err();
        assert!(error.to_string().contains("look alike"), "{error}");
    }
}

/// And so are values, headers and questions.
#[test]
fn lookalike_values_headers_and_questions_are_refused() {
    let options = json!([
        {"label": "First", "value": "a"},
        {"label": "Second", "value": "\u{430}"},
    ]);
    let input = json!({"question": "Which?", "options": options});
    let expected = ("options[1]".to_owned(), ParseProblemCode::DuplicateValue);
    assert_eq!(refused(Dialect::AskUser, &input), [expected]);

    let question = |text: &str, header: &str| {
        let options = ["A", "B"].map(|label| json!({"label": label, "description": "-"}));
        json!({"question": text, "header": header, "options": options})
    };
    for second in [
        question("Which \u{43e}ne?", "Two"),
        question("Which two?", "\u{41e}ne"),
    ] {
        let input = json!({"questions": [question("Which one?", "One"), second]});
        let expected = (
            "questions[1]".to_owned(),
            ParseProblemCode::DuplicateQuestion,
        );
        assert_eq!(refused(Dialect::AskUserQuestion, &input), [expected]);
    }
}
