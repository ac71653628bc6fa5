//! Typed answers, undo, and linking an account in Telegram.

use askback_fakes::FakeMessage;
use askback_wire::channel::LinkCodeParams;
use askback_wire::inquiry::{DeadlineParams, InquiryStatus};
use askback_wire::respond::CancelParams;
use serde_json::json;

use super::support::telegram_chat::{BEN, Chat, STRANGER, ZOE, database, is_open};

/// A number that is out of range and a day that does not exist are refused in the person's language, then
/// a good one is taken.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typed_answers_are_checked_in_the_language_of_the_person() {
    let chat = Chat::start("undo_seconds = 0").await;
    let input =
        json!({ "question": "How many?", "input_type": "number", "validation": { "max": 10 } });
    let asked = chat.ask(input, Some("zoe")).await;
    let card = chat.message(ZOE, "the number is asked for", is_open).await;
    chat.press(ZOE, &card, "Schreiben");
    let is_prompt = |text: &'static str| {
        move |message: &FakeMessage| {
            let is_prompt = message.body["reply_markup"]["force_reply"] == true;
            is_prompt && message.text().contains(text)
        }
    };
    let prompt = chat
        .message(ZOE, "a text is asked for", is_prompt("How many?"))
        .await;
    chat.fake.write(ZOE, "11", Some(prompt.id), &json!({}));
    let again = chat.message(ZOE, "11 is refused", is_prompt("10")).await;
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    chat.fake.write(ZOE, "7,5", Some(again.id), &json!({}));
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["number"], 7.5);

    let asked = chat
        .ask(
            json!({ "question": "When?", "input_type": "date" }),
            Some("zoe"),
        )
        .await;
    let is_when = |message: &FakeMessage| is_open(message) && message.text().contains("When?");
    let card = chat.message(ZOE, "the day is asked for", is_when).await;
    chat.press(ZOE, &card, "Schreiben");
    let prompt = chat
        .message(ZOE, "a day is asked for", is_prompt("When?"))
        .await;
    chat.fake
        .write(ZOE, "30. Februar 2027", Some(prompt.id), &json!({}));
    let again = chat
        .message(ZOE, "30 February is refused", is_prompt("30. Februar 2027"))
        .await;
    chat.fake
        .write(ZOE, "27.3.2027", Some(again.id), &json!({}));
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["date"], "2027-03-27");
}

/// A typed reply to a card takes the choice that it names. One that names none is refused with the choices, and
/// takes nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_typed_reply_takes_the_choice_that_it_names_or_none() {
    let chat = Chat::start("undo_seconds = 0").await;
    let options = json!([{ "label": "prod" }, { "label": "Staging" }]);
    let input = json!({
        "question": "Deploy where?", "input_type": "single_select", "allow_other": false,
        "options": options,
    });
    let asked = chat.ask(input, Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.fake
        .write(BEN, "wait, not yet!", Some(card.id), &json!({}));
    let refused = |message: &FakeMessage| message.text().contains("prod, Staging");
    let again = chat.message(BEN, "the text is refused", refused).await;
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    chat.fake.write(BEN, "staging", Some(again.id), &json!({}));
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"], json!(["Staging"]));
}

/// Two people share the draft of a question. Send of one sends what their message shows, or nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn send_is_refused_if_somebody_else_has_changed_the_draft() {
    let chat = Chat::start("undo_seconds = 0").await;
    let options = json!([{ "label": "api" }, { "label": "web" }, { "label": "docs" }]);
    let input = json!({
        "question": "Restart what?", "input_type": "multi_select", "allow_other": false,
        "options": options,
    });
    let asked = chat.ask(input, None).await;
    let card = chat.message(ZOE, "Zoë gets the question", is_open).await;
    chat.press(ZOE, &card, "☐ api");
    let ticked = |label: &'static str| {
        move |message: &FakeMessage| {
            let buttons = message.buttons();
            buttons
                .iter()
                .any(|(text, _)| text == &format!("☑ {label}"))
        }
    };
    let of_zoe = chat.message(ZOE, "her tick is shown", ticked("api")).await;
    let of_ben = chat.message(BEN, "Ben sees it", ticked("api")).await;
    chat.press(BEN, &of_ben, "☐ web");
    chat.message(ZOE, "Zoë's message changes", ticked("web"))
        .await;
    // She pressed before her message changed.
    chat.press(ZOE, &of_zoe, "Senden");
    let told = chat.told(3).await;
    assert_eq!(
        told["text"],
        "Die Frage hat sich geändert. Sehen Sie sie noch einmal an."
    );
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    let now = chat
        .message(ZOE, "both ticks are shown", ticked("web"))
        .await;
    chat.press(ZOE, &now, "Senden");
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["values"], json!(["api", "web"]));
}

/// Undo works in the chat within its window; a withdrawn question says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_undone_and_a_withdrawn_question_says_so() {
    let chat = Chat::start("undo_seconds = 60").await;
    let asked = chat.ask(database(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &card, "SQLite");
    let undo = |message: &FakeMessage| message.buttons().iter().any(|(text, _)| text == "Undo");
    let held = chat.message(BEN, "undo is offered", undo).await;
    assert!(
        held.text().contains("✓ Database: SQLite"),
        "{}",
        held.text()
    );
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    chat.press(BEN, &held, "Undo");
    let reopened = |message: &FakeMessage| is_open(message) && !undo(message);
    chat.message(BEN, "the question is open again", reopened)
        .await;
    let withdrawn = CancelParams::default();
    let client = &chat.server().client;
    client
        .withdraw_inquiry(&asked.id, &withdrawn)
        .await
        .expect("it is withdrawn");
    let shown = chat
        .message(BEN, "the message is edited", |message| !is_open(message))
        .await;
    assert!(
        shown.text().contains("Withdrawn by the agent"),
        "{}",
        shown.text()
    );
    chat.press(BEN, &card, "SQLite");
    let told = chat.told(3).await;
    let text = told["text"].as_str().expect("a text");
    assert!(
        text.contains("Withdrawn by the agent") && told["show_alert"] == true,
        "{told}"
    );
}

/// A person links their account with a one-time code, which works once, and gets questions from then on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_is_linked_with_a_code_that_works_once() {
    let chat = Chat::start("undo_seconds = 0").await;
    let client = &chat.server().client;
    let nobody = LinkCodeParams {
        recipient: Some("nobody".to_owned()),
    };
    let refused = client
        .link_code("telegram", &nobody)
        .await
        .expect_err("no such person");
    assert!(refused.to_string().contains("ben, zoe"), "{refused}");
    let params = LinkCodeParams {
        recipient: Some("zoe".to_owned()),
    };
    let code = client.link_code("telegram", &params).await.expect("a code");
    assert_eq!(code.account.as_deref(), Some("@askback_test_bot"));
    let phone = 4242;
    chat.fake
        .write(phone, &format!("/start {}", code.code), None, &json!({}));
    let linked = |message: &FakeMessage| message.text().starts_with("Verknüpft.");
    chat.message(phone, "the account is linked", linked).await;
    chat.fake
        .write(STRANGER, &format!("/start {}", code.code), None, &json!({}));
    let used = |message: &FakeMessage| message.text().contains("askback channel link");
    chat.message(STRANGER, "the code is used up", used).await;
    let asked = chat.ask(database(), Some("zoe")).await;
    let card = chat
        .message(phone, "the phone gets the question", is_open)
        .await;
    chat.press(phone, &card, "SQLite");
    assert_eq!(
        chat.outcome(&asked).await.identity.as_deref(),
        Some("telegram:4242")
    );
    assert_eq!(chat.messages_of(STRANGER).len(), 1);
}

/// Who links an account because a question waits gets that question, once, and none of others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_that_wait_are_sent_to_an_account_that_is_linked() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(database(), Some("zoe")).await;
    let others = chat.ask(database(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets his question", is_open).await;
    chat.press(BEN, &card, "SQLite");
    chat.outcome(&others).await;
    let still_bens = chat.ask(database(), Some("ben")).await;
    let phone = 4242;
    for linked in 1..=2 {
        let params = LinkCodeParams {
            recipient: Some("zoe".to_owned()),
        };
        let code = chat.server().client.link_code("telegram", &params).await;
        let start = format!("/start {}", code.expect("a code").code);
        chat.fake.write(phone, &start, None, &json!({}));
        let is_linked = || {
            let messages = chat.messages_of(phone);
            let told = messages
                .iter()
                .filter(|it| it.text().starts_with("Verknüpft."));
            told.count() == linked
        };
        chat.until("the account is linked", is_linked).await;
        chat.message(phone, "the question is there", is_open).await;
    }
    // The next question comes after all that were sent before it.
    let next = chat.ask(database(), Some("zoe")).await;
    let is_second = || {
        let messages = chat.messages_of(phone);
        messages.iter().filter(|it| is_open(it)).count() >= 2
    };
    chat.until("the next question is there", is_second).await;
    let messages = chat.messages_of(phone);
    let questions = messages.iter().filter(|it| is_open(it));
    assert_eq!(questions.count(), 2, "the one that waited, and the next");
    for inquiry in [&asked, &next, &still_bens] {
        assert_eq!(chat.inquiry(inquiry).await.status, InquiryStatus::Pending);
    }
}

/// A question whose deadline has passed says so, and a press afterwards is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_whose_deadline_has_passed_says_so() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(database(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    let soon = DeadlineParams {
        expires_in: "1s".parse().ok(),
        ..DeadlineParams::default()
    };
    let moved = chat.server().client.move_deadline(&asked.id, &soon).await;
    moved.expect("it gets a deadline");
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.status, InquiryStatus::Expired);
    let is_over =
        |message: &FakeMessage| !is_open(message) && message.text().contains("No answer by");
    chat.message(BEN, "the message is edited", is_over).await;
    chat.press(BEN, &card, "SQLite");
    let told = chat.told(1).await;
    let text = told["text"].as_str().expect("a text");
    assert!(
        text.contains("No answer by") && told["show_alert"] == true,
        "{told}"
    );
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Expired);
}
