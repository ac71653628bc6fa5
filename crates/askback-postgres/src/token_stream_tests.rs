//! Goal: tokens go to nodes that want them, in order and in pieces that PostgreSQL takes, and what nobody
//! takes is dropped.

use super::*;

fn conversation() -> ConversationId {
    ConversationId::from(1)
}

fn texts(stream: &TokenStream) -> Vec<String> {
    let messages = stream.take_messages(1);
    for message in &messages {
        assert!(message.len() < 8_000, "{} bytes", message.len());
    }
    let messages = messages.iter().filter_map(|text| Message::parse(text));
    let mut texts = Vec::new();
    for message in messages {
        if let Message::Token { token, .. } = message {
            texts.push(token.text);
        }
    }
    texts
}

#[tokio::test(start_paused = true)]
async fn only_replies_that_another_node_listens_to_are_sent() {
    let stream = TokenStream::default();
    stream.add(&conversation(), 3, "nobody");
    let mut set = ListenerSet::default();
    set.insert(&conversation());
    stream.set_listeners(7, set);
    stream.add(&conversation(), 3, "some");
    stream.add(&ConversationId::from(2), 3, "other");
    stream.add(&conversation(), 3, "body");
    assert_eq!(texts(&stream), ["somebody"]);
    assert_eq!(texts(&stream), [""; 0]);
    tokio::time::advance(LISTENERS_TTL).await;
    stream.add(&conversation(), 3, "nobody any more");
    assert_eq!(texts(&stream), [""; 0]);
}

#[test]
fn long_texts_are_sent_in_pieces_and_the_outbox_is_bounded() {
    let stream = TokenStream::default();
    stream.set_listeners(7, ListenerSet::ALL);
    let text = "日本語".repeat(1_000);
    for _ in 0..20 {
        stream.add(&conversation(), 1, &text);
    }
    let sent = texts(&stream);
    assert!(sent.len() > 1);
    let sent = sent.concat();
    assert!(sent.len() <= OUTBOX_BYTES_MAX);
    assert_eq!(sent, text.repeat(7), "what fits, unchanged");
}
