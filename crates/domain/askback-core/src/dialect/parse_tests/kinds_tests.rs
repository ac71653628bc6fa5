//! Kinds of `ask_user`, and the rules of each.

use super::*;

fn kind_name(input: &Value) -> &'static str {
    match &only(&inquiry(Dialect::AskUser, input)).kind {
        Kind::Choice(kind) if kind.several => "several",
        Kind::Choice(_) => "one",
        Kind::Text(_) => "text",
        Kind::Number(_) => "number",
        Kind::Date(_) => "date",
        Kind::DateRange(_) => "range",
    }
}

#[test]
fn input_types_are_known_by_several_names() {
    let names: &[(&str, &[&str])] = &[
        (
            "one",
            &[
                "single_select",
                "select",
                "singleSelect",
                "radio",
                "dropdown",
                "choice",
            ],
        ),
        (
            "several",
            &[
                "multi_select",
                "multiselect",
                "multiSelect",
                "multiple",
                "checkbox",
            ],
        ),
        ("text", &["text", "Text", "textarea", "string"]),
        ("number", &["number", "integer", "numeric"]),
        ("date", &["date", "DATE"]),
        ("range", &["date_range", "dateRange", "date-range"]),
        ("one", &["confirm", "boolean", "yes_no"]),
    ];
    for (kind, words) in names {
        for word in *words {
            let mut sent = json!({ "question": "q", "input_type": word });
            if matches!(*kind, "one" | "several") {
                set(&mut sent, "/options", json!(["A", "B"]));
            }
            assert_eq!(kind_name(&sent), *kind, "{word}");
        }
    }
}

#[test]
fn input_type_left_out_follows_from_the_options() {
    assert_eq!(kind_name(&json!({ "question": "q" })), "text");
    let with_options = json!({ "question": "q", "options": [{ "label": "A" }] });
    assert_eq!(kind_name(&with_options), "one");
    let parsed = parse(Dialect::AskUser, &with_options);
    assert_eq!(
        (choice_kind(&parsed.inquiry).own_text, parsed.repairs),
        (false, vec![])
    );
}

#[test]
fn text_question_with_options_offers_both() {
    let sent = json!({ "question": "q", "input_type": "text", "options": ["A", "Other"] });
    let parsed = inquiry(Dialect::AskUser, &sent);
    assert_eq!(
        (labels(&parsed), choice_kind(&parsed).own_text),
        (vec!["A"], true)
    );
}

#[test]
fn options_of_other_types_are_ignored_and_the_repair_says_so() {
    for input_type in ["number", "date", "date_range"] {
        let sent = json!({
            "question": "q", "input_type": input_type, "options": [{ "label": "A" }],
        });
        let parsed = parse(Dialect::AskUser, &sent);
        assert_eq!(only(&parsed.inquiry).choices(), []);
        let done = "ignored options that the input_type does not take";
        assert!(parsed.repairs.iter().any(|repair| repair.done == done));
    }
}

#[test]
fn confirm_offers_yes_and_no() {
    let parsed = inquiry(
        Dialect::AskUser,
        &json!({ "question": "Sure?", "input_type": "confirm" }),
    );
    let choices = choice_kind(&parsed).choices.iter();
    let pairs: Vec<(&str, &str)> = choices
        .map(|choice| (choice.label.as_str(), choice.value.as_str()))
        .collect();
    assert_eq!(pairs, [("Yes", "yes"), ("No", "no")]);
    let marked = |choice: &Choice| choice.exclusive || choice.recommended;
    assert!(!choice_kind(&parsed).choices.iter().any(marked));
}

#[test]
fn select_without_options_is_refused() {
    for input_type in ["single_select", "multi_select"] {
        for options in [json!([]), json!(null), json!([null])] {
            check_refused(
                Dialect::AskUser,
                &json!({ "question": "q", "input_type": input_type, "options": options }),
                &[("options", ParseProblemCode::NoChoices)],
            );
        }
    }
}

/// Expects each of these rules to be refused at its field.
fn check_rules(input_type: &str, refused: &[(&str, Value, ParseProblemCode)]) {
    for (field, validation, code) in refused {
        let at = format!("validation.{field}");
        check_refused(
            Dialect::AskUser,
            &ruled(input_type, validation.clone()),
            &[(at.as_str(), *code)],
        );
    }
}

#[test]
fn rules_of_text_are_lengths_and_a_pattern_that_compiles() {
    use ParseProblemCode::{BadBound, BadPattern, EmptyBounds, OutOfRange, WrongType};
    check_rules(
        "text",
        &[
            ("min_length", json!({ "min_length": -1 }), OutOfRange),
            ("min_length", json!({ "min_length": 10_001 }), OutOfRange),
            ("max_length", json!({ "max_length": 2.5 }), WrongType),
            ("max_length", json!({ "max_length": "x" }), WrongType),
            ("max_length", json!({ "max_length": 0 }), EmptyBounds),
            (
                "max_length",
                json!({ "min_length": 3, "max_length": 2 }),
                EmptyBounds,
            ),
            ("max", json!({ "max": -5 }), BadBound),
            ("min", json!({ "min": 2.5 }), BadBound),
            ("min", json!({ "min": "2027-01-01" }), BadBound),
            ("pattern", json!({ "pattern": "(" }), BadPattern),
            ("pattern", json!({ "pattern": "(?=a)b" }), BadPattern),
            ("pattern", json!({ "pattern": r"\w{100}{100}" }), BadPattern),
        ],
    );
}

#[test]
fn rules_of_numbers_are_numbers_with_something_between_them() {
    use ParseProblemCode::{BadBound, EmptyBounds, WrongType};
    check_rules(
        "number",
        &[
            ("min", json!({ "min": "2027-01-01" }), BadBound),
            ("max", json!({ "min": 3, "max": 2 }), EmptyBounds),
            ("max", json!({ "min": 1.5, "max": 1 }), EmptyBounds),
            ("step", json!({ "step": 0 }), BadBound),
            ("step", json!({ "step": -0.5 }), BadBound),
            ("step", json!({ "step": "x" }), WrongType),
            ("max", json!({ "max": u64::MAX }), BadBound),
            ("max", json!({ "max": 1e300 }), BadBound),
            ("max", json!({ "max": true }), WrongType),
            ("integer", json!({ "integer": "perhaps" }), WrongType),
        ],
    );
}

#[test]
fn rules_of_dates_are_days_of_the_calendar_in_order() {
    use ParseProblemCode::{BadBound, EmptyBounds};
    for input_type in ["date", "date_range"] {
        check_rules(
            input_type,
            &[
                ("min", json!({ "min": 5 }), BadBound),
                ("min", json!({ "min": "2027-02-29" }), BadBound),
                ("max", json!({ "max": "tomorrow" }), BadBound),
                ("max", json!({ "max": "2027-13-01" }), BadBound),
                (
                    "max",
                    json!({ "min": "2027-01-02", "max": "2027-01-01" }),
                    EmptyBounds,
                ),
            ],
        );
    }
}

#[test]
fn rules_at_their_bounds_are_accepted() {
    for (input_type, validation) in [
        ("text", json!({ "min_length": 0, "max_length": 1 })),
        (
            "text",
            json!({ "min_length": 10_000, "max_length": 10_000 }),
        ),
        ("number", json!({ "min": i64::MIN, "max": i64::MAX })),
        (
            "number",
            json!({ "min": 2, "max": 2, "step": 0.001, "integer": true }),
        ),
        ("date", json!({ "min": "2028-02-29", "max": "2028-02-29" })),
        ("date_range", json!({ "min": "2027-01-01" })),
    ] {
        assert_eq!(
            parse(Dialect::AskUser, &ruled(input_type, validation)).repairs,
            []
        );
    }
}

#[test]
fn numbers_in_texts_are_rules_too() {
    check_repaired(
        Dialect::AskUser,
        &ruled("number", json!({ "min": "1", "max": "9.5", "step": "0.5" })),
        &ruled("number", json!({ "min": 1, "max": 9.5, "step": 0.5 })),
    );
    check_repaired(
        Dialect::AskUser,
        &ruled("text", json!({ "min": 2, "max": 4 })),
        &ruled("text", json!({ "min_length": 2, "max_length": 4 })),
    );
}

#[test]
fn rules_of_another_type_are_ignored_and_the_repair_says_so() {
    let parsed = parse(
        Dialect::AskUser,
        &ruled("date", json!({ "pattern": "^a", "step": 2 })),
    );
    let done = "ignored rules that the input_type does not take";
    assert!(parsed.repairs.iter().any(|repair| repair.done == done));
}
