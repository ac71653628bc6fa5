//! Every protocol, streamed and not, against a fake provider that refuses what the real ones refuse.

use std::sync::{Arc, Mutex};

use askback_core::contract::Flavor;
use askback_core::conversation::command::RawCall;
use askback_core::conversation::event::{AssistantReply, CallResult, FailureKind, ToolCall};
use askback_core::conversation::history::HistoryEntry;
use askback_core::dialect::{AgentHost, Dialect};
use askback_core::id::{CallId, ConversationId};
use askback_core::text::{Lines, Text};
use askback_engine::ports::ToolDefinition;
use serde_json::json;

use super::*;
use crate::fake_provider::{FakeProvider, FakeProviderOptions, Fault};
use crate::scripted::Script;

/// Every combination of protocol and streaming.
const MODES: [(Protocol, bool); 6] = [
    (Protocol::Anthropic, true),
    (Protocol::Anthropic, false),
    (Protocol::OpenAiChat, true),
    (Protocol::OpenAiChat, false),
    (Protocol::OpenAiResponses, true),
    (Protocol::OpenAiResponses, false),
];

#[derive(Default)]
pub(super) struct CollectedTokens(pub(super) Mutex<String>);

impl TokenSink for CollectedTokens {
    fn token(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

pub(super) async fn fake_provider(script: &str) -> FakeProvider {
    let mut options = FakeProviderOptions::new(Script::parse(script).unwrap());
    options.key = Some("sk-right".to_owned());
    options.models = vec!["m-1".to_owned()];
    FakeProvider::start(options).await.unwrap()
}

pub(super) fn settings(
    server: &FakeProvider,
    (protocol, stream): (Protocol, bool),
) -> ProviderSettings {
    let mut settings = ProviderSettings::new(protocol);
    settings.base_url = Some(server.base_url());
    settings.key = ApiKey::new("sk-right");
    settings.model = Some("m-1".to_owned());
    settings.stream = stream;
    settings
}

pub(super) fn user(text: &str) -> HistoryEntry {
    HistoryEntry::User(Text::clean(text, Lines::Many).unwrap())
}

/// The history entry of a reply, with call ids like those of the state machine.
fn round(reply: &RawReply, results: Vec<CallResult>) -> HistoryEntry {
    let calls = reply.calls.iter().enumerate();
    let calls = calls.map(|(index, call)| ToolCall {
        id: CallId::new(format!("call_own_{}_{index}", call.provider_id.len())),
        provider_id: call.provider_id.clone(),
        name: call.name.clone(),
        input: call.input.clone(),
    });
    HistoryEntry::Assistant {
        reply: AssistantReply {
            text: Text::clean(&reply.text, Lines::Many),
            reasoning: reply.reasoning.clone(),
            calls: calls.collect(),
        },
        results,
    }
}

pub(super) fn request(history: &[HistoryEntry]) -> LlmRequest {
    let tool = Dialect::AskUser.contract();
    LlmRequest {
        conversation: ConversationId::new("cnv_1"),
        attempt: 1,
        model: None,
        system: "Be brief.".to_owned(),
        history: history.to_vec().into(),
        tools: vec![Arc::new(ToolDefinition {
            name: tool.name.to_owned(),
            description: tool.description.told_by(AgentHost::Askback),
            input_schema: tool.schema(Flavor::Plain),
        })],
        tokens_max: None,
    }
}

async fn ask(provider: &Provider, history: &[HistoryEntry]) -> Result<RawReply, LlmFailure> {
    let tokens = CollectedTokens::default();
    let reply = provider.request(request(history), &tokens).await?;
    if provider.settings.stream {
        assert_eq!(*tokens.0.lock().unwrap(), reply.text);
    }
    Ok(reply)
}

fn call(id: &str, name: &str, input: Value) -> RawCall {
    RawCall {
        provider_id: id.to_owned(),
        name: name.to_owned(),
        input,
    }
}

#[tokio::test]
async fn text_arrives_complete() {
    let server =
        fake_provider(r#"{"steps": [{"say": "Grüße, {{task}} — gern geschehen."}]}"#).await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        let reply = ask(&provider, &[user("hello")]).await.unwrap();
        let expected = RawReply {
            text: "Grüße, hello — gern geschehen.".to_owned(),
            ..RawReply::default()
        };
        assert_eq!(reply, expected, "{mode:?}");
    }
}

#[tokio::test]
async fn calls_results_and_final_text_make_a_conversation() {
    let server = fake_provider(
        r#"{"steps": [
            {"say": "Two things.", "calls": [
                {"tool": "ask_user", "id": "toolu_1", "input": {"question": "Wohin? ☂", "n": [1, 2.5]}},
                {"tool": "ask_user", "id": "toolu_2"}
            ]},
            {"calls": [{"tool": "ask_user", "id": "toolu_1", "input": {"question": "Again?"}}], "expect": ["one", "broken"]},
            {"say": "Done: {{message}}", "expect": ["three", "thanks"]}
        ]}"#,
    )
    .await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        let mut history = vec![user("hello"), user("and more")];
        let first = ask(&provider, &history).await.unwrap();
        let expected = RawReply {
            text: "Two things.".to_owned(),
            reasoning: None,
            calls: vec![
                call(
                    "toolu_1",
                    "ask_user",
                    json!({"question": "Wohin? ☂", "n": [1, 2.5]}),
                ),
                call("toolu_2", "ask_user", json!({})),
            ],
        };
        assert_eq!(first, expected, "{mode:?}");
        let results = vec![CallResult::ok("one"), CallResult::error("broken")];
        history.push(round(&first, results));
        // The provider reuses an id, which its protocol may refuse to see twice.
        let second = ask(&provider, &history).await.unwrap();
        let expected = call("toolu_1", "ask_user", json!({"question": "Again?"}));
        assert_eq!(second.calls, [expected], "{mode:?}");
        history.push(round(&second, vec![CallResult::ok("three")]));
        history.push(user("thanks"));
        let last = ask(&provider, &history).await.unwrap();
        assert_eq!(last.text, "Done: thanks", "{mode:?}");
    }
}

#[tokio::test]
async fn reasoning_is_sent_back_unchanged() {
    let server = fake_provider(
        r#"{"steps": [
            {"think": "Hm, läßt sich das fragen?", "say": "One moment.", "calls": [{"tool": "ask_user"}]},
            {"think": {"opaque": true}, "calls": [{"tool": "ask_user"}]},
            {"say": "Done."}
        ]}"#,
    )
    .await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        let mut history = vec![user("hello")];
        for _ in 0..2 {
            let reply = ask(&provider, &history).await.unwrap();
            assert!(reply.reasoning.is_some(), "{mode:?}");
            history.push(round(&reply, vec![CallResult::ok("yes")]));
        }
        assert_eq!(
            ask(&provider, &history).await.unwrap().text,
            "Done.",
            "{mode:?}"
        );

        // The server refuses a request without it, so the test above proves something.
        let HistoryEntry::Assistant { reply, .. } = &mut history[1] else {
            panic!("the second entry is a reply");
        };
        reply.reasoning = None;
        let failure = ask(&provider, &history).await.unwrap_err().failure;
        assert_eq!(failure.kind, FailureKind::Refused, "{mode:?}");
        let expected = match mode.0 {
            Protocol::Anthropic | Protocol::OpenAiChat => "hinking",
            Protocol::OpenAiResponses => "without its required 'reasoning' item",
        };
        assert!(
            failure.message.as_str().contains(expected),
            "{}",
            failure.message
        );
    }
}

#[tokio::test]
async fn reasoning_is_not_sent_over_another_protocol() {
    let server = fake_provider(r#"{"steps": [{"say": "One."}, {"say": "Two."}]}"#).await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        for reasoning in [
            json!({"wire": "anthropic", "blocks": [{"type": "thinking", "thinking": "x", "signature": "y"}]}),
            json!({"wire": "openai", "host": "elsewhere", "model": "m-1", "message": {"reasoning_content": "x"}}),
            json!({"wire": "openai-responses", "host": "127.0.0.1", "model": "m-2", "items": [{"type": "reasoning", "id": "x"}]}),
            json!({"scripted": "x"}),
        ] {
            if mode.0 == Protocol::Anthropic && reasoning["wire"] == "anthropic" {
                continue;
            }
            let reply = RawReply {
                text: "One.".to_owned(),
                reasoning: Some(reasoning),
                calls: Vec::new(),
            };
            let history = [user("a"), round(&reply, Vec::new()), user("b")];
            assert_eq!(
                ask(&provider, &history).await.unwrap().text,
                "Two.",
                "{mode:?}"
            );
        }
    }
}

#[tokio::test]
async fn invalid_arguments_stay_text_and_are_sent_back_in_an_object() {
    let server = fake_provider(
        r#"{"steps": [{"calls": [{"tool": "no such.tool", "input": "{\"question\": "}]}, {"say": "Sorry.", "expect": ["not JSON"]}]}"#,
    )
    .await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        let mut history = vec![user("hello")];
        let reply = ask(&provider, &history).await.unwrap();
        assert_eq!(reply.calls[0].input, json!("{\"question\": "), "{mode:?}");
        history.push(round(&reply, vec![CallResult::error("That is not JSON.")]));
        assert_eq!(
            ask(&provider, &history).await.unwrap().text,
            "Sorry.",
            "{mode:?}"
        );
    }
}

#[tokio::test]
async fn history_with_calls_can_be_sent_without_tools() {
    let server =
        fake_provider(r#"{"steps": [{"calls": [{"tool": "ask_user"}]}, {"say": "Fine."}]}"#).await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        let mut history = vec![user("hello")];
        let reply = ask(&provider, &history).await.unwrap();
        history.push(round(&reply, vec![CallResult::ok(" ")]));
        let mut request = request(&history);
        request.tools.clear();
        request.system = String::new();
        let reply = provider
            .request(request, &CollectedTokens::default())
            .await
            .unwrap();
        assert_eq!(reply.text, "Fine.", "{mode:?}");
    }
}

#[tokio::test]
async fn base_url_may_be_written_in_several_ways() {
    let server = fake_provider(r#"{"steps": [{"say": "Here."}]}"#).await;
    for mode in MODES {
        for end in ["", "/", "/v1", "/v1/"] {
            let mut settings = settings(&server, mode);
            settings.base_url = Some(format!("{}{end}", server.base_url()));
            let provider = Provider::new(settings).unwrap();
            assert_eq!(
                ask(&provider, &[user("hello")]).await.unwrap().text,
                "Here."
            );
        }
    }
}

#[tokio::test]
async fn limit_and_tools_reach_the_request() {
    let server = fake_provider(r#"{"steps": [{"say": "Here."}]}"#).await;
    let mut bodies = Vec::new();
    for protocol in [
        Protocol::Anthropic,
        Protocol::OpenAiChat,
        Protocol::OpenAiResponses,
    ] {
        let settings = settings(&server, (protocol, false));
        let provider = Provider::new(settings).unwrap();
        let request = LlmRequest {
            tokens_max: Some(77),
            ..request(&[user("hello")])
        };
        let tokens = CollectedTokens::default();
        provider.request(request, &tokens).await.unwrap();
        bodies.push(server.requests().pop().unwrap().body);
    }
    let tool = Dialect::AskUser.contract();
    assert_eq!(
        bodies[0],
        json!({
            "model": "m-1", "max_tokens": 77, "stream": false,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "hello", "cache_control": {"type": "ephemeral"}}
            ]}],
            "tools": [{
                "name": tool.name, "description": tool.description.told_by(AgentHost::Askback),
                "input_schema": tool.schema(Flavor::Plain),
            }],
        })
    );
    assert_eq!(
        bodies[1],
        json!({
            "model": "m-1", "max_tokens": 77, "stream": false,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}],
            "tools": [{"type": "function", "function": {
                "name": tool.name, "description": tool.description.told_by(AgentHost::Askback),
                "parameters": tool.schema(Flavor::Plain),
            }}],
        })
    );
    assert_eq!(
        bodies[2],
        json!({
            "model": "m-1", "max_output_tokens": 77, "stream": false,
            "store": false, "include": ["reasoning.encrypted_content"],
            "instructions": "Be brief.",
            "input": [{"type": "message", "role": "user", "content": "hello"}],
            "tools": [{
                "type": "function", "name": tool.name, "description": tool.description.told_by(AgentHost::Askback),
                "strict": false, "parameters": tool.schema(Flavor::Plain),
            }],
        })
    );
}

#[tokio::test]
async fn next_attempt_after_a_fault_succeeds() {
    let server = fake_provider(r#"{"chunk_ms": 1, "steps": [{"say": "There at last.", "fail": [{"kind": "overloaded", "retry_after_ms": 1500}]}]}"#).await;
    for mode in MODES {
        let provider = Provider::new(settings(&server, mode)).unwrap();
        server.inject_fault(Fault::InvalidJson);
        let hello = [user(&format!("hello {mode:?}"))];
        let garbage = ask(&provider, &hello).await.unwrap_err().failure;
        assert_eq!(garbage.kind, FailureKind::Malformed, "{mode:?}");
        let busy = ask(&provider, &hello).await.unwrap_err();
        assert_eq!(busy.failure.kind, FailureKind::Overloaded, "{mode:?}");
        assert_eq!(
            busy.retry_after,
            Some(jiff::SignedDuration::from_millis(1500))
        );
        assert_eq!(ask(&provider, &hello).await.unwrap().text, "There at last.");
    }
}
