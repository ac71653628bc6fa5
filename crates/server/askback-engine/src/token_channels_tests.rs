//! Goal: a token reaches those who listen to its conversation, and nobody else.

use std::sync::OnceLock;

use askback_core::id::ConversationId;

use super::TokenChannels;
use crate::feed::StreamedToken;

fn token(conversation: &ConversationId) -> StreamedToken {
    StreamedToken {
        conversation: conversation.clone(),
        after: 0,
        text: "word".to_owned(),
        encoded: OnceLock::new(),
    }
}

#[test]
fn a_token_reaches_only_listeners_of_its_conversation() {
    let channels = TokenChannels::default();
    let (here, there) = (ConversationId::from(1_u128), ConversationId::from(2_u128));
    let mut own = channels.subscribe(&here);
    let mut other = channels.subscribe(&there);
    channels.send(token(&here));
    assert_eq!(own.try_recv().unwrap().conversation, here);
    assert!(other.try_recv().is_err(), "another conversation");
}

#[test]
fn a_channel_without_listeners_is_removed() {
    let channels = TokenChannels::default();
    for number in 0..100_u128 {
        drop(channels.subscribe(&ConversationId::from(number)));
    }
    assert!(channels.0.lock().len() <= 1);
}
