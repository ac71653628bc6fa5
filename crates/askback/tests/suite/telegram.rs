//! Questions in Telegram, answered there by people, against a fake of the Bot API.

use std::fs;
use std::time::Duration;

use askback_channels::fake_telegram::{FakeMessage, FakeTelegram};
use askback_wire::actor::SurfaceName;
use askback_wire::channel::LinkCodeParams;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams};
use askback_wire::respond::{AnswerParams, CancelParams};
use serde_json::{Value, json};

use super::support::server_process::{Directory, Server};

const BOT_TOKEN: &str = "123456:a-secret-that-nobody-may-see";
pub(super) const ZOE: i64 = 42;
pub(super) const BEN: i64 = 7;
const STRANGER: i64 = 666;

/// A server with a bot, and two people who have it in their phones.
pub(super) struct Chat {
    pub(super) fake: FakeTelegram,
    pub(super) directory: Directory,
    server: Option<Server>,
}

impl Chat {
    pub(super) async fn start(settings: &str) -> Chat {
        Chat::start_with(settings, "").await
    }

    /// With settings of Zoë, too.
    pub(super) async fn start_with(settings: &str, of_zoe: &str) -> Chat {
        let fake = FakeTelegram::start(BOT_TOKEN)
            .await
            .expect("the fake starts");
        let directory = Directory::new();
        let config = format!(
            "[channels.telegram]\ntoken = '{BOT_TOKEN}'\nbase_url = '{}'\n{settings}\n\
             [recipients.zoe]\nname = 'Zoë'\nlanguage = 'de'\ntime_zone = 'UTC'\nidentities = ['telegram:{ZOE}']\n{of_zoe}\n\
             [recipients.ben]\nname = 'Ben'\nlanguage = 'en'\ntime_zone = 'UTC'\nidentities = ['telegram:{BEN}']\n",
            fake.base_url()
        );
        fs::write(directory.path().join("askback.toml"), config).expect("it can be written");
        let mut chat = Chat {
            fake,
            directory,
            server: None,
        };
        chat.serve();
        chat
    }

    pub(super) fn serve(&mut self) {
        let config = self.directory.path().join("askback.toml");
        let config = config.to_str().expect("the path is text");
        self.server = Some(Server::start_with(&self.directory, &["--config", config]));
    }

    pub(super) fn kill(&mut self) {
        self.server.take().expect("it runs").kill();
    }

    pub(super) fn server(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    pub(super) async fn ask(&self, input: Value, recipient: Option<&str>) -> InquiryResponse {
        let params = NewInquiryParams {
            input,
            source: Some("claude-code".to_owned()),
            recipient: recipient.map(str::to_owned),
            ..NewInquiryParams::default()
        };
        self.server()
            .client
            .ask(&params)
            .await
            .expect("it is asked")
    }

    pub(super) async fn inquiry(&self, asked: &InquiryResponse) -> InquiryResponse {
        let read = self.server().client.inquiry(&asked.id).await;
        read.expect("it is read")
    }

    /// Waits until the inquiry has its outcome.
    pub(super) async fn outcome(&self, asked: &InquiryResponse) -> InquiryResponse {
        let waiting = self
            .server()
            .client
            .wait_for_inquiry(&asked.id, Duration::from_secs(20));
        let found = waiting.await.expect("it is read");
        assert!(
            found.status.is_resolved(),
            "{:?}\n{}",
            self.fake.messages(),
            self.log()
        );
        found
    }

    pub(super) fn messages_of(&self, user: i64) -> Vec<FakeMessage> {
        let messages = self.fake.messages().into_iter();
        messages
            .filter(|message| message.chat == user.to_string())
            .collect()
    }

    /// Waits for a message to a person that fulfils a condition.
    pub(super) async fn message(
        &self,
        user: i64,
        what: &str,
        holds: impl Fn(&FakeMessage) -> bool,
    ) -> FakeMessage {
        let mut found = None;
        self.until(what, || {
            found = self.messages_of(user).into_iter().find(&holds);
            found.is_some()
        })
        .await;
        found.expect("it was found")
    }

    pub(super) async fn until(&self, what: &str, mut holds: impl FnMut() -> bool) {
        for _ in 0..2000 {
            if holds() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{what}\n{:#?}\n{}", self.fake.messages(), self.log());
    }

    /// Presses the button that begins with this label.
    pub(super) fn press(&self, user: i64, message: &FakeMessage, label: &str) {
        let buttons = message.buttons();
        let found = buttons.iter().find(|(text, _)| text.starts_with(label));
        let (_, data) = found.unwrap_or_else(|| panic!("no button {label} in {buttons:?}"));
        self.fake.press(user, message.id, data);
    }

    /// Waits until this many presses were answered, and returns the last answer.
    pub(super) async fn told(&self, count: usize) -> Value {
        self.until("presses are answered", || {
            self.fake.acknowledged().len() >= count
        })
        .await;
        self.fake.acknowledged()[count - 1].clone()
    }

    pub(super) fn log(&self) -> String {
        let log = fs::read_to_string(self.directory.path().join("server.log"));
        log.unwrap_or_default()
    }
}

fn database() -> Value {
    json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "options": [{ "label": "SQLite" }, { "label": "PostgreSQL" }],
    }] })
}

fn is_open(message: &FakeMessage) -> bool {
    !message.buttons().is_empty()
}

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
        shown.text().contains("Beantwortet von Zoë in Telegram, "),
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

/// Two ticks in the chat, a crash, a third tick, and all three are in the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ticks_are_drafts_that_survive_a_crash() {
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
    let card = chat.message(BEN, "three ticks are shown", ticked(3)).await;
    chat.press(BEN, &card, "Send");
    let ended = chat.outcome(&asked).await;
    let outcome = serde_json::to_value(&ended.outcome).expect("it is JSON");
    assert_eq!(
        outcome["answers"][0]["values"],
        json!(["unit", "load", "fuzz"])
    );
}

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

/// Telegram is down, asks to wait, fails and sends nonsense: questions stay pending and arrive in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_wait_while_telegram_fails_and_arrive_in_order() {
    let chat = Chat::start("").await;
    chat.fake.set_down(true);
    let mut asked = Vec::new();
    for number in 0..3 {
        let input = json!({ "question": format!("Question {number}?"), "options": ["A", "B"] });
        asked.push(chat.ask(input, Some("ben")).await);
    }
    let wait = r#"{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":1}}"#;
    chat.fake.fail("sendMessage", 429, wait);
    chat.fake.fail("sendMessage", 500, "{}");
    chat.fake.fail("sendMessage", 200, "this is no JSON");
    chat.fake.set_down(false);
    chat.until("all arrive", || chat.messages_of(BEN).len() == 3)
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

/// Killed in the moment of the press, again and again: the question is answered once, by the person who pressed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_at_the_press_loses_and_doubles_nothing() {
    let mut chat = Chat::start("undo_seconds = 0").await;
    for round in 0..4 {
        let asked = chat.ask(database(), Some("ben")).await;
        let marker = asked.id.as_str().trim_start_matches("inq_").to_owned();
        let is_this = |message: &FakeMessage| {
            let buttons = message.buttons();
            buttons.iter().any(|(_, data)| data.starts_with(&marker))
        };
        let card = chat.message(BEN, "Ben gets the question", is_this).await;
        chat.press(BEN, &card, "PostgreSQL");
        tokio::time::sleep(Duration::from_millis(round * 3)).await;
        chat.kill();
        chat.serve();
        let ended = chat.outcome(&asked).await;
        assert_eq!(ended.answered_by.as_deref(), Some("Ben"));
        assert_eq!(ended.identity.as_deref(), Some("telegram:7"));
        // Killed after sending and before that was stored, the server sends it again and edits that one.
        chat.message(BEN, "the message is edited", |message| {
            message.id >= card.id && !is_open(message)
        })
        .await;
    }
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
    let mut channels = Vec::new();
    for _ in 0..2000 {
        channels = chat
            .server()
            .client
            .channels()
            .await
            .expect("they are listed")
            .items;
        if channels.iter().any(|channel| channel.last_error.is_some()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
