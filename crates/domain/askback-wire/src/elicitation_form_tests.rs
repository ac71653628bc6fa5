//! Every kind of question as a form, and every answer through a form and back.

use askback_core::answer::Answers;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_testkit::typed_answers;
use askback_testkit::typed_answers::TODAY;
use serde_json::{Value, json};

use super::*;
use crate::outcome::{AnswerResponse, GivenResponse, OutcomeResponse};

fn maker() -> FormWords {
    FormWords::default()
}

fn parse(dialect: Dialect, input: &Value) -> Inquiry {
    let parsed = dialect.parse(input, ParseOptions::default());
    parsed.expect("the question is valid").inquiry
}

fn questions(inquiry: &Inquiry) -> Vec<QuestionResponse> {
    inquiry.questions().iter().map(Into::into).collect()
}

fn ask_user(fields: Value) -> Inquiry {
    let mut input = json!({"question": "How?"});
    let (Value::Object(all), Value::Object(more)) = (&mut input, fields) else {
        unreachable!("both are written as objects here");
    };
    all.extend(more);
    parse(Dialect::AskUser, &input)
}

/// The content of a form that gives these answers.
fn content(questions: &[QuestionResponse], answers: &[AnswerResponse]) -> Value {
    let mut content = Map::new();
    for (index, question) in questions.iter().enumerate() {
        let answer = answers.iter().find(|answer| answer.question == question.id);
        let Some(answer) = answer else { continue };
        let key = key(index);
        let several = question.takes_several();
        match &answer.given {
            GivenResponse::Chosen { values, own } => {
                match values.as_slice() {
                    [] => {}
                    [one] if !several => drop(content.insert(key.clone(), json!(one))),
                    values => drop(content.insert(key.clone(), json!(values))),
                }
                if let Some(own) = own {
                    content.insert(format!("{key}{OWN_TEXT}"), json!(own));
                }
            }
            GivenResponse::Text { text } => drop(content.insert(key, json!(text))),
            GivenResponse::Number { number } => drop(content.insert(key, json!(number))),
            GivenResponse::Date { date } => drop(content.insert(key, json!(date))),
            GivenResponse::DateRange { start, end } => {
                content.insert(format!("{key}_first"), json!(start));
                content.insert(format!("{key}_last"), json!(end));
            }
            GivenResponse::Skipped => {
                content.insert(format!("{key}_skip"), json!(true));
            }
            GivenResponse::Unanswered | GivenResponse::Unknown => {}
        }
    }
    Value::Object(content)
}

fn schema(inquiry: &Inquiry) -> Value {
    let form = maker().form(&questions(inquiry));
    form.expect("a form can show it").schema.to_json()
}

fn databases(multiple: bool) -> Value {
    json!({"question": "Which database?", "header": "Database", "multiSelect": multiple, "options": [
        {"label": "PostgreSQL", "description": "A server"},
        {"label": "SQLite", "description": "A file"},
    ]})
}

#[test]
fn choice_has_titled_options_and_a_field_for_own_text() {
    let inquiry = parse(
        Dialect::AskUserQuestion,
        &json!({"questions": [databases(false)]}),
    );
    let form = maker().form(&questions(&inquiry)).unwrap();
    assert_eq!(form.message, "Which database?");
    assert_eq!(
        form.schema.to_json(),
        json!({"type": "object", "properties": {
            "question_0": {
                "type": "string",
                "title": "Database",
                "oneOf": [{"const": "PostgreSQL", "title": "PostgreSQL: A server"},
                          {"const": "SQLite", "title": "SQLite: A file"}],
            },
            "question_0_custom": {"type": "string", "title": "Other"},
        }})
    );
}

/// Codex cannot send a form whose last field is an empty text.
#[test]
fn form_without_own_text_ends_with_the_choices() {
    let input = json!({"questions": [databases(false)]});
    let inquiry = parse(Dialect::AskUserQuestion, &input);
    let mut form = maker().form(&questions(&inquiry)).unwrap();
    form.leave_out_own_text();
    let keys: Vec<&str> = form
        .schema
        .fields
        .iter()
        .map(|it| it.key.as_str())
        .collect();
    assert_eq!(keys, ["question_0"]);
}

#[test]
fn several_questions_stand_with_their_fields_and_several_choices_are_a_list() {
    let mut features = databases(true);
    features["question"] = json!("Which features?");
    let input = json!({"questions": [databases(false), features]});
    let inquiry = parse(Dialect::AskUserQuestion, &input);
    let form = maker().form(&questions(&inquiry)).unwrap();
    assert_eq!(form.message, "Questions for you");
    let fields = form.schema.to_json();
    let fields = &fields["properties"];
    assert_eq!(fields["question_0"]["description"], "Which database?");
    assert_eq!(fields["question_1"]["description"], "Which features?");
    let keys: Vec<&str> = form
        .schema
        .fields
        .iter()
        .map(|field| field.key.as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "question_0",
            "question_0_custom",
            "question_1",
            "question_1_custom"
        ]
    );
    assert_eq!(
        form.schema.to_json()["properties"]["question_1"]["type"],
        "array"
    );
}

/// Dialogs show a line break as a wrong character, and a question that stands twice looks like two.
#[test]
fn form_has_no_line_breaks_and_each_question_once() {
    let mut first = databases(false);
    first["question"] = json!("Which database?\n\nThe old one is full.");
    first["options"][0]["description"] = json!("A server\nof its own");
    let mut second = databases(true);
    second["question"] = json!("Which features?");
    let without_header = ask_user(json!({"input_type": "text", "context": "Two\nlines"}));
    let one = parse(
        Dialect::AskUserQuestion,
        &json!({"questions": [first.clone()]}),
    );
    let two = parse(
        Dialect::AskUserQuestion,
        &json!({"questions": [first, second]}),
    );
    for inquiry in [without_header, one, two] {
        let form = maker().form(&questions(&inquiry)).unwrap();
        let shown = format!("{}\n{}", form.message, form.schema.to_json());
        assert!(!form.message.contains('\n'), "{shown}");
        assert!(
            !form.schema.to_json().to_string().contains("\\n"),
            "{shown}"
        );
        for question in inquiry.questions() {
            let text = one_line(question.text.as_str());
            assert_eq!(shown.matches(&text).count(), 1, "{shown}");
        }
    }
}

#[test]
fn own_text_and_skipping_decide_what_is_required() {
    let options = json!([{"label": "Red", "value": "r"}, {"label": "Blue", "value": "b"}]);
    let closed = ask_user(json!({"input_type": "multi_select", "options": options}));
    let schema_of_closed = schema(&closed);
    assert_eq!(schema_of_closed["required"], json!(["question_0"]));
    assert_eq!(schema_of_closed["properties"]["question_0"]["minItems"], 1);
    let skippable = schema(&ask_user(json!({"input_type": "text", "allow_skip": true})));
    assert_eq!(skippable.get("required"), None);
    assert_eq!(
        skippable["properties"]["question_0_skip"],
        json!({"type": "boolean", "title": "Skip this question"})
    );
}

#[test]
fn rules_are_in_the_schema_or_in_the_description() {
    let text = schema(&ask_user(
        json!({"input_type": "text", "placeholder": "Ada",
        "context": "For the invoice.",
        "validation": {"min_length": 2, "max_length": 9, "pattern": "^[A-Z]", "message": "A capital first."}}),
    ));
    assert_eq!(
        text["properties"]["question_0"],
        json!({"type": "string", "title": "Answer", "minLength": 2, "maxLength": 9,
               "description": "For the invoice. · Ada · A capital first."})
    );
    let number = schema(&ask_user(json!({"input_type": "number",
        "validation": {"min": 5, "max": 20, "step": 2.5}})));
    assert_eq!(
        number["properties"]["question_0"],
        json!({"type": "number", "title": "Answer", "minimum": 5, "maximum": 20,
               "description": "5, 7.5, 10, …"})
    );
    let integer = schema(&ask_user(
        json!({"input_type": "number", "validation": {"integer": true}}),
    ));
    assert_eq!(integer["properties"]["question_0"]["type"], "integer");
    let date = schema(&ask_user(
        json!({"input_type": "date", "validation": {"min": "2027-01-01"}}),
    ));
    assert_eq!(
        date["properties"]["question_0"],
        json!({"type": "string", "format": "date", "title": "Answer", "description": "≥ 2027-01-01"})
    );
    let range = schema(&ask_user(json!({"input_type": "date_range",
        "validation": {"min": "2027-01-01", "max": "2027-12-31"}})));
    assert_eq!(
        range["properties"],
        json!({
            "question_0_first": {"type": "string", "format": "date", "title": "Answer: First day",
                                 "description": "2027-01-01 … 2027-12-31"},
            "question_0_last": {"type": "string", "format": "date", "title": "Answer: Last day"},
        })
    );
    assert_eq!(
        range["required"],
        json!(["question_0_first", "question_0_last"])
    );
}

/// The person would choose without seeing what they choose.
#[test]
fn preview_or_very_long_text_does_not_fit_a_form() {
    let mut with_preview = databases(false);
    with_preview["options"][0]["preview"] = json!("CREATE DATABASE shop;");
    let inquiry = parse(
        Dialect::AskUserQuestion,
        &json!({"questions": [with_preview]}),
    );
    assert_eq!(maker().form(&questions(&inquiry)), None);
    let mut long = databases(false);
    long["question"] = json!("x".repeat(FORM_CHARS_MAX));
    let inquiry = parse(Dialect::AskUserQuestion, &json!({"questions": [long]}));
    assert_eq!(maker().form(&questions(&inquiry)), None);
    assert_eq!(maker().form(&[]), None);
}

#[test]
fn recommended_choice_has_a_badge_and_nothing_is_preselected() {
    let mut input = databases(false);
    input["options"][0]["label"] = json!("PostgreSQL (Recommended)");
    let inquiry = parse(
        Dialect::AskUserQuestionClaude,
        &json!({"questions": [input]}),
    );
    let questions = questions(&inquiry);
    let form = maker().form(&questions).unwrap();
    assert!(
        form.schema
            .fields
            .iter()
            .all(|field| field.default.is_none())
    );
    let FieldKind::OneOf(options) = &form.schema.fields[0].kind else {
        unreachable!("it is a single choice");
    };
    assert_eq!(
        options[0].title.as_deref(),
        Some("PostgreSQL (Recommended): A server")
    );
    // A client may send what it showed.
    let shown = json!({"question_0": "PostgreSQL (Recommended): A server"});
    let sent = maker().answers(&questions, &shown);
    let chosen = json!({"q1": {"values": [options[0].value]}});
    assert_eq!(
        Answers::from_json(&inquiry, &sent, None),
        Answers::from_json(&inquiry, &chosen, None)
    );
}

#[test]
fn untouched_form_gives_no_answer() {
    let skippable = ask_user(json!({"input_type": "text", "allow_skip": true}));
    let choice = parse(
        Dialect::AskUserQuestion,
        &json!({"questions": [databases(true)]}),
    );
    let untouched = [
        json!({}),
        Value::Null,
        json!("yes"),
        json!({"question_0": "", "question_0_custom": "  ", "question_0_skip": false}),
        json!({"question_0": [], "question_1": "SQLite"}),
    ];
    for inquiry in [skippable, choice] {
        for content in &untouched {
            let answers = maker().answers(&questions(&inquiry), content);
            assert_eq!(answers, json!({}), "{content}");
            assert!(Answers::from_json(&inquiry, &answers, None).is_err());
        }
    }
}

/// Content that does not fit is passed on as it is, so that the one check of answers refuses it.
#[test]
fn content_that_does_not_fit_is_refused_by_the_check() {
    let number = ask_user(json!({"input_type": "number", "validation": {"max": 3}}));
    let choice = ask_user(json!({
        "input_type": "single_select", "allow_other": false, "options": ["PostgreSQL", "SQLite"],
    }));
    let cases = [
        (&number, json!({"question_0": 4})),
        (&number, json!({"question_0": "many"})),
        (&number, json!({"question_0": {"number": 1}})),
        (&choice, json!({"question_0": "MySQL"})),
        (&choice, json!({"question_0": ["PostgreSQL", "SQLite"]})),
        (&choice, json!({"question_0": true})),
        (&choice, json!({"question_0_custom": 3})),
    ];
    for (inquiry, content) in cases {
        let answers = maker().answers(&questions(inquiry), &content);
        assert!(
            Answers::from_json(inquiry, &answers, None).is_err(),
            "{content}"
        );
    }
}

/// Answer → content → answer, for every kind.
#[test]
fn every_answer_survives_the_form() {
    let mut several = databases(true);
    several["question"] = json!("Which databases?");
    let single = parse(
        Dialect::AskUserQuestion,
        &json!({"questions": [databases(false), several]}),
    );
    let colours = json!([{"label": "Red", "value": "r"}, {"label": "Blue", "value": "b"}]);
    let cases = [
        (
            single.clone(),
            json!({"q1": "SQLite", "q2": ["PostgreSQL", "SQLite"]}),
        ),
        (
            single.clone(),
            json!({"q1": {"own": "MySQL"}, "q2": {"values": ["SQLite"], "own": "DuckDB"}}),
        ),
        (single, json!({"q2": ["SQLite"]})),
        (
            ask_user(json!({"input_type": "select", "options": colours})),
            json!({"q1": "b"}),
        ),
        (
            ask_user(json!({"input_type": "confirm"})),
            json!({"q1": "Yes"}),
        ),
        (
            ask_user(json!({"input_type": "text"})),
            json!({"q1": "two\nlines"}),
        ),
        (
            ask_user(json!({"input_type": "number"})),
            json!({"q1": 2.5}),
        ),
        (
            ask_user(json!({"input_type": "date"})),
            json!({"q1": "2027-03-27"}),
        ),
        (
            ask_user(json!({"input_type": "date_range"})),
            json!({"q1": {"start": "2027-03-27", "end": "2027-04-02"}}),
        ),
        (
            ask_user(json!({"input_type": "text", "allow_skip": true})),
            json!({"q1": {"skipped": true}}),
        ),
    ];
    for (inquiry, given) in cases {
        let answers = Answers::from_json(&inquiry, &given, None).expect("it fits");
        let outcome = OutcomeResponse::new(
            &inquiry,
            &Outcome::Answered {
                answers: answers.clone(),
            },
        );
        let OutcomeResponse::Answered { answers: sent } = outcome else {
            unreachable!("it was answered");
        };
        let questions = questions(&inquiry);
        let content = content(&questions, &sent);
        let form = maker().form(&questions).expect("a form can show it");
        let fields: Vec<&str> = form.schema.fields.iter().map(|f| f.key.as_str()).collect();
        let keys = content.as_object().expect("an object").keys();
        for key in keys {
            assert!(fields.contains(&key.as_str()), "{key} is not in {fields:?}");
        }
        let back = maker().answers(&questions, &content);
        let back = Answers::from_json(&inquiry, &back, None).expect("it fits");
        assert_eq!(back, answers, "{content}");
    }
}

/// What a client sends for an option is that option, although its value is the number of another choice, and so is what
/// people type into the field, wherever a client lets them.
#[test]
fn option_of_a_form_is_its_choice_whatever_its_value() {
    for input_type in ["select", "multi_select"] {
        let inquiry = ask_user(json!({"input_type": input_type, "options": [
            {"label": "Keep", "value": "2"},
            {"label": "Delete", "value": "1"},
            {"label": "3", "value": "three"},
            {"label": "Ask", "value": "ask"},
        ]}));
        let questions = questions(&inquiry);
        let form = maker().form(&questions).expect("a form can show it");
        let (FieldKind::OneOf(options) | FieldKind::SeveralOf { options, .. }) =
            &form.schema.fields[0].kind
        else {
            panic!("it has options");
        };
        let sent: Vec<&str> = options.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(sent, ["Keep", "Delete", "three", "ask"]);
        let key = &form.schema.fields[0].key;
        let value = |content: Value| {
            let answers = maker().answers(&questions, &json!({ key.as_str(): content }));
            let answers = Answers::from_json(&inquiry, &answers, None);
            answers.map(|answers| answers.to_json()["q1"]["values"][0].clone())
        };
        for (sent, chosen) in [
            ("Keep", "2"),
            ("Delete", "1"),
            ("three", "three"),
            ("ask", "ask"),
            ("1", "2"),
            ("2", "1"),
        ] {
            assert_eq!(value(json!(sent)), Ok(json!(chosen)), "{sent}");
            if input_type == "multi_select" {
                assert_eq!(value(json!([sent])), Ok(json!(chosen)), "{sent}");
            }
        }
    }
    let hours = ask_user(json!({"input_type": "multi_select", "options": ["2 hours", "4 hours"]}));
    let hours = (questions(&hours), hours);
    let answers = maker().answers(&hours.0, &json!({"question_0": ["2"]}));
    let refused = Answers::from_json(&hours.1, &answers, None).expect_err("it is not clear");
    let lines = vec!["1. 2 hours".to_owned(), "2. 4 hours".to_owned()];
    assert_eq!(refused[0].problem, AnswerProblem::AmbiguousChoice { lines });
}

/// The table that every surface replays, with the text in the field that a client shows first.
#[test]
fn typed_fields_of_a_form_answer_as_on_every_surface() {
    for case in typed_answers() {
        let questions = questions(&case.inquiry);
        let fields = maker().form(&questions).expect("a form can show it");
        let key = &fields.schema.fields[0].key;
        let answers = maker().answers(&questions, &json!({ key.as_str(): case.typed }));
        let parser = case.locale.typing(TODAY);
        let answers = Answers::parse_typed(&case.inquiry, answers, &parser);
        let sent = Answers::from_json(&case.inquiry, &answers, None).ok();
        assert_eq!(sent, case.expected.ok(), "{}", case.name);
    }
}
