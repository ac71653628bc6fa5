//! Lists of conversations.

use askback_core::id::ConversationId;

use crate::sample::{conversation, create, create_asking, update};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::NewConversation;
use askback_store::filters::ConversationFilter;
use askback_store::rows::{ConversationRow, Page};
use askback_store::store::StoreError;

/// Conversations are sorted by their last change.
pub async fn latest_activity_comes_first(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for (number, second) in [(1, 10), (2, 30), (3, 20)] {
        store.commit(create(&conversation(number), second)).await?;
    }
    store.commit(update(&conversation(1), 1, 40)).await?;
    let page = store.conversations(all(9, None)).await?;
    assert_eq!((numbers(&page), page.next), (found([1, 2, 3]), None));
    let page = store.conversations(all(0, None)).await?;
    assert_eq!((numbers(&page), page.next), (found([]), None));
    Ok(())
}

/// Across pages, an unchanged conversation is seen once, even if times are equal.
pub async fn pages_are_stable_while_rows_change(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=9 {
        store.commit(create(&conversation(number), 5)).await?;
    }
    let first = store.conversations(all(3, None)).await?;
    assert_eq!(numbers(&first), found([9, 8, 7]));
    // Change one that was seen and one that was not; delete one, add one.
    store.commit(update(&conversation(8), 1, 6)).await?;
    store.commit(update(&conversation(5), 1, 6)).await?;
    let mut closing = update(&conversation(7), 1, 6);
    closing.closes = true;
    store.commit(closing).await?;
    store.commit(create(&conversation(10), 7)).await?;
    let second = store.conversations(all(3, first.next)).await?;
    assert_eq!(numbers(&second), found([6, 4, 3]));
    let third = store.conversations(all(3, second.next)).await?;
    assert_eq!((numbers(&third), third.next), (found([2, 1]), None));
    Ok(())
}

/// Lists filter by parent and by state.
pub async fn lists_filter_by_state_and_parent(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create(&conversation(1), 1)).await?;
    store.commit(create_asking(2, None, 2)).await?;
    for number in [3, 4] {
        let mut commit = create(&conversation(number), 3);
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

/// The conversations of external agents, usually one for each question, do not hide the others.
pub async fn lists_filter_by_driver(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=5 {
        let mut commit = create(
            &conversation(number),
            i64::try_from(number).unwrap_or_default(),
        );
        let driver = if number % 2 == 0 {
            "built_in"
        } else {
            "external"
        };
        commit.create = Some(NewConversation {
            driver: driver.to_owned(),
            app: None,
            parent: None,
        });
        store.commit(commit).await?;
    }
    let list = async |driver: Option<&str>, state: Option<&str>, limit, cursor| {
        let filter = ConversationFilter {
            driver: driver.map(str::to_owned),
            state: state.map(str::to_owned),
            ..all(limit, cursor)
        };
        let page = store.conversations(filter).await?;
        Ok::<_, StoreError>((numbers(&page), page.next))
    };
    assert_eq!(list(None, None, 9, None).await?.0, found([5, 4, 3, 2, 1]));
    assert_eq!(
        list(Some("built_in"), None, 9, None).await?.0,
        found([4, 2])
    );
    assert_eq!(
        list(Some("external"), Some("idle"), 9, None).await?.0,
        found([5, 3, 1])
    );
    let (first, next) = list(Some("external"), None, 2, None).await?;
    assert_eq!(first, found([5, 3]));
    assert_eq!(list(Some("external"), None, 2, next).await?.0, found([1]));
    assert_eq!(list(Some("nobody"), None, 9, None).await?.0, found([]));
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
