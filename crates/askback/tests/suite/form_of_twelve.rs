//! Goal: a form of twelve fields is one card in the browser, at the terminal and in Telegram, an invalid field is refused
//! by its id, and the values come back in their types.

use askback_fakes::FakeMessage;
use askback_wire::actor::SurfaceName;
use askback_wire::inquiry::InquiryResponse;
use serde_json::{Value, json};

use super::no_script_form::Browser;
use super::support::raw_http::{get_json, post_json};
use super::support::run_binary::succeeds;
use super::support::server_process::TOKEN;
use super::support::telegram_chat::{BEN, Chat, is_open};
use super::surface_parity::inbox;

/// What Ben does in Telegram with one field.
enum Step {
    Reply(&'static str),
    Press(&'static str),
    /// Ticks these, and goes on.
    Tick(&'static [&'static str]),
}

/// Each field with what Ben does, and the value that the program gets.
fn fields() -> Vec<(Value, Step, Value)> {
    let plans = json!([{"label": "Free", "value": "FREE"}, {"label": "Team", "value": "TEAM"}]);
    let days = json!({"start": "2027-01-01", "end": "2027-01-31"});
    vec![
        (
            json!({"id": "name", "text": "Legal name?", "min_length": 2, "max_length": 80}),
            Step::Reply("Acme Inc"),
            json!("Acme Inc"),
        ),
        (
            json!({"id": "contact", "text": "Who is the contact?"}),
            Step::Reply("Ada"),
            json!("Ada"),
        ),
        (
            json!({"id": "plan", "text": "Plan?", "choices": plans}),
            Step::Press("Team"),
            json!("TEAM"),
        ),
        (
            json!({"id": "seats", "text": "How many seats?", "kind": "number", "integer": true, "min": 1, "max": 500}),
            Step::Reply("10"),
            json!(10),
        ),
        (
            json!({"id": "discount", "text": "Discount in percent?", "kind": "number", "max": 50}),
            Step::Reply("2.5"),
            json!(2.5),
        ),
        (
            json!({"id": "regions", "text": "In which regions?", "choices": ["eu", "us", "ap"], "several": true}),
            Step::Tick(&["eu", "ap"]),
            json!(["eu", "ap"]),
        ),
        (
            json!({"id": "start", "text": "When does the contract start?", "kind": "date"}),
            Step::Reply("2027-02-01"),
            json!("2027-02-01"),
        ),
        (
            json!({"id": "trial", "text": "When is the trial?", "kind": "date_range"}),
            Step::Reply("2027-01-01 to 2027-01-31"),
            days,
        ),
        (
            json!({"id": "invoice", "text": "Invoices?", "choices": ["monthly", "yearly"]}),
            Step::Press("yearly"),
            json!("yearly"),
        ),
        (
            json!({"id": "contract", "text": "Is the contract signed?", "kind": "confirm"}),
            Step::Press("Yes"),
            json!(true),
        ),
        (
            json!({"id": "reference", "text": "May we name them?", "kind": "confirm"}),
            Step::Press("No"),
            json!(false),
        ),
        (
            json!({"id": "comment", "text": "Anything else?", "optional": true}),
            Step::Press("Skip"),
            Value::Null,
        ),
    ]
}

fn questions() -> Vec<Value> {
    fields()
        .into_iter()
        .map(|(question, ..)| question)
        .collect()
}

fn text(question: &Value) -> &str {
    question["text"].as_str().expect("a text")
}

fn ask(chat: &Chat) -> InquiryResponse {
    let body = json!({"questions": questions(), "recipient": "ben"});
    let (status, asked) = post_json(chat.server(), "/inquiries", &[], &body);
    assert_eq!(status, 201, "{asked}");
    serde_json::from_value(asked).expect("an inquiry")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_one_card_in_browser_and_terminal() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = ask(&chat);
    let (status, page) = Browser::new(chat.server()).get(&format!("/q/{}", asked.id));
    assert_eq!(status, 200);
    for question in &questions() {
        assert!(page.contains(text(question)), "{question}: {page}");
    }
    let server = ["--url", chat.server().address.as_str(), "--token", TOKEN];
    let listed = succeeds(&[&["list"][..], &server].concat(), "");
    assert_eq!(listed.matches("inq_").count(), 1, "{listed}");
    let mut terminal = inbox(&chat.directory);
    terminal.shows("1 question waiting");
    terminal.send("\r");
    terminal.shows("Legal name?");
    terminal.shows("Question 1 of 12");
    terminal.kill();
    let path = format!("/inquiries/{}/answer", asked.id);
    let values = fields().into_iter().map(|(question, _, value)| {
        let id = question["id"].as_str().expect("an id").to_owned();
        (id, value)
    });
    let mut answers: Value = values.collect();
    answers["seats"] = json!(501);
    let (status, refused) = post_json(chat.server(), &path, &[], &json!({ "answers": answers }));
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_answer")));
    assert_eq!(refused["errors"].as_array().map(Vec::len), Some(1));
    assert_eq!(refused["errors"][0]["question"], "seats");
    let pending = get_json(chat.server(), "/inquiries?status=pending");
    assert_eq!(pending["items"].as_array().map(Vec::len), Some(1));
}

/// Field by field in one message, with a value that is refused on the way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_one_message_in_telegram() {
    let chat = Chat::start("undo_seconds = 0").await;
    let asked = ask(&chat);
    let card = chat.message(BEN, "Ben gets the form", is_open).await;
    for (question, step, _) in fields() {
        let asks =
            |message: &FakeMessage| is_open(message) && message.text().contains(text(&question));
        let shown = chat.message(BEN, text(&question), asks).await;
        match step {
            Step::Reply(value) => {
                if question["id"] == "seats" {
                    chat.fake.write(BEN, "501", Some(card.id), &json!({}));
                    let refused = |message: &FakeMessage| message.text().contains("500");
                    chat.message(BEN, "501 is refused", refused).await;
                }
                chat.fake.write(BEN, value, Some(card.id), &json!({}));
            }
            Step::Press(label) => chat.press(BEN, &shown, label),
            Step::Tick(labels) => {
                for label in labels {
                    chat.press(BEN, &shown, &format!("☐ {label}"));
                    let ticked = format!("☑ {label}");
                    let is_ticked = |message: &FakeMessage| {
                        message.buttons().iter().any(|(shown, _)| *shown == ticked)
                    };
                    chat.message(BEN, &ticked, is_ticked).await;
                }
                chat.press(BEN, &shown, "Next");
            }
        }
    }
    let has_send =
        |message: &FakeMessage| message.buttons().iter().any(|(label, _)| label == "Send");
    let review = chat.message(BEN, "the review is shown", has_send).await;
    chat.press(BEN, &review, "Send");
    let ended = chat.outcome(&asked).await;
    assert_eq!(ended.surface, Some(SurfaceName::Telegram));
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    let answers = outcome["answers"].as_array().expect("answers");
    let given: Vec<&Value> = answers.iter().map(|answer| &answer["value"]).collect();
    let expected = fields();
    let expected: Vec<&Value> = expected.iter().map(|(.., value)| value).collect();
    assert_eq!(given, expected);
    let cards = chat
        .messages_of(BEN)
        .into_iter()
        .filter(|message| message.edits > 0);
    assert_eq!(cards.count(), 1, "one message shows the form");
}
