//! Both protocols, streamed and not, against a server that refuses what the real ones refuse.

use std::sync::{Arc, Mutex};

use askback_core::contract::Flavor;
use askback_core::conversation::command::RawCall;
use askback_core::conversation::event::{AssistantReply, CallResult, FailureKind, ToolCall};
use askback_core::conversation::history::Entry;
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId};
use askback_core::text::{Lines, Text};
use askback_engine::ports::ToolDefinition;
use serde_json::json;

use super::*;
use crate::scripted::Script;
use crate::stand_in::{Fault, Options, StandIn};

/// Every combination of protocol and streaming.
const WAYS: [(Wire, bool); 4] = [
    (Wire::Anthropic, true),
    (Wire::Anthropic, false),
    (Wire::OpenAi, true),
    (Wire::OpenAi, false),
];

#[derive(Default)]
pub(super) struct Heard(pub(super) Mutex<String>);

impl TokenSink for Heard {
    fn token(&self, text: &str) {
        self.0.lock().unwrap().push_str(text);
    }
}

pub(super) async fn stand_in(script: &str) -> StandIn {
    let mut options = Options::new(Script::parse(script).unwrap());
    options.key = Some("sk-right".to_owned());
    options.models = vec!["m-1".to_owned()];
    StandIn::start(options).await.unwrap()
}

pub(super) fn settings(server: &StandIn, (wire, stream): (Wire, bool)) -> Settings {
    let mut settings = Settings::new(wire);
    settings.base_url = Some(server.base_url());
    settings.key = ApiKey::new("sk-right");
    settings.model = Some("m-1".to_owned());
    settings.stream = stream;
    settings
}

pub(super) fn user(text: &str) -> Entry {
    Entry::User(Text::clean(text, Lines::Many).unwrap())
}

/// The entry a reply becomes, under ids as the machine gives them.
fn settled(reply: &RawReply, results: Vec<CallResult>) -> Entry {
    let calls = reply.calls.iter().enumerate();
    let calls = calls.map(|(index, call)| ToolCall {
        id: CallId::new(format!("call_own_{}_{index}", call.provider_id.len())),
        provider_id: call.provider_id.clone(),
        name: call.name.clone(),
        input: call.input.clone(),
    });
    Entry::Assistant {
        reply: AssistantReply {
            text: Text::clean(&reply.text, Lines::Many),
            reasoning: reply.reasoning.clone(),
            calls: calls.collect(),
        },
        results,
    }
}

pub(super) fn request(history: &[Entry]) -> LlmRequest {
    let tool = Dialect::AskUser.contract();
    LlmRequest {
        conversation: ConversationId::new("cnv_1"),
        attempt: 1,
        model: None,
        system: "Be brief.".to_owned(),
        history: history.to_vec().into(),
        tools: vec![Arc::new(ToolDefinition {
            name: tool.name.to_owned(),
            description: tool.description.to_owned(),
            input_schema: tool.schema(Flavor::Plain),
        })],
        tokens_max: None,
    }
}

async fn ask(provider: &Provider, history: &[Entry]) -> Result<RawReply, LlmFailure> {
    let heard = Heard::default();
    let reply = provider.request(request(history), &heard).await?;
    if provider.settings.stream {
        assert_eq!(*heard.0.lock().unwrap(), reply.text);
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
async fn text_arrives_whole() {
    let server = stand_in(r#"{"steps": [{"say": "Grüße, {{task}} — gern geschehen."}]}"#).await;
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
        let reply = ask(&provider, &[user("hello")]).await.unwrap();
        let expected = RawReply {
            text: "Grüße, hello — gern geschehen.".to_owned(),
            ..RawReply::default()
        };
        assert_eq!(reply, expected, "{way:?}");
    }
}

#[tokio::test]
async fn calls_results_and_final_text_make_a_conversation() {
    let server = stand_in(
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
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
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
        assert_eq!(first, expected, "{way:?}");
        let results = vec![CallResult::ok("one"), CallResult::error("broken")];
        history.push(settled(&first, results));
        // The provider uses an id again, which its protocol may refuse to see twice.
        let second = ask(&provider, &history).await.unwrap();
        let expected = call("toolu_1", "ask_user", json!({"question": "Again?"}));
        assert_eq!(second.calls, [expected], "{way:?}");
        history.push(settled(&second, vec![CallResult::ok("three")]));
        history.push(user("thanks"));
        let last = ask(&provider, &history).await.unwrap();
        assert_eq!(last.text, "Done: thanks", "{way:?}");
    }
}

#[tokio::test]
async fn reasoning_goes_back_as_it_came() {
    let server = stand_in(
        r#"{"steps": [
            {"think": "Hm, läßt sich das fragen?", "say": "One moment.", "calls": [{"tool": "ask_user"}]},
            {"think": {"opaque": true}, "calls": [{"tool": "ask_user"}]},
            {"say": "Done."}
        ]}"#,
    )
    .await;
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
        let mut history = vec![user("hello")];
        for _ in 0..2 {
            let reply = ask(&provider, &history).await.unwrap();
            assert!(reply.reasoning.is_some(), "{way:?}");
            history.push(settled(&reply, vec![CallResult::ok("yes")]));
        }
        assert_eq!(
            ask(&provider, &history).await.unwrap().text,
            "Done.",
            "{way:?}"
        );

        // Without it, the server refuses; so the test above proves something.
        let Entry::Assistant { reply, .. } = &mut history[1] else {
            panic!("the second entry is a reply");
        };
        reply.reasoning = None;
        let failure = ask(&provider, &history).await.unwrap_err().failure;
        assert_eq!(failure.kind, FailureKind::Refused, "{way:?}");
        assert!(
            failure.message.as_str().contains("hinking"),
            "{}",
            failure.message
        );
    }
}

#[tokio::test]
async fn reasoning_of_one_protocol_is_not_sent_over_the_other() {
    let server = stand_in(r#"{"steps": [{"say": "One."}, {"say": "Two."}]}"#).await;
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
        for reasoning in [
            json!({"wire": "anthropic", "blocks": [{"type": "thinking", "thinking": "x", "signature": "y"}]}),
            json!({"wire": "openai", "host": "elsewhere", "model": "m-1", "message": {"reasoning_content": "x"}}),
            json!({"scripted": "x"}),
        ] {
            if way.0 == Wire::Anthropic && reasoning["wire"] == "anthropic" {
                continue;
            }
            let reply = RawReply {
                text: "One.".to_owned(),
                reasoning: Some(reasoning),
                calls: Vec::new(),
            };
            let history = [user("a"), settled(&reply, Vec::new()), user("b")];
            assert_eq!(
                ask(&provider, &history).await.unwrap().text,
                "Two.",
                "{way:?}"
            );
        }
    }
}

#[tokio::test]
async fn broken_arguments_stay_text_and_go_back_in_an_object() {
    let server = stand_in(
        r#"{"steps": [{"calls": [{"tool": "no such.tool", "input": "{\"question\": "}]}, {"say": "Sorry.", "expect": ["not JSON"]}]}"#,
    )
    .await;
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
        let mut history = vec![user("hello")];
        let reply = ask(&provider, &history).await.unwrap();
        assert_eq!(reply.calls[0].input, json!("{\"question\": "), "{way:?}");
        history.push(settled(
            &reply,
            vec![CallResult::error("That is not JSON.")],
        ));
        assert_eq!(
            ask(&provider, &history).await.unwrap().text,
            "Sorry.",
            "{way:?}"
        );
    }
}

#[tokio::test]
async fn history_with_calls_can_be_sent_when_the_tools_are_gone() {
    let server =
        stand_in(r#"{"steps": [{"calls": [{"tool": "ask_user"}]}, {"say": "Fine."}]}"#).await;
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
        let mut history = vec![user("hello")];
        let reply = ask(&provider, &history).await.unwrap();
        history.push(settled(&reply, vec![CallResult::ok(" ")]));
        let mut request = request(&history);
        request.tools.clear();
        request.system = String::new();
        let reply = provider.request(request, &Heard::default()).await.unwrap();
        assert_eq!(reply.text, "Fine.", "{way:?}");
    }
}

#[tokio::test]
async fn base_url_is_taken_however_it_is_written() {
    let server = stand_in(r#"{"steps": [{"say": "Here."}]}"#).await;
    for way in WAYS {
        for end in ["", "/", "/v1", "/v1/"] {
            let mut settings = settings(&server, way);
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
async fn settings_reach_the_request() {
    let server = stand_in(r#"{"steps": [{"say": "Here."}]}"#).await;
    let mut bodies = Vec::new();
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let mut settings = settings(&server, (wire, false));
        settings.strict = true;
        settings.tokens_max = Some(77);
        settings.extra.insert("temperature".to_owned(), json!(0.5));
        let provider = Provider::new(settings).unwrap();
        ask(&provider, &[user("hello")]).await.unwrap();
        bodies.push(server.seen().pop().unwrap().body);
    }
    let tool = Dialect::AskUser.contract();
    assert_eq!(
        bodies[0],
        json!({
            "model": "m-1", "max_tokens": 77, "stream": false, "temperature": 0.5,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": [
                {"type": "text", "text": "hello", "cache_control": {"type": "ephemeral"}}
            ]}],
            "tools": [{
                "name": tool.name, "description": tool.description, "strict": true,
                "input_schema": tool.schema(Flavor::AnthropicStrict),
            }],
        })
    );
    assert_eq!(
        bodies[1],
        json!({
            "model": "m-1", "max_tokens": 77, "stream": false, "temperature": 0.5,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}],
            "tools": [{"type": "function", "function": {
                "name": tool.name, "description": tool.description, "strict": true,
                "parameters": tool.schema(Flavor::OpenAiStrict),
            }}],
        })
    );
}

#[tokio::test]
async fn fault_over_http_is_gone_at_the_next_attempt() {
    let server = stand_in(r#"{"chunk_ms": 1, "steps": [{"say": "There at last.", "fail": [{"kind": "overloaded", "retry_after_ms": 1500}]}]}"#).await;
    for way in WAYS {
        let provider = Provider::new(settings(&server, way)).unwrap();
        server.inject(Fault::Garbage);
        let hello = [user(&format!("hello {way:?}"))];
        let garbage = ask(&provider, &hello).await.unwrap_err().failure;
        assert_eq!(garbage.kind, FailureKind::Malformed, "{way:?}");
        let busy = ask(&provider, &hello).await.unwrap_err();
        assert_eq!(busy.failure.kind, FailureKind::Overloaded, "{way:?}");
        assert_eq!(
            busy.retry_after,
            Some(jiff::SignedDuration::from_millis(1500))
        );
        assert_eq!(ask(&provider, &hello).await.unwrap().text, "There at last.");
    }
}
