//! A server with a fake of each provider, and as many people as a test wants.

use std::fs;

use askback_fakes::{FakeHttp, FakeSlack, FakeSmtp, FakeTelegram};
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use serde_json::{Value, json};

use super::raw_http::{raw, request};
use super::server_process::{Directory, Server};
use super::timeout::{TEST_TIMEOUT, comes_to_hold};

/// What must be in no log, response, error or table.
pub(crate) const SECRETS: [&str; 6] = [
    "123456:a-secret-that-nobody-may-see",
    "xoxb-1",
    "xapp-1",
    "secret-ticket",
    "tk_secret-of-ntfy",
    "secret-of-the-mail-account",
];
/// The address of the server in messages. Nothing is there; tests send what they find to the real one.
const PUBLIC_URL: &str = "https://askback.example";

pub(crate) struct ChannelServer {
    pub(crate) telegram: FakeTelegram,
    pub(crate) slack: FakeSlack,
    pub(crate) ntfy: FakeHttp,
    pub(crate) smtp: FakeSmtp,
    pub(crate) directory: Directory,
    pub(crate) server: Server,
}

impl ChannelServer {
    /// Starts everything. Answers take effect at once. `settings` are the tables of the people, and further ones.
    pub(crate) async fn start(settings: &str) -> ChannelServer {
        ChannelServer::start_with(settings, &[]).await
    }

    /// With further arguments of the server.
    pub(crate) async fn start_with(settings: &str, args: &[&str]) -> ChannelServer {
        ChannelServer::start_configured(settings, args, 0).await
    }

    /// Answers can be undone for a minute.
    pub(crate) async fn start_with_undo(settings: &str) -> ChannelServer {
        ChannelServer::start_configured(settings, &[], 60).await
    }

    async fn start_configured(settings: &str, args: &[&str], undo_seconds: u8) -> ChannelServer {
        let telegram = FakeTelegram::start(SECRETS[0]).await.expect("it starts");
        let slack = FakeSlack::start().await.expect("it starts");
        let ntfy = FakeHttp::responding(json!({ "id": "m1" })).await;
        let ntfy = ntfy.expect("it starts");
        let smtp = FakeSmtp::start().await.expect("it starts");
        let directory = Directory::new();
        let config = format!(
            "public_url = '{PUBLIC_URL}'\n\
             [channels.telegram]\ntoken = '{}'\nbase_url = '{}'\nundo_seconds = {undo_seconds}\n\
             [channels.slack]\nbot_token = '{}'\napp_token = '{}'\nbase_url = '{}'\nundo_seconds = {undo_seconds}\n\
             [channels.ntfy]\ntoken = '{}'\nbase_url = '{}'\nundo_seconds = {undo_seconds}\n\
             [channels.email]\nhost = '127.0.0.1'\nport = {}\nsecurity = 'none'\n\
             from = 'askback@example.com'\nundo_seconds = {undo_seconds}\n{settings}",
            SECRETS[0],
            telegram.base_url(),
            SECRETS[1],
            SECRETS[2],
            slack.http.url(),
            SECRETS[4],
            ntfy.url(),
            smtp.port,
        );
        let path = directory.path().join("askback.toml");
        fs::write(&path, config).expect("it can be written");
        let path = path.to_str().expect("the path is text");
        let args = [&["--config", path], args].concat();
        let server = Server::start_with(&directory, &args);
        slack.wait_for_sockets(1).await;
        ChannelServer {
            telegram,
            slack,
            ntfy,
            smtp,
            directory,
            server,
        }
    }

    pub(crate) async fn ask(&self, input: Value, recipient: Option<&str>) -> InquiryResponse {
        let params = NewInquiryParams {
            input,
            source: Some("claude-code".to_owned()),
            recipient: recipient.map(str::to_owned),
            ..NewInquiryParams::default()
        };
        self.server.client.ask(&params).await.expect("it is asked")
    }

    /// Waits until the inquiry has its outcome.
    pub(crate) async fn outcome(&self, asked: &InquiryResponse) -> InquiryResponse {
        let waiting = self.server.client.wait_for_inquiry(&asked.id, TEST_TIMEOUT);
        let found = waiting.await.expect("it is read");
        assert!(found.status.is_resolved(), "{}", self.log());
        found
    }

    pub(crate) async fn until(&self, what: &str, holds: impl FnMut() -> bool) {
        assert!(comes_to_hold(holds).await, "{what}\n{}", self.log());
    }

    pub(crate) fn log(&self) -> String {
        let log = fs::read_to_string(self.directory.path().join("server.log"));
        log.unwrap_or_default()
    }

    /// Sends a request to a URL of a message, with a body.
    pub(crate) fn send(&self, method: &str, url: &str, body: &str) -> (u16, String) {
        self.send_with(&[], (method, url), body)
    }

    /// Sends a form to a URL of a message.
    pub(crate) fn post_form(&self, url: &str, fields: &str) -> (u16, String) {
        let form = ("Content-Type", "application/x-www-form-urlencoded");
        self.send_with(&[form], ("POST", url), fields)
    }

    fn send_with(
        &self,
        headers: &[(&str, &str)],
        (method, url): (&str, &str),
        body: &str,
    ) -> (u16, String) {
        let path = url.strip_prefix(PUBLIC_URL).expect("it is our address");
        let length = body.len().to_string();
        let always = [("Host", "askback.example"), ("Content-Length", &length)];
        let mut bytes = request(&format!("{method} {path}"), &[&always, headers].concat());
        bytes.extend(body.bytes());
        raw(&self.server, &bytes)
    }
}
