//! Calls use the documented paths and bodies, errors are typed, and only safe requests are retried.

use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::message::MessageParams;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::{AnswerParams, CancelParams};
use askback_wire::token::Token;
use serde_json::json;

use super::server::{Response, Server};

const PENDING: &str = r#"{"id":"inq_1","conversation_id":"cnv_1","status":"pending","revision":1,
    "dialect":"question","questions":[{"id":"q1","text":"?","kind":"text"}],
    "asked_at":"2026-01-01T00:00:00Z"}"#;

const IDLE: &str = r#"{"id":"cnv_1","driver":"built_in","app":null,"title":null,"parent":null,
    "state":{"type":"idle"},"created_at":"2026-01-01T00:00:00Z",
    "updated_at":"2026-01-01T00:00:00Z","version":3}"#;

fn answered() -> String {
    PENDING.replace("\"pending\"", "\"answered\"")
}

fn client(server: &Server) -> Client {
    Client::new(&server.url, Some(Token::new("secret"))).unwrap()
}

fn inquiry() -> InquiryId {
    InquiryId::new("inq_1")
}

#[tokio::test]
async fn request_has_token_actor_and_query() {
    let server = Server::play([Response::json(200, r#"{"items":[],"next":null}"#)]).await;
    let actor = Actor::new(Text::clean("Zoë", Lines::One), Surface::Terminal);
    let list = client(&server)
        .acting_as(&actor)
        .inquiries(&ListInquiriesParams {
            status: Some(InquiryStatus::Pending),
            cursor: Some("a b&c".to_owned()),
            ..ListInquiriesParams::default()
        })
        .await
        .unwrap();
    assert_eq!((list.items.len(), list.next), (0, None));
    let request = &server.requests()[0];
    let (line, _) = request.split_once("\r\n").unwrap();
    assert!(line.starts_with("GET /inquiries?"), "{line}");
    assert!(
        line.contains("status=pending") && line.contains("cursor=a+b%26c"),
        "{line}"
    );
    assert!(request.contains("authorization: Bearer secret"));
    assert!(request.contains("x-askback-actor: Zo%C3%AB"));
    assert!(request.contains("x-askback-surface: terminal"));
}

#[tokio::test]
async fn answer_is_posted_to_its_inquiry() {
    let server = Server::play([Response::json(200, &answered())]).await;
    let params = AnswerParams {
        answers: json!({"q1": "yes"}),
        revision: Some(1),
        ..AnswerParams::default()
    };
    let id = InquiryId::new("inq/1");
    let inquiry = client(&server).answer(&id, &params).await.unwrap();
    assert_eq!(inquiry.status, InquiryStatus::Answered);
    assert_eq!(server.lines(), ["POST /inquiries/inq%2F1/answer HTTP/1.1"]);
    let request = &server.requests()[0];
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, r#"{"answers":{"q1":"yes"},"revision":1}"#);
}

#[tokio::test]
async fn refusal_is_a_typed_problem_and_is_not_retried() {
    let problem = r#"{"type":"urn:askback:problem:not_pending","title":"T","status":409,
        "code":"not_pending","detail":"Too late.","winner":{"inquiry_id":"inq_1",
        "status":"superseded","outcome":{"type":"superseded","message":"hunter2"},
        "answered_by":"Ann"}}"#;
    let server = Server::play([Response::json(409, problem)]).await;
    let params = AnswerParams {
        key: Some("k".to_owned()),
        ..AnswerParams::default()
    };
    let error = client(&server)
        .answer(&inquiry(), &params)
        .await
        .unwrap_err();
    let problem = error.problem().unwrap();
    assert_eq!(problem.known_code(), Some(ProblemCode::NotPending));
    let winner = problem.winner.as_ref().unwrap();
    assert_eq!(winner.answered_by.as_deref(), Some("Ann"));
    assert_eq!(error.to_string(), "Too late.");
    assert!(!format!("{error:?}").contains("hunter2"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn html_page_of_a_proxy_is_an_error_without_its_text() {
    let page =
        "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 9\r\nconnection: close\r\n\r\n<html>hm!";
    let server = Server::play([Response::Bytes(page.to_owned())]).await;
    let error = client(&server).inquiry(&inquiry()).await.unwrap_err();
    assert!(error.is_transient());
    assert_eq!(error.to_string(), "The server answered with status 502.");
}

#[tokio::test]
async fn malformed_response_is_reported_by_position_only() {
    let server = Server::play([Response::json(200, "{\"id\": [\"hunter2\"]}")]).await;
    let error = client(&server).inquiry(&inquiry()).await.unwrap_err();
    assert!(matches!(error, ClientError::Decode(_)));
    assert!(!format!("{error} {error:?}").contains("hunter2"));
}

#[tokio::test]
async fn reads_and_keyed_writes_are_retried() {
    let server = Server::play([
        Response::Hangup,
        Response::Hangup,
        Response::json(200, PENDING),
    ])
    .await;
    assert!(client(&server).inquiry(&inquiry()).await.is_ok());
    assert_eq!(server.requests().len(), 3);

    let server = Server::play([Response::Hangup, Response::json(201, PENDING)]).await;
    let params = NewInquiryParams {
        input: json!({}),
        key: Some("k1".to_owned()),
        ..NewInquiryParams::default()
    };
    assert!(client(&server).ask(&params).await.is_ok());
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(
        requests
            .iter()
            .all(|request| request.contains("\"key\":\"k1\""))
    );

    let server = Server::play([Response::Hangup, Response::json(202, IDLE)]).await;
    let params = MessageParams {
        text: "Hi".to_owned(),
        message_id: Some(MessageId::new("msg_1")),
    };
    let id = ConversationId::new("cnv_1");
    assert!(client(&server).send_message(&id, &params).await.is_ok());
}

#[tokio::test]
async fn write_without_a_key_is_never_retried() {
    let server = Server::play([Response::Hangup, Response::json(200, PENDING)]).await;
    let params = AnswerParams {
        answers: json!({"q1": "hunter2"}),
        ..AnswerParams::default()
    };
    let error = client(&server)
        .answer(&inquiry(), &params)
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Transport(_)), "{error:?}");
    assert!(!format!("{error} {error:?}").contains("hunter2"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn waiting_polls_again_until_there_is_an_outcome() {
    let server = Server::play([
        Response::json(200, PENDING),
        Response::Hangup,
        Response::json(503, r#"{"status":503,"code":"closing"}"#),
        Response::json(200, &answered()),
    ])
    .await;
    let waited = client(&server)
        .wait_for_inquiry(&inquiry(), Duration::from_mins(10))
        .await;
    assert_eq!(waited.unwrap().status, InquiryStatus::Answered);
    assert_eq!(server.lines()[0], "GET /inquiries/inq_1?wait=30s HTTP/1.1");
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn waiting_ends_at_its_time_limit_and_on_an_error() {
    let server = Server::play([Response::json(200, PENDING)]).await;
    let waited = client(&server)
        .wait_for_inquiry(&inquiry(), Duration::ZERO)
        .await;
    assert_eq!(waited.unwrap().status, InquiryStatus::Pending);

    let server = Server::play([Response::json(404, r#"{"status":404,"code":"not_found"}"#)]).await;
    let waited = client(&server)
        .wait_for_inquiry(&inquiry(), Duration::from_mins(10))
        .await;
    let code = waited.unwrap_err().problem().unwrap().known_code();
    assert_eq!(code, Some(ProblemCode::NotFound));
}

#[tokio::test]
async fn redirect_is_not_followed_with_the_token() {
    let away = "HTTP/1.1 307 X\r\nlocation: http://example.com/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let server = Server::play([Response::Bytes(away.to_owned())]).await;
    let cancel = client(&server)
        .cancel_inquiry(&inquiry(), &CancelParams::default())
        .await;
    assert_eq!(cancel.unwrap_err().problem().unwrap().status, 307);
}

#[test]
fn malformed_base_url_is_refused() {
    for address in ["", "127.0.0.1:7777", "ftp://example.com", "not a url"] {
        let client = Client::new(address, None);
        assert!(
            matches!(client, Err(ClientError::Transport(_))),
            "{address}"
        );
    }
}
