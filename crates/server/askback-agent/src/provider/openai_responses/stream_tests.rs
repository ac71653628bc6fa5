//! Streams end, fail and stop early in the ways of the real API.

use std::sync::Mutex;

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::json;

use super::*;
use crate::provider::reply::StopReason;

#[derive(Default)]
struct CollectedTokens(Mutex<String>);

impl TokenSink for CollectedTokens {
    fn token(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

/// The reply, and the text that was streamed.
fn read(events: &[Value]) -> (Option<ParsedReply>, String) {
    let mut stream = ResponseStream::default();
    let tokens = CollectedTokens::default();
    for event in events {
        assert_eq!(stream.error(event), None);
        stream.handle_event(event, &tokens);
    }
    (stream.finish(), tokens.0.into_inner().unwrap())
}

fn message(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
}

fn done(item: &Value) -> Value {
    json!({"type": "response.output_item.done", "output_index": 0, "item": item})
}

#[test]
fn items_of_the_stream_are_used_if_the_last_event_lacks_them() {
    let call =
        json!({"type": "function_call", "call_id": "c1", "name": "t", "arguments": "{\"a\":1}"});
    let completed =
        json!({"type": "response.completed", "response": {"status": "completed", "output": []}});
    let delta = json!({"type": "response.output_text.delta", "delta": "Hello"});
    let (reply, streamed) = read(&[delta, done(&message("Hello")), done(&call), completed]);
    let expected = RawReply {
        text: "Hello".to_owned(),
        reasoning: None,
        calls: vec![RawCall {
            provider_id: "c1".to_owned(),
            name: "t".to_owned(),
            input: json!({"a": 1}),
        }],
    };
    assert_eq!(reply.unwrap().reply, expected);
    assert_eq!(streamed, "Hello");
}

#[test]
fn incomplete_response_says_why_it_stopped() {
    for (reason, expected) in [
        ("max_output_tokens", StopReason::TokenLimit),
        ("content_filter", StopReason::Filtered),
    ] {
        let response = json!({
            "status": "incomplete", "incomplete_details": {"reason": reason}, "output": [message("Hel")],
        });
        let event = json!({"type": "response.incomplete", "response": response});
        assert_eq!(read(&[event]).0.unwrap().stop, expected);
    }
}

#[test]
fn refusal_is_the_text() {
    let refusal = json!({"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]});
    let delta = json!({"type": "response.refusal.delta", "delta": "No."});
    let completed = json!({"type": "response.completed", "response": {"output": [refusal]}});
    let (reply, streamed) = read(&[delta, completed]);
    assert_eq!(reply.unwrap().reply.text, "No.");
    assert_eq!(streamed, "No.");
}

#[test]
fn stream_without_its_last_event_is_not_a_reply() {
    assert_eq!(read(&[done(&message("Hello"))]).0, None);
}

#[test]
fn errors_are_found_in_every_form() {
    let stream = ResponseStream::default();
    let error = json!({"code": "server_error", "message": "oops"});
    let failed =
        json!({"type": "response.failed", "response": {"status": "failed", "error": error}});
    assert_eq!(stream.error(&failed), Some(&error));
    let nested = json!({"type": "error", "error": error});
    assert_eq!(stream.error(&nested), Some(&error));
    let flat = json!({"type": "error", "code": "server_error", "message": "oops"});
    assert_eq!(stream.error(&flat), Some(&flat));
    let created = json!({"type": "response.created", "response": {"error": null}});
    assert_eq!(stream.error(&created), None);
}
