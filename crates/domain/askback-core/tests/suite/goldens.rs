//! The documented examples of every dialect, in and out: what each call asks, and what the model is
//! told for every way in which an inquiry can end.

#![expect(
    clippy::needless_pass_by_value,
    reason = "a table reads better without a borrow in every line"
)]

use askback_core::dialect::{AskResult, Dialect, Flavor, ParseOptions, recognise};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Next, Outcome};
use askback_testkit::stored;
use serde_json::{Value, json};

mod ask_user_question_claude_tests;
mod ask_user_question_tests;
mod ask_user_tests;
mod outcome_tests;
mod question_tests;
mod questions_tests;

fn parse(dialect: Dialect, input: &Value) -> Inquiry {
    match dialect.parse(input, ParseOptions::default()) {
        Ok(parsed) => parsed.inquiry,
        Err(error) => panic!("{input} was refused: {error}"),
    }
}

/// Expects an example to follow its contract to the letter and to ask these questions.
fn check_in(dialect: Dialect, input: &Value, questions: &Value) {
    let parsed = dialect.parse(input, ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|error| panic!("{input} was refused: {error}"));
    assert_eq!(parsed.repairs, [], "{input}");
    let asked = stored::inquiry_json(&parsed.inquiry);
    let expect = json!({ "dialect": dialect.name(), "questions": questions });
    assert_eq!(asked, expect, "{input}");
    assert_eq!(recognise(input), dialect, "{input}");
}

fn render(dialect: Dialect, input: &Value, outcome: &Value) -> AskResult {
    let inquiry = parse(dialect, input);
    match Outcome::from_json(&inquiry, outcome) {
        Ok(outcome) => Dialect::render(&inquiry, &outcome),
        Err(error) => panic!("{outcome} was refused: {error}"),
    }
}

/// Expects answers to be told to the model in these words, after which it goes on.
fn check_out(dialect: Dialect, input: &Value, answers: Value, content: &str) {
    let result = render(dialect, input, &answered(&answers));
    let expect = AskResult {
        content: content.to_owned(),
        is_error: false,
        next: Next::Resume,
        user_message: None,
    };
    assert_eq!(result, expect, "{answers}");
}

fn answered(answers: &Value) -> Value {
    json!({ "type": "answered", "answers": answers })
}

fn choice(label: &str, description: &str) -> Value {
    json!({ "value": label, "label": label, "description": description })
}

fn two_for_a_map() -> Value {
    json!({ "questions": [
        {
            "question": "Which database should we use?",
            "header": "Database",
            "options": [
                { "label": "PostgreSQL", "description": "Relational" },
                { "label": "SQLite" },
            ],
        },
        {
            "question": "Add which features?",
            "options": [{ "label": "Auth" }, { "label": "Search" }, { "label": "Billing" }],
            "multiSelect": true,
        },
    ]})
}

fn authentication() -> Value {
    json!({ "questions": [
        {
            "question": "Which authentication method should we use?",
            "header": "Auth Method",
            "options": [
                { "label": "OAuth 2.0 (Recommended)", "description": "Industry standard, supports social login" },
                { "label": "JWT", "description": "Stateless tokens, good for APIs" },
                { "label": "Session-based", "description": "Traditional cookie sessions" },
            ],
            "multiSelect": false,
        },
        {
            "question": "Which OAuth providers should we support?",
            "header": "Providers",
            "options": [
                { "label": "Google", "description": "Most widely used" },
                { "label": "GitHub", "description": "Popular for developer tools" },
                { "label": "Microsoft", "description": "Enterprise integration" },
                { "label": "Apple", "description": "Required for iOS apps" },
            ],
            "multiSelect": true,
        },
    ]})
}

fn next_step(multiple: bool) -> Value {
    json!({
        "header": "Next step",
        "question": "What should I do next?",
        "options": [
            { "label": "Run the tests", "description": "All of them" },
            { "label": "Open a pull request" },
            { "label": "Stop here" },
        ],
        "multiple": multiple,
    })
}

fn language() -> Value {
    json!({
        "question": "Which language?",
        "input_type": "single_select",
        "options": [
            { "label": "English", "value": "en" },
            { "label": "French", "value": "fr" },
            { "label": "Spanish", "value": "es" },
            { "label": "Italian", "value": "it" },
            { "label": "Portuguese", "value": "pt" },
        ],
        "allow_other": true,
        "context": "Select target language for translation",
    })
}
