//! Presses are received whatever ids they have: those of another bot, and those that start again, are lower than the last
//! ones.

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::json;

use super::support::telegram_chat::{BEN, BOT_TOKEN, Chat, database, is_open};

const OTHER_BOT: &str = "654321:a-secret-of-another-bot";

/// Asks, and a press answers.
async fn is_answered_by_a_press(chat: &Chat) {
    let asked = chat.ask(database(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &card, "SQLite");
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"], json!(["SQLite"]));
    chat.until("the message says so", || {
        let messages = chat.messages_of(BEN);
        !messages.iter().any(is_open)
    })
    .await;
}

/// Waits until a request has confirmed what was received, and another one has been sent.
async fn is_confirmed(chat: &Chat) {
    let polls = || {
        let calls = chat.fake.calls().into_iter();
        calls.filter(|call| call == "getUpdates").count()
    };
    let before = polls();
    chat.until("what was received is confirmed", || polls() > before + 1)
        .await;
}

fn write_token(path: &Path, token: &str) {
    fs::write(path, token).expect("it can be written");
    #[cfg(unix)]
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("it can be set");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_bot_loses_no_press() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    is_answered_by_a_press(&chat).await;
    is_answered_by_a_press(&chat).await;
    is_confirmed(&chat).await;
    chat.kill();
    let token_file = chat.directory.path().join("bot-token");
    write_token(&token_file, OTHER_BOT);
    let config = chat.directory.path().join("askback.toml");
    let settings = fs::read_to_string(&config).expect("it can be read");
    let in_file = format!("token_file = '{}'", token_file.display());
    let settings = settings.replace(&format!("token = '{BOT_TOKEN}'"), &in_file);
    fs::write(&config, settings).expect("it can be written");
    chat.fake.add_bot(OTHER_BOT);
    chat.fake.restart_update_ids();
    chat.serve();
    is_answered_by_a_press(&chat).await;
    // What the other bot sent is confirmed to it before: the fake has the updates of all in one list.
    is_confirmed(&chat).await;
    // Back to the first one, while the server runs.
    write_token(&token_file, BOT_TOKEN);
    is_confirmed(&chat).await;
    chat.fake.restart_update_ids();
    is_answered_by_a_press(&chat).await;
}

/// Telegram does that after a week without updates.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_that_start_again_lose_no_press() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    is_answered_by_a_press(&chat).await;
    is_answered_by_a_press(&chat).await;
    is_confirmed(&chat).await;
    chat.fake.restart_update_ids();
    is_answered_by_a_press(&chat).await;
    is_confirmed(&chat).await;
    chat.kill();
    chat.fake.restart_update_ids();
    chat.serve();
    is_answered_by_a_press(&chat).await;
}
