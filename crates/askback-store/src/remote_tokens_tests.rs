//! Goal: a set of listeners keeps what was put into it, also as text, and has little else.

use super::*;

fn conversations(range: std::ops::Range<u128>) -> Vec<ConversationId> {
    range.map(ConversationId::from).collect()
}

#[test]
fn listeners_are_found_again_after_a_round_trip() {
    let mut set = ListenerSet::default();
    assert!(set.is_empty());
    let inside = conversations(0..20);
    for id in &inside {
        set.insert(id);
    }
    let read: ListenerSet = set.to_string().parse().unwrap();
    assert_eq!(read, set);
    assert!(inside.iter().all(|id| read.contains(id)));
    let others = conversations(1_000..2_000);
    let wrong = others.iter().filter(|id| read.contains(id)).count();
    assert!(
        wrong < 60,
        "{wrong} of 1000 others; 20 of 1024 groups are expected"
    );
    assert!(others.iter().all(|id| ListenerSet::ALL.contains(id)));
}

/// Nodes of different versions have to put a conversation into the same group.
#[test]
fn the_group_of_a_conversation_never_changes() {
    let group = position(&ConversationId::new("cnv_00000000000000000000000001"));
    assert_eq!(group, (13, 1 << 56));
}

#[test]
fn text_that_is_no_set_is_refused() {
    assert!("x".repeat(256).parse::<ListenerSet>().is_err());
}
