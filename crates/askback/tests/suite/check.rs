//! `askback check`: a tool input in; the questions it asks, or what the model would be told, out.

use std::process::Stdio;

use serde_json::{Value, json};

use super::support::run_binary::{askback, command, fails, file, succeeds};

const QUESTION: &str = r#"{"question": "Which one?", "options": [{"label": "A"}, {"label": "B"}]}"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What `QUESTION` asks.
fn asked() -> Value {
    json!({
        "dialect": "question",
        "questions": [{
            "id": "q1", "text": "Which one?", "optional": false,
            "kind": "choice", "several": false, "own": true,
            "choices": [{ "value": "A", "label": "A" }, { "value": "B", "label": "B" }],
        }],
    })
}

#[test]
fn input_comes_from_a_file_or_from_standard_input() {
    let path = file("check_input.json", QUESTION);
    assert_eq!(json(&succeeds(&["check", &path], "")), asked());
    assert_eq!(json(&succeeds(&["check", "-"], QUESTION)), asked());
    assert_eq!(json(&succeeds(&["check"], QUESTION)), asked());
}

#[test]
fn output_is_one_json_document_in_reading_order() {
    let text = succeeds(&["check"], QUESTION);
    assert!(
        text.starts_with("{\n  \"dialect\": \"question\",\n  \"questions\": [\n"),
        "{text}"
    );
    assert!(text.ends_with("}\n"), "{text}");
}

#[test]
fn dialect_is_recognised_unless_given() {
    let dialect = |args: &[&str], input: &str| json(&succeeds(args, input))["dialect"].clone();
    assert_eq!(dialect(&["check"], QUESTION), "question");
    assert_eq!(dialect(&["check"], r#"{"question": "Name?"}"#), "ask_user");
    assert_eq!(
        dialect(&["check"], &format!(r#"{{"questions": [{QUESTION}]}}"#)),
        "ask_user_question"
    );
    assert_eq!(
        dialect(
            &["check"],
            &format!(r#"{{"name": "ask_user", "arguments": {QUESTION}}}"#)
        ),
        "ask_user"
    );
    for named in ["ask_user_question", "question", "ask_user"] {
        assert_eq!(dialect(&["check", "--dialect", named], QUESTION), named);
    }
}

#[test]
fn repairs_are_listed() {
    assert_eq!(json(&succeeds(&["check"], QUESTION)).get("repairs"), None);
    let sent = r#"{"question": "Which one?", "options": ["A", {"label": "B"}]}"#;
    let mut expect = asked();
    expect["repairs"] = json!([{ "path": "options[0]", "done": "read a bare text as an object" }]);
    assert_eq!(json(&succeeds(&["check"], sent)), expect);
}

#[test]
fn refusal_is_what_the_model_would_be_told() {
    let said = fails(
        &["check", "--dialect", "question"],
        r#"{"question": "Which one?", "options": []}"#,
        2,
    );
    assert_eq!(
        said,
        "question was not called: the input is not valid. The user has not seen the question.\n\
         - options: has 0: send 1 to 10.\n\
         Call question again with: {\"header\" (optional): text up to 30 characters, \
         \"question\": text up to 500 characters, \"options\": [{\"label\": text up to 30 characters, \
         \"description\" (optional): text up to 200 characters}, … 1 to 10 of these], \
         \"multiple\" (optional): true|false, \"custom\" (optional): true|false}\n"
    );
}

#[test]
fn clip_cuts_labels_instead_of_refusing_them() {
    let sent = format!(
        r#"{{"question": "Which?", "options": ["{}"]}}"#,
        "ü".repeat(31)
    );
    let said = fails(&["check", "--dialect", "question"], &sent, 2);
    assert!(
        said.contains("- options[0].label: has 31 characters: write at most 30.\n"),
        "{said}"
    );
    let clipped = json(&succeeds(
        &["check", "--dialect", "question", "--clip"],
        &sent,
    ));
    let label = &clipped["questions"][0]["choices"][0]["label"];
    assert_eq!(*label, json!(format!("{}…", "ü".repeat(29))));
}

#[test]
fn non_json_is_refused() {
    for input in [
        "",
        "  ",
        "Which one?",
        "{\"question\":",
        "{\"question\": \"\\ud800\"}",
    ] {
        let said = fails(&["check"], input, 2);
        assert!(said.contains("\n- The input is not JSON (line "), "{said}");
        assert!(said.contains("again with: {"), "{said}");
    }
}

#[test]
fn non_utf8_is_refused() {
    let said = fails(&["check"], b"\xFF\xFE{\0}\0", 2);
    assert_eq!(said, "Standard input is not UTF-8 text.\n");
    let path = file("check_latin1.json", b"{\"question\": \"Gr\xF6\xDFe?\"}");
    assert_eq!(
        fails(&["check", &path], "", 2),
        format!("{path} is not UTF-8 text.\n")
    );
}

#[test]
fn oversized_input_is_refused_by_size() {
    // The bound falls into the middle of a character.
    let big = format!("\"{}\"", "ü".repeat(1 << 20));
    let path = file("check_big.json", big);
    let said = fails(&["check", &path], "", 2);
    let line = "\n- The input is larger than 1048576 bytes: ask less at once.\n";
    assert!(said.contains(line), "{said}");
}

#[test]
fn unreadable_file_exits_with_1() {
    let said = fails(&["check", "/nowhere/at/all.json"], "", 1);
    assert!(
        said.starts_with("askback: cannot open /nowhere/at/all.json: "),
        "{said}"
    );
    let said = fails(&["check", env!("CARGO_TARGET_TMPDIR")], "", 1);
    assert!(said.starts_with("askback: cannot read "), "{said}");
}

#[test]
fn hostile_input_reaches_the_terminal_as_visible_text() {
    let sent = r#"{"question": "Which\u001b]52;c;c2VjcmV0\u0007 one\u202e?", "options": ["\u001b[31mA", "B"]}"#;
    let text = succeeds(&["check"], sent);
    assert!(!text.contains(['\u{1B}', '\u{7}', '\u{202E}']), "{text}");
    assert_eq!(json(&text)["questions"][0]["text"], "Which␛ one?");
    // A field's name is the sender's own text and is not repeated.
    let sent = "{\"question\": \"Which?\", \"options\": [\"A\"], \"\u{9B}31m\": 1}";
    let run = askback(&["check"], sent);
    assert!(
        !run.out.contains('\u{9B}') && !run.err.contains('\u{9B}'),
        "{run:?}"
    );
}

#[test]
fn refusal_keeps_its_exit_code_without_stderr() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = command(&["check"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(writer)
        .status()
        .expect("the binary ends");
    assert_eq!(status.code(), Some(2));
}
