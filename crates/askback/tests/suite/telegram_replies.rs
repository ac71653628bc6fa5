//! What the bot says to texts that are no answers, that come late, or that may not be taken, and who can undo.

use askback_fakes::FakeMessage;
use askback_wire::inquiry::InquiryStatus;
use askback_wire::respond::CancelParams;
use serde_json::json;

use super::support::telegram_chat::{BEN, Chat, STRANGER, ZOE, database, is_open};

fn says(text: &'static str) -> impl Fn(&FakeMessage) -> bool {
    move |message| message.text().contains(text)
}

fn is_prompt(message: &FakeMessage) -> bool {
    message.body["reply_markup"]["force_reply"] == true
}

/// A channel that does not show questions takes no text for them, and its confirmations have no content.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_is_not_shown_takes_no_text() {
    let chat = Chat::start("undo_seconds = 0\ncontent = 'link'").await;
    let input = json!({ "question": "Should we close the branch in Bern?", "input_type": "text" });
    let asked = chat.ask(input, Some("ben")).await;
    let waiting = says("A question is waiting");
    let card = chat.message(BEN, "Ben is told", waiting).await;
    chat.fake.write(BEN, "Yes", Some(card.id), &json!({}));
    let elsewhere = says("Answer this question in the terminal or in the browser.");
    chat.message(BEN, "he is told where to answer", elsewhere)
        .await;
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    let messages = chat.messages_of(BEN);
    let leaks = messages.iter().any(says("Bern"));
    assert!(!leaks, "{messages:#?}");
}

/// Somebody else has no button to undo an answer; one who presses it nevertheless is told whose answer it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_person_who_answered_can_undo() {
    let chat = Chat::start("undo_seconds = 60").await;
    let asked = chat.ask(database(), None).await;
    let card = chat.message(ZOE, "Zoë gets the question", is_open).await;
    chat.press(ZOE, &card, "SQLite");
    let undo = |label: &'static str| {
        move |message: &FakeMessage| message.buttons().iter().any(|(text, _)| text == label)
    };
    let of_zoe = chat
        .message(ZOE, "Zoë can undo it", undo("Rückgängig"))
        .await;
    let of_ben = chat
        .message(BEN, "Ben sees the answer", |message| {
            message.text().contains("Answered by Zoë")
        })
        .await;
    assert_eq!(of_ben.buttons(), []);
    let (_, press_undo) = of_zoe.buttons().remove(0);
    chat.fake.press(BEN, of_ben.id, &press_undo);
    let told = chat.told(2).await;
    let text = told["text"].as_str().expect("a text");
    assert!(text.starts_with("Answered by Zoë."), "{told}");
    let held = chat.inquiry(&asked).await.held;
    assert!(held.is_some(), "her answer stays");
    chat.press(ZOE, &of_zoe, "Rückgängig");
    chat.told(3).await;
    assert!(chat.inquiry(&asked).await.held.is_none());
}

/// A text without a reply is for the one prompt that waits for it. A reply to a prompt whose question has ended is told
/// how it ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_prompt_takes_the_next_text_and_tells_late_replies_the_outcome() {
    let chat = Chat::start("undo_seconds = 0").await;
    let input = json!({ "question": "Which name?", "input_type": "text" });
    let asked = chat.ask(input.clone(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &card, "Write");
    let prompt = chat.message(BEN, "a text is asked for", is_prompt).await;
    chat.fake.write(BEN, "askback", None, &json!({}));
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["text"], "askback");
    // Nothing waits for a text any more.
    chat.fake.write(BEN, "thanks", None, &json!({}));
    let help = says("Questions arrive here with buttons.");
    chat.message(BEN, "he is told how to answer", help).await;
    chat.fake.write(BEN, "other", Some(prompt.id), &json!({}));
    let outcome = |message: &FakeMessage| {
        message.id > prompt.id && message.text().contains("Answered by Ben in Telegram")
    };
    chat.message(BEN, "he is told how it ended", outcome).await;

    let asked = chat.ask(input, Some("zoe")).await;
    let card = chat.message(ZOE, "Zoë gets a question", is_open).await;
    chat.press(ZOE, &card, "Schreiben");
    let prompt = chat.message(ZOE, "a text is asked for", is_prompt).await;
    let client = &chat.server().client;
    client
        .withdraw_inquiry(&asked.id, &CancelParams::default())
        .await
        .expect("it is withdrawn");
    chat.message(ZOE, "her message says so", |message| {
        message.id == card.id && !is_open(message)
    })
    .await;
    chat.fake.write(ZOE, "zu spät", Some(prompt.id), &json!({}));
    let withdrawn =
        |message: &FakeMessage| message.id > prompt.id && message.text().contains("zurückgezogen");
    chat.message(ZOE, "she is told that it ended", withdrawn)
        .await;
}

/// Everything else gets a short reply that says what to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_answer_is_told_what_to_do() {
    let chat = Chat::start("undo_seconds = 0").await;
    chat.fake.write(STRANGER, "/start", None, &json!({}));
    let link = says("askback channel link");
    chat.message(STRANGER, "a stranger is told how to link", link)
        .await;
    chat.fake.write(BEN, "/help", None, &json!({}));
    let help = says("Questions arrive here with buttons.");
    chat.message(BEN, "help is given", help).await;
    let asked = chat.ask(database(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    let picture = json!({ "text": null, "photo": [], "caption": "SQLite" });
    chat.fake.write(BEN, "", Some(card.id), &picture);
    let text_only = says("Only a typed text is taken as an answer.");
    chat.message(BEN, "a picture is no answer", text_only).await;
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
}
