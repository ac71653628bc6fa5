//! Duplicates, the authored “Other”, badges and “none of these”.

use super::*;

#[test]
fn duplicate_questions_are_refused() {
    for dialect in LISTS {
        let one = two_choices(dialect);
        let mut padded = one.clone();
        set(&mut padded, "/question", json!("  Which one?\u{200B}"));
        check_refused(
            dialect,
            &json!({ "questions": [one, padded, one] }),
            &[
                ("questions[1]", ParseProblemCode::DuplicateQuestion),
                ("questions[2]", ParseProblemCode::DuplicateQuestion),
            ],
        );
    }
}

#[test]
fn duplicate_labels_are_refused() {
    for dialect in Dialect::TOOLS {
        let asked = question(dialect, "Which?", options(dialect, &["A", "B", " A "]));
        let at = path(dialect, "options[2]");
        check_refused(
            dialect,
            &input(dialect, asked),
            &[(at.as_str(), ParseProblemCode::DuplicateLabel)],
        );
    }
    let advised = options(
        Dialect::AskUserQuestionClaude,
        &["npm (Recommended)", "npm"],
    );
    check_refused(
        Dialect::AskUserQuestionClaude,
        &plain_with(Dialect::AskUserQuestionClaude, "/options", advised),
        &[("questions[0].options[1]", ParseProblemCode::DuplicateLabel)],
    );
}

#[test]
fn duplicate_values_are_refused() {
    let options = json!([
        { "label": "A", "value": "same" },
        { "label": "B", "value": "same" },
    ]);
    check_refused(
        Dialect::AskUser,
        &plain_with(Dialect::AskUser, "/options", options),
        &[("options[1]", ParseProblemCode::DuplicateValue)],
    );
}

#[test]
fn value_that_is_the_label_of_another_choice_is_refused() {
    for options in [
        json!([{ "label": "A", "value": "B" }, { "label": "B", "value": "b" }]),
        json!([{ "label": "A", "value": "a" }, { "label": "B", "value": "A" }]),
        json!([{ "label": "A", "value": "B" }, { "label": "B", "value": "A" }]),
    ] {
        check_refused(
            Dialect::AskUser,
            &plain_with(Dialect::AskUser, "/options", options),
            &[("options[1]", ParseProblemCode::DuplicateValue)],
        );
    }
}

#[test]
fn authored_other_is_dropped_where_own_text_is_added() {
    for dialect in LISTS {
        for other in [
            "Other",
            "other",
            "Others",
            "Other...",
            "Other…",
            "Something else",
            "Other (please specify)",
        ] {
            let asked = options(dialect, &["A", other, "B"]);
            let sent = plain_with(dialect, "/options", asked);
            check_repaired(dialect, &sent, &plain(dialect));
        }
        let both = options(dialect, &["A", "Other", "B", "Something else"]);
        check_repaired(
            dialect,
            &plain_with(dialect, "/options", both),
            &plain(dialect),
        );
    }
    for (dialect, field) in [
        (Dialect::Question, "custom"),
        (Dialect::AskUser, "allow_other"),
    ] {
        let mut sent = plain_with(dialect, "/options", json!(["A", "B", "Other"]));
        set(&mut sent, &format!("/{field}"), json!(true));
        let meant = plain_with(dialect, &format!("/{field}"), json!(true));
        check_repaired(dialect, &sent, &meant);
    }
}

#[test]
fn authored_other_is_kept_where_own_text_is_off() {
    let closed = |extra: Value| plain_with(Dialect::Question, "/custom", extra);
    let mut sent = closed(json!(false));
    set(&mut sent, "/options", json!(["A", "B", "Other"]));
    assert_eq!(
        labels(&inquiry(Dialect::Question, &sent)),
        ["A", "B", "Other"]
    );
    let sent = plain_with(Dialect::AskUser, "/options", json!(["A", "B", "Other"]));
    assert_eq!(
        labels(&inquiry(Dialect::AskUser, &sent)),
        ["A", "B", "Other"]
    );
}

#[test]
fn authored_other_does_not_count_where_it_is_dropped() {
    for dialect in LISTS {
        let five = options(dialect, &["A", "B", "C", "D", "Other"]);
        let parsed = inquiry(dialect, &plain_with(dialect, "/options", five));
        assert_eq!(labels(&parsed), ["A", "B", "C", "D"]);
    }
    let mut eleven: Vec<String> = numbered(10);
    eleven.push("Other".to_owned());
    let mut sent = plain_with(Dialect::Question, "/options", json!(eleven));
    assert_eq!(labels(&inquiry(Dialect::Question, &sent)).len(), 10);
    set(&mut sent, "/custom", json!(false));
    check_refused(
        Dialect::Question,
        &sent,
        &[("options", ParseProblemCode::TooMany)],
    );
}

/// A list of which one choice is left without its "Other" is written as a list that the tool takes.
#[test]
fn a_single_choice_beside_other_is_written_with_it() {
    for dialect in LISTS {
        let sent = plain_with(dialect, "/options", options(dialect, &["A", "Other"]));
        let asked = inquiry(dialect, &sent);
        assert_eq!(labels(&asked), ["A"]);
        let written = asked.to_input().unwrap_or_default();
        assert_eq!(inquiry(dialect, &written), asked, "{dialect:?}");
    }
}

#[test]
fn dropping_other_never_leaves_a_question_without_choices() {
    let alone = json!({ "question": "q", "options": ["Other"] });
    assert_eq!(labels(&inquiry(Dialect::Question, &alone)), ["Other"]);
    for dialect in LISTS {
        let sent = plain_with(
            dialect,
            "/options",
            options(dialect, &["Other", "Something else"]),
        );
        assert_eq!(
            labels(&inquiry(dialect, &sent)),
            ["Other", "Something else"]
        );
        let sent = plain_with(dialect, "/options", options(dialect, &["A", "Other"]));
        assert_eq!(labels(&inquiry(dialect, &sent)), ["A"]);
    }
}

#[test]
fn label_that_only_begins_with_other_is_a_choice() {
    let sent = plain_with(
        Dialect::Question,
        "/options",
        json!(["Other database", "Another"]),
    );
    assert_eq!(
        labels(&inquiry(Dialect::Question, &sent)),
        ["Other database", "Another"]
    );
}

#[test]
fn header_that_says_other_does_not_hide_a_question_from_the_count() {
    let asked = |number: usize| json!({ "label": "Other", "question": format!("Question {number}?"), "options": ["A", "B"] });
    let five: Vec<Value> = (1..=5).map(asked).collect();
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "questions": five }),
        &[("questions", ParseProblemCode::TooMany)],
    );
}

#[test]
fn recommended_suffix_is_a_badge_in_one_dialect_only() {
    let advised = |dialect: Dialect, label: &str| {
        let sent = plain_with(dialect, "/options/0/label", json!(label));
        let parsed = inquiry(dialect, &sent);
        let choice = choice_kind(&parsed).choices[0].clone();
        (
            choice.label.to_string(),
            choice.value.to_string(),
            choice.recommended,
        )
    };
    let badge = |label: &str| (label.to_owned(), label.to_owned(), true);
    let bare = |label: &str| (label.to_owned(), label.to_owned(), false);
    let claude = Dialect::AskUserQuestionClaude;
    assert_eq!(
        advised(claude, "PostgreSQL (Recommended)"),
        badge("PostgreSQL")
    );
    assert_eq!(
        advised(claude, "PostgreSQL(recommended)"),
        badge("PostgreSQL")
    );
    assert_eq!(advised(claude, "(Recommended)"), bare("(Recommended)"));
    assert_eq!(
        advised(claude, "(Recommended) PostgreSQL"),
        bare("(Recommended) PostgreSQL")
    );
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let label = "PostgreSQL (Recommended)";
        assert_eq!(advised(dialect, label), bare(label));
    }
}

#[test]
fn none_of_these_is_exclusive_among_several_only() {
    let asked = |several: bool| {
        let mut sent = plain_with(
            Dialect::Question,
            "/options",
            json!(["A", "None of the above."]),
        );
        set(&mut sent, "/multiple", json!(several));
        let parsed = inquiry(Dialect::Question, &sent);
        let choices = choice_kind(&parsed).choices.clone();
        choices
            .iter()
            .map(|choice| choice.exclusive)
            .collect::<Vec<bool>>()
    };
    assert_eq!(asked(true), [false, true]);
    assert_eq!(asked(false), [false, false]);
}
