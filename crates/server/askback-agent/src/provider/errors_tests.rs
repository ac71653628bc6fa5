//! Failures are classified, say what to do, and never contain the key.

use std::time::Duration;

use askback_core::conversation::event::{AgentFailure, FailureKind};
use jiff::SignedDuration;
use serde_json::json;

use super::protocol_tests::{CollectedTokens, fake_provider, request, settings, user};
use super::*;
use crate::fake_provider::Fault;

const PROTOCOLS: [Protocol; 3] = [
    Protocol::Anthropic,
    Protocol::OpenAiChat,
    Protocol::OpenAiResponses,
];

async fn fail(settings: ProviderSettings) -> LlmFailure {
    let provider = Provider::new(settings).unwrap();
    let tokens = CollectedTokens::default();
    let reply = provider.request(request(&[user("hello")]), &tokens).await;
    reply.unwrap_err()
}

fn refused(message: &str) -> AgentFailure {
    AgentFailure::new(FailureKind::Refused, message)
}

#[tokio::test]
async fn wrong_key_names_the_variables_and_not_the_key() {
    let server = fake_provider(r#"{"steps": [{"say": "a"}]}"#).await;
    for protocol in PROTOCOLS {
        let mut settings = settings(&server, (protocol, true));
        settings.key = ApiKey::new("sk-wrong-and-secret\n");
        assert!(!format!("{settings:?}").contains("secret"));
        let variable = protocol.key_variable();
        let message =
            format!("127.0.0.1 refused the API key. Check ASKBACK_API_KEY or {variable}.");
        assert_eq!(fail(settings.clone()).await.failure, refused(&message));

        settings.key = None;
        let message = format!(
            "127.0.0.1 requires an API key, and none is set. Set ASKBACK_API_KEY or {variable}."
        );
        assert_eq!(fail(settings).await.failure, refused(&message));
    }
}

#[tokio::test]
async fn official_servers_get_no_request_without_a_key() {
    for (protocol, host) in [
        (Protocol::Anthropic, "api.anthropic.com"),
        (Protocol::OpenAiChat, "api.openai.com"),
        (Protocol::OpenAiResponses, "api.openai.com"),
    ] {
        let mut settings = ProviderSettings::new(protocol);
        settings.model = Some("m-1".to_owned());
        let variable = protocol.key_variable();
        let message = format!(
            "{host} requires an API key, and none is set. Set ASKBACK_API_KEY or {variable}."
        );
        assert_eq!(fail(settings).await.failure, refused(&message));
    }
}

#[tokio::test]
async fn unknown_model_and_missing_model_have_different_messages() {
    let server = fake_provider(r#"{"steps": [{"say": "a"}]}"#).await;
    for protocol in PROTOCOLS {
        let mut settings = settings(&server, (protocol, true));
        settings.model = Some("m-2".to_owned());
        let failure = fail(settings.clone()).await.failure;
        assert_eq!(failure.kind, FailureKind::Refused);
        let start = "127.0.0.1 does not know the model \"m-2\", or has nothing at this address. \
                     Check --model (ASKBACK_MODEL) and --base-url (ASKBACK_BASE_URL). It says: ";
        assert!(
            failure.message.as_str().starts_with(start),
            "{}",
            failure.message
        );

        settings.model = None;
        let message = "No model is set for 127.0.0.1. Set --model or ASKBACK_MODEL.";
        assert_eq!(fail(settings).await.failure, refused(message));
    }
}

#[tokio::test]
async fn overloaded_servers_are_retried_when_they_ask_for_it() {
    let server = fake_provider(r#"{"steps": [{"say": "a"}]}"#).await;
    let cases = [
        (429, Some("7"), Some(SignedDuration::from_secs(7))),
        (529, Some("0.25"), Some(SignedDuration::from_millis(250))),
        (503, Some("soon"), None),
        (500, None, None),
    ];
    for protocol in PROTOCOLS {
        for (status, retry_after, expected) in cases {
            server.inject_fault(Fault::Status {
                status,
                retry_after: retry_after.map(str::to_owned),
            });
            let failure = fail(settings(&server, (protocol, true))).await;
            assert_eq!(failure.failure.kind, FailureKind::Overloaded, "{status}");
            assert_eq!(failure.retry_after, expected, "{status}");
        }
        server.inject_fault(Fault::Status {
            status: 400,
            retry_after: None,
        });
        let message = "127.0.0.1 refused the request (status 400). It says: injected";
        assert_eq!(
            fail(settings(&server, (protocol, true))).await.failure,
            refused(message)
        );
    }
}

#[tokio::test]
async fn broken_connections_are_network_failures() {
    let server =
        fake_provider(r#"{"steps": [{"say": "a long enough text", "calls": [{"tool": "t"}]}]}"#)
            .await;
    let disconnected = "The connection to 127.0.0.1 broke before the reply was complete.";
    for protocol in PROTOCOLS {
        for after_events in [0, 1, 4] {
            server.inject_fault(Fault::Disconnect { after_events });
            let failure = fail(settings(&server, (protocol, true))).await.failure;
            assert_eq!(
                failure,
                AgentFailure::new(FailureKind::Network, disconnected)
            );
        }
        server.inject_fault(Fault::Disconnect { after_events: 0 });
        let failure = fail(settings(&server, (protocol, false))).await.failure;
        assert_eq!(failure.kind, FailureKind::Network);
    }
}

#[tokio::test]
async fn silent_connection_times_out() {
    let server = fake_provider(r#"{"steps": [{"say": "a"}]}"#).await;
    for protocol in PROTOCOLS {
        server.inject_fault(Fault::Hang);
        let mut settings = settings(&server, (protocol, true));
        settings.idle_timeout = Duration::from_millis(50);
        let message = "127.0.0.1 has sent nothing for 0 seconds.";
        assert_eq!(
            fail(settings).await.failure,
            AgentFailure::new(FailureKind::Network, message)
        );
    }
}

#[tokio::test]
async fn slow_stream_does_not_time_out() {
    let said = "word ".repeat(250);
    let script = format!(r#"{{"chunk_ms": 40, "steps": [{{"say": "{said}"}}]}}"#);
    let server = fake_provider(&script).await;
    let replies = PROTOCOLS.map(|protocol| {
        let mut settings = settings(&server, (protocol, true));
        // Shorter than the whole reply takes, much longer than any pause in it.
        settings.idle_timeout = Duration::from_secs(5);
        async {
            let provider = Provider::new(settings).unwrap();
            let tokens = CollectedTokens::default();
            let began = tokio::time::Instant::now();
            let reply = provider.request(request(&[user("hello")]), &tokens).await;
            (reply.unwrap().text, began.elapsed())
        }
    });
    for (text, took) in futures_util::future::join_all(replies).await {
        assert_eq!(text.trim(), said.trim());
        assert!(took > Duration::from_secs(5), "{took:?}");
    }
}

/// A server that sends a few bytes now and then cannot hold a request for ever.
#[tokio::test]
async fn reply_that_takes_too_long_in_total_times_out() {
    let server = fake_provider(
        r#"{"chunk_ms": 60, "steps": [{"say": "one two three four five six seven"}]}"#,
    )
    .await;
    for protocol in PROTOCOLS {
        let mut settings = settings(&server, (protocol, true));
        settings.reply_timeout = Duration::from_millis(100);
        let failure = fail(settings).await.failure;
        assert_eq!(failure.kind, FailureKind::Refused, "not tried again");
        let says = failure.message.to_string();
        assert!(says.contains("was not complete after 0 seconds"), "{says}");
    }
}

#[tokio::test]
async fn unreachable_server_names_the_base_url_flag() {
    let server = fake_provider(r#"{"steps": [{"say": "a"}]}"#).await;
    let settings = settings(&server, (Protocol::OpenAiChat, true));
    drop(server);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut settings = settings;
    settings.base_url = Some(format!("http://{}", listener.local_addr().unwrap()));
    drop(listener);
    let failure = fail(settings).await.failure;
    assert_eq!(failure.kind, FailureKind::Network);
    let message = failure.message.as_str();
    assert!(
        message.starts_with("Cannot reach 127.0.0.1 (connection refused). "),
        "{message}"
    );
    assert!(
        message.ends_with("Check the network and --base-url (ASKBACK_BASE_URL)."),
        "{message}"
    );
}

#[test]
fn errors_in_a_stream_are_classified_like_statuses() {
    let server = Provider::new(ProviderSettings::new(Protocol::Anthropic)).unwrap();
    let endpoint = &server.transport.endpoint;
    let kind = |error| endpoint.error_event(&error).failure.kind;
    assert_eq!(
        kind(json!({"type": "overloaded_error", "message": "Overloaded"})),
        FailureKind::Overloaded
    );
    assert_eq!(
        kind(json!({"type": "invalid_request_error", "message": "no"})),
        FailureKind::Refused
    );
    assert_eq!(
        kind(json!({"code": 429, "message": "slow down"})),
        FailureKind::Overloaded
    );
    assert_eq!(
        kind(json!({"code": "insufficient_quota", "message": "pay"})),
        FailureKind::Refused
    );
    assert_eq!(
        kind(json!({"type": "error", "code": "rate_limit_exceeded", "message": "slow down"})),
        FailureKind::Overloaded
    );
    assert_eq!(
        kind(json!({"code": "invalid_prompt", "message": "no"})),
        FailureKind::Refused
    );
    assert_eq!(
        kind(json!({"code": "server_error", "message": "oops"})),
        FailureKind::Overloaded
    );
    assert_eq!(kind(json!("something odd")), FailureKind::Overloaded);
}
