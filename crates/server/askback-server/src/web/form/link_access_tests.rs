//! Goal: a right that is lost while a form arrives permits nothing.

use std::convert::Infallible;
use std::sync::Arc;

use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::{Actor, Surface};
use askback_core::text::Text;
use askback_engine::ports::PortFuture;
use askback_engine::{Clock, CommitOptions, Engine, InquiryView, SystemClock};
use askback_store::SqliteOptions;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use futures_util::stream;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt as _;

use crate::extract::FORM_MEDIA_TYPE;
use crate::openapi::tests::{idle_engine_at, post, router_of, send};

/// No undo window ends.
struct StoppedClock;

impl Clock for StoppedClock {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn sleep_until(&self, _: Timestamp) -> PortFuture<'_, ()> {
        Box::pin(std::future::pending())
    }

    fn seed(&self) -> u128 {
        SystemClock.seed()
    }
}

/// A question for Ben, and what he needs to answer it on its page.
struct Fixture {
    engine: Engine,
    router: Router,
    conversation: ConversationId,
    inquiry: InquiryId,
    secret: String,
    _directory: TempDir,
}

impl Fixture {
    async fn new() -> Fixture {
        let clock = Arc::new(StoppedClock);
        let (engine, directory) = idle_engine_at(clock, SqliteOptions::default()).await;
        let router = router_of(engine.clone()).await;
        for (alias, name) in [("anna", "Anna"), ("ben", "Ben")] {
            let path = format!("/recipients/{alias}");
            let put = send(&router, &Method::PUT, &path, &json!({"name": name})).await;
            assert_eq!(put.status(), StatusCode::OK);
        }
        let token = json!({"name": "bens", "scope": "respondent", "person": "ben"});
        let token = post(&router, "/tokens", &token).await;
        let token = to_bytes(token.into_body(), usize::MAX).await.unwrap();
        let token: Value = serde_json::from_slice(&token).unwrap();
        let input = json!({"question": "Which?", "options": ["A", "B"]});
        let parsed = Dialect::Question.parse(&input, ParseOptions::default());
        let inquiry = parsed.unwrap().inquiry.addressed_to(Text::name("ben"));
        let asked = engine.ask(inquiry, None, admin(), CommitOptions::default());
        let asked = asked.await.unwrap().conversation;
        Fixture {
            conversation: asked.settings.id.clone(),
            inquiry: asked.state.pending()[0].id.clone(),
            secret: token["token"].as_str().unwrap().to_owned(),
            engine,
            router,
            _directory: directory,
        }
    }

    fn target(&self) -> Target {
        self.inquiry.clone().into()
    }

    /// Ben sends the form, and an administrator does this before its fields arrive.
    async fn send_form(&self, fields: &'static str, meanwhile: Vec<Command>) -> StatusCode {
        let (engine, conversation) = (self.engine.clone(), self.conversation.clone());
        let fields = stream::once(async move {
            for command in meanwhile {
                let done = engine.submit(&conversation, command, admin()).await;
                done.unwrap();
            }
            Ok::<_, Infallible>(Bytes::from_static(fields.as_bytes()))
        });
        let request = Request::builder()
            .method(Method::POST)
            .uri(format!("/q/{}", self.inquiry))
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.secret))
            .header(header::CONTENT_TYPE, FORM_MEDIA_TYPE)
            .body(Body::from_stream(fields))
            .unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        response.status()
    }

    async fn view(&self) -> InquiryView {
        let view = self.engine.inquiry(&self.inquiry).await.unwrap();
        view.unwrap()
    }
}

fn admin() -> Actor {
    Actor::new(Text::name("Zoe"), Surface::Http)
}

#[tokio::test]
async fn a_question_that_was_handed_on_meanwhile_is_not_answered() {
    let fixture = Fixture::new().await;
    let hand_on = Command::HandOn {
        target: fixture.target(),
        to: Text::name("anna").unwrap(),
        reason: None,
    };
    let status = fixture.send_form("q1=A&action-send=", vec![hand_on]).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let view = fixture.view().await;
    assert!(view.held.is_none() && view.resolution.is_none());
}

#[tokio::test]
async fn an_answer_that_was_given_meanwhile_is_not_undone() {
    let fixture = Fixture::new().await;
    let status = fixture.send_form("q1=A&action-send=", Vec::new()).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let undo = Command::UndoAnswer {
        target: fixture.target(),
    };
    let decline = Command::AnswerWithUndo {
        target: fixture.target(),
        reply: RespondentAction::Decline,
        window: SignedDuration::from_secs(40),
    };
    let status = fixture.send_form("action-undo=", vec![undo, decline]).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let held = fixture.view().await.held.expect("the other answer");
    assert_eq!(held.resolution.by, admin());
}
