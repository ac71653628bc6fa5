//! Goal: an agent that asks too much is told so and what to do, and nobody else notices.

use askback_client::Client;
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::problem::ProblemResponse;
use askback_wire::respond::DeclineParams;
use askback_wire::token::Token;
use serde_json::json;

use super::support::raw_http::{header, raw, request};
use super::support::server_process::{Directory, Server};

async fn agent(server: &Server, name: &str) -> (Client, String) {
    let params = NewCredentialParams {
        name: name.to_owned(),
        scope: ScopeName::Agent,
        person: None,
        expires_in: None,
    };
    let created = server.client.create_token(&params).await;
    let token = created.expect("it is made").token;
    let client = Client::new(&server.address, Some(Token::new(&token)));
    (client.expect("the address is fine"), token)
}

async fn ask(client: &Client, key: &str) -> Result<InquiryResponse, ProblemResponse> {
    let params = NewInquiryParams {
        questions: json!([{"text": "Go?", "kind": "confirm"}]),
        key: Some(key.to_owned()),
        ..NewInquiryParams::default()
    };
    let asked = client.ask(&params).await;
    asked.map_err(|error| error.problem().cloned().expect("a problem"))
}

async fn decline(server: &Server, inquiry: &InquiryResponse) {
    let params = DeclineParams::default();
    let declined = server.client.decline_inquiry(&inquiry.id, &params).await;
    declined.expect("it is pending");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_are_limited_each_for_itself() {
    let directory = Directory::new();
    let limits = ["--agent-pending-max", "2", "--agent-asks-per-hour", "3"];
    let server = Server::start_with(&directory, &limits);
    let (eager, token) = agent(&server, "eager").await;
    let (other, _) = agent(&server, "other").await;
    let first = ask(&eager, "1").await.expect("it may");
    ask(&eager, "2").await.expect("it may");
    let refused = ask(&eager, "3").await.expect_err("two are pending");
    assert_eq!(
        (refused.status, refused.code.as_str()),
        (429, "agent_limit")
    );
    assert!(
        refused.detail.contains("withdraw a question"),
        "{refused:?}"
    );
    assert_eq!(refused.retry_after_seconds, None);
    let again = ask(&eager, "1").await.expect("a repeat asks nothing");
    assert_eq!(again.id, first.id);
    ask(&other, "1").await.expect("it has limits of its own");
    for number in 0..5 {
        let key = format!("admin-{number}");
        ask(&server.client, &key).await.expect("no limit");
    }
    decline(&server, &first).await;
    let third = ask(&eager, "3").await.expect("one is pending");
    decline(&server, &third).await;
    let refused = ask(&eager, "4").await.expect_err("three within an hour");
    assert_eq!(
        (refused.status, refused.code.as_str()),
        (429, "agent_limit")
    );
    let wait = refused.retry_after_seconds.expect("it is known");
    assert!((3500..=3601).contains(&wait), "{wait}");
    let (auth, body) = (
        format!("Bearer {token}"),
        r#"{"questions": [{"text": "Go?"}]}"#,
    );
    let headers = [
        ("Host", "localhost"),
        ("Authorization", auth.as_str()),
        ("Content-Type", "application/json"),
        ("Content-Length", &body.len().to_string()),
    ];
    let sent = [request("POST /inquiries", &headers), body.into()].concat();
    let (status, reply) = raw(&server, &sent);
    assert_eq!(status, 429, "{reply}");
    assert_eq!(header(&reply, "retry-after").len(), 1, "{reply}");
}
