//! `ask_user`: the result is a JSON status.

use super::*;

fn audience() -> Value {
    json!({
        "question": "Who is the target audience?",
        "input_type": "multi_select",
        "options": [
            { "label": "Developers", "value": "developers" },
            { "label": "Product Managers", "value": "pm" },
            { "label": "End Users", "value": "end_users" },
            { "label": "Admins", "value": "admins" },
        ],
        "allow_other": true,
        "context": "Select all that apply",
    })
}

fn priority() -> Value {
    json!({
        "question": "What's the priority?",
        "input_type": "single_select",
        "options": [
            { "label": "Critical - Must have", "value": "p0" },
            { "label": "High - Should have", "value": "p1" },
            { "label": "Medium - Nice to have", "value": "p2" },
            { "label": "Low - Future consideration", "value": "p3" },
        ],
    })
}

fn meeting_date() -> Value {
    json!({
        "question": "When should we schedule it?",
        "input_type": "date",
        "context": "Select your preferred date",
    })
}

fn abbreviation() -> Value {
    json!({
        "question": "What does 'DM' refer to?",
        "input_type": "text",
        "placeholder": "e.g., Direct Message, Data Manager, Daniel Manzke...",
        "context": "The abbreviation 'DM' has multiple meanings",
    })
}

fn pair(label: &str, value: &str) -> Value {
    json!({ "value": value, "label": label })
}

#[test]
fn ask_user_choices_ask_what_they_were_given() {
    check_in(
        Dialect::AskUser,
        &language(),
        &json!([{
            "id": "q1", "text": "Which language?",
            "context": "Select target language for translation",
            "skippable": false, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                pair("English", "en"),
                pair("French", "fr"),
                pair("Spanish", "es"),
                pair("Italian", "it"),
                pair("Portuguese", "pt"),
            ],
        }]),
    );
    check_in(
        Dialect::AskUser,
        &audience(),
        &json!([{
            "id": "q1", "text": "Who is the target audience?", "context": "Select all that apply",
            "skippable": false, "kind": "choice", "several": true, "own_text": true,
            "choices": [
                pair("Developers", "developers"),
                pair("Product Managers", "pm"),
                pair("End Users", "end_users"),
                pair("Admins", "admins"),
            ],
        }]),
    );
    check_in(
        Dialect::AskUser,
        &priority(),
        &json!([{
            "id": "q1", "text": "What's the priority?",
            "skippable": false, "kind": "choice", "several": false, "own_text": false,
            "choices": [
                pair("Critical - Must have", "p0"),
                pair("High - Should have", "p1"),
                pair("Medium - Nice to have", "p2"),
                pair("Low - Future consideration", "p3"),
            ],
        }]),
    );
}

#[test]
fn ask_user_meeting_type_asks_what_it_was_given() {
    check_in(
        Dialect::AskUser,
        &json!({
            "question": "What type of meeting?",
            "input_type": "single_select",
            "options": [
                { "label": "Team Sync", "value": "sync" },
                { "label": "1:1", "value": "one_on_one" },
                { "label": "Project Review", "value": "review" },
                { "label": "Brainstorm", "value": "brainstorm" },
            ],
            "allow_other": true,
        }),
        &json!([{
            "id": "q1", "text": "What type of meeting?",
            "skippable": false, "kind": "choice", "several": false, "own_text": true,
            "choices": [
                pair("Team Sync", "sync"),
                pair("1:1", "one_on_one"),
                pair("Project Review", "review"),
                pair("Brainstorm", "brainstorm"),
            ],
        }]),
    );
}

#[test]
fn ask_user_fields_ask_what_they_were_given() {
    check_in(
        Dialect::AskUser,
        &meeting_date(),
        &json!([{
            "id": "q1", "text": "When should we schedule it?",
            "context": "Select your preferred date", "skippable": false, "kind": "date",
        }]),
    );
    check_in(
        Dialect::AskUser,
        &abbreviation(),
        &json!([{
            "id": "q1", "text": "What does 'DM' refer to?",
            "context": "The abbreviation 'DM' has multiple meanings",
            "placeholder": "e.g., Direct Message, Data Manager, Daniel Manzke...",
            "skippable": false, "kind": "text",
        }]),
    );
    // The call that its documentation advises against is valid all the same.
    check_in(
        Dialect::AskUser,
        &json!({
            "question": "Into which language would you like me to translate 'Ich liebe dich!'?",
            "input_type": "text",
        }),
        &json!([{
            "id": "q1",
            "text": "Into which language would you like me to translate 'Ich liebe dich!'?",
            "skippable": false, "kind": "text",
        }]),
    );
}

#[test]
fn ask_user_examples_are_read_as_whole_calls_too() {
    for input in [
        language(),
        audience(),
        priority(),
        meeting_date(),
        abbreviation(),
    ] {
        let call = json!({ "name": "ask_user", "arguments": input });
        assert_eq!(recognise(&call), Dialect::AskUser);
        assert_eq!(
            parse(Dialect::AskUser, &call),
            parse(Dialect::AskUser, &input)
        );
    }
}

#[test]
fn ask_user_choice_is_answered_by_its_value_and_shown_by_its_label() {
    let check = |input: &Value, answer: Value, content: &str| {
        check_out(Dialect::AskUser, input, json!({ "q1": answer }), content);
    };
    check(
        &language(),
        json!("French"),
        r#"{"status":"user_responded","question":"Which language?","answer":"fr","display_text":"French"}"#,
    );
    check(
        &language(),
        json!({ "values": ["fr"] }),
        r#"{"status":"user_responded","question":"Which language?","answer":"fr","display_text":"French"}"#,
    );
    check(
        &language(),
        json!({ "own": "Basque" }),
        r#"{"status":"user_responded","question":"Which language?","answer":"Basque","display_text":"Basque"}"#,
    );
    check(
        &priority(),
        json!("Critical - Must have"),
        r#"{"status":"user_responded","question":"What's the priority?","answer":"p0","display_text":"Critical - Must have"}"#,
    );
    check(
        &audience(),
        json!(["Admins", "Product Managers"]),
        r#"{"status":"user_responded","question":"Who is the target audience?","answer":["pm","admins"],"display_text":"Product Managers, Admins"}"#,
    );
    check(
        &audience(),
        json!("Developers"),
        r#"{"status":"user_responded","question":"Who is the target audience?","answer":["developers"],"display_text":"Developers"}"#,
    );
    check(
        &audience(),
        json!({ "values": ["pm"], "own": "Our investors" }),
        r#"{"status":"user_responded","question":"Who is the target audience?","answer":["pm","Our investors"],"display_text":"Product Managers, Our investors"}"#,
    );
}

#[test]
fn ask_user_fields_are_answered_by_typed_values() {
    let typed = |input_type: &str| json!({ "question": "How many?", "input_type": input_type });
    let check = |input: &Value, answer: Value, content: &str| {
        check_out(Dialect::AskUser, input, json!({ "q1": answer }), content);
    };
    check(
        &abbreviation(),
        json!("Direct \"Message\""),
        r#"{"status":"user_responded","question":"What does 'DM' refer to?","answer":"Direct \"Message\"","display_text":"Direct \"Message\""}"#,
    );
    check(
        &meeting_date(),
        json!("2027-03-27"),
        r#"{"status":"user_responded","question":"When should we schedule it?","answer":"2027-03-27","display_text":"2027-03-27"}"#,
    );
    check(
        &typed("number"),
        json!("3"),
        r#"{"status":"user_responded","question":"How many?","answer":3,"display_text":"3"}"#,
    );
    check(
        &typed("number"),
        json!(-2.5),
        r#"{"status":"user_responded","question":"How many?","answer":-2.5,"display_text":"-2.5"}"#,
    );
    check(
        &typed("number"),
        json!(9_007_199_254_740_993_i64),
        r#"{"status":"user_responded","question":"How many?","answer":9007199254740993,"display_text":"9007199254740993"}"#,
    );
    check(
        &typed("date_range"),
        json!({ "start": "2027-03-01", "end": "2027-03-05" }),
        r#"{"status":"user_responded","question":"How many?","answer":{"start":"2027-03-01","end":"2027-03-05"},"display_text":"2027-03-01 to 2027-03-05"}"#,
    );
    check(
        &typed("confirm"),
        json!("Yes"),
        r#"{"status":"user_responded","question":"How many?","answer":"yes","display_text":"Yes"}"#,
    );
}

#[test]
fn ask_user_note_stands_apart_from_the_answer() {
    check_out(
        Dialect::AskUser,
        &language(),
        json!({ "q1": { "values": ["pt"], "note": "the Brazilian kind" } }),
        r#"{"status":"user_responded","question":"Which language?","answer":"pt","display_text":"Portuguese","note":"the Brazilian kind"}"#,
    );
}

#[test]
fn ask_user_tells_a_skip_from_a_decline() {
    let mut input = language();
    input["allow_skip"] = json!(true);
    let skipped = answered(&json!({ "q1": { "skipped": true } }));
    let declined = json!({ "type": "declined" });
    for (outcome, status) in [(skipped, "user_skipped"), (declined, "user_declined")] {
        let reply = render(Dialect::AskUser, &input, &outcome);
        assert_eq!((reply.is_error, reply.next), (false, Next::Resume));
        let content: Value = serde_json::from_str(&reply.content).expect("a JSON status");
        assert_eq!(content["status"], status);
        assert_eq!(content["question"], "Which language?");
        assert_eq!(
            (content.get("answer"), content.get("display_text")),
            (None, None)
        );
    }
}
