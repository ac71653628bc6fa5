//! A server that several people and agents use, each with a token of their own.

use std::collections::BTreeMap;
use std::fs;

use askback_client::{Client, ClientError, FeedItem};
use askback_core::id::InquiryId;
use askback_wire::credential::{NewCredentialParams, NewInquiryTokenParams, ScopeName};
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::link::LinkAllow;
use askback_wire::list::ListInquiriesParams;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::AnswerParams;
use askback_wire::token::Token;
use serde_json::{Value, json};

use super::raw_http::{raw, request};
use super::server_process::{Directory, Server};
use super::timeout::within;

/// A server with two people, and tokens of every scope.
pub(crate) struct Team {
    pub(crate) server: Server,
    pub(crate) directory: Directory,
    pub(crate) tokens: BTreeMap<&'static str, String>,
}

/// Nobody but Ben may read this.
pub(crate) const SECRET: &str = "May I publish the salaries?";

impl Team {
    pub(crate) async fn start(args: &[&str]) -> Team {
        Team::start_with("", args).await
    }

    /// With further settings in the configuration file.
    pub(crate) async fn start_with(settings: &str, args: &[&str]) -> Team {
        let directory = Directory::new();
        let config = directory.path().join("askback.toml");
        let people = "[recipients.anna]\nname = 'Anna'\n[recipients.ben]\nname = 'Ben'\n\
                      [recipients.ops]\nmembers = ['anna']\n";
        fs::write(&config, format!("{settings}{people}")).expect("it can be written");
        let config = config.to_str().expect("a path").to_owned();
        let server = Server::start_with(&directory, &[&["--config", &config], args].concat());
        let mut team = Team {
            server,
            directory,
            tokens: BTreeMap::new(),
        };
        for (name, scope, person) in [
            ("laptop", ScopeName::Agent, None),
            ("build-server", ScopeName::Agent, None),
            ("anna", ScopeName::Respondent, Some("anna")),
            ("ben", ScopeName::Respondent, Some("ben")),
            ("prometheus", ScopeName::Metrics, None),
            ("second-admin", ScopeName::Admin, None),
        ] {
            let params = NewCredentialParams {
                name: name.to_owned(),
                scope,
                person: person.map(str::to_owned),
                expires_in: None,
            };
            let made = team.server.client.create_token(&params).await;
            team.tokens.insert(name, made.expect("it is made").token);
        }
        team
    }

    pub(crate) fn client(&self, name: &str) -> Client {
        self.with_token(&self.tokens[name])
    }

    pub(crate) fn with_token(&self, token: &str) -> Client {
        Client::new(&self.server.address, Some(Token::new(token))).expect("an address")
    }

    /// A question of an agent.
    pub(crate) async fn ask(
        &self,
        agent: &str,
        text: &str,
        recipient: Option<&str>,
    ) -> InquiryResponse {
        let asked = self.client(agent).ask(&confirm(text, recipient)).await;
        asked.expect("it is asked")
    }

    /// What is pending, for an administrator.
    pub(crate) async fn pending(&self) -> Vec<InquiryResponse> {
        let params = ListInquiriesParams::default();
        let page = self.server.client.inquiries(&params).await;
        page.expect("a list").items
    }

    /// Posts JSON with the token of this name.
    pub(crate) fn post(&self, name: &str, path: &str, sent: &Value) -> (u16, String) {
        let (sent, authorization) = (sent.to_string(), format!("Bearer {}", self.tokens[name]));
        let length = sent.len().to_string();
        let mut bytes = request(
            &format!("POST {path}"),
            &[
                ("Host", "localhost"),
                ("Authorization", &authorization),
                ("Content-Type", "application/json"),
                ("Content-Length", &length),
            ],
        );
        bytes.extend(sent.as_bytes());
        raw(&self.server, &bytes)
    }

    pub(crate) async fn inquiry_token(&self, id: &InquiryId, allow: LinkAllow) -> String {
        let params = NewInquiryTokenParams {
            allow,
            ..NewInquiryTokenParams::default()
        };
        let made = self.server.client.create_inquiry_token(id, &params).await;
        made.expect("it is made").token
    }
}

pub(crate) fn confirm(text: &str, recipient: Option<&str>) -> NewInquiryParams {
    NewInquiryParams {
        questions: json!([{"id": "go", "text": text, "kind": "confirm"}]),
        recipient: recipient.map(str::to_owned),
        ..NewInquiryParams::default()
    }
}

pub(crate) fn yes() -> AnswerParams {
    serde_json::from_value(json!({"answers": {"go": true}})).expect("an answer")
}

pub(crate) fn code<T: std::fmt::Debug>(result: Result<T, ClientError>) -> Option<ProblemCode> {
    match result {
        Err(ClientError::Problem(problem)) => problem.known_code(),
        other => panic!("not refused: {other:?}"),
    }
}

/// The texts of the questions that a client can list.
pub(crate) async fn listed(client: &Client) -> Vec<String> {
    let mut params = ListInquiriesParams::default();
    let mut texts = Vec::new();
    loop {
        let page = client.inquiries(&params).await.expect("a list");
        for inquiry in page.items {
            texts.push(inquiry.questions[0].text.clone());
        }
        params.cursor = page.next;
        if params.cursor.is_none() {
            return texts;
        }
    }
}

/// The next change of a question on a feed.
pub(crate) async fn next_change(feed: &mut askback_client::EventStream) -> (ChangeName, String) {
    loop {
        let item = within("an event", feed.next())
            .await
            .expect("the feed goes on");
        if let FeedItem::Event(event) = item
            && let EventResponse::Inquiry(change) = *event
        {
            let question = change.inquiry.questions.first();
            let text = question.map(|it| it.text.clone()).unwrap_or_default();
            return (change.change, text);
        }
    }
}
