//! What a model is told about a refusal.

use super::*;

#[test]
fn refusal_reads_as_one_message_to_the_model() {
    let sent = json!({ "questions": [{ "question": "Which?", "header": "Authentication", "options": ["A"] }] });
    assert_eq!(
        refusal(Dialect::AskUserQuestion, &sent).to_string(),
        "ask_user_question was not called: the input is not valid. The user has not seen the question.\n\
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
            "leaves no answer possible: it must be greater than 0 and not less than min_length.",
        ),
        (
            ruled("text", json!({ "pattern": "(" })),
            "does not compile: use Rust regex syntax, without look-around and back-references.",
        ),
        (
            ruled("number", json!({ "step": 0 })),
            "must be greater than 0.",
        ),
        (
            ruled("number", json!({ "max": u64::MAX })),
            "is too large to be kept exactly: use a smaller number.",
        ),
        (
            ruled("number", json!({ "min": 2, "max": 1 })),
            "leaves no answer possible: it must not be less than min.",
        ),
        (
            ruled("date", json!({ "min": 5 })),
            "must be a date as YYYY-MM-DD here, such as 2027-03-27.",
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
    for dialect in Dialect::TOOLS {
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
                ("", ParseProblemCode::NotJson),
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
            ParseProblemCode::TooBig,
            "The input is larger than 1048576 bytes: ask less at once."
        )
    );
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for dialect in Dialect::TOOLS {
        dialect
            .parse_text(&deep, ParseOptions::default())
            .expect_err("too deep");
    }
}
