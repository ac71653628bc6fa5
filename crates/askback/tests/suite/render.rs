//! `askback render`: a tool input and an outcome in, what the model is told out.

use serde_json::{Value, json};

use super::support::run_binary::{fails, file, succeeds};

const LANGUAGE: &str = r#"{
    "question": "Which language?",
    "input_type": "single_select",
    "options": [{"label": "English", "value": "en"}, {"label": "French", "value": "fr"}]
}"#;

const NEXT: &str =
    r#"{"question": "What next?", "options": [{"label": "Test"}, {"label": "Ship"}]}"#;

/// Renders an outcome that stands in a file, for an input on standard input.
fn render(name: &str, input: &str, outcome: &str) -> Value {
    let path = file(&format!("render_{name}.json"), outcome);
    let text = succeeds(&["render", "--input", "-", "--outcome", &path], input);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn answer_is_rendered_in_the_recognised_dialect() {
    assert_eq!(
        render(
            "answered",
            LANGUAGE,
            r#"{"type": "answered", "answers": {"q1": {"values": ["fr"]}}}"#,
        ),
        json!({
            "content": "{\"status\":\"user_responded\",\"question\":\"Which language?\",\
                        \"answer\":\"fr\",\"display_text\":\"French\"}",
            "is_error": false,
            "next": "resume",
        })
    );
}

#[test]
fn answer_that_is_a_message_is_rendered_as_one() {
    let reply = render(
        "message",
        NEXT,
        r#"{"type": "answered", "answers": {"What next?": "Ship"}, "notes": {"q1": "today"}}"#,
    );
    assert_eq!(reply["user_message"], "Ship\n\nNote: today");
    assert_eq!(
        (&reply["is_error"], &reply["next"]),
        (&json!(false), &json!("resume"))
    );
}

#[test]
fn dialect_can_be_named() {
    let outcome = file(
        "render_named.json",
        r#"{"type": "answered", "answers": {"q1": "Ship"}}"#,
    );
    let args = [
        "render",
        "--dialect",
        "ask_user_question",
        "--input",
        "-",
        "--outcome",
        &outcome,
    ];
    let text = succeeds(&args, NEXT);
    let reply: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(reply["content"], r#"{"answers":{"What next?":"Ship"}}"#);
}

#[test]
fn every_outcome_is_rendered() {
    let expect = [
        (r#"{"type": "declined"}"#, false, "resume"),
        (r#"{"type": "cancelled"}"#, true, "stop"),
        (r#"{"type": "rejected"}"#, true, "stop"),
        (
            r#"{"type": "superseded", "message": "Wait."}"#,
            false,
            "resume",
        ),
        (r#"{"type": "expired"}"#, false, "resume"),
        (r#"{"type": "withdrawn"}"#, true, "stop"),
        (r#"{"type": "undeliverable"}"#, true, "resume"),
        (
            r#"{"type": "undeliverable", "reason": "sub_agent"}"#,
            true,
            "resume",
        ),
    ];
    for (index, (outcome, is_error, next)) in expect.into_iter().enumerate() {
        for (which, input) in [("language", LANGUAGE), ("next", NEXT)] {
            let reply = render(&format!("outcome_{which}_{index}"), input, outcome);
            let told = (&reply["is_error"], &reply["next"]);
            assert_eq!(told, (&json!(is_error), &json!(next)), "{outcome}");
            assert_ne!(reply["content"], "", "{outcome}");
        }
    }
    let cancelled = render("cancelled", LANGUAGE, r#"{"type": "cancelled"}"#);
    assert_eq!(cancelled["content"], "User cancelled the question");
}

#[test]
fn outcome_can_come_from_stdin() {
    let input = file("render_input.json", LANGUAGE);
    let args = ["render", "--input", &input, "--outcome", "-"];
    let text = succeeds(&args, r#"{"type": "cancelled"}"#);
    assert_eq!(
        text,
        "{\n  \"content\": \"User cancelled the question\",\n  \"is_error\": true,\n  \"next\": \"stop\"\n}\n"
    );
}

#[test]
fn stdin_cannot_be_both_inputs() {
    let said = fails(&["render", "--input", "-", "--outcome", "-"], LANGUAGE, 2);
    assert_eq!(
        said,
        "Only one of --input and --outcome can be standard input.\n"
    );
}

#[test]
fn invalid_answers_are_explained_to_a_person() {
    let refused = |name: &str, outcome: &str| {
        let path = file(&format!("render_refused_{name}.json"), outcome);
        fails(&["render", "--input", "-", "--outcome", &path], LANGUAGE, 2)
    };
    assert_eq!(
        refused(
            "choice",
            r#"{"type": "answered", "answers": {"q1": "hunter2"}}"#
        ),
        "q1: The answer must be one of the choices: English, French.\n"
    );
    assert_eq!(
        refused("nothing", r#"{"type": "answered", "answers": {}}"#),
        "No question was answered: answer at least one, or let the agent decide.\n"
    );
    assert_eq!(
        refused(
            "question",
            r#"{"type": "answered", "answers": {"hunter2": "fr"}}"#
        ),
        "There is no such question: use q1.\n"
    );
    assert_eq!(
        refused("type", r#"{"type": "hunter2"}"#),
        "An outcome needs a `type`: answered, declined, cancelled, rejected, superseded, expired, \
         withdrawn or undeliverable.\n"
    );
}

#[test]
fn invalid_outcome_json_names_line_and_column() {
    let path = file("render_broken.json", "{\"type\":\n oops}");
    let said = fails(&["render", "--input", "-", "--outcome", &path], LANGUAGE, 2);
    assert_eq!(said, format!("{path} is not JSON (line 2, column 2).\n"));
}

#[test]
fn oversized_outcome_is_refused_by_size() {
    let big = format!(
        r#"{{"type": "superseded", "message": "{}"}}"#,
        "x".repeat(1 << 20)
    );
    let path = file("render_big.json", big);
    let said = fails(&["render", "--input", "-", "--outcome", &path], LANGUAGE, 2);
    assert_eq!(said, format!("{path} is larger than 1048576 bytes.\n"));
}

#[test]
fn invalid_input_is_refused_as_by_check() {
    let outcome = file("render_unfit.json", r#"{"type": "declined"}"#);
    let unfit = r#"{"questions": []}"#;
    let said = fails(&["render", "--input", "-", "--outcome", &outcome], unfit, 2);
    assert_eq!(said, fails(&["check"], unfit, 2));
}

#[test]
fn missing_file_exits_with_1() {
    let input = file("render_present.json", LANGUAGE);
    let said = fails(
        &["render", "--input", &input, "--outcome", "/nowhere.json"],
        "",
        1,
    );
    assert!(
        said.starts_with("askback: cannot open /nowhere.json: "),
        "{said}"
    );
    let said = fails(
        &["render", "--input", "/nowhere.json", "--outcome", &input],
        "",
        1,
    );
    assert!(
        said.starts_with("askback: cannot open /nowhere.json: "),
        "{said}"
    );
}

#[test]
fn both_files_are_required() {
    let said = fails(&["render", "--input", "-"], "", 2);
    assert!(said.contains("--outcome"), "{said}");
}
