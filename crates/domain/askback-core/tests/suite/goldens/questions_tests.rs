//! The neutral contract: what its documented example asks, and what comes back.

use askback_core::dialect::Dialect;
use askback_testkit::stored;
use serde_json::{Value, json};

use super::{check_out, parse, render};

/// Every kind of question.
fn form() -> Value {
    json!({"questions": [
        {"id": "db", "text": "Which database?", "header": "Database", "kind": "choice",
         "choices": ["PostgreSQL", {"label": "SQLite", "value": "sqlite", "description": "One file"}], "own": true},
        {"id": "regions", "text": "Which regions?", "choices": ["eu", "us", "ap"], "several": true, "own": true},
        {"id": "replicas", "text": "Replicas?", "kind": "number", "min": 1, "max": 9, "integer": true},
        {"id": "launch", "text": "Launch?", "kind": "date", "optional": true},
        {"id": "window", "text": "Window?", "kind": "date_range"},
        {"id": "name", "text": "Name?", "kind": "text", "max_length": 20},
        {"id": "go", "text": "Roll out?", "kind": "confirm"},
    ]})
}

#[test]
fn form_is_asked_as_written() {
    let inquiry = parse(Dialect::Questions, &form());
    let choice = |value: &str, label: &str| json!({"value": value, "label": label});
    assert_eq!(
        stored::inquiry_json(&inquiry),
        json!({ "dialect": "questions", "questions": [
            {"id": "db", "header": "Database", "text": "Which database?", "skippable": false, "kind": "choice",
             "several": false, "own_text": true, "choices": [
                choice("PostgreSQL", "PostgreSQL"),
                {"value": "sqlite", "label": "SQLite", "description": "One file"}]},
            {"id": "regions", "text": "Which regions?", "skippable": false, "kind": "choice", "several": true,
             "own_text": true, "choices": [choice("eu", "eu"), choice("us", "us"), choice("ap", "ap")]},
            {"id": "replicas", "text": "Replicas?", "skippable": false, "kind": "number", "min": 1, "max": 9,
             "integer": true},
            {"id": "launch", "text": "Launch?", "skippable": true, "kind": "date"},
            {"id": "window", "text": "Window?", "skippable": false, "kind": "date_range"},
            {"id": "name", "text": "Name?", "skippable": false, "kind": "text", "max_length": 20},
            {"id": "go", "text": "Roll out?", "skippable": false, "kind": "choice", "several": false,
             "own_text": false, "confirm": true, "choices": [choice("true", "Yes"), choice("false", "No")]},
        ]})
    );
}

#[test]
fn answers_come_back_by_id() {
    check_out(
        Dialect::Questions,
        &form(),
        json!({
            "db": "sqlite", "regions": ["us", "mars", "eu"], "replicas": 3, "launch": null,
            "window": {"start": "2027-03-27", "end": "2027-04-01"}, "name": "api", "go": true,
        }),
        r#"{"answers":{"db":"sqlite","regions":["eu","us","mars"],"replicas":3,"launch":null,"window":{"start":"2027-03-27","end":"2027-04-01"},"name":"api","go":true}}"#,
    );
    check_out(
        Dialect::Questions,
        &form(),
        json!({"db": {"own": "DuckDB", "note": "in memory"}, "Roll out?": "No", "launch": "2027-03-27"}),
        r#"{"answers":{"db":"DuckDB","regions":null,"replicas":null,"launch":"2027-03-27","window":null,"name":null,"go":false},"notes":{"db":"in memory"}}"#,
    );
}

/// Of questions that may all be skipped, skipping them is an answer.
#[test]
fn skipping_everything_is_an_answer() {
    let optional = json!({"questions": [
        {"id": "a", "text": "One?", "optional": true},
        {"id": "b", "text": "Two?", "kind": "confirm", "optional": true},
    ]});
    check_out(
        Dialect::Questions,
        &optional,
        json!({"a": {"skipped": true}, "b": null}),
        r#"{"answers":{"a":null,"b":null}}"#,
    );
}

#[test]
fn without_an_answer_a_sentence_comes_back() {
    for outcome in ["declined", "expired", "cancelled", "withdrawn"] {
        let reply = render(Dialect::Questions, &form(), &json!({ "type": outcome }));
        assert!(!reply.content.starts_with('{'), "{}", reply.content);
    }
}
