//! A server with a bot of a fake Telegram, and two people who have it in their phones.

use std::fs;

use askback_fakes::{FakeMessage, FakeTelegram};
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use serde_json::{Value, json};

use super::run_binary::succeeds;
use super::server_process::{Directory, Server, TOKEN};
use super::timeout::{TEST_TIMEOUT, comes_to_hold};

pub(crate) const BOT_TOKEN: &str = "123456:a-secret-that-nobody-may-see";
pub(crate) const ZOE: i64 = 42;
pub(crate) const BEN: i64 = 7;
pub(crate) const STRANGER: i64 = 666;

/// A server with a bot, and two people who have it in their phones.
pub(crate) struct Chat {
    pub(crate) fake: FakeTelegram,
    pub(crate) directory: Directory,
    server: Option<Server>,
}

impl Chat {
    pub(crate) async fn start(settings: &str) -> Chat {
        Chat::start_with(settings, "").await
    }

    /// With settings of Zoë, too.
    pub(crate) async fn start_with(settings: &str, of_zoe: &str) -> Chat {
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

    pub(crate) fn serve(&mut self) {
        let config = self.directory.path().join("askback.toml");
        let config = config.to_str().expect("the path is text");
        self.server = Some(Server::start_with(&self.directory, &["--config", config]));
    }

    pub(crate) fn kill(&mut self) {
        self.server.take().expect("it runs").kill();
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    pub(crate) async fn ask(&self, input: Value, recipient: Option<&str>) -> InquiryResponse {
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

    pub(crate) async fn inquiry(&self, asked: &InquiryResponse) -> InquiryResponse {
        let read = self.server().client.inquiry(&asked.id).await;
        read.expect("it is read")
    }

    /// Waits until the inquiry has its outcome.
    pub(crate) async fn outcome(&self, asked: &InquiryResponse) -> InquiryResponse {
        let waiting = self
            .server()
            .client
            .wait_for_inquiry(&asked.id, TEST_TIMEOUT);
        let found = waiting.await.expect("it is read");
        assert!(
            found.status.is_resolved(),
            "{:?}\n{}",
            self.fake.messages(),
            self.log()
        );
        found
    }

    pub(crate) fn messages_of(&self, user: i64) -> Vec<FakeMessage> {
        let messages = self.fake.messages().into_iter();
        messages
            .filter(|message| message.chat == user.to_string())
            .collect()
    }

    /// Waits for a message to a person that fulfils a condition.
    pub(crate) async fn message(
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

    pub(crate) async fn until(&self, what: &str, holds: impl FnMut() -> bool) {
        let held = comes_to_hold(holds).await;
        assert!(held, "{what}\n{:#?}\n{}", self.fake.messages(), self.log());
    }

    /// Presses the button that begins with this label.
    pub(crate) fn press(&self, user: i64, message: &FakeMessage, label: &str) {
        let buttons = message.buttons();
        let found = buttons.iter().find(|(text, _)| text.starts_with(label));
        let (_, data) = found.unwrap_or_else(|| panic!("no button {label} in {buttons:?}"));
        self.fake.press(user, message.id, data);
    }

    /// Waits until this many presses were answered, and returns the last answer.
    pub(crate) async fn told(&self, count: usize) -> Value {
        self.until("presses are answered", || {
            self.fake.acknowledged().len() >= count
        })
        .await;
        self.fake.acknowledged()[count - 1].clone()
    }

    /// Runs `askback channel` with these arguments against the server.
    pub(crate) fn channel_args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        let server = ["--url", self.server().address.as_str(), "--token", TOKEN];
        [&["channel"], args, &server].concat()
    }

    /// What `askback channel list` prints.
    pub(crate) fn list_channels(&self) -> String {
        succeeds(&self.channel_args(&["list"]), "")
    }

    pub(crate) fn log(&self) -> String {
        let log = fs::read_to_string(self.directory.path().join("server.log"));
        log.unwrap_or_default()
    }
}

pub(crate) fn database() -> Value {
    json!({ "questions": [{
        "question": "Which database?",
        "header": "Database",
        "options": [{ "label": "SQLite" }, { "label": "PostgreSQL" }],
    }] })
}

pub(crate) fn is_open(message: &FakeMessage) -> bool {
    !message.buttons().is_empty()
}
