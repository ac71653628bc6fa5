//! Goal: a slow regular expression blocks no async thread, and a right that was lost meanwhile permits nothing.

use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::conversation::rejection::Rejection;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::text::Text;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::commit::{CommitOptions, SeenInquiry};
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, engine, http_actor, question, with_timeout,
};
use crate::submit::SubmitError;

/// An answer is matched against a pattern on a blocking thread. While the only one is busy, the
/// answer waits and the async thread continues.
#[test]
fn patterns_are_matched_on_a_blocking_thread() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let temp_store = TempStore::new();
        let model = OneToolModel("none", Value::Null);
        let engine = engine(temp_store.store(), model, OneApp::default()).await;
        let input =
            json!({"question": "Which?", "input_type": "text", "validation": {"pattern": "^a+$"}});
        let parsed = Dialect::AskUser.parse(&input, ParseOptions::default());
        let asked = engine.ask(
            parsed.unwrap().inquiry,
            None,
            http_actor(),
            CommitOptions::default(),
        );
        let id = asked.await.unwrap().conversation.settings.id.clone();
        let answer = Command::Answer {
            target: Target::Pending,
            answers: json!({"q1": "b"}),
            notes: None,
        };
        let (release, busy) = std::sync::mpsc::channel::<()>();
        let blocking = tokio::task::spawn_blocking(move || busy.recv());
        let submitted = engine.clone();
        let checking =
            tokio::spawn(async move { submitted.submit(&id, answer, http_actor()).await });
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        assert!(!checking.is_finished(), "it was checked on this thread");
        release.send(()).unwrap();
        blocking.await.unwrap().unwrap();
        let refused = with_timeout("the answer is checked", checking)
            .await
            .unwrap();
        assert!(refused.is_err(), "the text does not match");
    });
}

/// Somebody who was permitted to answer may have lost that right before the command is decided.
#[tokio::test]
async fn command_of_a_former_recipient_changes_nothing() {
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let inquiry = question().addressed_to(Text::name("ben"));
    let asked = engine.ask(inquiry, None, http_actor(), CommitOptions::default());
    let conversation = asked.await.unwrap().conversation;
    let (id, pending) = (&conversation.settings.id, &conversation.state.pending()[0]);
    let seen = |recipient: &str, held_until| CommitOptions {
        seen: Some(SeenInquiry {
            id: pending.id.clone(),
            recipient: Text::name(recipient),
            held_until,
        }),
        ..CommitOptions::default()
    };
    let target = Target::Inquiry {
        id: pending.id.clone(),
        revision: None,
    };
    let submit = |command, options| engine.submit_with(id, command, http_actor(), options);
    let hand_on = Command::HandOn {
        target: target.clone(),
        to: Text::name("anna").unwrap(),
        reason: None,
    };
    submit(hand_on, seen("ben", None)).await.unwrap();
    let decline = || Command::AnswerWithUndo {
        target: target.clone(),
        reply: RespondentAction::Decline,
        window: SignedDuration::from_mins(1),
    };
    let is_stale = |refused| matches!(refused, Err(SubmitError::Rejected(Rejection::StaleInquiry)));
    assert!(is_stale(submit(decline(), seen("ben", None)).await));
    let held = submit(decline(), seen("anna", None)).await.unwrap();
    let held = held.conversation.state.pending()[0].held.as_ref().unwrap();
    // There was no answer when the right was checked, or another one, which has been undone.
    let undo = || Command::UndoAnswer {
        target: target.clone(),
    };
    let commit = || Command::CommitHeldAnswer {
        inquiry: pending.id.clone(),
        until: held.until,
    };
    for other in [None, Some(Timestamp::UNIX_EPOCH)] {
        assert!(is_stale(submit(undo(), seen("anna", other)).await));
        assert!(is_stale(submit(commit(), seen("anna", other)).await));
    }
    submit(undo(), seen("anna", Some(held.until)))
        .await
        .unwrap();
}
