//! A form becomes questions, and the answers come back in the types and words of its schema.

use serde_json::{Value, json};

use super::*;
use crate::text::Text;

fn form(schema: Value) -> ElicitationRequest {
    ElicitationRequest::Form {
        message: "Where to deploy?".to_owned(),
        schema,
        order: Vec::new(),
    }
}

fn one(property: &Value) -> ElicitationRequest {
    form(json!({"type": "object", "properties": {"it": property}, "required": ["it"]}))
}

fn inquiry(elicitation: &ElicitationRequest) -> Inquiry {
    elicitation.inquiry("cloud", None).unwrap()
}

/// The content that the server gets for these answers.
fn content(elicitation: &ElicitationRequest, answers: &Value) -> Result<Value, String> {
    let answers = Answers::from_json(&inquiry(elicitation), answers, None).unwrap();
    match elicitation.reply(&Outcome::Answered { answers })? {
        ElicitationReply::Accept(content) => Ok(content.unwrap()),
        ElicitationReply::Decline | ElicitationReply::Cancel => panic!("not accepted"),
    }
}

fn refused(elicitation: &ElicitationRequest, answers: &Value) -> bool {
    Answers::from_json(&inquiry(elicitation), answers, None).is_err()
}

#[test]
fn one_property_is_asked_with_the_message_and_the_server_is_named() {
    let elicitation =
        one(&json!({"type": "string", "title": "Region", "description": "Near you."}));
    let inquiry = inquiry(&elicitation);
    assert_eq!(inquiry.source().unwrap().as_str(), "MCP server cloud");
    let [question] = inquiry.questions() else {
        panic!("one question");
    };
    assert_eq!(question.text.as_str(), "Where to deploy?");
    assert_eq!(question.header.as_ref().map(Text::as_str), Some("Region"));
    assert_eq!(
        question.context.as_ref().map(Text::as_str),
        Some("Near you.")
    );
    assert!(!question.skippable);
}

#[test]
fn several_properties_are_asked_in_their_order_each_with_the_message() {
    let elicitation = ElicitationRequest::Form {
        message: "Where to deploy?".to_owned(),
        schema: json!({"properties": {
            "a": {"type": "string", "description": "Which zone?"},
            "b": {"type": "string", "title": "Region"},
            "c": {"type": "string", "description": "Which zone?"},
        }}),
        order: vec!["b".to_owned(), "a".to_owned()],
    };
    let inquiry = inquiry(&elicitation);
    let texts: Vec<&str> = inquiry
        .questions()
        .iter()
        .map(|q| q.text.as_str())
        .collect();
    assert_eq!(texts, ["Region", "Which zone?", "Which zone? (c)"]);
    for question in inquiry.questions() {
        let context = question.context.as_ref().unwrap();
        assert_eq!(context.as_str(), "Where to deploy?");
        assert!(question.skippable);
    }
    let answers = json!({"q1": "eu", "q2": {"skipped": true}});
    assert_eq!(content(&elicitation, &answers), Ok(json!({"b": "eu"})));
}

#[test]
fn answers_have_the_types_and_the_spelling_of_the_schema() {
    let cases = [
        (json!({"type": "string"}), json!("x"), json!("x")),
        (
            json!({"type": "string", "format": "date"}),
            json!("2027-03-27"),
            json!("2027-03-27"),
        ),
        (
            json!({"type": "string", "format": "email"}),
            json!("a@b.c"),
            json!("a@b.c"),
        ),
        (json!({"type": "integer"}), json!(7), json!(7)),
        (json!({"type": "number"}), json!(2.5), json!(2.5)),
        (json!({"type": "boolean"}), json!("No"), json!(false)),
        (
            json!({"type": "string", "enum": [" a ", "b"]}),
            json!("a"),
            json!(" a "),
        ),
        (
            json!({"type": "string", "enum": ["a", "b"], "enumNames": ["First", "Second"]}),
            json!("Second"),
            json!("b"),
        ),
        (
            json!({"oneOf": [{"const": "a", "title": "First"}, {"const": "b", "title": "Second"}]}),
            json!("First"),
            json!("a"),
        ),
        (
            json!({"type": "array", "items": {"anyOf": [
                {"const": "a", "title": "First"}, {"const": "b", "title": "Second"}]}}),
            json!(["Second", "First"]),
            json!(["a", "b"]),
        ),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}),
            json!(["b"]),
            json!(["b"]),
        ),
    ];
    for (property, answer, value) in cases {
        let elicitation = one(&property);
        let given = content(&elicitation, &json!({"q1": answer}));
        assert_eq!(given, Ok(json!({"it": value})), "{property}");
    }
}

#[test]
fn rules_of_the_schema_hold_for_the_answer() {
    let cases = [
        (json!({"type": "string", "minLength": 3}), json!("ab")),
        (json!({"type": "string", "maxLength": 1}), json!("ab")),
        (
            json!({"type": "string", "format": "email"}),
            json!("nobody"),
        ),
        (
            json!({"type": "string", "format": "uri"}),
            json!("no address"),
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            json!("tomorrow"),
        ),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 5}),
            json!(6),
        ),
        (json!({"type": "integer"}), json!(1.5)),
        (json!({"type": "string", "enum": ["a"]}), json!("b")),
    ];
    for (property, answer) in cases {
        let elicitation = one(&property);
        assert!(refused(&elicitation, &json!({"q1": answer})), "{property}");
    }
}

/// How many choices may be taken is checked with the answer, and the question says so.
#[test]
fn wrong_number_of_choices_is_asked_again_with_the_reason() {
    let items = json!({"type": "string", "enum": ["a", "b", "c"]});
    let elicitation = one(&json!({"type": "array", "items": items, "minItems": 2, "maxItems": 2}));
    let context = inquiry(&elicitation).questions()[0].context.clone();
    assert_eq!(context.unwrap().as_str(), "Choose 2 to 2.");
    let problem = content(&elicitation, &json!({"q1": ["a"]})).unwrap_err();
    assert_eq!(problem, "it: Choose 2 to 2.");
    let again = elicitation.inquiry("cloud", Some(&problem)).unwrap();
    let context = again.questions()[0].context.clone().unwrap();
    assert!(context.as_str().starts_with(&problem), "{context}");
}

/// Nothing is sent that the person was not shown, and nothing that is required is left out.
#[test]
fn default_is_shown_and_sent_only_if_the_question_is_skipped() {
    let choices = json!({"type": "string", "enum": ["a", "b"], "enumNames": ["First", "Second"],
        "default": "b"});
    let elicitation = one(&choices);
    let question = inquiry(&elicitation).questions()[0].clone();
    assert!(question.skippable);
    assert_eq!(
        question.context.unwrap().as_str(),
        "If you skip this: Second"
    );
    let skip = json!({"q1": {"skipped": true}});
    assert_eq!(content(&elicitation, &skip), Ok(json!({"it": "b"})));

    let elicitation = form(json!({"properties": {"it": {"type": "string"}}}));
    assert_eq!(content(&elicitation, &skip), Ok(json!({})));

    let several = form(json!({
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["b"]}));
    let missing = content(&several, &json!({"q1": "x"}));
    assert_eq!(missing, Err("b needs an answer.".to_owned()));
}

#[test]
fn form_without_properties_and_a_url_are_agreed_to_or_declined() {
    let empty = form(json!({"type": "object", "properties": {}}));
    assert_eq!(content(&empty, &json!({"q1": "OK"})), Ok(json!({})));

    let url = ElicitationRequest::Url {
        message: "Sign in.".to_owned(),
        url: "https://login.example/start".to_owned(),
        host: "login.example".to_owned(),
    };
    let asked = inquiry(&url);
    let context = asked.questions()[0].context.clone().unwrap();
    assert_eq!(
        context.as_str(),
        "login.example is where this address leads:\nhttps://login.example/start"
    );
    let answers = Answers::from_json(&asked, &json!({"q1": "done"}), None).unwrap();
    let accepted = url.reply(&Outcome::Answered { answers }).unwrap();
    assert_eq!(accepted.to_json(), json!({"action": "accept"}));
    let declined = url.reply(&Outcome::Declined).unwrap();
    assert_eq!(declined.to_json(), json!({"action": "decline"}));
    for outcome in [
        Outcome::Rejected,
        Outcome::Cancelled,
        Outcome::Expired,
        Outcome::Withdrawn,
    ] {
        let reply = url.reply(&outcome).unwrap();
        assert_eq!(reply.to_json(), json!({"action": "cancel"}), "{outcome:?}");
    }
}

/// A form that cannot be shown as it is meant is refused as a whole.
#[test]
fn form_that_cannot_be_shown_is_refused() {
    let many: Vec<String> = (0..=limits::FORM_CHOICES_MAX)
        .map(|at| at.to_string())
        .collect();
    let properties = [
        json!({"type": "object"}),
        json!({}),
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "string", "enum": []}),
        json!({"type": "string", "enum": ["a", "a"]}),
        json!({"type": "string", "enum": ["O", "\u{41e}"]}),
        json!({"type": "string", "enum": many}),
        json!({"oneOf": [{"const": "1", "title": "2"}, {"const": "2", "title": "1"}]}),
    ];
    for property in properties {
        assert!(one(&property).inquiry("cloud", None).is_err(), "{property}");
    }
    let fields =
        (0..=limits::FORM_QUESTIONS_MAX).map(|at| (at.to_string(), json!({"type": "string"})));
    let fields: serde_json::Map<String, Value> = fields.collect();
    assert!(
        form(json!({"properties": fields}))
            .inquiry("cloud", None)
            .is_err()
    );
    let silent = ElicitationRequest::Form {
        message: " ".to_owned(),
        schema: json!({}),
        order: Vec::new(),
    };
    assert!(silent.inquiry("cloud", None).is_err());
}
