//! Counts and lengths.

use super::*;

#[test]
fn question_count_is_enforced_in_lists() {
    for dialect in LISTS {
        let asked = |count: usize| {
            let texts = (1..=count).map(|number| format!("Question {number}?"));
            let questions: Vec<Value> = texts
                .map(|text| question(dialect, &text, options(dialect, &["A", "B"])))
                .collect();
            json!({ "questions": questions })
        };
        for count in 1..=4 {
            assert_eq!(inquiry(dialect, &asked(count)).questions().len(), count);
        }
        check_refused(
            dialect,
            &asked(0),
            &[("questions", ParseProblemCode::TooFew)],
        );
        check_refused(
            dialect,
            &asked(5),
            &[("questions", ParseProblemCode::TooMany)],
        );
    }
}

#[test]
fn question_count_is_one_in_single_dialects() {
    for dialect in SINGLES {
        let one = two_choices(dialect);
        check_refused(
            dialect,
            &json!({ "questions": [one, one] }),
            &[("", ParseProblemCode::OneQuestionOnly)],
        );
        check_refused(
            dialect,
            &json!([one, one]),
            &[("", ParseProblemCode::OneQuestionOnly)],
        );
        check_refused(
            dialect,
            &json!([]),
            &[("", ParseProblemCode::OneQuestionOnly)],
        );
    }
}

#[test]
fn choice_count_is_enforced() {
    let bounds = [
        (Dialect::AskUserQuestion, 2, 4),
        (Dialect::AskUserQuestionClaude, 2, 4),
        (Dialect::Question, 1, 10),
        (Dialect::AskUser, 1, 20),
    ];
    for (dialect, min, max) in bounds {
        let asked = |count: usize| {
            let labels = numbered(count);
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            input(
                dialect,
                question(dialect, "Which?", options(dialect, &labels)),
            )
        };
        for count in [min, max] {
            assert_eq!(labels(&inquiry(dialect, &asked(count))).len(), count);
        }
        let too_few = if dialect == Dialect::AskUser {
            ParseProblemCode::NoChoices
        } else {
            ParseProblemCode::TooFew
        };
        let at = path(dialect, "options");
        check_refused(dialect, &asked(min - 1), &[(at.as_str(), too_few)]);
        check_refused(
            dialect,
            &asked(max + 1),
            &[(at.as_str(), ParseProblemCode::TooMany)],
        );
    }
}

#[test]
fn lengths_are_enforced_in_characters() {
    use Dialect::{AskUser, AskUserQuestion, AskUserQuestionClaude, Question};
    let bounded: &[(Dialect, &str, usize)] = &[
        (AskUserQuestion, "question", 10_000),
        (AskUserQuestion, "header", 12),
        (AskUserQuestion, "options[0].label", 10_000),
        (AskUserQuestion, "options[0].description", 10_000),
        (AskUserQuestion, "options[0].preview", 100_000),
        (AskUserQuestionClaude, "question", 10_000),
        (AskUserQuestionClaude, "header", 12),
        (AskUserQuestionClaude, "options[0].label", 50),
        (AskUserQuestionClaude, "options[0].description", 200),
        (AskUserQuestionClaude, "options[0].preview", 100_000),
        (Question, "question", 500),
        (Question, "header", 30),
        (Question, "options[0].label", 30),
        (Question, "options[0].description", 200),
        (AskUser, "question", 500),
        (AskUser, "context", 500),
        (AskUser, "placeholder", 200),
        (AskUser, "options[0].label", 100),
        (AskUser, "options[0].value", 100),
        (AskUser, "options[0].description", 200),
    ];
    for (dialect, field, max) in bounded {
        let pointer = format!("/{}", field.replace("[0].", "/0/"));
        for letter in ["ü", "🙂"] {
            let longest = plain_with(*dialect, &pointer, json!(letter.repeat(*max)));
            assert_eq!(parse(*dialect, &longest).repairs, []);
            let longer = plain_with(*dialect, &pointer, json!(letter.repeat(max + 1)));
            let at = path(*dialect, field);
            check_refused(
                *dialect,
                &longer,
                &[(at.as_str(), ParseProblemCode::TooLong)],
            );
            let hint = format!("has {} characters: write at most {max}.", max + 1);
            assert_eq!(refusal(*dialect, &longer).problems()[0].hint, hint);
        }
    }
}

#[test]
fn lengths_of_validation_and_source_are_enforced() {
    let validation = |field: &str, letter: &str, count: usize| json!({ "question": "q", "validation": { field: letter.repeat(count) } });
    for (field, letter, max) in [("message", "ü", 200), ("pattern", "ü", 500)] {
        parse(Dialect::AskUser, &validation(field, letter, max));
        let at = format!("validation.{field}");
        check_refused(
            Dialect::AskUser,
            &validation(field, letter, max + 1),
            &[(at.as_str(), ParseProblemCode::TooLong)],
        );
    }
    let source = |count: usize| {
        let mut input = plain(Dialect::AskUserQuestionClaude);
        set(
            &mut input,
            "/metadata",
            json!({ "source": "ü".repeat(count) }),
        );
        input
    };
    let longest = inquiry(Dialect::AskUserQuestionClaude, &source(200));
    assert_eq!(
        longest.input_source().map(crate::text::Text::chars),
        Some(200)
    );
    check_refused(
        Dialect::AskUserQuestionClaude,
        &source(201),
        &[("metadata.source", ParseProblemCode::TooLong)],
    );
}

#[test]
fn length_counts_what_is_left_after_cleaning() {
    let padded = format!("  {}\u{200B}\n", "ü".repeat(12));
    let sent = plain_with(Dialect::AskUserQuestion, "/header", json!(padded));
    let meant = plain_with(Dialect::AskUserQuestion, "/header", json!("ü".repeat(12)));
    check_repaired(Dialect::AskUserQuestion, &sent, &meant);
}

#[test]
fn clip_switch_cuts_headers_and_labels_and_nothing_else() {
    let clip = ParseOptions { clip_labels: true };
    let clipped = |dialect: Dialect, pointer: &str, count: usize| {
        dialect.parse(
            &plain_with(dialect, pointer, json!("ü".repeat(count))),
            clip,
        )
    };
    let cut = |max: usize| format!("{}…", "ü".repeat(max - 1));
    for (dialect, max) in [
        (Dialect::AskUserQuestion, 12),
        (Dialect::AskUserQuestionClaude, 12),
        (Dialect::Question, 30),
    ] {
        let parsed = clipped(dialect, "/header", max + 1).expect("a header is cut");
        let header = only(&parsed.inquiry)
            .header
            .as_ref()
            .map(ToString::to_string);
        assert_eq!(header, Some(cut(max)));
        assert_eq!(parsed.repairs[0].done, format!("cut to {max} characters"));
        let whole = clipped(dialect, "/header", max).expect("a header that fits");
        assert_eq!(whole.repairs, []);
    }
    for (dialect, max) in [
        (Dialect::AskUserQuestion, 10_000),
        (Dialect::AskUserQuestionClaude, 50),
        (Dialect::Question, 30),
        (Dialect::AskUser, 100),
    ] {
        let parsed = clipped(dialect, "/options/0/label", max + 7).expect("a label is cut");
        assert_eq!(labels(&parsed.inquiry), [cut(max).as_str(), "B"]);
    }
    for (dialect, pointer, max) in [
        (Dialect::Question, "/question", 500),
        (Dialect::Question, "/options/0/description", 200),
        (Dialect::AskUser, "/context", 500),
        (Dialect::AskUser, "/options/0/value", 100),
    ] {
        let refused = clipped(dialect, pointer, max + 1).expect_err("only labels are cut");
        assert_eq!(
            refused.problems()[0].code,
            ParseProblemCode::TooLong,
            "{pointer}"
        );
    }
}

#[test]
fn labels_that_become_equal_when_cut_are_refused() {
    let long = |end: &str| format!("{}{end}", "x".repeat(40));
    let asked = json!({ "question": "q", "options": [long("a"), long("b")] });
    let clip = ParseOptions { clip_labels: true };
    let error = Dialect::Question
        .parse(&asked, clip)
        .expect_err("the labels are equal");
    let problem = &error.problems()[0];
    assert_eq!(
        (problem.path.as_str(), problem.code),
        ("options[1]", ParseProblemCode::DuplicateLabel)
    );
}
