//! Two calls are never merged into one, whatever ids a server gives them.

use askback_core::conversation::command::RawCall;
use serde_json::{Value, json};

use super::{Message, parse_completion};

fn element(id: Option<&str>, name: &str, arguments: &str) -> Value {
    let mut element = json!({
        "type": "function",
        "function": { "name": name, "arguments": arguments },
    });
    if let Some(id) = id {
        element["id"] = json!(id);
    }
    element
}

fn whole(elements: &[Value]) -> Vec<RawCall> {
    let reply = json!({
        "choices": [{
            "message": { "role": "assistant", "content": null, "tool_calls": elements },
            "finish_reason": "tool_calls",
        }],
    });
    parse_completion(&reply).reply.calls
}

fn streamed(pieces: &[Value]) -> Vec<RawCall> {
    let mut message = Message::default();
    for piece in pieces {
        message.add_delta(&json!({ "tool_calls": [piece] }));
    }
    message.into_reply(Some("tool_calls")).reply.calls
}

fn seen(calls: &[RawCall]) -> Vec<(&str, &Value)> {
    calls
        .iter()
        .map(|call| (call.name.as_str(), &call.input))
        .collect()
}

/// The first call's name must not run with the second call's arguments.
#[test]
fn every_element_of_a_complete_message_is_a_call() {
    for id in [Some("call_1"), Some(""), None] {
        for index in [None, Some(0)] {
            let mut elements = [
                element(id, "delete_file", r#"{"path":"a"}"#),
                element(id, "read_file", r#"{"path":"b"}"#),
                element(id, "read_file", r#"{"path":"b"}"#),
            ];
            for element in &mut elements {
                if let Some(index) = index {
                    element["index"] = json!(index);
                }
            }
            let calls = whole(&elements);
            let (a, b) = (json!({"path": "a"}), json!({"path": "b"}));
            assert_eq!(
                seen(&calls),
                [("delete_file", &a), ("read_file", &b), ("read_file", &b)],
                "{id:?} {index:?}"
            );
        }
    }
}

/// In a stream the index tells calls apart, whatever their ids are.
#[test]
fn streamed_calls_are_told_apart_by_index() {
    let piece = |index: u64, id: Option<&str>, name: Option<&str>, arguments: &str| {
        let mut piece = json!({ "index": index, "function": { "arguments": arguments } });
        if let Some(id) = id {
            piece["id"] = json!(id);
        }
        if let Some(name) = name {
            piece["function"]["name"] = json!(name);
        }
        piece
    };
    for id in [Some("call_1"), Some(""), None] {
        let calls = streamed(&[
            piece(0, id, Some("delete_file"), ""),
            piece(1, id, Some("read_file"), ""),
            piece(0, None, None, r#"{"path""#),
            piece(1, None, None, r#"{"path":"b"}"#),
            piece(0, None, None, r#":"a"}"#),
        ]);
        let (a, b) = (json!({"path": "a"}), json!({"path": "b"}));
        assert_eq!(
            seen(&calls),
            [("delete_file", &a), ("read_file", &b)],
            "{id:?}"
        );
    }
}

/// Servers that send no index stream one call after the other.
#[test]
fn without_an_index_a_tool_name_starts_a_new_call() {
    for id in [Some("call_1"), Some(""), None] {
        let rest = json!({ "function": { "arguments": r#""a"}"# } });
        let calls = streamed(&[
            element(id, "delete_file", r#"{"path":"#),
            rest,
            element(id, "read_file", r#"{"path":"b"}"#),
            element(id, "read_file", "{}"),
        ]);
        let (a, b, none) = (json!({"path": "a"}), json!({"path": "b"}), json!({}));
        assert_eq!(
            seen(&calls),
            [("delete_file", &a), ("read_file", &b), ("read_file", &none)],
            "{id:?}"
        );
    }
}

/// Some servers repeat id and name in every delta of a call.
#[test]
fn repeated_name_starts_no_new_call_while_arguments_are_incomplete() {
    let calls = streamed(&[
        element(Some("call_1"), "read_file", r#"{"pa"#),
        element(Some("call_1"), "read_file", r#"th":"a"}"#),
    ]);
    assert_eq!(seen(&calls), [("read_file", &json!({"path": "a"}))]);
}
