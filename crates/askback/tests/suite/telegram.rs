//! Questions in Telegram, answered there by people, against a fake of the Bot API.

use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::InquiryStatus;
use askback_wire::respond::AnswerParams;
use serde_json::json;

use super::no_script_form::Browser;
use super::support::telegram_chat::{BEN, Chat, STRANGER, ZOE, database, is_open};
use askback_fakes::FakeMessage;

/// Ask, one message for each recipient, press, outcome with who and where, messages without controls.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_press_answers_the_question_and_every_message_says_so() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(database(), None).await;
    let card = chat.message(ZOE, "Zoë gets the question", is_open).await;
    chat.message(BEN, "Ben gets the question", is_open).await;
    assert!(card.text().contains("claude-code") && card.text().contains("Which database?"));
    assert_eq!(card.body.get("parse_mode"), None);
    chat.press(ZOE, &card, "SQLite");
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.status, InquiryStatus::Answered);
    assert_eq!(ended.answered_by.as_deref(), Some("Zoë"));
    assert_eq!(ended.surface, Some(SurfaceName::Telegram));
    assert_eq!(ended.identity.as_deref(), Some("telegram:42"));
    let told = chat.told(1).await;
    assert_eq!(told["text"], "Gesendet: Database: SQLite");
    assert_eq!(told["show_alert"], false);
    let ended = |message: &FakeMessage| message.text().contains("SQLite") && !is_open(message);
    let shown = chat.message(BEN, "Ben's message is edited", ended).await;
    assert!(
        shown.text().contains("Answered by Zoë in Telegram, "),
        "{}",
        shown.text()
    );
    let shown = chat.message(ZOE, "Zoë's message is edited", ended).await;
    assert!(
        shown.text().contains("Zoë hat in Telegram geantwortet, "),
        "{}",
        shown.text()
    );
    assert_eq!(
        chat.fake.messages().len(),
        2,
        "one message for each recipient"
    );
}

/// An answer elsewhere edits the messages; a press afterwards is told who answered, and changes nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_elsewhere_is_shown_and_a_late_press_is_told() {
    let chat = Chat::start("").await;
    let asked = chat.ask(database(), Some("ben")).await;
    assert_eq!(asked.recipient.as_deref(), Some("ben"));
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    assert_eq!(chat.messages_of(ZOE), []);
    let params = AnswerParams {
        answers: json!({ "q1": "PostgreSQL" }),
        ..AnswerParams::default()
    };
    let answered = chat.server().client.answer(&asked.id, &params).await;
    answered.expect("it is answered");
    let shown = chat
        .message(BEN, "the message is edited", |message| !is_open(message))
        .await;
    assert!(
        shown.text().contains("✓ Database: PostgreSQL"),
        "{}",
        shown.text()
    );
    assert!(
        shown.text().contains("Answered over HTTP"),
        "{}",
        shown.text()
    );
    chat.press(BEN, &card, "SQLite");
    let told = chat.told(1).await;
    assert_eq!(told["show_alert"], true);
    let text = told["text"].as_str().expect("a text");
    assert!(
        text.contains("PostgreSQL") && text.contains("over HTTP"),
        "{text}"
    );
    let ended = chat.inquiry(&asked).await;
    assert_eq!(ended.surface, Some(SurfaceName::Http));
}

/// The same update delivered five times, then a restart that receives it again: one answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_press_answers_once() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(database(), Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    let data = card.buttons()[1].1.clone();
    for _ in 0..5 {
        chat.fake.press(BEN, card.id, &data);
    }
    let first = chat.outcome(&asked).await;
    chat.told(5).await;
    chat.kill();
    chat.serve();
    chat.fake.press(BEN, card.id, &data);
    chat.told(6).await;
    let after = chat.inquiry(&asked).await;
    assert_eq!(
        (after.resolved_at, after.outcome),
        (first.resolved_at, first.outcome)
    );
}

/// Presses and texts of people who may not, and data of no button: refused, recorded, nothing changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_forwards_and_bots_change_nothing() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = chat.ask(database(), Some("ben")).await;
    let other = chat.ask(database(), Some("zoe")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    let zoes = chat.message(ZOE, "Zoë gets hers", is_open).await;
    chat.press(STRANGER, &card, "SQLite");
    assert_eq!(chat.told(1).await["show_alert"], true);
    // Ben names the question that was sent to Zoë.
    chat.press(BEN, &zoes, "SQLite");
    assert_eq!(
        chat.told(2).await["text"],
        "You cannot answer this question."
    );
    chat.fake.press(BEN, card.id, "garbage");
    assert_eq!(chat.told(3).await["show_alert"], true);
    let forwarded = json!({ "forward_origin": { "type": "user" } });
    chat.fake.write(BEN, "SQLite", Some(card.id), &forwarded);
    let bot = json!({ "from": { "id": BEN, "is_bot": true } });
    chat.fake.write(BEN, "SQLite", Some(card.id), &bot);
    chat.fake
        .write(STRANGER, "SQLite", Some(card.id), &json!({}));
    chat.until("everything is received", || {
        chat.fake.unconfirmed().is_empty()
    })
    .await;
    for inquiry in [&asked, &other] {
        assert_eq!(chat.inquiry(inquiry).await.status, InquiryStatus::Pending);
    }
    let log = chat.log();
    for recorded in ["telegram:666", "forwarded text", "message of a bot"] {
        assert!(log.contains(recorded), "{recorded} is not in the log");
    }
    chat.press(BEN, &card, "SQLite");
    assert_eq!(
        chat.outcome(&asked).await.answered_by.as_deref(),
        Some("Ben")
    );
}

/// Two ticks in the chat, a crash, a third tick: the page has all three, and so has the answer that is sent there.
/// The message in the chat then says what was answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ticks_survive_a_crash_and_are_sent_in_the_browser() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    let input = json!({ "questions": [{
        "question": "Which tests?", "header": "Tests", "multiSelect": true,
        "options": [{ "label": "unit" }, { "label": "browser" }, { "label": "load" }, { "label": "fuzz" }],
    }] });
    let asked = chat.ask(input, Some("ben")).await;
    let card = chat.message(BEN, "Ben gets the question", is_open).await;
    let ticked = |count: usize| {
        move |message: &FakeMessage| {
            let buttons = message.buttons();
            buttons
                .iter()
                .filter(|(text, _)| text.starts_with('☑'))
                .count()
                == count
        }
    };
    chat.press(BEN, &card, "☐ unit");
    chat.press(BEN, &card, "☐ load");
    chat.message(BEN, "two ticks are shown", ticked(2)).await;
    assert_eq!(chat.inquiry(&asked).await.status, InquiryStatus::Pending);
    chat.kill();
    chat.serve();
    chat.press(BEN, &card, "☐ fuzz");
    chat.message(BEN, "three ticks are shown", ticked(3)).await;
    let browser = Browser::new(chat.server());
    let path = format!("/q/{}", asked.id);
    let (status, page) = browser.get(&path);
    assert_eq!(status, 200);
    let labels = ["unit", "browser", "load", "fuzz"].into_iter();
    let is_ticked = |label: &&str| page.contains(&format!("value=\"{label}\" checked"));
    let ticked: Vec<(&str, &str)> = labels.filter(is_ticked).map(|it| ("q1", it)).collect();
    assert_eq!(ticked, [("q1", "unit"), ("q1", "load"), ("q1", "fuzz")]);
    // A browser sends what the page has ticked.
    let (status, reply) = browser.post(&path, &page, &ticked);
    assert_eq!(status, 303, "{reply}");
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.surface, Some(SurfaceName::Web));
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(
        outcome["answers"][0]["values"],
        json!(["unit", "load", "fuzz"])
    );
    let is_answered =
        |message: &FakeMessage| !is_open(message) && message.text().contains("unit, load, fuzz");
    chat.message(BEN, "the message says so", is_answered).await;
}
