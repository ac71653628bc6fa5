//! What Telegram says while two programs use one bot, responses that are too long, and codes that are written in a group.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use askback_fakes::FakeTelegram;
use serde_json::json;

use super::{Telegram, TelegramConfig};
use crate::contract::channel::{Address, Channel as _, ReceiveError};
use crate::contract::incoming::IncomingAction;
use crate::fake_handler::FakeHandler;

const TOKEN: &str = "1:a";

async fn bot() -> (FakeTelegram, Telegram) {
    let fake = FakeTelegram::start(TOKEN).await.expect("it starts");
    let config = TelegramConfig {
        base_url: Some(fake.base_url()),
        token: Some(TOKEN.into()),
        ..TelegramConfig::default()
    };
    let telegram = Telegram::new(&config).expect("the settings are valid");
    (fake, telegram)
}

/// The bot itself can be reached, so nothing else may say that the channel works.
#[tokio::test]
async fn another_program_with_the_same_bot_is_reported() {
    let (fake, telegram) = bot().await;
    let conflict = json!({
        "ok": false, "error_code": 409,
        "description": "Conflict: terminated by other getUpdates request",
    });
    fake.fail("getUpdates", 409, &conflict.to_string());
    let handler = FakeHandler::new();
    let ended = telegram.receive(Arc::clone(&handler) as Arc<_>).await;
    let expected = "another program receives the messages of this bot: use one bot for each server";
    assert_eq!(ended, ReceiveError::refused(expected));
    assert_eq!(handler.healthy.load(Ordering::Relaxed), 0);
}

/// Whoever answers in place of Telegram cannot fill the memory.
#[tokio::test]
async fn a_response_without_end_is_given_up() {
    let (fake, telegram) = bot().await;
    let long = json!({ "ok": true, "result": [], "rest": "x".repeat(17 << 20) });
    fake.fail("getUpdates", 200, &long.to_string());
    let receiving = telegram.receive(FakeHandler::new());
    let ended = tokio::time::timeout(Duration::from_mins(1), receiving).await;
    let expected = "the response is too long";
    assert_eq!(ended, Ok(ReceiveError::temporary(expected)));
}

/// A reason of any length is shown and stored.
#[tokio::test]
async fn a_long_reason_of_a_refusal_is_cut() {
    let (fake, telegram) = bot().await;
    let refused = json!({ "ok": false, "error_code": 400, "description": "x".repeat(5000) });
    fake.fail("getMe", 400, &refused.to_string());
    let error = telegram.check().await.unwrap_err().to_string();
    assert!(error.chars().count() < 400, "{error}");
}

/// In a group the code of `/start CODE` is not a link: others read it.
#[tokio::test]
async fn a_code_in_a_group_is_told_from_one_in_private() {
    let (fake, telegram) = bot().await;
    let telegram = Arc::new(telegram);
    let handler = FakeHandler::new();
    let receiving = {
        let (telegram, handler) = (Arc::clone(&telegram), Arc::clone(&handler));
        tokio::spawn(async move { telegram.receive(handler).await })
    };
    let group = json!({ "chat": { "id": -100 } });
    fake.write(42, "/start abc", None, &group);
    fake.write(42, "/start@askback_bot abc", None, &group);
    fake.write(42, "/start abc", None, &json!({}));
    let arrived = handler.wait_for(3).await;
    receiving.abort();
    let code = || "abc".to_owned();
    let actions: Vec<(Address, IncomingAction)> = arrived
        .into_iter()
        .map(|incoming| (incoming.address, incoming.action))
        .collect();
    let (group, private) = (Address("-100".to_owned()), Address("42".to_owned()));
    assert_eq!(
        actions,
        [
            (group.clone(), IncomingAction::LinkInGroup { code: code() }),
            (group, IncomingAction::LinkInGroup { code: code() }),
            (private, IncomingAction::Link { code: code() }),
        ]
    );
}
