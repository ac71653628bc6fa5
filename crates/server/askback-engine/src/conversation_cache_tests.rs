//! Goal: the cache is bounded by the size of the pending questions, not only by their number.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use serde_json::Value;

use super::{BYTES_MAX, ConversationCache};
use crate::commit::CommitOptions;
use crate::fixtures::{OneApp, OneToolModel, TempStore, engine, http_actor, large_inquiry};
use crate::loaded_conversation::LoadedConversation;

/// Conversations with large questions are evicted before there are many of them.
#[tokio::test]
async fn cached_conversations_are_bounded_by_bytes() {
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let asked = engine.ask(
        large_inquiry(0),
        None,
        http_actor(),
        CommitOptions::default(),
    );
    let id = asked.await.unwrap().conversation.settings.id.clone();
    for number in 1..8 {
        let command = Command::Ask {
            inquiry: large_inquiry(number),
            deadline: None,
        };
        engine.submit(&id, command, http_actor()).await.unwrap();
    }
    let loaded = engine.inner.conversations.load(&id).await.unwrap();
    let one = loaded.bytes();
    assert!(one > 8 * 700_000, "{one}");

    let mut cache = ConversationCache::default();
    let mut seen = Vec::new();
    for number in 0..40_u128 {
        let mut conversation = (*loaded.conversation).clone();
        conversation.settings.id = number.into();
        let loaded = Arc::new(LoadedConversation {
            conversation: Arc::new(conversation),
            ..LoadedConversation::clone(&loaded)
        });
        seen.push(Arc::downgrade(&loaded));
        cache.insert(loaded);
        let held = seen.iter().filter(|seen| seen.strong_count() > 0).count();
        assert!(held * one <= BYTES_MAX, "{held} of {one} bytes");
        assert!(cache.get(&number.into()).is_some(), "the newest stays");
    }
}
