//! Faults in reading calls and in the schemas that ask for them.

use super::*;

/// Models sent `header` for `label`, options as a JSON text, and `questions[]`.
#[test]
fn spellings_that_models_really_send_are_never_refused() {
    for dialect in Dialect::TOOLS {
        let meant = parse(dialect, &several(dialect, &["A", "B"]));
        let renamed = several(dialect, &["A", "B"])
            .to_string()
            .replace("\"label\"", "\"header\"");
        let renamed: Value = serde_json::from_str(&renamed).expect("still JSON");
        assert_eq!(parse(dialect, &renamed), meant);

        let mut folded = several(dialect, &["A", "B"]);
        let place = if folded.get("questions").is_some() {
            "/questions/0/options"
        } else {
            "/options"
        };
        let options = folded.pointer_mut(place).expect("options");
        *options = json!(options.to_string());
        assert_eq!(parse(dialect, &folded), meant);

        let plain = several(dialect, &["A", "B"]);
        let (wrapped, flat) = match plain.get("questions") {
            Some(questions) => (plain.clone(), questions[0].clone()),
            None => (json!({ "questions": [plain] }), plain.clone()),
        };
        assert_eq!(parse(dialect, &wrapped), meant);
        assert_eq!(parse(dialect, &flat), meant);
        assert_eq!(parse(dialect, &json!({ "questions": [flat] })), meant);
    }
}

/// One side wrote snake case, the other camel case, and the flag was lost.
#[test]
fn flag_is_never_lost_to_its_spelling() {
    for spelling in ["multiSelect", "multi_select", "multiselect", "MultiSelect"] {
        for dialect in [Dialect::AskUserQuestion, Dialect::AskUserQuestionClaude] {
            let input = several(dialect, &["A", "B"])
                .to_string()
                .replace("multiSelect", spelling);
            let input: Value = serde_json::from_str(&input).expect("still JSON");
            assert_eq!(
                parse(dialect, &input),
                parse(dialect, &several(dialect, &["A", "B"]))
            );
        }
    }
    for spelling in ["allow_other", "allowOther", "AllowOther"] {
        let dialect = Dialect::AskUser;
        let input = several(dialect, &["A", "B"])
            .to_string()
            .replace("allow_other", spelling);
        let input: Value = serde_json::from_str(&input).expect("still JSON");
        assert_eq!(
            parse(dialect, &input),
            parse(dialect, &several(dialect, &["A", "B"]))
        );
    }
}

/// An option that was a text arrived as `{"0": "F"}` and its button read "undefined".
#[test]
fn button_never_reads_undefined() {
    for dialect in [
        Dialect::AskUserQuestion,
        Dialect::Question,
        Dialect::AskUser,
    ] {
        let options = json!([{ "0": "F" }, { "0": "N", "1": "o" }, "Perhaps"]);
        let input = json!({ "question": "Which?", "options": options });
        assert_eq!(
            labels(&parse(dialect, &input)),
            ["F", "No", "Perhaps"],
            "{dialect:?}"
        );
    }
    for nameless in [
        json!({}),
        json!({ "icon": "x" }),
        json!([]),
        json!({ "1": "F" }),
    ] {
        let input = json!({ "question": "Which?", "options": [nameless, "B"] });
        for dialect in Dialect::TOOLS {
            assert!(
                dialect.parse(&input, ParseOptions::default()).is_err(),
                "{input}"
            );
        }
    }
}

/// A select without options blocked the user with nothing to click.
#[test]
fn select_without_options_is_never_shown() {
    for input_type in ["single_select", "multi_select", "select", "multiselect"] {
        for input in [
            json!({ "question": "Which?", "input_type": input_type }),
            json!({ "question": "Which?", "input_type": input_type, "options": [] }),
            json!({ "question": "Which?", "input_type": input_type, "options": [], "allow_other": true }),
        ] {
            assert_eq!(
                codes(Dialect::AskUser, &input),
                [ParseProblemCode::NoChoices]
            );
        }
    }
    for dialect in [Dialect::AskUserQuestion, Dialect::Question] {
        let input = json!({ "question": "Which?", "options": [] });
        assert_eq!(codes(dialect, &input), [ParseProblemCode::TooFew]);
    }
}

/// Descriptions that were objects of languages broke a provider.
#[test]
fn schema_description_is_never_anything_but_a_text() {
    for_each_schema(|which, schema| {
        for (path, part) in parts(schema) {
            // Below `properties`, a key is the name of a field.
            if path.ends_with("/properties") {
                continue;
            }
            if let Some(description) = part.get("description") {
                assert!(description.is_string(), "{which}: {path}: {description}");
            }
        }
    });
}

/// A call that the provider had mangled became an empty answer.
#[test]
fn mangled_call_never_becomes_a_question_or_an_answer() {
    for dialect in Dialect::TOOLS {
        for mangled in [
            "",
            " ",
            "null",
            "{}",
            "[]",
            "\"\"",
            "{\"questions\":[]}",
            "{\"question\":\"\"}",
            "{\"question\"",
        ] {
            let read = dialect.parse_text(mangled, ParseOptions::default());
            assert!(read.is_err(), "{mangled:?} in {dialect:?}");
        }
        let inquiry = parse(dialect, &several(dialect, &["A", "B"]));
        for nothing in [
            json!({}),
            json!(null),
            json!({ "q1": null }),
            json!({ "q1": "" }),
            json!({ "q1": [] }),
        ] {
            assert!(
                Answers::from_json(&inquiry, &nothing, None).is_err(),
                "{nothing}"
            );
        }
    }
}

/// The code took 24 characters of a header, the schema said 12.
#[test]
fn header_limit_is_never_two_numbers() {
    let limits = [
        (Dialect::AskUserQuestion, "/properties/questions/items", 12),
        (
            Dialect::AskUserQuestionClaude,
            "/properties/questions/items",
            12,
        ),
        (Dialect::Question, "", 30),
    ];
    for (dialect, question, max) in limits {
        let schema = dialect.contract().schema(Flavor::Plain);
        let header = schema
            .pointer(&format!("{question}/properties/header"))
            .expect("a header");
        assert_eq!(header["maxLength"], max);
        let description = header["description"].as_str().expect("a description");
        assert!(
            description.contains(&format!("At most {max} characters.")),
            "{description}"
        );
        let contract = dialect.contract().in_one_line();
        assert!(
            contract.contains(&format!("text up to {max} characters")),
            "{contract}"
        );
        let with_header = |chars: usize| {
            let mut input = several(dialect, &["A", "B"]);
            let question = match input.get_mut("questions") {
                Some(questions) => &mut questions[0],
                None => &mut input,
            };
            question["header"] = json!("h".repeat(chars));
            input
        };
        parse(dialect, &with_header(max));
        assert_eq!(
            codes(dialect, &with_header(max + 1)),
            [ParseProblemCode::TooLong]
        );
    }
}

/// Gemini refused a schema with an array without `items` and an enum of the wrong kind.
#[test]
fn schema_never_has_a_list_without_items_or_an_odd_enum() {
    for_each_schema(|which, schema| {
        for (path, part) in parts(schema) {
            if path.ends_with("/properties") {
                continue;
            }
            let kind = part.get("type");
            let is = |name: &str| {
                kind.is_some_and(|kind| *kind == json!(name) || *kind == json!([name, "null"]))
            };
            if is("array") {
                assert!(
                    part.get("items").is_some_and(Value::is_object),
                    "{which}: {path}"
                );
            }
            if is("object") {
                assert!(
                    part.get("properties").is_some_and(Value::is_object),
                    "{which}: {path}"
                );
            }
            if let Some(words) = part.get("enum").and_then(Value::as_array) {
                assert!(is("string"), "{which}: {path}");
                let fits = |word: &Value| {
                    word.is_null() || word.as_str().is_some_and(|word| !word.is_empty())
                };
                assert!(
                    !words.is_empty() && words.iter().all(fits),
                    "{which}: {path}"
                );
            }
        }
    });
    let gemini = Dialect::AskUser.contract().schema(Flavor::Gemini);
    assert!(
        !gemini.to_string().contains("null"),
        "an enum with null is refused: {gemini}"
    );
}

/// An empty map of answers meant a submit, a time-out or a fault.
#[test]
fn two_outcomes_never_read_the_same() {
    let outcomes = [
        json!({ "type": "answered", "answers": { "q1": "A" } }),
        json!({ "type": "declined" }),
        json!({ "type": "cancelled" }),
        json!({ "type": "rejected" }),
        json!({ "type": "superseded", "message": "Wait." }),
        json!({ "type": "expired" }),
        json!({ "type": "withdrawn" }),
        json!({ "type": "undeliverable", "reason": "nobody_there" }),
        json!({ "type": "undeliverable", "reason": "disabled" }),
        json!({ "type": "undeliverable", "reason": "limit_reached" }),
        json!({ "type": "undeliverable", "reason": "sub_agent" }),
    ];
    for dialect in Dialect::TOOLS {
        let inquiry = parse(dialect, &several(dialect, &["A", "B"]));
        let mut contents: Vec<String> = outcomes
            .iter()
            .map(|outcome| {
                let outcome = Outcome::from_json(&inquiry, outcome).expect("it fits");
                Dialect::render(&inquiry, &outcome).content
            })
            .collect();
        assert!(
            contents
                .iter()
                .all(|content| !content.contains("\"answers\":{}"))
        );
        contents.sort();
        contents.dedup();
        assert_eq!(contents.len(), outcomes.len(), "{dialect:?}: {contents:#?}");
    }
}
