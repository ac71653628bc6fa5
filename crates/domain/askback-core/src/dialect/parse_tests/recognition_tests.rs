//! Which dialect an input is written in.

use super::*;

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
    for dialect in Dialect::TOOLS {
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
    let names = Dialect::TOOLS.map(Dialect::name);
    assert_eq!(
        names,
        [
            "ask_user_question",
            "AskUserQuestion",
            "question",
            "ask_user"
        ]
    );
    for dialect in Dialect::TOOLS {
        assert_eq!(Dialect::from_name(dialect.name()), Some(dialect));
        let json = serde_json::to_value(dialect).expect("a dialect serialises");
        assert_eq!(json, json!(dialect.name()));
    }
    assert_eq!(Dialect::from_name("askuserquestion"), None);
    assert_eq!(Dialect::from_name("questions"), Some(Dialect::Questions));
    assert_eq!(Dialect::of_tool("questions"), None);
}
