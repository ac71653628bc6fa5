//! The built-in agent against a fake provider that refuses what real ones refuse: a call without its
//! result, two results for one call, missing reasoning blocks.

use std::fs;

use askback_agent::scripted::Script;
use askback_fakes::fake_provider::{FakeProvider, FakeProviderOptions};
use askback_wire::message::MessageParams;
use askback_wire::respond::{CancelWorkParams, DeclinePendingParams};
use serde_json::{Value, json};

use super::support::server_process::{Directory, Server};

fn script() -> Value {
    let ask = |text: &str| {
        json!({"tool": "ask_user_question", "input": {"questions": [
            {"question": text, "options": ["A", "B"]}]}})
    };
    json!({"steps": [
        {"say": "First.", "think": "what to ask", "calls": [ask("One?")]},
        {"think": "more", "calls": [ask("Two?"), {"tool": "nothing", "input": {}}, ask("Three?")]},
        {"say": "Then.", "calls": [ask("Four?"), ask("Five?")]},
        {"say": "After the stop: {{message}}", "calls": [ask("Six?")]},
        {"say": "Done."}]})
}

/// One way to talk to a provider.
struct Way {
    provider: &'static str,
    stream: bool,
}

const WAYS: [Way; 6] = [
    Way {
        provider: "anthropic",
        stream: true,
    },
    Way {
        provider: "anthropic",
        stream: false,
    },
    Way {
        provider: "openai",
        stream: true,
    },
    Way {
        provider: "openai",
        stream: false,
    },
    Way {
        provider: "openai-responses",
        stream: true,
    },
    Way {
        provider: "openai-responses",
        stream: false,
    },
];

fn start(directory: &Directory, fake_provider: &FakeProvider, way: &Way) -> Server {
    let config = directory.path().join("askback.toml");
    fs::write(
        &config,
        format!("stream = {}\napi_key = \"k\"\n", way.stream),
    )
    .expect("written");
    let config = config.display().to_string();
    let base_url = fake_provider.base_url();
    Server::start_with(
        directory,
        &[
            "--provider",
            way.provider,
            "--model",
            "any",
            "--base-url",
            &base_url,
            "--config",
            &config,
        ],
    )
}

/// With answers, declines, cancels and kills in between, the fake provider accepts every request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn history_is_always_valid_for_providers() {
    for way in &WAYS {
        let script = Script::parse(&script().to_string()).expect("the script is right");
        let fake_provider = FakeProvider::start(FakeProviderOptions::new(script))
            .await
            .expect("it starts");
        let directory = Directory::new();
        let server = start(&directory, &fake_provider, way);
        let id = server.begin("go").await;
        server.reaches(&id, "awaiting_user_response").await;
        server.kill();
        let server = start(&directory, &fake_provider, way);
        server.respond(&id, json!({"q1": "A"})).await;
        server.reaches(&id, "awaiting_user_response").await;
        server
            .client
            .decline(&id, &DeclinePendingParams::default())
            .await
            .unwrap();
        server.reaches(&id, "awaiting_user_response").await;
        server.respond(&id, json!({"q1": "my own"})).await;
        server.reaches(&id, "awaiting_user_response").await;
        server
            .client
            .cancel(&id, &CancelWorkParams::default())
            .await
            .unwrap();
        let again = MessageParams {
            text: "go on".to_owned(),
            message_id: None,
        };
        server.client.send_message(&id, &again).await.unwrap();
        server.reaches(&id, "awaiting_user_response").await;
        server.respond(&id, json!({"q1": "B"})).await;
        server.reaches(&id, "idle").await;
        let last = server.transcript(&id).await.pop();
        let name = format!("{}, stream {}", way.provider, way.stream);
        assert_eq!(last.as_deref(), Some("assistant: Done."), "{name}");
        let seen = fake_provider.requests();
        assert!(seen.len() >= 5, "{name}: {} requests", seen.len());
        for request in seen {
            assert_eq!(request.status, 200, "{name}: {}", request.body);
        }
    }
}

/// A provider that is overloaded at first is asked again; a wrong key ends in a clear error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn overload_is_retried_and_a_wrong_key_reported() {
    let script = json!({"steps": [{"say": "There.", "fail": [{"kind": "overloaded", "retry_after_ms": 10}]}]});
    let script = Script::parse(&script.to_string()).expect("the script is right");
    let fake_provider = FakeProvider::start(FakeProviderOptions::new(script.clone()))
        .await
        .expect("it starts");
    let directory = Directory::new();
    let server = start(&directory, &fake_provider, &WAYS[0]);
    let id = server.begin("go").await;
    server.reaches(&id, "idle").await;
    assert_eq!(
        server.transcript(&id).await.pop().as_deref(),
        Some("assistant: There.")
    );

    let mut options = FakeProviderOptions::new(script);
    options.key = Some("another".to_owned());
    let strict = FakeProvider::start(options).await.expect("it starts");
    let directory = Directory::new();
    let server = start(&directory, &strict, &WAYS[0]);
    let id = server.begin("go").await;
    let failed = server.reaches(&id, "error").await;
    let state = serde_json::to_value(&failed.state).unwrap();
    assert_eq!(state["code"], "refused");
    let message = state["message"].as_str().unwrap();
    assert!(
        message.contains("ASKBACK_API_KEY") || message.contains("ANTHROPIC_API_KEY"),
        "{message}"
    );
}

/// A server without the provider does not let the scripted agent reply in the conversation of a model,
/// and nothing is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripted_agent_never_replaces_a_model() {
    let script = json!({"steps": [
        {"calls": [{"tool": "ask_user", "input": {"question": "Which?", "options": ["A", "B"]}}]},
        {"say": "So it was."}]});
    let script = Script::parse(&script.to_string()).expect("the script is right");
    let fake_provider = FakeProvider::start(FakeProviderOptions::new(script)).await;
    let fake_provider = fake_provider.expect("it starts");
    let directory = Directory::new();
    let server = start(&directory, &fake_provider, &WAYS[0]);
    let id = server.begin("go").await;
    server.reaches(&id, "awaiting_user_response").await;
    server.kill();

    let server = Server::start_with(&directory, &[]);
    server.respond(&id, json!({"q1": "A"})).await;
    let other = server.begin("Hello").await;
    server.reaches(&other, "awaiting_user_response").await;
    let waiting = server.read(&id).await;
    assert_eq!(waiting.conversation.state.name(), "llm_requesting");
    server.kill();

    let server = start(&directory, &fake_provider, &WAYS[0]);
    server.reaches(&id, "idle").await;
    let last = server.transcript(&id).await.pop();
    assert_eq!(last.as_deref(), Some("assistant: So it was."));
}
