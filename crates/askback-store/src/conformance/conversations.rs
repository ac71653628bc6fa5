//! Lists of conversations.

use askback_core::id::ConversationId;

use crate::conformance::sample::{asks, begins, conversation, goes_on};
use crate::conformance::{Backend, Verdict};
use crate::rows::{ConversationFilter, ConversationRow, NewConversation, Page};
use crate::store::StoreError;

/// What was touched last comes first.
pub async fn newest_activity_comes_first(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    for (number, second) in [(1, 10), (2, 30), (3, 20)] {
        store.commit(begins(&conversation(number), second)).await?;
    }
    store.commit(goes_on(&conversation(1), 1, 40)).await?;
    let page = store.conversations(all(9, None)).await?;
    assert_eq!((numbers(&page), page.next), (found([1, 2, 3]), None));
    let page = store.conversations(all(0, None)).await?;
    assert_eq!((numbers(&page), page.next), (found([]), None));
    Ok(())
}

/// Going from page to page, what does not change is seen once, also where times are equal.
pub async fn pages_hold_while_rows_change(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    for number in 1..=9 {
        store.commit(begins(&conversation(number), 5)).await?;
    }
    let first = store.conversations(all(3, None)).await?;
    assert_eq!(numbers(&first), found([9, 8, 7]));
    // One that was seen, and one that is yet to come, are touched; one goes, one is new.
    store.commit(goes_on(&conversation(8), 1, 6)).await?;
    store.commit(goes_on(&conversation(5), 1, 6)).await?;
    let mut closing = goes_on(&conversation(7), 1, 6);
    closing.closes = true;
    store.commit(closing).await?;
    store.commit(begins(&conversation(10), 7)).await?;
    let second = store.conversations(all(3, first.next)).await?;
    assert_eq!(numbers(&second), found([6, 4, 3]));
    let third = store.conversations(all(3, second.next)).await?;
    assert_eq!((numbers(&third), third.next), (found([2, 1]), None));
    Ok(())
}

/// Children are listed with their parent only, and each state by itself.
pub async fn states_and_parents_are_told_apart(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    store.commit(begins(&conversation(1), 1)).await?;
    store.commit(asks(2, None, 2)).await?;
    for number in [3, 4] {
        let mut commit = begins(&conversation(number), 3);
        commit.create = Some(NewConversation {
            driver: "built_in".to_owned(),
            app: None,
            parent: Some(conversation(1)),
        });
        if number == 4 {
            "error".clone_into(&mut commit.snapshot.state);
        }
        store.commit(commit).await?;
    }
    let list = async |parent: Option<u128>, state: Option<&str>| {
        let filter = ConversationFilter {
            state: state.map(str::to_owned),
            parent: parent.map(conversation),
            ..all(9, None)
        };
        let page = store.conversations(filter).await?;
        Ok::<_, StoreError>(numbers(&page))
    };
    assert_eq!(list(None, None).await?, found([2, 1]));
    assert_eq!(list(None, Some("idle")).await?, found([1]));
    assert_eq!(list(None, Some("error")).await?, found([]));
    assert_eq!(list(Some(1), None).await?, found([4, 3]));
    assert_eq!(list(Some(1), Some("error")).await?, found([4]));
    assert_eq!(list(Some(2), None).await?, found([]));
    assert_eq!(list(Some(77), None).await?, found([]));
    Ok(())
}

fn all(limit: usize, cursor: Option<String>) -> ConversationFilter {
    ConversationFilter {
        cursor,
        limit,
        ..ConversationFilter::default()
    }
}

fn numbers(page: &Page<ConversationRow>) -> Vec<ConversationId> {
    page.items.iter().map(|row| row.id.clone()).collect()
}

fn found<const N: usize>(numbers: [u128; N]) -> Vec<ConversationId> {
    numbers.map(conversation).to_vec()
}
