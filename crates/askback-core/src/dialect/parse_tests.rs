//! Tool inputs of every dialect at their limits, in the wrong shapes that models send, and beyond
//! repair: what is understood, what is refused, and what the model is told about it.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a table reads better without a borrow in every line"
)]

use serde_json::{Value, json};

use super::*;
use crate::question::{Choice, ChoiceKind, Kind, Question};

const LISTS: [Dialect; 2] = [Dialect::AskUserQuestion, Dialect::AskUserQuestionClaude];
const SINGLES: [Dialect; 2] = [Dialect::Question, Dialect::AskUser];

fn parse(dialect: Dialect, input: &Value) -> Parsed {
    match dialect.parse(input, ParseOptions::default()) {
        Ok(parsed) => parsed,
        Err(error) => panic!("{input} was refused: {error}"),
    }
}

fn inquiry(dialect: Dialect, input: &Value) -> Inquiry {
    parse(dialect, input).inquiry
}

fn refusal(dialect: Dialect, input: &Value) -> ParseError {
    match dialect.parse(input, ParseOptions::default()) {
        Ok(parsed) => panic!("{input} was taken as {parsed:?}"),
        Err(error) => error,
    }
}

/// Expects exactly these problems, and a refusal that says all a model needs for its retry.
fn check_refused(dialect: Dialect, input: &Value, expect: &[(&str, ProblemCode)]) {
    let error = refusal(dialect, input);
    let found: Vec<(&str, ProblemCode)> = error
        .problems()
        .iter()
        .map(|problem| (problem.path.as_str(), problem.code))
        .collect();
    assert_eq!(found, expect, "{input}");
    let told = error.to_string();
    for problem in error.problems().iter().take(limits::PROBLEMS_MAX) {
        let line = match problem.path.as_str() {
            "" => format!("\n- {}\n", problem.hint),
            path => format!("\n- {path}: {}\n", problem.hint),
        };
        assert!(told.contains(&line), "{told}");
    }
    let (name, contract) = (dialect.name(), dialect.contract().in_one_line());
    assert!(
        told.starts_with(&format!("{name} was not carried out: ")),
        "{told}"
    );
    assert!(told.contains("The user has seen nothing of it."), "{told}");
    assert!(
        told.ends_with(&format!("Call {name} again with: {contract}")),
        "{told}"
    );
}

/// Expects `sent` to be understood as `meant`, which follows the contract to the letter.
fn check_repaired(dialect: Dialect, sent: &Value, meant: &Value) {
    let understood = parse(dialect, sent);
    let plain = parse(dialect, meant);
    assert_eq!(plain.repairs, [], "{meant} follows the contract");
    assert_eq!(understood.inquiry, plain.inquiry, "{sent}");
    assert_ne!(understood.repairs, [], "{sent} was repaired in silence");
}

/// An option with every field that the dialect requires.
fn option(dialect: Dialect, label: &str) -> Value {
    if dialect == Dialect::AskUserQuestionClaude {
        json!({ "label": label, "description": "What it means" })
    } else {
        json!({ "label": label })
    }
}

fn options(dialect: Dialect, labels: &[&str]) -> Value {
    labels.iter().map(|label| option(dialect, label)).collect()
}

/// A question with every field that the dialect requires.
fn question(dialect: Dialect, text: &str, options: Value) -> Value {
    match dialect {
        Dialect::AskUserQuestion | Dialect::Question => {
            json!({ "question": text, "options": options })
        }
        Dialect::AskUserQuestionClaude => json!({
            "question": text, "header": "Header", "multiSelect": false, "options": options,
        }),
        Dialect::AskUser => json!({
            "question": text, "input_type": "single_select", "options": options,
        }),
    }
}

/// A whole input that asks one question.
fn input(dialect: Dialect, question: Value) -> Value {
    if dialect.takes_list() {
        json!({ "questions": [question] })
    } else {
        question
    }
}

fn two_choices(dialect: Dialect) -> Value {
    question(dialect, "Which one?", options(dialect, &["A", "B"]))
}

fn plain(dialect: Dialect) -> Value {
    input(dialect, two_choices(dialect))
}

/// A plain input with something else at this place of its only question.
fn plain_with(dialect: Dialect, pointer: &str, value: Value) -> Value {
    let mut question = two_choices(dialect);
    set(&mut question, pointer, value);
    input(dialect, question)
}

fn set(target: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match target.pointer_mut(parent).expect("the parent exists") {
        Value::Object(map) => {
            map.insert(name.to_owned(), value);
        }
        Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value,
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
            panic!("{other} holds nothing")
        }
    }
}

/// Where a place of the only question is reported.
fn path(dialect: Dialect, within: &str) -> String {
    if dialect.takes_list() {
        format!("questions[0].{within}")
    } else {
        within.to_owned()
    }
}

fn only(inquiry: &Inquiry) -> &Question {
    let [question] = inquiry.questions() else {
        panic!("{inquiry:?} has one question");
    };
    question
}

fn choice_kind(inquiry: &Inquiry) -> &ChoiceKind {
    let Kind::Choice(kind) = &only(inquiry).kind else {
        panic!("{inquiry:?} has no choices");
    };
    kind
}

fn labels(inquiry: &Inquiry) -> Vec<&str> {
    let choices = choice_kind(inquiry).choices.iter();
    choices.map(|choice| choice.label.as_str()).collect()
}

fn numbered(count: usize) -> Vec<String> {
    (1..=count)
        .map(|number| format!("Choice {number}"))
        .collect()
}

// Counts and lengths.

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
        check_refused(dialect, &asked(0), &[("questions", ProblemCode::TooFew)]);
        check_refused(dialect, &asked(5), &[("questions", ProblemCode::TooMany)]);
    }
}

#[test]
fn question_count_is_one_in_single_dialects() {
    for dialect in SINGLES {
        let one = two_choices(dialect);
        check_refused(
            dialect,
            &json!({ "questions": [one, one] }),
            &[("", ProblemCode::OneQuestionOnly)],
        );
        check_refused(
            dialect,
            &json!([one, one]),
            &[("", ProblemCode::OneQuestionOnly)],
        );
        check_refused(dialect, &json!([]), &[("", ProblemCode::OneQuestionOnly)]);
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
            ProblemCode::NoChoices
        } else {
            ProblemCode::TooFew
        };
        let at = path(dialect, "options");
        check_refused(dialect, &asked(min - 1), &[(at.as_str(), too_few)]);
        check_refused(
            dialect,
            &asked(max + 1),
            &[(at.as_str(), ProblemCode::TooMany)],
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
            check_refused(*dialect, &longer, &[(at.as_str(), ProblemCode::TooLong)]);
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
            &[(at.as_str(), ProblemCode::TooLong)],
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
    assert_eq!(longest.source().map(crate::text::Text::chars), Some(200));
    check_refused(
        Dialect::AskUserQuestionClaude,
        &source(201),
        &[("metadata.source", ProblemCode::TooLong)],
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
            ProblemCode::TooLong,
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
        ("options[1]", ProblemCode::DuplicateLabel)
    );
}

// Repairs.

#[test]
fn inputs_that_follow_the_contract_need_no_repair() {
    for dialect in Dialect::ALL {
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
    for dialect in Dialect::ALL {
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
            ("questions[0].options[0].description", ProblemCode::Missing),
            ("questions[0].options[1].description", ProblemCode::Missing),
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
            &[("question", ProblemCode::WrongType)],
        );
    }
}

#[test]
fn label_is_found_under_other_names() {
    let names = [
        "header", "title", "text", "name", "option", "value", "choice", "key", "id", "Label",
        "LABEL",
    ];
    for dialect in Dialect::ALL {
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
    for dialect in Dialect::ALL {
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
    for dialect in Dialect::ALL {
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
    for dialect in Dialect::ALL {
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
        &[("options[4]", ProblemCode::DuplicateLabel)],
    );
    let questions = json!({ "questions": [
        null,
        { "question": "q", "options": ["A", "B"] },
        { "question": "q", "options": ["A", "B"] },
    ]});
    check_refused(
        Dialect::AskUserQuestion,
        &questions,
        &[("questions[2]", ProblemCode::DuplicateQuestion)],
    );
}

#[test]
fn unknown_fields_are_ignored() {
    for dialect in Dialect::ALL {
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
        &[("questions[0].options", ProblemCode::TooMany)],
    );
    let long = "x".repeat(31);
    check_refused(
        Dialect::Question,
        &json!({ "question": "q", "options": [long, { "header": long }] }),
        &[
            ("options[0].label", ProblemCode::TooLong),
            ("options[1].label", ProblemCode::TooLong),
        ],
    );
}

// Duplicates and the authored "Other".

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
                ("questions[1]", ProblemCode::DuplicateQuestion),
                ("questions[2]", ProblemCode::DuplicateQuestion),
            ],
        );
    }
}

#[test]
fn duplicate_labels_are_refused() {
    for dialect in Dialect::ALL {
        let asked = question(dialect, "Which?", options(dialect, &["A", "B", " A "]));
        let at = path(dialect, "options[2]");
        check_refused(
            dialect,
            &input(dialect, asked),
            &[(at.as_str(), ProblemCode::DuplicateLabel)],
        );
    }
    let advised = options(
        Dialect::AskUserQuestionClaude,
        &["npm (Recommended)", "npm"],
    );
    check_refused(
        Dialect::AskUserQuestionClaude,
        &plain_with(Dialect::AskUserQuestionClaude, "/options", advised),
        &[("questions[0].options[1]", ProblemCode::DuplicateLabel)],
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
        &[("options[1]", ProblemCode::DuplicateValue)],
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
            &[("options[1]", ProblemCode::DuplicateValue)],
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
        &[("options", ProblemCode::TooMany)],
    );
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
        &[("questions", ProblemCode::TooMany)],
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

// Kinds and rules of `ask_user`.

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
                &[("options", ProblemCode::NoChoices)],
            );
        }
    }
}

fn ruled(input_type: &str, validation: Value) -> Value {
    json!({ "question": "q", "input_type": input_type, "validation": validation })
}

/// Expects each of these rules to be refused at its field.
fn check_rules(input_type: &str, refused: &[(&str, Value, ProblemCode)]) {
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
    use ProblemCode::{BadBound, BadPattern, EmptyBounds, OutOfRange, WrongType};
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
    use ProblemCode::{BadBound, EmptyBounds, WrongType};
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
    use ProblemCode::{BadBound, EmptyBounds};
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

// Refusals.

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
                        &[(at.as_str(), ProblemCode::WrongType)],
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
    let options = Dialect::ALL.map(|dialect| (dialect, &["options"] as &[&str]));
    check(&options, &[json!(7), json!("A, B"), json!(true)]);
}

#[test]
fn wrong_type_is_refused_in_the_outer_parts() {
    for dialect in Dialect::ALL {
        for wrong in [json!(null), json!(true), json!(7)] {
            check_refused(dialect, &wrong, &[("", ProblemCode::WrongType)]);
        }
        for text in ["", "   ", "Which one?", "{\"question\":"] {
            check_refused(dialect, &json!(text), &[("", ProblemCode::NotJson)]);
        }
        let at = path(dialect, "options[0]");
        check_refused(
            dialect,
            &plain_with(dialect, "/options/0", json!([])),
            &[(at.as_str(), ProblemCode::WrongType)],
        );
    }
    for dialect in LISTS {
        for wrong in [json!(7), json!("Which one?"), json!(true)] {
            check_refused(
                dialect,
                &json!({ "questions": wrong }),
                &[("questions", ProblemCode::WrongType)],
            );
        }
        check_refused(
            dialect,
            &json!({ "questions": ["Which one?"] }),
            &[("questions[0]", ProblemCode::WrongType)],
        );
    }
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": 7 }),
        &[("input_type", ProblemCode::WrongType)],
    );
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": "slider" }),
        &[("input_type", ProblemCode::UnknownWord)],
    );
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "validation": "required" }),
        &[("validation", ProblemCode::WrongType)],
    );
}

#[test]
fn required_fields_are_required() {
    for dialect in LISTS {
        check_refused(dialect, &json!({}), &[("questions", ProblemCode::Missing)]);
        check_refused(
            dialect,
            &json!({ "questions": null }),
            &[("questions", ProblemCode::Missing)],
        );
    }
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "questions": [{}] }),
        &[
            ("questions[0].question", ProblemCode::Missing),
            ("questions[0].options", ProblemCode::Missing),
        ],
    );
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "question": "Which one?" }),
        &[("questions[0].options", ProblemCode::Missing)],
    );
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "options": ["A", "B"] }),
        &[("questions[0].question", ProblemCode::Missing)],
    );
    check_refused(
        Dialect::AskUserQuestionClaude,
        &json!({ "questions": [{ "question": null, "options": [{ "label": "A" }, {}] }] }),
        &[
            ("questions[0].question", ProblemCode::Missing),
            ("questions[0].header", ProblemCode::Missing),
            ("questions[0].options[0].description", ProblemCode::Missing),
            ("questions[0].options[1].label", ProblemCode::Missing),
            ("questions[0].options[1].description", ProblemCode::Missing),
            ("questions[0].multiSelect", ProblemCode::Missing),
        ],
    );
    check_refused(
        Dialect::Question,
        &json!({}),
        &[
            ("question", ProblemCode::Missing),
            ("options", ProblemCode::Missing),
        ],
    );
    check_refused(
        Dialect::AskUser,
        &json!({}),
        &[("question", ProblemCode::Missing)],
    );
}

#[test]
fn text_that_nobody_could_read_is_refused() {
    for dialect in Dialect::ALL {
        for blank in ["", " \n ", "\u{200B}", "\u{200D}", "\u{3164}"] {
            let at = path(dialect, "question");
            check_refused(
                dialect,
                &plain_with(dialect, "/question", json!(blank)),
                &[(at.as_str(), ProblemCode::Blank)],
            );
            let at = path(dialect, "options[0].label");
            check_refused(
                dialect,
                &plain_with(dialect, "/options/0/label", json!(blank)),
                &[(at.as_str(), ProblemCode::Blank)],
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
            ("questions[0].header", ProblemCode::TooLong),
            ("questions[0].options[1].description", ProblemCode::Blank),
            ("questions[0].options[2].label", ProblemCode::TooLong),
            ("questions[0].multiSelect", ProblemCode::WrongType),
            ("questions[1].options", ProblemCode::TooFew),
            ("questions[1].multiSelect", ProblemCode::Missing),
            ("questions[0].options[1]", ProblemCode::DuplicateLabel),
            ("questions[0].options", ProblemCode::TooMany),
            ("questions[1]", ProblemCode::DuplicateQuestion),
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
            ("question", ProblemCode::Blank),
            ("placeholder", ProblemCode::WrongType),
            ("validation.pattern", ProblemCode::BadPattern),
            ("validation.max_length", ProblemCode::EmptyBounds),
        ],
    );
}

#[test]
fn crowded_list_is_refused_unread() {
    let crowd: Vec<String> = numbered(50_000);
    check_refused(
        Dialect::AskUser,
        &plain_with(Dialect::AskUser, "/options", json!(crowd)),
        &[("options", ProblemCode::TooMany)],
    );
    check_refused(
        Dialect::AskUserQuestion,
        &json!({ "questions": vec![0; 50_000] }),
        &[("questions", ProblemCode::TooMany)],
    );
}

#[test]
fn one_wrong_field_is_not_reported_as_several() {
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": "single_select", "options": [{ "label": [] }] }),
        &[("options[0].label", ProblemCode::WrongType)],
    );
    check_refused(
        Dialect::AskUser,
        &json!({ "question": "q", "input_type": "slider", "validation": { "min": "2027-01-01" } }),
        &[("input_type", ProblemCode::UnknownWord)],
    );
}

#[test]
fn refusal_reads_as_one_message_to_the_model() {
    let sent = json!({ "questions": [{ "question": "Which?", "header": "Authentication", "options": ["A"] }] });
    assert_eq!(
        refusal(Dialect::AskUserQuestion, &sent).to_string(),
        "ask_user_question was not carried out: the input does not fit. The user has seen nothing of it.\n\
         - questions[0].header: has 14 characters: write at most 12.\n\
         - questions[0].options: has 1: send 2 to 4.\n\
         Call ask_user_question again with: {\"questions\": [{\"question\": text, \
         \"header\" (optional): text up to 12 characters, \"options\": [{\"label\": text, \
         \"description\" (optional): text, \"preview\" (optional): text}, … 2 to 4 of these], \
         \"multiSelect\" (optional): true|false}, … 1 to 4 of these]}"
    );
}

#[test]
fn refusal_lists_a_bounded_number_of_problems() {
    let items: Vec<Value> = (0..10).map(|_| json!({ "label": [] })).collect();
    let error = refusal(
        Dialect::Question,
        &json!({ "question": "q", "options": items }),
    );
    assert_eq!(error.problems().len(), 10);
    let told = error.to_string();
    assert_eq!(told.matches("\n- options[").count(), 8);
    assert!(told.contains("\n- and 2 more.\n"), "{told}");
}

#[test]
fn refusal_says_what_to_send_for_every_code() {
    let hints = [
        (
            json!({ "question": "q", "options": 7 }),
            "must be a list, not a number.",
        ),
        (json!({ "question": 7 }), "is missing: add a list."),
        (
            json!({ "question": "q", "options": ["A"], "multiple": "maybe" }),
            "must be true or false, not a text.",
        ),
        (
            json!({ "question": ["q"], "options": ["A"] }),
            "must be a text, not a list.",
        ),
        (
            json!({ "question": "q", "options": [[]] }),
            "must be an object, not a list.",
        ),
        (
            json!({ "question": "", "options": ["A"] }),
            "is empty: write a text that can be read.",
        ),
        (
            json!({ "question": "q", "options": [] }),
            "has 0: send 1 to 10.",
        ),
        (
            json!({ "question": "q", "options": ["A", "A"] }),
            "has the label of an earlier choice: give each its own.",
        ),
        (
            json!([]),
            "The input holds 0 questions: send one question with each call.",
        ),
        (json!(null), "The input must be an object, not null."),
        (json!("text"), "The input is a text: send an object."),
        (
            json!({ "name": "question", "arguments": "{\"question\":" }),
            "The arguments of the call are a text that is not JSON: send an object.",
        ),
    ];
    for (sent, hint) in hints {
        assert_eq!(
            refusal(Dialect::Question, &sent).problems()[0].hint,
            hint,
            "{sent}"
        );
    }
}

#[test]
fn refusal_of_a_rule_says_what_would_fit() {
    let hints = [
        (
            ruled("slider", json!({})),
            "must be one of single_select, multi_select, text, number, date, date_range, confirm.",
        ),
        (
            ruled("text", json!({ "min_length": -1 })),
            "must be from 0 to 10000.",
        ),
        (
            ruled("text", json!({ "max": -1 })),
            "must be a whole number from 0 up here.",
        ),
        (
            ruled("text", json!({ "max": "2027-01-01" })),
            "must be a number here.",
        ),
        (
            ruled("text", json!({ "max_length": 0 })),
            "leaves no answer possible: it must be above nought and not below min_length.",
        ),
        (
            ruled("text", json!({ "pattern": "(" })),
            "does not compile: use Rust regex syntax, without look-around and back-references.",
        ),
        (
            ruled("number", json!({ "step": 0 })),
            "must be above nought.",
        ),
        (
            ruled("number", json!({ "max": u64::MAX })),
            "is too large to be kept exactly: use a smaller number.",
        ),
        (
            ruled("number", json!({ "min": 2, "max": 1 })),
            "leaves no answer possible: it must not lie below min.",
        ),
        (
            ruled("date", json!({ "min": 5 })),
            "must be a day of the calendar as YYYY-MM-DD here.",
        ),
        (
            ruled("single_select", json!({})),
            "is empty, so the user would have nothing to choose: add options, or use input_type \"text\".",
        ),
    ];
    for (sent, hint) in hints {
        assert_eq!(
            refusal(Dialect::AskUser, &sent).problems()[0].hint,
            hint,
            "{sent}"
        );
    }
}

#[test]
fn contract_names_every_field_and_limit() {
    let contracts: &[(Dialect, &[&str])] = &[
        (
            Dialect::AskUserQuestion,
            &[
                "\"questions\"",
                "1 to 4 of these",
                "2 to 4 of these",
                "\"header\" (optional): text up to 12 characters",
            ],
        ),
        (
            Dialect::AskUserQuestionClaude,
            &[
                "\"header\": text up to 12",
                "\"label\": text up to 50",
                "\"description\": text up to 200",
                "\"multiSelect\": true|false",
            ],
        ),
        (
            Dialect::Question,
            &[
                "\"question\": text up to 500",
                "text up to 30",
                "1 to 10 of these",
                "\"multiple\" (optional)",
                "\"custom\" (optional)",
            ],
        ),
        (
            Dialect::AskUser,
            &[
                "\"question\": text up to 500",
                "0 to 20 of these",
                "\"value\" (optional): text up to 100",
                "\"allow_skip\" (optional)",
                "\"date_range\"",
                "\"pattern\" (optional)",
                "\"step\" (optional)",
                "\"integer\" (optional)",
            ],
        ),
    ];
    for (dialect, parts) in contracts {
        let contract = dialect.contract().in_one_line();
        for part in *parts {
            assert!(contract.contains(part), "{part} is not in {contract}");
        }
    }
}

#[test]
fn text_that_is_not_json_is_refused() {
    for dialect in Dialect::ALL {
        for text in [
            "",
            "{",
            "Which one?",
            "{\"question\": \"q\"",
            "{'question': 'q'}",
            "{\"question\": \"\\ud800\"}",
        ] {
            let error = dialect
                .parse_text(text, ParseOptions::default())
                .expect_err(text);
            let problem = &error.problems()[0];
            assert_eq!(
                (problem.path.as_str(), problem.code),
                ("", ProblemCode::NotJson),
                "{text}"
            );
            assert!(error.to_string().contains("again with: {"), "{error}");
        }
    }
    let error = Dialect::Question
        .parse_text("{\n  \"question\": oops", ParseOptions::default())
        .expect_err("not JSON");
    assert_eq!(
        error.problems()[0].hint,
        "The input is not JSON (line 2, column 15)."
    );
}

#[test]
fn text_is_bounded_in_bytes() {
    let padded = |bytes: usize| {
        let input = plain(Dialect::Question).to_string();
        let padding = " ".repeat(bytes - input.len());
        format!("{input}{padding}")
    };
    let largest = padded(1 << 20);
    Dialect::Question
        .parse_text(&largest, ParseOptions::default())
        .expect("it just fits");
    let error = Dialect::Question
        .parse_text(&padded((1 << 20) + 1), ParseOptions::default())
        .expect_err("too big");
    let problem = &error.problems()[0];
    assert_eq!(
        (problem.code, problem.hint.as_str()),
        (
            ProblemCode::TooBig,
            "The input is larger than 1048576 bytes: ask less at once."
        )
    );
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for dialect in Dialect::ALL {
        dialect
            .parse_text(&deep, ParseOptions::default())
            .expect_err("too deep");
    }
}

// Recognition.

fn check_recognised(expect: &[(Value, Dialect)]) {
    for (input, dialect) in expect {
        assert_eq!(recognise(input), *dialect, "{input}");
        let text = json!(input.to_string());
        assert_eq!(recognise(&text), *dialect, "{input} as a text");
    }
}

#[test]
fn list_of_questions_is_recognised_by_how_much_it_says() {
    use Dialect::{AskUserQuestion, AskUserQuestionClaude};
    let strict = json!({
        "question": "q", "header": "h", "multiSelect": false,
        "options": [{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }],
    });
    let lax = json!({ "question": "q", "options": [{ "label": "A" }, { "label": "B" }] });
    let without = |field: &str| {
        let mut question = strict.clone();
        let fields = question.as_object_mut().expect("an object");
        fields.remove(field);
        json!({ "questions": [question] })
    };
    let mut undescribed = strict.clone();
    set(&mut undescribed, "/options/1", json!({ "label": "B" }));
    let text = json!([strict]).to_string();
    check_recognised(&[
        (json!({ "questions": [strict] }), AskUserQuestionClaude),
        (
            json!({ "questions": [strict, strict] }),
            AskUserQuestionClaude,
        ),
        (json!({ "questions": [strict, lax] }), AskUserQuestion),
        (json!({ "questions": [lax] }), AskUserQuestion),
        (json!({ "questions": [undescribed] }), AskUserQuestion),
        (without("header"), AskUserQuestion),
        (without("multiSelect"), AskUserQuestion),
        (without("options"), AskUserQuestion),
        (
            json!({ "questions": [lax], "metadata": {} }),
            AskUserQuestionClaude,
        ),
        (
            json!({ "questions": [lax], "answers": {} }),
            AskUserQuestionClaude,
        ),
        (json!({ "questions": [] }), AskUserQuestion),
        (json!({ "questions": text }), AskUserQuestionClaude),
        (json!([lax]), AskUserQuestion),
        (strict, AskUserQuestionClaude),
    ]);
}

#[test]
fn flat_question_is_recognised_by_its_fields() {
    use Dialect::{AskUser, AskUserQuestion, Question};
    let with = |field: &str, value: Value| {
        let mut input = json!({ "question": "q", "options": ["A"] });
        set(&mut input, &format!("/{field}"), value);
        input
    };
    check_recognised(&[
        (json!({ "question": "q", "options": ["A"] }), Question),
        (
            json!({ "question": "q", "choices": ["A"], "multiple": true }),
            Question,
        ),
        (with("custom", json!(false)), Question),
        (with("header", json!("h")), Question),
        (with("multiSelect", json!(true)), AskUserQuestion),
        (json!({ "question": "q" }), AskUser),
        (json!({ "question": "q", "input_type": "text" }), AskUser),
        (with("inputType", json!("single_select")), AskUser),
        (
            with("options", json!([{ "label": "A", "value": "a" }])),
            AskUser,
        ),
        (with("allow_other", json!(true)), AskUser),
        (with("context", json!("why")), AskUser),
    ]);
}

#[test]
fn dialect_is_recognised_by_the_name_of_a_call() {
    let lax = json!({ "question": "q", "options": ["A", "B"] });
    for dialect in Dialect::ALL {
        let name = dialect.name();
        for call in [
            json!({ "name": name, "arguments": lax }),
            json!({ "name": name, "arguments": lax.to_string() }),
            json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": lax }),
            json!({ "tool_name": name, "tool_input": lax }),
            json!({
                "id": "call_1", "type": "function",
                "function": { "name": name, "arguments": lax.to_string() },
            }),
        ] {
            assert_eq!(recognise(&call), dialect, "{call}");
        }
    }
    let unnamed = json!({ "name": "mine", "arguments": lax });
    assert_eq!(recognise(&unnamed), Dialect::Question);
}

#[test]
fn what_is_no_question_falls_to_a_dialect_that_refuses_it() {
    for nothing in [
        json!(null),
        json!(7),
        json!(true),
        json!("text"),
        json!({}),
        json!([]),
    ] {
        let dialect = recognise(&nothing);
        dialect
            .parse(&nothing, ParseOptions::default())
            .expect_err("nothing is asked");
    }
}

#[test]
fn dialects_have_the_names_of_their_tools() {
    let names = Dialect::ALL.map(Dialect::name);
    assert_eq!(
        names,
        [
            "ask_user_question",
            "AskUserQuestion",
            "question",
            "ask_user"
        ]
    );
    for dialect in Dialect::ALL {
        assert_eq!(Dialect::from_name(dialect.name()), Some(dialect));
        let json = serde_json::to_value(dialect).expect("a dialect serialises");
        assert_eq!(json, json!(dialect.name()));
    }
    assert_eq!(Dialect::from_name("askuserquestion"), None);
}
