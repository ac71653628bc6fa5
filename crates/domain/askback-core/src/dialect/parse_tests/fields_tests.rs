//! Refusals of fields: wrong types, missing ones, all at once.

use super::*;

#[test]
fn wrong_type_is_refused_at_every_field() {
    use Dialect::{AskUser, AskUserQuestion, AskUserQuestionClaude, Question};
    let texts: &[(Dialect, &[&str])] = &[
        (
            AskUserQuestion,
            &[
                "question",
                "header",
                "options[0].label",
                "options[0].description",
                "options[0].preview",
            ],
        ),
        (
            AskUserQuestionClaude,
            &[
                "question",
                "header",
                "options[0].label",
                "options[0].description",
            ],
        ),
        (
            Question,
            &[
                "question",
                "header",
                "options[0].label",
                "options[0].description",
            ],
        ),
        (
            AskUser,
            &[
                "question",
                "context",
                "placeholder",
                "options[0].label",
                "options[0].value",
            ],
        ),
    ];
    let flags: &[(Dialect, &[&str])] = &[
        (AskUserQuestion, &["multiSelect"]),
        (AskUserQuestionClaude, &["multiSelect"]),
        (Question, &["multiple", "custom"]),
        (AskUser, &["allow_other", "allow_skip"]),
    ];
    let check = |table: &[(Dialect, &[&str])], wrong: &[Value]| {
        for (dialect, fields) in table {
            for field in *fields {
                let pointer = format!("/{}", field.replace("[0].", "/0/"));
                for value in wrong {
                    let at = path(*dialect, field);
                    check_refused(
                        *dialect,
                        &plain_with(*dialect, &pointer, value.clone()),
                        &[(at.as_str(), ParseProblemCode::WrongType)],
                    );
                }
            }
        }
    };
    check(
        texts,
        &[json!([]), json!({}), json!({ "a": 1 }), json!(["a", "b"])],
    );
    check(flags, &[json!("maybe"), json!(2), json!([]), json!({})]);
    let options = Dialect::TOOLS.map(|dialect| (dialect, &["options"] as &[&str]));
    check(&options, &[json!(7), json!("A, B"), json!(true)]);
}

#[test]
fn wrong_type_is_refused_in_the_outer_parts() {
    for dialect in Dialect::TOOLS {
        for wrong in [json!(null), json!(true), json!(7)] {
            check_refused(dialect, &wrong, &[("", ParseProblemCode::WrongType)]);
        }
        for text in ["", "   ", "Which one?", "{\"question\":"] {
            check_refused(dialect, &json!(text), &[("", ParseProblemCode::NotJson)]);
        }
        let at = path(dialect, "options[0]");
        check_refused(
            dialect,
            &plain_with(dialect, "/options/0", json!([])),
            &[(at.as_str(), ParseProblemCode::WrongType)],
        );
    }
    for dialect in LISTS {
        for wrong in [json!(7), json!("Which one?"), json!(true)] {
            check_refused(
                dialect,
                &json!({ "questions": wrong }),
                &[("questions", ParseProblemCode::WrongType)],
            );
        }
        check_refused(
            dialect,
            &json!({ "questions": ["Which one?"] }),
            &[("questions[0]", ParseProblemCode::WrongType)],
        );
    }
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": 7 }),
        &[("input_type", ParseProblemCode::WrongType)],
    );
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": "slider" }),
        &[("input_type", ParseProblemCode::UnknownWord)],
    );
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "validation": "required" }),
        &[("validation", ParseProblemCode::WrongType)],
    );
}

#[test]
fn required_fields_are_required() {
    for dialect in LISTS {
        check_refused(
            dialect,
            &json!({}),
            &[("questions", ParseProblemCode::Missing)],
        );
        check_refused(
            dialect,
            &json!({ "questions": null }),
            &[("questions", ParseProblemCode::Missing)],
        );
    }
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "questions": [{}] }),
        &[
            ("questions[0].question", ParseProblemCode::Missing),
            ("questions[0].options", ParseProblemCode::Missing),
        ],
    );
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "question": "Which one?" }),
        &[("questions[0].options", ParseProblemCode::Missing)],
    );
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "options": ["A", "B"] }),
        &[("questions[0].question", ParseProblemCode::Missing)],
    );
    check_refused(
        Dialect::AskUserQuestionClaude,
        &json!({ "questions": [{ "question": null, "options": [{ "label": "A" }, {}] }] }),
        &[
            ("questions[0].question", ParseProblemCode::Missing),
            ("questions[0].header", ParseProblemCode::Missing),
            (
                "questions[0].options[0].description",
                ParseProblemCode::Missing,
            ),
            ("questions[0].options[1].label", ParseProblemCode::Missing),
            (
                "questions[0].options[1].description",
                ParseProblemCode::Missing,
            ),
            ("questions[0].multiSelect", ParseProblemCode::Missing),
        ],
    );
    check_refused(
        Dialect::Question,
        &json!({}),
        &[
            ("question", ParseProblemCode::Missing),
            ("options", ParseProblemCode::Missing),
        ],
    );
    check_refused(
        Dialect::AskUser,
        &json!({}),
        &[("question", ParseProblemCode::Missing)],
    );
}

#[test]
fn text_that_nobody_could_read_is_refused() {
    for dialect in Dialect::TOOLS {
        for blank in ["", " \n ", "\u{200B}", "\u{200D}", "\u{3164}"] {
            let at = path(dialect, "question");
            check_refused(
                dialect,
                &plain_with(dialect, "/question", json!(blank)),
                &[(at.as_str(), ParseProblemCode::Blank)],
            );
            let at = path(dialect, "options[0].label");
            check_refused(
                dialect,
                &plain_with(dialect, "/options/0/label", json!(blank)),
                &[(at.as_str(), ParseProblemCode::Blank)],
            );
        }
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let sent = json!({ "questions": [
        {
            "question": "Which one?",
            "header": "thirteen char",
            "multiSelect": "maybe",
            "options": [
                { "label": "A", "description": "x" },
                { "label": "A", "description": "" },
                { "label": "x".repeat(51), "description": "x" },
                { "label": "D", "description": "x" },
                { "label": "E", "description": "x" },
            ],
        },
        { "question": "Which one?", "header": "Two", "options": [] },
    ]});
    check_refused(
        Dialect::AskUserQuestionClaude,
        &sent,
        &[
            ("questions[0].header", ParseProblemCode::TooLong),
            (
                "questions[0].options[1].description",
                ParseProblemCode::Blank,
            ),
            ("questions[0].options[2].label", ParseProblemCode::TooLong),
            ("questions[0].multiSelect", ParseProblemCode::WrongType),
            ("questions[1].options", ParseProblemCode::TooFew),
            ("questions[1].multiSelect", ParseProblemCode::Missing),
            ("questions[0].options[1]", ParseProblemCode::DuplicateLabel),
            ("questions[0].options", ParseProblemCode::TooMany),
            ("questions[1]", ParseProblemCode::DuplicateQuestion),
        ],
    );
    check_refused(
        Dialect::AskUser,
        &json!({
            "question": "",
            "input_type": "text",
            "placeholder": [],
            "validation": { "pattern": "(", "min_length": 5, "max_length": 2 },
        }),
        &[
            ("question", ParseProblemCode::Blank),
            ("placeholder", ParseProblemCode::WrongType),
            ("validation.pattern", ParseProblemCode::BadPattern),
            ("validation.max_length", ParseProblemCode::EmptyBounds),
        ],
    );
}

#[test]
fn crowded_list_is_refused_unread() {
    let crowd: Vec<String> = numbered(50_000);
    check_refused(
        Dialect::AskUser,
        &plain_with(Dialect::AskUser, "/options", json!(crowd)),
        &[("options", ParseProblemCode::TooMany)],
    );
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "questions": vec![0; 50_000] }),
        &[("questions", ParseProblemCode::TooMany)],
    );
}

#[test]
fn one_wrong_field_is_not_reported_as_several() {
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": "single_select", "options": [{ "label": [] }] }),
        &[("options[0].label", ParseProblemCode::WrongType)],
    );
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": "slider", "validation": { "min": "2027-01-01" } }),
        &[("input_type", ParseProblemCode::UnknownWord)],
    );
}
