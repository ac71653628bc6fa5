//! Failures are told apart, say what to do, and never hold the key.

use std::time::Duration;

use askback_core::conversation::event::{Failure, FailureKind};
use jiff::SignedDuration;
use serde_json::json;

use super::wire_tests::{Heard, request, settings, stand_in, user};
use super::*;
use crate::stand_in::Fault;

const BOTH: [Wire; 2] = [Wire::Anthropic, Wire::OpenAi];

async fn fail(settings: Settings) -> LlmFailure {
    let provider = Provider::new(settings).unwrap();
    let heard = Heard::default();
    let reply = provider.request(request(&[user("hello")]), &heard).await;
    reply.unwrap_err()
}

fn refused(sentence: &str) -> Failure {
    Failure::new(FailureKind::Refused, sentence)
}

#[tokio::test]
async fn wrong_key_names_the_variables_and_not_the_key() {
    let server = stand_in(r#"{"steps": [{"say": "a"}]}"#).await;
    for wire in BOTH {
        let mut settings = settings(&server, (wire, true));
        settings.key = ApiKey::new("sk-wrong-and-secret\n");
        assert!(!format!("{settings:?}").contains("secret"));
        let variable = wire.key_variable();
        let sentence =
            format!("127.0.0.1 refused the API key. Check ASKBACK_API_KEY or {variable}.");
        assert_eq!(fail(settings.clone()).await.failure, refused(&sentence));

        settings.key = None;
        let sentence = format!(
            "127.0.0.1 wants an API key, and none is set. Set ASKBACK_API_KEY or {variable}."
        );
        assert_eq!(fail(settings).await.failure, refused(&sentence));
    }
}

#[tokio::test]
async fn official_servers_are_not_asked_without_a_key() {
    for (wire, host) in [
        (Wire::Anthropic, "api.anthropic.com"),
        (Wire::OpenAi, "api.openai.com"),
    ] {
        let mut settings = Settings::new(wire);
        settings.model = Some("m-1".to_owned());
        let variable = wire.key_variable();
        let sentence =
            format!("{host} wants an API key, and none is set. Set ASKBACK_API_KEY or {variable}.");
        assert_eq!(fail(settings).await.failure, refused(&sentence));
    }
}

#[tokio::test]
async fn unknown_model_and_missing_model_are_told_apart() {
    let server = stand_in(r#"{"steps": [{"say": "a"}]}"#).await;
    for wire in BOTH {
        let mut settings = settings(&server, (wire, true));
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
        let sentence = "No model is named for 127.0.0.1. Set --model or ASKBACK_MODEL.";
        assert_eq!(fail(settings).await.failure, refused(sentence));
    }
}

#[tokio::test]
async fn busy_servers_are_tried_again_when_they_ask_for_it() {
    let server = stand_in(r#"{"steps": [{"say": "a"}]}"#).await;
    let cases = [
        (429, Some("7"), Some(SignedDuration::from_secs(7))),
        (529, Some("0.25"), Some(SignedDuration::from_millis(250))),
        (503, Some("soon"), None),
        (500, None, None),
    ];
    for wire in BOTH {
        for (status, retry_after, expected) in cases {
            server.inject(Fault::Status {
                status,
                retry_after: retry_after.map(str::to_owned),
            });
            let failure = fail(settings(&server, (wire, true))).await;
            assert_eq!(failure.failure.kind, FailureKind::Overloaded, "{status}");
            assert_eq!(failure.retry_after, expected, "{status}");
        }
        server.inject(Fault::Status {
            status: 400,
            retry_after: None,
        });
        let sentence = "127.0.0.1 refused the request (status 400). It says: injected";
        assert_eq!(
            fail(settings(&server, (wire, true))).await.failure,
            refused(sentence)
        );
    }
}

#[tokio::test]
async fn broken_connections_are_the_networks_fault() {
    let server =
        stand_in(r#"{"steps": [{"say": "a long enough text", "calls": [{"tool": "t"}]}]}"#).await;
    let broken = "The connection to 127.0.0.1 broke before the reply was complete.";
    for wire in BOTH {
        for after_events in [0, 1, 4] {
            server.inject(Fault::Break { after_events });
            let failure = fail(settings(&server, (wire, true))).await.failure;
            assert_eq!(failure, Failure::new(FailureKind::Network, broken));
        }
        server.inject(Fault::Break { after_events: 0 });
        let failure = fail(settings(&server, (wire, false))).await.failure;
        assert_eq!(failure.kind, FailureKind::Network);
    }
}

#[tokio::test]
async fn silent_connection_is_given_up() {
    let server = stand_in(r#"{"steps": [{"say": "a"}]}"#).await;
    for wire in BOTH {
        server.inject(Fault::Silence);
        let mut settings = settings(&server, (wire, true));
        settings.idle_timeout = Duration::from_millis(50);
        let sentence = "127.0.0.1 has sent nothing for 0 seconds.";
        assert_eq!(
            fail(settings).await.failure,
            Failure::new(FailureKind::Network, sentence)
        );
    }
}

#[tokio::test]
async fn slow_stream_is_not_given_up() {
    let server =
        stand_in(r#"{"chunk_ms": 60, "steps": [{"say": "one two three four five six seven"}]}"#)
            .await;
    for wire in BOTH {
        let mut settings = settings(&server, (wire, true));
        // Shorter than the whole reply takes, longer than any pause in it.
        settings.idle_timeout = Duration::from_millis(600);
        let provider = Provider::new(settings).unwrap();
        let heard = Heard::default();
        let reply = provider
            .request(request(&[user("hello")]), &heard)
            .await
            .unwrap();
        assert_eq!(reply.text, "one two three four five six seven");
    }
}

/// F-S3: a server that sends a little from time to time does not hold a request for ever.
#[tokio::test]
async fn reply_that_takes_too_long_in_all_is_given_up() {
    let server =
        stand_in(r#"{"chunk_ms": 60, "steps": [{"say": "one two three four five six seven"}]}"#)
            .await;
    for wire in BOTH {
        let mut settings = settings(&server, (wire, true));
        settings.reply_timeout = Duration::from_millis(100);
        let failure = fail(settings).await.failure;
        assert_eq!(failure.kind, FailureKind::Refused, "not tried again");
        let says = failure.message.to_string();
        assert!(says.contains("was not complete after 0 seconds"), "{says}");
    }
}

#[tokio::test]
async fn nobody_there_names_the_base_url_flag() {
    let server = stand_in(r#"{"steps": [{"say": "a"}]}"#).await;
    let settings = settings(&server, (Wire::OpenAi, true));
    drop(server);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut settings = settings;
    settings.base_url = Some(format!("http://{}", listener.local_addr().unwrap()));
    drop(listener);
    let failure = fail(settings).await.failure;
    assert_eq!(failure.kind, FailureKind::Network);
    let message = failure.message.as_str();
    assert!(
        message.starts_with("127.0.0.1 cannot be reached ("),
        "{message}"
    );
    assert!(
        message.ends_with("Check the network and --base-url (ASKBACK_BASE_URL)."),
        "{message}"
    );
}

#[test]
fn errors_inside_a_stream_are_judged_like_statuses() {
    let server = Provider::new(Settings::new(Wire::Anthropic)).unwrap();
    let peer = &server.transport.peer;
    let kind = |error| peer.told(&error).failure.kind;
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
    assert_eq!(kind(json!("something odd")), FailureKind::Overloaded);
}
