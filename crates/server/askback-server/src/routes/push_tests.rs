//! Goal: notifications end with the token with which they were subscribed to, whenever the server ends.

use std::sync::Arc;

use askback_channels::{
    ChannelsConfig, Dispatcher, NewSubscription, WEBPUSH, WebPush, WebPushConfig,
};
use askback_engine::Engine;
use askback_store::CredentialRow;
use jiff::Timestamp;

use crate::openapi::tests::idle_engine;

async fn start(engine: &Engine) -> Dispatcher {
    let webpush = WebPush::new(&WebPushConfig::default(), Arc::clone(engine.store()));
    let config = ChannelsConfig {
        webpush: Some(Arc::new(webpush.unwrap())),
        ..ChannelsConfig::default()
    };
    Dispatcher::start(engine.clone(), config).await.unwrap()
}

async fn add_token(engine: &Engine, name: &str, number: u8) {
    let row = CredentialRow {
        name: name.to_owned(),
        secret_hash: [number; 32],
        scope: "respondent".to_owned(),
        person: Some(name.to_owned()),
        created_at: Timestamp::UNIX_EPOCH,
        last_used_at: None,
        expires_at: None,
    };
    engine.store().add_credential(row).await.unwrap();
}

async fn subscribe(server: &Dispatcher, name: &str) {
    let subscribed = server.push_subscriptions.subscribe(NewSubscription {
        recipient: name.to_owned(),
        endpoint: format!("https://push.example.com/{name}"),
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4".to_owned(),
        auth: "BTBZMqHH6r4Tts7J_aSIgg".to_owned(),
        session: None,
        credential: Some(name.to_owned()),
        expires_at: None,
    });
    subscribed.await.unwrap();
}

async fn subscribers(server: &Dispatcher) -> Vec<String> {
    server.accounts.recipients_in(WEBPUSH).await.unwrap()
}

/// The revocation is one commit, and the end of the notifications is another one.
#[tokio::test]
async fn start_ends_the_notifications_of_a_token_that_was_revoked_before_a_crash() {
    let (engine, _file) = idle_engine().await;
    let server = start(&engine).await;
    for (number, name) in (0..).zip(["ana", "zoe"]) {
        add_token(&engine, name, number).await;
        subscribe(&server, name).await;
    }
    assert_eq!(subscribers(&server).await, ["ana", "zoe"]);
    engine.store().revoke_credential("ana").await.unwrap();
    server.stop().await;
    assert_eq!(subscribers(&start(&engine).await).await, ["zoe"]);
}

#[tokio::test]
async fn token_that_is_revoked_meanwhile_subscribes_to_nothing() {
    let (engine, _file) = idle_engine().await;
    let server = start(&engine).await;
    subscribe(&server, "ana").await;
    assert_eq!(subscribers(&server).await, [""; 0]);
}
