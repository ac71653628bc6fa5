//! Goal: what waits for answers is bounded over all conversations, and there is room again as soon as there is.

use askback_core::conversation::command::Command;
use askback_core::conversation::rejection::Rejection;
use askback_core::limits::PENDING_BYTES_MAX;

use super::counted;
use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::fixtures::{
    HangingModel, TempStore, asked_inquiry, http_actor, large_inquiry, parts, question,
};
use crate::submit::{SubmitError, Submitted};

async fn ask(engine: &Engine, number: usize) -> Result<Submitted, SubmitError> {
    let options = CommitOptions::default();
    engine
        .ask(large_inquiry(number), None, http_actor(), options)
        .await
}

/// As if this much had been counted just now.
async fn assume(engine: &Engine, bytes: usize) {
    let mut known = engine.inner.pending_bytes.known.lock().await;
    known.bytes = bytes;
    known.counted_at = Some(engine.clock().elapsed());
}

#[tokio::test]
async fn a_question_is_refused_while_too_much_waits_in_all_conversations() {
    let temp_store = TempStore::new();
    let engine = Engine::start(parts(temp_store.store(), HangingModel::default()));
    let engine = engine.await.unwrap();
    let asked = ask(&engine, 1).await.unwrap();
    assume(&engine, PENDING_BYTES_MAX).await;
    let refused = ask(&engine, 2).await;
    assert!(
        matches!(
            refused,
            Err(SubmitError::Rejected(Rejection::TooMuchPending))
        ),
        "{refused:?}"
    );
    // Another question of a conversation that exists needs room, too; an answer does not.
    let id = &asked.conversation.settings.id;
    let more = Command::Ask {
        inquiry: question(),
        deadline: None,
    };
    let refused = engine.submit(id, more, http_actor()).await;
    assert!(
        matches!(
            refused,
            Err(SubmitError::Rejected(Rejection::TooMuchPending))
        ),
        "{refused:?}"
    );
    let target = asked_inquiry(&asked).into();
    let declined = engine.submit(id, Command::Decline { target }, http_actor());
    declined.await.unwrap();
}

/// The count of the store decides: what has ended since the last one leaves room.
#[tokio::test]
async fn there_is_room_again_after_the_next_count() {
    let temp_store = TempStore::new();
    let engine = Engine::start(parts(temp_store.store(), HangingModel::default()));
    let engine = engine.await.unwrap();
    assume(&engine, PENDING_BYTES_MAX).await;
    engine.inner.pending_bytes.known.lock().await.counted_at = None;
    ask(&engine, 1).await.unwrap();
    let known = engine.inner.pending_bytes.known.lock().await.bytes;
    assert!((700_000..1_000_000).contains(&known), "{known}");
    assert!(counted(engine.store().as_ref()).await.unwrap() >= 700_000);
}
