//! The fake provider refuses what the real servers refuse. Otherwise tests against it prove nothing.

use reqwest::Client;
use serde_json::{Value, json};

use crate::fake_provider::{FakeProvider, FakeProviderOptions};
use crate::scripted::Script;

const SCRIPT: &str = r#"{"steps": [
    {"say": "one", "calls": [{"tool": "t", "id": "a"}, {"tool": "t", "id": "b"}]},
    {"say": "two"}
]}"#;

async fn start() -> FakeProvider {
    let script = Script::parse(SCRIPT).unwrap();
    FakeProvider::start(FakeProviderOptions::new(script))
        .await
        .unwrap()
}

async fn post(server: &FakeProvider, path: &str, body: &Value) -> (u16, Value) {
    // The HTTP client needs the crypto provider that `Provider::new` installs.
    let settings = crate::provider::ProviderSettings::new(crate::provider::Protocol::OpenAiChat);
    crate::provider::Provider::new(settings).unwrap();
    let client = Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{}{path}", server.base_url()));
    let request = request.header("anthropic-version", "2023-06-01");
    let response = request.body(body.to_string()).send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or_default())
}

async fn anthropic(server: &FakeProvider, messages: Value) -> Result<Value, String> {
    let tools = json!([{"name": "t", "input_schema": {"type": "object"}}]);
    let body = json!({"model": "m", "max_tokens": 9, "messages": messages, "tools": tools});
    let (status, reply) = post(server, "/v1/messages", &body).await;
    content_or_refusal(status, &reply, &reply["content"])
}

async fn openai_chat(server: &FakeProvider, messages: Value) -> Result<Value, String> {
    let body = json!({"model": "m", "messages": messages});
    let (status, reply) = post(server, "/v1/chat/completions", &body).await;
    content_or_refusal(status, &reply, &reply["choices"][0]["message"]["content"])
}

async fn openai_responses(server: &FakeProvider, input: Value) -> Result<Value, String> {
    let body = json!({"model": "m", "input": input, "store": false});
    let (status, reply) = post(server, "/v1/responses", &body).await;
    content_or_refusal(status, &reply, &reply["output"][0]["content"][0]["text"])
}

fn content_or_refusal(status: u16, reply: &Value, content: &Value) -> Result<Value, String> {
    if status == 200 {
        return Ok(content.clone());
    }
    assert_eq!(status, 400, "{reply}");
    Err(reply["error"]["message"].as_str().unwrap().to_owned())
}

fn use_block(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "t", "input": {}})
}

fn result_block(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "r"})
}

/// A conversation in which two calls are followed by `after`.
fn blocks_after(after: &[Value]) -> Value {
    json!([
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [use_block("a"), use_block("b")]},
        {"role": "user", "content": after},
    ])
}

#[tokio::test]
async fn anthropic_accepts_complete_rounds_only() {
    let server = start().await;
    let text = json!({"type": "text", "text": "more"});
    let whole = blocks_after(&[result_block("a"), result_block("b"), text.clone()]);
    assert_eq!(
        anthropic(&server, whole).await,
        Ok(json!([{"type": "text", "text": "two"}]))
    );
    let cases = [
        (vec![text.clone()], "without `tool_result` blocks"),
        (vec![result_block("a")], "without `tool_result` blocks"),
        (
            vec![text.clone(), result_block("a"), result_block("b")],
            "without `tool_result` blocks",
        ),
        (
            vec![result_block("a"), result_block("a"), result_block("b")],
            "single result",
        ),
        (
            vec![result_block("a"), result_block("b"), result_block("c")],
            "unexpected `tool_use_id`",
        ),
        (vec![], "non-empty content"),
        (
            vec![json!({"type": "text", "text": " "})],
            "non-whitespace text",
        ),
    ];
    for (after, expected) in cases {
        let refusal = anthropic(&server, blocks_after(&after)).await.unwrap_err();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[tokio::test]
async fn anthropic_refuses_results_without_calls_and_wrong_roles() {
    let server = start().await;
    let cases = [
        (json!([]), "at least one message"),
        (
            json!([{"role": "user", "content": [result_block("a")]}]),
            "unexpected `tool_use_id`",
        ),
        (
            json!([{"role": "assistant", "content": "hi"}]),
            "roles must alternate",
        ),
        (
            json!([{"role": "user", "content": "hi"}, {"role": "assistant", "content": [use_block("a")]}]),
            "the last one must be of the user",
        ),
        (
            json!([
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": [use_block("a"), use_block("a")]},
            ]),
            "ids must be unique",
        ),
    ];
    for (messages, expected) in cases {
        let refusal = anthropic(&server, messages).await.unwrap_err();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

/// A conversation in which two calls are followed by `after`.
fn messages_after(after: &[Value]) -> Value {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "t", "arguments": "{}"}});
    let mut messages = vec![
        json!({"role": "user", "content": "hi"}),
        json!({"role": "assistant", "content": null, "tool_calls": [call("a"), call("b")]}),
    ];
    messages.extend_from_slice(after);
    Value::Array(messages)
}

#[tokio::test]
async fn openai_chat_accepts_complete_rounds_only() {
    let server = start().await;
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "r"});
    let said = json!({"role": "user", "content": "more"});
    let whole = messages_after(&[result("a"), result("b"), said.clone()]);
    assert_eq!(openai_chat(&server, whole).await, Ok(json!("two")));
    let cases = [
        (
            messages_after(std::slice::from_ref(&said)),
            "did not have response messages: a, b",
        ),
        (
            messages_after(&[result("a")]),
            "did not have response messages: b",
        ),
        (
            messages_after(&[result("a"), result("a")]),
            "has a result already",
        ),
        (messages_after(&[result("c")]), "was not found"),
        (
            json!([result("a")]),
            "must be a response to a preceeding message",
        ),
        (
            json!([{"role": "user", "content": " "}]),
            "expected a non-empty string",
        ),
        (json!([]), "at least one message"),
        (
            json!([said.clone(), {"role": "assistant", "content": "x", "tool_calls": []}]),
            "empty array",
        ),
        (
            json!([said, {"role": "assistant", "content": "x"}]),
            "must not be of the assistant",
        ),
    ];
    for (messages, expected) in cases {
        let refusal = openai_chat(&server, messages).await.unwrap_err();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

/// A conversation in which two calls are followed by `after`.
fn items_after(after: &[Value]) -> Value {
    let call =
        |id: &str| json!({"type": "function_call", "call_id": id, "name": "t", "arguments": "{}"});
    let user = json!({"type": "message", "role": "user", "content": "hi"});
    let mut items = vec![user, call("a"), call("b")];
    items.extend_from_slice(after);
    Value::Array(items)
}

#[tokio::test]
async fn openai_responses_accepts_complete_rounds_only() {
    let server = start().await;
    let output = |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "r"});
    let user = json!({"type": "message", "role": "user", "content": "more"});
    let whole = items_after(&[output("a"), output("b"), user.clone()]);
    assert_eq!(openai_responses(&server, whole).await, Ok(json!("two")));
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": []});
    let cases = [
        (
            items_after(std::slice::from_ref(&user)),
            "No tool output found for function call a, b",
        ),
        (
            items_after(&[output("a")]),
            "No tool output found for function call b",
        ),
        (
            items_after(&[output("a"), output("a")]),
            "No tool call found for function call output with call_id a",
        ),
        (json!([output("a")]), "No tool call found"),
        (json!([user, reasoning]), "could not be verified"),
        (
            json!([{"type": "message", "role": "user", "content": " "}]),
            "empty string",
        ),
        (json!([{"type": "other"}]), "Invalid value"),
        (json!([]), "Missing required parameter"),
    ];
    for (input, expected) in cases {
        let refusal = openai_responses(&server, input).await.unwrap_err();
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[tokio::test]
async fn requests_are_recorded_with_their_status() {
    let server = start().await;
    let body = json!({"model": "m", "messages": []});
    post(&server, "/v1/chat/completions", &body).await;
    post(&server, "/v2", &json!({})).await;
    let requests: Vec<(String, u16)> = server
        .requests()
        .into_iter()
        .map(|request| (request.path, request.status))
        .collect();
    assert_eq!(
        requests,
        [
            ("/v1/chat/completions".to_owned(), 400),
            ("/v2".to_owned(), 404)
        ]
    );
}
