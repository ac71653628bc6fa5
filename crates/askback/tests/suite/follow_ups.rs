//! A question that nobody answers: people are reminded of it, and somebody else gets it too.

use askback_fakes::FakeMessage;
use askback_store::{ChannelStore as _, SqliteOptions, SqliteStore};
use askback_wire::duration::HumanDuration;
use askback_wire::event::ChangeName;
use askback_wire::inquiry::{DeadlineParams, HandOnParams, InquiryResponse, NewInquiryParams};
use askback_wire::respond::WithdrawParams;
use serde_json::{Value, json};

use super::deadlines::next_event_of_inquiry;
use super::support::telegram_chat::{BEN, Chat, ZOE};

const ESCALATE: &str = "escalate_to = 'ben'";

fn which_database() -> Value {
    json!({ "questions": [{
        "question": "Which database?", "header": "Database",
        "options": [{ "label": "SQLite" }, { "label": "PostgreSQL" }],
    }] })
}

fn seconds(seconds: u64) -> Option<HumanDuration> {
    format!("{seconds}s").parse().ok()
}

/// A question for Zoë that ends after some seconds.
async fn ask_zoe(chat: &Chat, expires_in: u64) -> InquiryResponse {
    let params = NewInquiryParams {
        input: which_database(),
        recipient: Some("zoe".to_owned()),
        expires_in: seconds(expires_in),
        ..NewInquiryParams::default()
    };
    let asked = chat.server().client.ask(&params).await;
    asked.expect("it is asked")
}

fn has_buttons(message: &FakeMessage) -> bool {
    !message.buttons().is_empty()
}

/// At half of the time Ben gets the question, Zoë is reminded in a reply, and her message says who else has it. Then either
/// of them answers.
#[tokio::test(flavor = "multi_thread")]
async fn at_half_of_the_time_somebody_else_gets_the_question_too() {
    let chat = Chat::start_with("undo_seconds = 0", ESCALATE).await;
    let asked = ask_zoe(&chat, 40).await;
    let first = chat.message(ZOE, "a card for Zoë", has_buttons).await;
    assert!(chat.messages_of(BEN).is_empty());
    let card = chat.message(BEN, "a card for Ben", has_buttons).await;
    assert!(
        card.text().contains("Zoë has not answered yet"),
        "{}",
        card.text()
    );
    let also = |it: &FakeMessage| it.text().contains("Auch gesendet an Ben");
    let old = chat.message(ZOE, "that Ben has it too", also).await;
    assert_eq!(old.id, first.id);
    assert!(has_buttons(&old));
    let reminder = |it: &FakeMessage| it.text().starts_with("Noch offen: ");
    chat.message(ZOE, "a reminder", reminder).await;
    assert_eq!(chat.messages_of(ZOE).len(), 2, "one card and one reminder");
    chat.press(BEN, &card, "SQLite");
    let outcome = chat.outcome(&asked).await;
    assert_eq!(outcome.answered_by.as_deref(), Some("Ben"));
}

/// The time is kept over a crash, and moves with the deadline. Who answers in time is not escalated.
#[tokio::test(flavor = "multi_thread")]
async fn an_escalation_survives_a_crash_and_follows_the_deadline() {
    let mut chat = Chat::start_with("undo_seconds = 0", ESCALATE).await;
    let asked = ask_zoe(&chat, 3600).await;
    let answered = ask_zoe(&chat, 20).await;
    let card = chat.message(ZOE, "the second card", |it| {
        chat.messages_of(ZOE).len() == 2 && it.id == chat.messages_of(ZOE)[1].id
    });
    let card = card.await;
    chat.press(ZOE, &card, "SQLite");
    chat.outcome(&answered).await;
    let params = DeadlineParams {
        expires_in: seconds(40),
        ..DeadlineParams::default()
    };
    let moved = chat.server().client.move_deadline(&asked.id, &params).await;
    moved.expect("the deadline is moved");
    chat.kill();
    chat.serve();
    // By then half of the time of the other one is over, too.
    let card = chat.message(BEN, "a card for Ben", has_buttons).await;
    chat.press(BEN, &card, "SQLite");
    chat.outcome(&asked).await;
    // On a slow machine he has the card before the reminder, and gets that, too.
    let cards = chat.messages_of(BEN).into_iter();
    let cards = cards.filter(|it| !it.text().starts_with("Still open: "));
    assert_eq!(cards.count(), 1, "only the question that waited");
}

/// Somebody who had the question before is told with a sound that it is theirs again, in a reply; the card is the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_comes_back_opens_the_old_card() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = ask_zoe(&chat, 3600).await;
    let first = chat.message(ZOE, "a card for Zoë", has_buttons).await;
    let to = |recipient: &str| HandOnParams {
        recipient: recipient.to_owned(),
        reason: Some("Your turn.".to_owned()),
        revision: None,
    };
    let client = &chat.server().client;
    client
        .hand_on(&asked.id, &to("ben"))
        .await
        .expect("it goes to Ben");
    chat.message(BEN, "a card for Ben", has_buttons).await;
    chat.message(ZOE, "an old card", |it| !has_buttons(it))
        .await;
    client
        .hand_on(&asked.id, &to("zoe"))
        .await
        .expect("it comes back");
    let again = chat.message(ZOE, "the card again", has_buttons).await;
    assert_eq!(again.id, first.id);
    let reply = |it: &FakeMessage| it.id != first.id && it.text().ends_with(": Your turn.");
    chat.message(ZOE, "a reply", reply).await;
    chat.press(ZOE, &again, "SQLite");
    let outcome = chat.outcome(&asked).await;
    assert_eq!(outcome.answered_by.as_deref(), Some("Zoë"));
}

/// A reminder that cannot be sent waits, and is sent once.
#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_survives_a_channel_that_is_down() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let asked = ask_zoe(&chat, 120).await;
    chat.message(ZOE, "a card for Zoë", has_buttons).await;
    chat.fake.set_down(true);
    let mut feed = chat.server().client.events(Some(0));
    let params = DeadlineParams {
        expires_in: seconds(40),
        ..DeadlineParams::default()
    };
    let moved = chat.server().client.move_deadline(&asked.id, &params).await;
    moved.expect("the deadline is moved");
    while next_event_of_inquiry(&mut feed).await.change != ChangeName::Reminded {}
    chat.kill();
    chat.fake.set_down(false);
    chat.serve();
    let reminder = |it: &FakeMessage| it.text().starts_with("Noch offen: ");
    chat.message(ZOE, "a reminder", reminder).await;
    let params = WithdrawParams::default();
    let withdrawn = chat.server().client.withdraw_inquiry(&asked.id, &params);
    withdrawn.await.expect("it is withdrawn");
    let is_ended = |it: &FakeMessage| !has_buttons(it) && !reminder(it);
    chat.message(ZOE, "how it ended", is_ended).await;
    let reminders = chat.messages_of(ZOE).into_iter().filter(reminder);
    assert_eq!(reminders.count(), 1);
}

/// What was stored for a question is removed when it ends: the prompt for a text, and when to escalate.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_kept_for_a_question_that_has_ended() {
    let mut chat = Chat::start_with("undo_seconds = 0", ESCALATE).await;
    let params = NewInquiryParams {
        input: json!({ "question": "How many?", "input_type": "number" }),
        recipient: Some("zoe".to_owned()),
        expires_in: seconds(3600),
        ..NewInquiryParams::default()
    };
    let asked = chat
        .server()
        .client
        .ask(&params)
        .await
        .expect("it is asked");
    let card = chat.message(ZOE, "a card", has_buttons).await;
    chat.press(ZOE, &card, "Schreiben");
    let is_prompt = |it: &FakeMessage| it.body["reply_markup"]["force_reply"] == true;
    let prompt = chat.message(ZOE, "a prompt", is_prompt).await;
    chat.fake.write(ZOE, "7", Some(prompt.id), &json!({}));
    chat.outcome(&asked).await;
    let is_ended = |it: &FakeMessage| it.id == card.id && !has_buttons(it);
    chat.message(ZOE, "how it ended", is_ended).await;
    chat.kill();
    let database = chat.directory.path().join("data/askback.db");
    let store = SqliteStore::open(&database, SqliteOptions::default()).expect("it opens");
    for prefix in ["prompt:", "follow:", "reply:"] {
        let kept = store.channel_values(prefix).await.expect("it is read");
        assert_eq!(kept, [], "{prefix}");
    }
}
