//! What models send wrong and is understood all the same.

use super::*;

#[test]
fn inputs_that_follow_the_contract_need_no_repair() {
    for dialect in Dialect::TOOLS {
        assert_eq!(parse(dialect, &plain(dialect)).repairs, []);
    }
}

#[test]
fn what_is_left_out_has_its_documented_default() {
    let expect = [
        (Dialect::AskUserQuestion, (false, true)),
        (Dialect::AskUserQuestionClaude, (false, true)),
        (Dialect::Question, (false, true)),
        (Dialect::AskUser, (false, false)),
    ];
    for (dialect, several_and_own_text) in expect {
        let parsed = inquiry(dialect, &plain(dialect));
        let kind = choice_kind(&parsed);
        assert_eq!(
            (kind.several, kind.own_text),
            several_and_own_text,
            "{dialect:?}"
        );
        assert!(!only(&parsed).skippable, "{dialect:?}");
    }
}

#[test]
fn json_in_a_text_is_read() {
    for dialect in Dialect::TOOLS {
        let meant = plain(dialect);
        let once = json!(meant.to_string());
        check_repaired(dialect, &once, &meant);
        check_repaired(dialect, &json!(once.to_string()), &meant);
        let options = options(dialect, &["A", "B"]).to_string();
        check_repaired(
            dialect,
            &plain_with(dialect, "/options", json!(options)),
            &meant,
        );
        let option = option(dialect, "A").to_string();
        check_repaired(
            dialect,
            &plain_with(dialect, "/options/0", json!(option)),
            &meant,
        );
    }
    for dialect in LISTS {
        let meant = plain(dialect);
        let text = meant["questions"].to_string();
        check_repaired(dialect, &json!({ "questions": text }), &meant);
        let item = two_choices(dialect).to_string();
        check_repaired(dialect, &json!({ "questions": [item] }), &meant);
    }
}

#[test]
fn text_that_looks_like_json_stays_a_text_where_text_is_wanted() {
    let sent = plain_with(Dialect::Question, "/options/0/label", json!("[1, 2]"));
    assert_eq!(labels(&inquiry(Dialect::Question, &sent)), ["[1, 2]", "B"]);
}

#[test]
fn bare_text_is_a_choice() {
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let sent = plain_with(dialect, "/options", json!(["A", "B"]));
        check_repaired(dialect, &sent, &plain(dialect));
    }
    let numbers = plain_with(Dialect::Question, "/options", json!([1, 2.5, true]));
    assert_eq!(
        labels(&inquiry(Dialect::Question, &numbers)),
        ["1", "2.5", "true"]
    );
    check_refused(
        Dialect::AskUserQuestionClaude,
        &plain_with(
            Dialect::AskUserQuestionClaude,
            "/options",
            json!(["A", "B"]),
        ),
        &[
            (
                "questions[0].options[0].description",
                ParseProblemCode::Missing,
            ),
            (
                "questions[0].options[1].description",
                ParseProblemCode::Missing,
            ),
        ],
    );
}

#[test]
fn text_that_was_spread_into_characters_is_joined() {
    let spread = json!({ "0": "F", "1": "o", "2": "ö" });
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let sent = plain_with(dialect, "/options/0", spread.clone());
        let meant = plain_with(dialect, "/options/0", json!({ "label": "Foö" }));
        check_repaired(dialect, &sent, &meant);
        let sent = plain_with(dialect, "/question", spread.clone());
        let meant = plain_with(dialect, "/question", json!("Foö"));
        check_repaired(dialect, &sent, &meant);
    }
    for not_spread in [
        json!({ "0": "Fo" }),
        json!({ "1": "F" }),
        json!({ "0": 1 }),
        json!({ "0": "F", "2": "o" }),
    ] {
        check_refused(
            Dialect::Question,
            &plain_with(Dialect::Question, "/question", not_spread),
            &[("question", ParseProblemCode::WrongType)],
        );
    }
}

#[test]
fn label_is_found_under_other_names() {
    let names = [
        "header", "title", "text", "name", "option", "value", "choice", "key", "id", "Label",
        "LABEL",
    ];
    for dialect in Dialect::TOOLS {
        for name in names {
            let mut option = option(dialect, "A");
            let fields = option.as_object_mut().expect("an object");
            fields.remove("label");
            fields.insert(name.to_owned(), json!("A"));
            let sent = plain_with(dialect, "/options/0", option);
            assert_eq!(labels(&inquiry(dialect, &sent)), ["A", "B"], "{sent}");
        }
    }
}

#[test]
fn label_wins_over_its_other_names() {
    let sent = plain_with(
        Dialect::Question,
        "/options/0",
        json!({ "label": "Shown", "value": "hidden", "header": "other", "title": "more" }),
    );
    assert_eq!(labels(&inquiry(Dialect::Question, &sent)), ["Shown", "B"]);
}

#[test]
fn question_and_options_are_found_under_other_names() {
    for dialect in Dialect::TOOLS {
        for (name, other) in [
            ("question", "text"),
            ("question", "prompt"),
            ("question", "message"),
            ("options", "choices"),
            ("options", "items"),
            ("options", "alternatives"),
        ] {
            let mut asked = two_choices(dialect);
            let fields = asked.as_object_mut().expect("an object");
            let value = fields.remove(name).expect("a field");
            fields.insert(other.to_owned(), value);
            check_repaired(dialect, &input(dialect, asked), &plain(dialect));
        }
    }
}

#[test]
fn header_and_description_are_found_under_other_names() {
    for dialect in [Dialect::AskUserQuestion, Dialect::Question] {
        let meant = plain_with(dialect, "/header", json!("Short"));
        for name in ["title", "label", "short_label", "chip"] {
            let sent = plain_with(dialect, &format!("/{name}"), json!("Short"));
            check_repaired(dialect, &sent, &meant);
        }
    }
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let meant = plain_with(dialect, "/options/0/description", json!("Why"));
        for name in ["desc", "detail", "details", "explanation"] {
            let sent = plain_with(dialect, &format!("/options/0/{name}"), json!("Why"));
            check_repaired(dialect, &sent, &meant);
        }
    }
}

#[test]
fn names_are_read_in_any_case() {
    let spelled: &[(Dialect, &str, &[&str], Value)] = &[
        (
            Dialect::AskUserQuestion,
            "multiSelect",
            &[
                "multi_select",
                "multiselect",
                "MultiSelect",
                "multi-select",
                "multiple",
                "allow_multiple",
            ],
            json!(true),
        ),
        (
            Dialect::AskUserQuestionClaude,
            "multiSelect",
            &["multi_select", "multiselect", "multiple"],
            json!(true),
        ),
        (
            Dialect::Question,
            "multiple",
            &["multiSelect", "multi_select", "Multiple"],
            json!(true),
        ),
        (
            Dialect::Question,
            "custom",
            &["allow_other", "allowOther", "allowCustom"],
            json!(false),
        ),
        (
            Dialect::AskUser,
            "allow_other",
            &["allowOther", "AllowOther", "allow-other", "custom"],
            json!(true),
        ),
        (
            Dialect::AskUser,
            "allow_skip",
            &["allowSkip", "skippable", "optional"],
            json!(true),
        ),
        (
            Dialect::AskUser,
            "input_type",
            &["inputType", "InputType", "type"],
            json!("multi_select"),
        ),
        (
            Dialect::AskUser,
            "validation",
            &["rules", "Validation"],
            json!({}),
        ),
    ];
    for (dialect, name, others, value) in spelled {
        let meant = plain_with(*dialect, &format!("/{name}"), value.clone());
        for other in *others {
            let mut asked = two_choices(*dialect);
            let fields = asked.as_object_mut().expect("an object");
            fields.remove(*name);
            fields.insert((*other).to_owned(), value.clone());
            check_repaired(*dialect, &input(*dialect, asked), &meant);
        }
    }
    let rules = |minimum: &str, pattern: &str| json!({ "question": "q", "validation": { minimum: 3, pattern: "^a" } });
    let meant = rules("min_length", "pattern");
    check_repaired(Dialect::AskUser, &rules("minLength", "regex"), &meant);
}

#[test]
fn flags_are_read_from_words_and_numbers() {
    let flag = |value: Value| plain_with(Dialect::Question, "/multiple", value);
    for yes in [
        json!("true"),
        json!("True"),
        json!(" yes "),
        json!("1"),
        json!(1),
    ] {
        check_repaired(Dialect::Question, &flag(yes), &flag(json!(true)));
    }
    for no in [
        json!("false"),
        json!("FALSE"),
        json!("no"),
        json!("0"),
        json!(0),
    ] {
        check_repaired(Dialect::Question, &flag(no), &flag(json!(false)));
    }
}

#[test]
fn flat_question_becomes_a_list() {
    for dialect in LISTS {
        let meant = plain(dialect);
        let flat = two_choices(dialect);
        check_repaired(dialect, &flat, &meant);
        check_repaired(dialect, &json!([flat]), &meant);
        check_repaired(dialect, &json!({ "questions": flat }), &meant);
        check_repaired(dialect, &json!({ "question": flat }), &meant);
        check_repaired(dialect, &json!({ "Questions": [flat] }), &meant);
    }
}

#[test]
fn list_of_one_question_becomes_a_flat_question() {
    for dialect in SINGLES {
        let meant = plain(dialect);
        check_repaired(dialect, &json!({ "questions": [meant] }), &meant);
        check_repaired(dialect, &json!({ "questions": meant }), &meant);
        check_repaired(
            dialect,
            &json!({ "questions": json!([meant]).to_string() }),
            &meant,
        );
        check_repaired(dialect, &json!([meant]), &meant);
    }
}

#[test]
fn input_is_taken_out_of_a_whole_call() {
    for dialect in Dialect::TOOLS {
        let (meant, name) = (plain(dialect), dialect.name());
        for sent in [
            json!({ "name": name, "arguments": meant }),
            json!({ "name": name, "arguments": meant.to_string() }),
            json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": meant }),
            json!({ "tool": name, "parameters": meant }),
            json!({
                "id": "call_1", "type": "function",
                "function": { "name": name, "arguments": meant.to_string() },
            }),
            json!({ "arguments": meant }),
        ] {
            check_repaired(dialect, &sent, &meant);
        }
    }
}

#[test]
fn null_and_empty_optional_fields_are_left_out() {
    for dialect in [Dialect::AskUserQuestion, Dialect::Question] {
        let meant = plain(dialect);
        for nothing in [json!(null), json!(""), json!("  ")] {
            check_repaired(
                dialect,
                &plain_with(dialect, "/header", nothing.clone()),
                &meant,
            );
            let sent = plain_with(dialect, "/options/0/description", nothing);
            check_repaired(dialect, &sent, &meant);
        }
    }
    let meant = plain(Dialect::AskUser);
    for field in [
        "context",
        "placeholder",
        "validation",
        "allow_skip",
        "allow_other",
    ] {
        let sent = plain_with(Dialect::AskUser, &format!("/{field}"), json!(null));
        check_repaired(Dialect::AskUser, &sent, &meant);
    }
    let sent = plain_with(Dialect::AskUser, "/options/0/value", json!(""));
    check_repaired(Dialect::AskUser, &sent, &meant);
}

#[test]
fn empty_items_of_a_list_are_dropped() {
    for dialect in Dialect::TOOLS {
        let options = json!([null, option(dialect, "A"), null, option(dialect, "B")]);
        let sent = plain_with(dialect, "/options", options);
        check_repaired(dialect, &sent, &plain(dialect));
    }
}

#[test]
fn problem_names_the_place_in_the_input_as_it_was_sent() {
    let sent = json!({ "question": "q", "options": [null, "A", "Other", null, "A"] });
    check_refused(
        Dialect::Question,
        &sent,
        &[("options[4]", ParseProblemCode::DuplicateLabel)],
    );
    let questions = json!({ "questions": [
        null,
        { "question": "q", "options": ["A", "B"] },
        { "question": "q", "options": ["A", "B"] },
    ]});
    check_refused(
        Dialect::AskUserQuestion,
        &questions,
        &[("questions[2]", ParseProblemCode::DuplicateQuestion)],
    );
}

#[test]
fn unknown_fields_are_ignored() {
    for dialect in Dialect::TOOLS {
        let meant = plain(dialect);
        let sent = plain_with(dialect, "/urgency", json!("high"));
        check_repaired(dialect, &sent, &meant);
        let sent = plain_with(dialect, "/options/0/color", json!("red"));
        check_repaired(dialect, &sent, &meant);
    }
}

#[test]
fn prefilled_answers_are_accepted_and_never_taken() {
    let dialect = Dialect::AskUserQuestionClaude;
    let mut sent = plain(dialect);
    set(&mut sent, "/answers", json!({ "Which one?": "A" }));
    assert_eq!(inquiry(dialect, &sent), inquiry(dialect, &plain(dialect)));
}

#[test]
fn unsafe_text_is_cleaned_and_the_repair_says_so() {
    let sent = plain_with(
        Dialect::Question,
        "/question",
        json!("Which\u{1B}[31m\r\none\u{202E}?"),
    );
    let parsed = parse(Dialect::Question, &sent);
    assert_eq!(only(&parsed.inquiry).text.as_str(), "Which␛\none?");
    let repair = &parsed.repairs[0];
    assert_eq!(
        (repair.path.as_str(), repair.done.as_str()),
        ("question", "cleaned")
    );
    let sent = plain_with(Dialect::Question, "/options/0/label", json!("two\nlines"));
    assert_eq!(
        labels(&inquiry(Dialect::Question, &sent)),
        ["two lines", "B"]
    );
}

#[test]
fn repair_does_not_lift_a_limit() {
    let five: Vec<String> = numbered(5);
    let sent = json!({ "question": "q", "options": json!(five).to_string() });
    check_refused(
        Dialect::AskUserQuestion,
        &sent,
        &[("questions[0].options", ParseProblemCode::TooMany)],
    );
    let long = "x".repeat(31);
    check_refused(
        Dialect::Question,
        &json!({ "question": "q", "options": [long, { "header": long }] }),
        &[
            ("options[0].label", ParseProblemCode::TooLong),
            ("options[1].label", ParseProblemCode::TooLong),
        ],
    );
}

#[test]
fn ignored_fields_are_named_and_no_more_than_a_few() {
    let done = |fields: &[&str]| {
        let mut sent = plain(Dialect::AskUser);
        for field in fields {
            sent[*field] = json!(1);
        }
        let repairs = parse(Dialect::AskUser, &sent).repairs;
        repairs.iter().map(|it| it.done.clone()).collect::<Vec<_>>()
    };
    assert_eq!(done(&["colour"]), ["ignored the unknown field `colour`"]);
    assert_eq!(
        done(&["x\u{1b}[2J", "y"]),
        ["ignored the unknown fields `x␛`, `y`"]
    );
    let many = done(&["z1", "z2", "z3", "z4", "z5", "z6", "z7"]);
    assert_eq!(
        many,
        ["ignored the unknown fields `z1`, `z2`, `z3`, `z4`, `z5` and 2 more"]
    );
}

#[test]
fn mark_of_a_recommended_choice_does_not_count_as_length() {
    let claude = Dialect::AskUserQuestionClaude;
    let longest = "x".repeat(limits::CLAUDE_LABEL_CHARS_MAX);
    let marked = |label: &str| {
        let label = json!(format!("{label} (Recommended)"));
        plain_with(claude, "/options/0/label", label)
    };
    let parsed = parse(claude, &marked(&longest)).inquiry;
    let choice = &choice_kind(&parsed).choices[0];
    assert_eq!(
        (choice.label.as_str(), choice.recommended),
        (longest.as_str(), true)
    );
    let refused = claude.parse(&marked(&format!("{longest}x")), ParseOptions::default());
    assert!(refused.is_err());
}
