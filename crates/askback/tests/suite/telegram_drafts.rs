//! A draft is shared by all people who have a question: what somebody sends or writes is what their message shows.

use askback_fakes::FakeMessage;
use askback_wire::inquiry::InquiryStatus;
use serde_json::{Value, json};

use super::support::telegram_chat::{BEN, Chat, ZOE, is_open};

fn says(text: &'static str) -> impl Fn(&FakeMessage) -> bool {
    move |message| message.text().contains(text)
}

fn is_prompt(message: &FakeMessage) -> bool {
    message.body["reply_markup"]["force_reply"] == true
}

fn ticked(label: &'static str) -> impl Fn(&FakeMessage) -> bool {
    move |message| {
        let mut buttons = message.buttons().into_iter();
        buttons.any(|(text, _)| text == format!("☑ {label}"))
    }
}

fn tests_to_run() -> Value {
    let options = json!([{ "label": "unit" }, { "label": "browser" }, { "label": "load" }]);
    json!({ "questions": [{
        "question": "Which tests?", "header": "Tests", "multiSelect": true, "options": options,
    }] })
}

fn two_questions() -> Value {
    let ask = |name: &str| {
        let options = json!([{ "label": "A" }, { "label": "B" }]);
        json!({ "question": format!("{name}?"), "header": name, "options": options })
    };
    json!({ "questions": [ask("First"), ask("Second")] })
}

/// Zoë writes, Ben ticks meanwhile. Her words are not sent with his tick before her message has shown both.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_words_are_not_sent_with_the_ticks_of_somebody_else() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(tests_to_run(), None).await;
    let of_ben = chat.message(BEN, "Ben gets the question", is_open).await;
    let of_zoe = chat.message(ZOE, "Zoë gets the question", is_open).await;
    chat.press(BEN, &of_ben, "Write");
    let prompt = chat.message(BEN, "a text is asked for", is_prompt).await;
    chat.press(ZOE, &of_zoe, "☐ load");
    chat.message(BEN, "her tick is shown", ticked("load")).await;
    chat.fake
        .write(BEN, "only docs", Some(prompt.id), &json!({}));
    let added = says("Your text was added to the ticked choices.");
    chat.message(BEN, "Ben is told to look again", added).await;
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    let shows_both =
        |message: &FakeMessage| ticked("load")(message) && message.text().ends_with("→ only docs");
    let card = chat.message(BEN, "both are shown", shows_both).await;
    chat.press(BEN, &card, "☑ load");
    let shows_text =
        |message: &FakeMessage| !ticked("load")(message) && message.text().ends_with("→ only docs");
    let card = chat.message(BEN, "the tick is taken off", shows_text).await;
    chat.press(BEN, &card, "Send");
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    let answer = &outcome["answers"][0];
    assert_eq!(
        (&answer["values"], &answer["own"]),
        (&json!([]), &json!("only docs"))
    );
}

/// Ben goes to the next question. Zoë's message cannot be edited, so that her reply to it is none to what she does not
/// see.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_is_never_taken_for_a_question_that_was_not_shown() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(two_questions(), None).await;
    let of_zoe = chat.message(ZOE, "Zoë gets the question", is_open).await;
    let of_ben = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.fake.ask_to_wait("editMessageText", 30);
    chat.fake.ask_to_wait("editMessageText", 30);
    chat.press(BEN, &of_ben, "Next");
    chat.told(1).await;
    chat.fake.write(ZOE, "A", Some(of_zoe.id), &json!({}));
    let changed = says("Die Frage hat sich geändert.");
    chat.message(ZOE, "Zoë is told to look again", changed)
        .await;
    let draft = chat.server().client.draft(&asked.id).await;
    let draft = serde_json::to_value(draft.expect("it is read")).expect("it is JSON");
    assert!(!draft.to_string().contains("picked"), "{draft}");
}

/// The same, if her message is edited between her reply and its arrival.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_is_for_the_page_that_was_shown_when_it_was_written() {
    let chat = Chat::start("undo_seconds = 0").await;
    chat.ask(two_questions(), None).await;
    let of_zoe = chat.message(ZOE, "Zoë gets the question", is_open).await;
    let of_ben = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &of_ben, "Next");
    chat.message(ZOE, "her message changes", says("Second?"))
        .await;
    let replied = json!({ "message_id": of_zoe.id, "reply_markup": of_zoe.body["reply_markup"] });
    let extra = json!({ "reply_to_message": replied });
    chat.fake.write(ZOE, "A", Some(of_zoe.id), &extra);
    let changed = says("Die Frage hat sich geändert.");
    chat.message(ZOE, "Zoë is told to look again", changed)
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reply_to_the_review_is_told_what_to_do() {
    let chat = Chat::start("undo_seconds = 0").await;
    chat.ask(two_questions(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &card, "A");
    let card = chat
        .message(BEN, "the second is asked", says("Second?"))
        .await;
    chat.press(BEN, &card, "A");
    let has_send = |message: &FakeMessage| {
        let mut buttons = message.buttons().into_iter();
        buttons.any(|(text, _)| text == "Send")
    };
    let card = chat.message(BEN, "the review is shown", has_send).await;
    chat.fake
        .write(BEN, "and one more", Some(card.id), &json!({}));
    let told = says("Press Send, or Back to change an answer.");
    chat.message(BEN, "Ben is told what to do", told).await;
}

/// Both days at once, and one after the other. What is asked for is said.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_days_of_a_range_are_asked_for_by_name() {
    let chat = Chat::start("undo_seconds = 0").await;
    let input = json!({ "question": "When?", "input_type": "date_range" });
    let asked = chat.ask(input.clone(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    chat.press(BEN, &card, "Write");
    let both = says("with the first and the last day, such as 20");
    let prompt = chat.message(BEN, "both days are asked for", both).await;
    let range = "2027-03-01..2027-03-05";
    chat.fake.write(BEN, range, Some(prompt.id), &json!({}));
    let expected = json!({ "start": "2027-03-01", "end": "2027-03-05" });
    let days = |outcome: &Value| {
        let answer = &outcome["answers"][0];
        json!({ "start": answer["start"], "end": answer["end"] })
    };
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(days(&outcome), expected, "{outcome}");

    let asked = chat.ask(input, Some("ben")).await;
    let is_new = |message: &FakeMessage| message.id > prompt.id && is_open(message);
    let card = chat.message(BEN, "Ben gets the next one", is_new).await;
    chat.fake
        .write(BEN, "2027-03-01", Some(card.id), &json!({}));
    let last = says("The first day is 2027-03-01. Reply to this message with the last day.");
    let prompt = chat.message(BEN, "the last day is asked for", last).await;
    chat.fake
        .write(BEN, "2027-03-05", Some(prompt.id), &json!({}));
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(days(&outcome), expected, "{outcome}");
}

/// After the reason was asked for and given up, a plain text is for the prompt that is open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_is_for_the_open_prompt_and_a_reason_is_asked_for_as_one() {
    let chat = Chat::start("undo_seconds = 0").await;
    let input = json!({ "question": "Which name?", "input_type": "text" });
    let asked = chat.ask(input, Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    let label = |text: &'static str| {
        move |message: &FakeMessage| {
            message
                .buttons()
                .iter()
                .any(|(label, _)| label.starts_with(text))
        }
    };
    chat.press(BEN, &card, "Hand on");
    let people = chat.message(BEN, "people are shown", label("Reason")).await;
    chat.press(BEN, &people, "Reason");
    let reason = says("Reply to this message with the reason.");
    chat.message(BEN, "the reason is asked for", reason).await;
    chat.press(BEN, &people, "Back");
    let card = chat
        .message(BEN, "the question is back", label("Write"))
        .await;
    chat.press(BEN, &card, "Write");
    let prompt = says("Reply to this message with your answer.");
    chat.message(BEN, "a text is asked for", prompt).await;
    chat.fake.write(BEN, "askback", None, &json!({}));
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(outcome["answers"][0]["text"], "askback");
}
