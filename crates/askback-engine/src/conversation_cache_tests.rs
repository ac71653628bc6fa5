//! Conversations in memory are bounded by what waits in them.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use serde_json::Value;

use super::{BYTES_MAX, ConversationCache};
use crate::commit::Extras;
use crate::loaded_conversation::Active;
use crate::world::{Model, OneApp, Scratch, engine, large_inquiry, somebody};

/// F-S7: conversations whose questions are large fall out before there are many of them.
#[tokio::test]
async fn cached_conversations_are_bounded_by_bytes() {
    let scratch = Scratch::new();
    let model = Model("none", Value::Null);
    let engine = engine(scratch.store(), model, OneApp::default()).await;
    let asked = engine.ask(large_inquiry(0), None, somebody(), Extras::default());
    let id = asked.await.unwrap().conversation.settings.id.clone();
    for number in 1..8 {
        let command = Command::Ask {
            inquiry: large_inquiry(number),
            expires_after: None,
        };
        engine.submit(&id, command, somebody()).await.unwrap();
    }
    let active = engine.load(&id).await.unwrap();
    let one = active.bytes();
    assert!(one > 8 * 700_000, "{one}");

    let mut cache = ConversationCache::default();
    let mut seen = Vec::new();
    for number in 0..40_u128 {
        let mut conversation = (*active.conversation).clone();
        conversation.settings.id = number.into();
        let active = Arc::new(Active {
            conversation: Arc::new(conversation),
            ..Active::clone(&active)
        });
        seen.push(Arc::downgrade(&active));
        cache.insert(active);
        let held = seen.iter().filter(|seen| seen.strong_count() > 0).count();
        assert!(held * one <= BYTES_MAX, "{held} of {one} bytes");
        assert!(cache.get(&number.into()).is_some(), "the newest stays");
    }
}
