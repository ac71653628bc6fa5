//! Goal: a person undoes their own answers, however they gave them, and no others.

use askback_channels::{AliasProof, PersonCode};
use askback_core::conversation::command::{Command, RespondentAction};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::identity::Identity;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::Text;
use askback_engine::{CommitOptions, Engine};
use askback_wire::link::LinkAllow;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::extract::FORM_MEDIA_TYPE;
use crate::link::{LinkGrant, sign};
use crate::openapi::tests::{TOKEN, idle_engine, post, router_of, send};
use crate::token::Token;

/// A question for Anna.
async fn ask(engine: &Engine) -> (ConversationId, InquiryId) {
    let input = json!({"question": "Which?", "options": ["A", "B"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    let inquiry = parsed.unwrap().inquiry.addressed_to(Text::name("anna"));
    let by = Actor::new(None, Surface::Http);
    let asked = engine.ask(inquiry, None, by, CommitOptions::default());
    let asked = asked.await.unwrap().conversation;
    let id = asked.state.pending()[0].id.clone();
    (asked.settings.id.clone(), id)
}

/// A token of the person with this alias.
async fn token(router: &Router, alias: &str) -> String {
    let params = json!({"name": alias, "scope": "respondent", "person": alias});
    let made = post(router, "/tokens", &params).await;
    let made = to_bytes(made.into_body(), usize::MAX).await.unwrap();
    let made: Value = serde_json::from_slice(&made).unwrap();
    made["token"].as_str().unwrap().to_owned()
}

async fn undo(router: &Router, id: &InquiryId, token: &str) -> StatusCode {
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("/inquiries/{id}/undo"))
        .header(header::HOST, "localhost")
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .body(Body::empty())
        .unwrap();
    router.clone().oneshot(request).await.unwrap().status()
}

async fn put(router: &Router, alias: &str, params: &Value) {
    let put = send(
        router,
        &Method::PUT,
        &format!("/recipients/{alias}"),
        params,
    )
    .await;
    assert_eq!(put.status(), StatusCode::OK);
}

#[tokio::test]
async fn an_answer_is_that_of_a_person_by_whatever_proves_them() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine.clone()).await;
    let anna = json!({"name": "Anna", "identities": ["telegram:42"]});
    put(&router, "anna", &anna).await;
    // Her alias is the id of an account of Anna's, and her name is the same.
    put(&router, "42", &json!({"name": "Anna"})).await;
    let everybody = json!({"members": ["anna", "42"]});
    put(&router, "everybody", &everybody).await;
    let (annas, others) = (token(&router, "anna").await, token(&router, "42").await);
    for (identity, owner) in [
        (Identity::new("telegram", "42"), Some(&annas)),
        (AliasProof::Link.identity("anna"), Some(&annas)),
        (AliasProof::Session.identity("anna"), Some(&annas)),
        (AliasProof::Webpush.identity("42"), Some(&others)),
        (Identity::new("telegram", "anna"), None),
        (None, None),
    ] {
        let (conversation, id) = ask(&engine).await;
        let hand_on = Command::HandOn {
            target: id.clone().into(),
            to: Text::name("everybody").unwrap(),
            reason: None,
        };
        let answer = Command::AnswerWithUndo {
            target: id.clone().into(),
            reply: RespondentAction::Decline,
            window: SignedDuration::from_secs(60),
        };
        let by = Actor {
            identity: identity.clone(),
            ..Actor::new(Text::name("Anna"), Surface::Telegram)
        };
        for command in [hand_on, answer] {
            let done = engine.submit(&conversation, command, by.clone());
            done.await.unwrap();
        }
        for token in [&annas, &others] {
            if Some(token) != owner {
                let status = undo(&router, &id, token).await;
                assert_eq!(status, StatusCode::CONFLICT, "{identity:?}");
            }
        }
        if let Some(owner) = owner {
            assert_eq!(undo(&router, &id, owner).await, StatusCode::OK);
        }
    }
}

/// The link in a message proves whose answer it is, and the person can undo it in the browser.
#[tokio::test]
async fn an_answer_through_a_personal_link_is_that_of_the_person() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine.clone()).await;
    for (alias, name) in [("anna", "Anna"), ("ben", "Ben")] {
        put(&router, alias, &json!({"name": name})).await;
    }
    let (_, id) = ask(&engine).await;
    let grant = LinkGrant {
        revision: 1,
        allow: LinkAllow::Decline,
        person: Some(PersonCode::new("anna")),
    };
    let key = sign(&Token::chosen(TOKEN).unwrap(), &id, grant, Timestamp::MAX);
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("/q/{id}?key={key}"))
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, FORM_MEDIA_TYPE)
        .body(Body::from("q1=A&action-send="))
        .unwrap();
    let sent = router.clone().oneshot(request).await.unwrap();
    assert_eq!(sent.status(), StatusCode::SEE_OTHER);
    let held = engine.inquiry(&id).await.unwrap().unwrap().held.unwrap();
    assert_eq!(held.resolution.by.identity, Identity::new("link", "anna"));
    let (annas, bens) = (token(&router, "anna").await, token(&router, "ben").await);
    assert_eq!(undo(&router, &id, &bens).await, StatusCode::NOT_FOUND);
    assert_eq!(undo(&router, &id, &annas).await, StatusCode::OK);
}
