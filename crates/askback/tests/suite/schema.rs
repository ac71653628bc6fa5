//! `askback schema`: tool names, and each tool's definition.

use std::process::Stdio;

use serde_json::Value;

use super::support::run_binary::{command, fails, succeeds};

const TOOLS: [&str; 4] = [
    "ask_user_question",
    "AskUserQuestion",
    "question",
    "ask_user",
];
const PROVIDERS: [&str; 4] = ["plain", "openai", "anthropic", "gemini"];

#[test]
fn tool_names_are_printed_one_per_line() {
    assert_eq!(
        succeeds(&["schema"], ""),
        "ask_user_question\nAskUserQuestion\nquestion\nask_user\n"
    );
}

#[test]
fn tool_is_printed_as_name_description_and_schema() {
    for tool in TOOLS {
        for provider in PROVIDERS {
            let text = succeeds(&["schema", tool, "--for", provider], "");
            let start = format!("{{\n  \"name\": \"{tool}\",\n  \"description\": \"");
            assert!(text.starts_with(&start), "{text}");
            let json: Value = serde_json::from_str(&text).expect("JSON");
            let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
            assert_eq!(keys.len(), 3, "{keys:?}");
            assert_eq!(json["input_schema"]["type"], "object");
            assert!(text.ends_with("}\n"), "{text}");
        }
    }
}

#[test]
fn plain_schema_is_the_default() {
    for tool in TOOLS {
        let plain = succeeds(&["schema", tool, "--for", "plain"], "");
        assert_eq!(succeeds(&["schema", tool], ""), plain);
    }
}

#[test]
fn schema_fits_the_provider_subset() {
    let schema = |provider| succeeds(&["schema", "ask_user", "--for", provider], "");
    assert!(schema("plain").contains("\"maxLength\": 500"));
    assert!(!schema("openai").contains("maxLength"));
    assert!(!schema("anthropic").contains("maxItems"));
    assert!(!schema("gemini").contains("additionalProperties"));
}

#[test]
fn guidance_is_plain_text_about_the_tool() {
    for tool in TOOLS {
        let text = succeeds(&["schema", tool, "--guidance"], "");
        assert!(text.contains(tool), "{text}");
        assert!(serde_json::from_str::<Value>(&text).is_err(), "{text}");
    }
}

#[test]
fn guidance_without_a_tool_is_refused() {
    let said = fails(&["schema", "--guidance"], "", 2);
    assert!(said.contains("DIALECT"), "{said}");
}

#[test]
fn unknown_names_are_refused_with_the_known_ones() {
    let said = fails(&["schema", "ask"], "", 2);
    for tool in TOOLS {
        assert!(said.contains(tool), "{said}");
    }
    let said = fails(&["schema", "question", "--for", "mistral"], "", 2);
    for provider in PROVIDERS {
        assert!(said.contains(provider), "{said}");
    }
}

#[test]
fn closed_pipe_is_no_error() {
    for args in [
        &["schema"] as &[&str],
        &["schema", "ask_user"],
        &["schema", "ask_user", "--guidance"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the binary ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            (output.status.code(), said.as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}
