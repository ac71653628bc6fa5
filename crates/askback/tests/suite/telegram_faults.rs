//! Telegram that fails: questions wait, and nothing secret is told.

use std::fs;
use std::time::Duration;

use askback_fakes::StopPoint;
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use serde_json::json;

use super::support::telegram_chat::{BEN, BOT_TOKEN, Chat, database, is_open};
use super::support::timeout::within;

/// Telegram closes connections, asks to wait, fails and sends nonsense: questions stay pending and arrive in
/// order, also one that is asked while the others wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_wait_while_telegram_fails_and_arrive_in_order() {
    let chat = Chat::start("").await;
    chat.fake.set_down(true);
    let mut asked = Vec::new();
    let question =
        |number: usize| json!({ "question": format!("Question {number}?"), "options": ["A", "B"] });
    for number in 0..3 {
        asked.push(chat.ask(question(number), Some("ben")).await);
    }
    let wait = r#"{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":1}}"#;
    chat.fake.fail("sendMessage", 429, wait);
    chat.fake.fail("sendMessage", 500, "{}");
    chat.fake.fail("sendMessage", 200, "this is no JSON");
    chat.fake.set_down(false);
    let sends = || {
        let calls = chat.fake.calls().into_iter();
        calls.filter(|call| call == "sendMessage").count()
    };
    chat.until("Telegram asks to wait", || sends() > 0).await;
    asked.push(chat.ask(question(3), Some("ben")).await);
    chat.until("all arrive", || chat.messages_of(BEN).len() == 4)
        .await;
    let messages = chat.messages_of(BEN);
    for (number, message) in messages.iter().enumerate() {
        assert!(
            message.text().contains(&format!("Question {number}?")),
            "{messages:#?}"
        );
    }
    for one in &asked {
        assert_eq!(chat.inquiry(one).await.status, InquiryStatus::Pending);
    }
}

/// An unknown recipient is refused with the known ones; the token is in no log, response or database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_recipient_is_refused_and_the_token_is_nowhere() {
    let chat = Chat::start("").await;
    let params = NewInquiryParams {
        input: database(),
        recipient: Some("bob".to_owned()),
        ..NewInquiryParams::default()
    };
    let refused = chat
        .server()
        .client
        .ask(&params)
        .await
        .expect_err("nobody is called bob");
    assert!(refused.to_string().contains("ben, zoe"), "{refused}");
    chat.fake.fail("sendMessage", 500, "{}");
    chat.ask(database(), Some("ben")).await;
    chat.message(BEN, "Ben gets the question", is_open).await;
    chat.fake.set_down(true);
    let channels = within("the fault is listed", async {
        loop {
            let listed = chat.server().client.channels().await;
            let channels = listed.expect("they are listed").items;
            if channels.iter().any(|channel| channel.last_error.is_some()) {
                return channels;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
    let listed = serde_json::to_string(&channels).expect("it is JSON");
    assert!(listed.contains("Telegram: "), "{listed}");
    let mut searched = vec![listed.into_bytes(), chat.log().into_bytes()];
    for entry in fs::read_dir(chat.directory.path().join("data")).expect("it is read") {
        let path = entry.expect("an entry").path();
        searched.extend(fs::read(&path).ok());
    }
    let secret = BOT_TOKEN.as_bytes();
    assert!(searched.len() > 3);
    for bytes in searched {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

/// Ben has blocked the bot: `channel list` says how many questions he does not have, and why; the log does not promise to
/// retry. After he presses Start, they arrive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_to_somebody_who_blocks_the_bot_are_counted_and_arrive_after_start() {
    let chat = Chat::start("").await;
    let blocked =
        r#"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#;
    chat.fake.fail("sendMessage", 403, blocked);
    chat.ask(database(), Some("ben")).await;
    let mut listed = String::new();
    chat.until("the question is counted", || {
        listed = chat.list_channels();
        listed.contains("not delivered")
    })
    .await;
    let expected =
        "; 1 question not delivered to ben: Telegram: Forbidden: bot was blocked by the user";
    assert!(listed.trim_end().ends_with(expected), "{listed}");
    let log = chat.log();
    assert!(
        log.contains("it is tried once more when the person writes"),
        "{log}"
    );
    assert!(!log.contains("will retry"), "{log}");
    chat.fake.write(BEN, "/start", None, &json!({}));
    chat.message(BEN, "the question arrives", is_open).await;
    let listed = chat.list_channels();
    assert!(!listed.contains("not delivered"), "{listed}");
}

/// A message that arrived although its sending got no response is the one that was pressed: it is brought to its final
/// state, and no second one is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pressed_message_is_edited_although_its_sending_got_no_response() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let stopped = chat.fake.stop_at("sendMessage", StopPoint::BeforeResponse);
    let asked = chat.ask(database(), Some("ben")).await;
    stopped.await.expect("it is being sent");
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &card, "SQLite");
    chat.outcome(&asked).await;
    chat.kill();
    chat.serve();
    let shown = chat
        .message(BEN, "the message says how it ended", |message| {
            !is_open(message)
        })
        .await;
    assert_eq!(shown.id, card.id);
    assert_eq!(chat.messages_of(BEN).len(), 1);
}

/// A channel whose messages are only links is useless without a public URL, which the server says when it starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_needs_links_is_reported_at_the_start() {
    let chat = Chat::start("content = 'title'").await;
    let warning = "messages of these channels need links";
    chat.until("it is logged", || chat.log().contains(warning))
        .await;
    assert!(chat.log().contains("telegram"), "{}", chat.log());
    let whole = Chat::start("").await;
    assert!(!whole.log().contains(warning), "{}", whole.log());
}
