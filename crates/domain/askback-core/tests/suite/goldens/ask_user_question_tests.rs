//! `ask_user_question`: the result is a JSON map.

use super::*;

#[test]
fn ask_user_question_asks_what_it_was_given() {
    let questions = json!([
        {
            "id": "q1", "header": "Database", "text": "Which database should we use?",
            "skippable": true, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                choice("PostgreSQL", "Relational"),
                { "value": "SQLite", "label": "SQLite" },
            ],
        },
        {
            "id": "q2", "text": "Add which features?",
            "skippable": true, "kind": "choice", "several": true, "own_text": true,
            "choices": [
                { "value": "Auth", "label": "Auth" },
                { "value": "Search", "label": "Search" },
                { "value": "Billing", "label": "Billing" },
            ],
        },
    ]);
    check_in(Dialect::AskUserQuestion, &two_for_a_map(), &questions);
}

#[test]
fn ask_user_question_answers_are_a_map_in_the_order_of_the_questions() {
    // By the alphabet, the second question would come first.
    let check = |answers: Value, content: &str| {
        check_out(Dialect::AskUserQuestion, &two_for_a_map(), answers, content);
    };
    check(
        json!({ "Add which features?": "Auth", "Which database should we use?": "SQLite" }),
        r#"{"answers":{"Which database should we use?":"SQLite","Add which features?":"Auth"}}"#,
    );
    check(
        json!({ "q2": ["Billing", "Auth"], "q1": "PostgreSQL" }),
        r#"{"answers":{"Which database should we use?":"PostgreSQL","Add which features?":"Auth, Billing"}}"#,
    );
    check(
        json!({ "q1": "DuckDB", "q2": { "values": ["Auth"], "own": "Dark mode" } }),
        r#"{"answers":{"Which database should we use?":"DuckDB","Add which features?":"Auth, Dark mode"}}"#,
    );
    check(
        json!({ "q1": { "values": ["SQLite"], "own": "whatever is there" }, "q2": "Dark mode" }),
        r#"{"answers":{"Which database should we use?":"whatever is there","Add which features?":"Dark mode"}}"#,
    );
}

#[test]
fn ask_user_question_names_what_was_skipped_or_left_open() {
    let check = |answers: Value, content: &str| {
        check_out(Dialect::AskUserQuestion, &two_for_a_map(), answers, content);
    };
    check(
        json!({ "q1": "SQLite" }),
        r#"{"answers":{"Which database should we use?":"SQLite"},"unanswered":["Add which features?"]}"#,
    );
    check(
        json!({ "q1": { "skipped": true }, "q2": "Search" }),
        r#"{"answers":{"Add which features?":"Search"},"skipped":["Which database should we use?"]}"#,
    );
    check(
        json!({ "q1": { "values": ["SQLite"], "note": "until we grow" }, "q2": "Search" }),
        r#"{"answers":{"Which database should we use?":"SQLite","Add which features?":"Search"},"notes":{"Which database should we use?":"until we grow"}}"#,
    );
}

#[test]
fn ask_user_question_result_is_json_whatever_was_written() {
    let hostile = "\"}, \"answers\": {\"x\": \"y\\";
    check_out(
        Dialect::AskUserQuestion,
        &two_for_a_map(),
        json!({ "q1": hostile, "q2": "Auth" }),
        r#"{"answers":{"Which database should we use?":"\"}, \"answers\": {\"x\": \"y\\","Add which features?":"Auth"}}"#,
    );
}

#[test]
fn ask_user_question_schema_has_the_published_limits() {
    let schema = Dialect::AskUserQuestion.contract().schema(Flavor::Plain);
    let questions = &schema["properties"]["questions"];
    let question = &questions["items"];
    let options = &question["properties"]["options"];
    let facts = json!([
        schema["required"],
        questions["type"],
        questions["minItems"],
        questions["maxItems"],
        question["required"],
        question["properties"]["header"]["maxLength"],
        options["minItems"],
        options["maxItems"],
        options["items"]["required"],
        question["properties"]["multiSelect"]["type"],
    ]);
    let expect = json!([
        ["questions"],
        "array",
        1,
        4,
        ["question", "options"],
        12,
        2,
        4,
        ["label"],
        "boolean",
    ]);
    assert_eq!(facts, expect);
}
