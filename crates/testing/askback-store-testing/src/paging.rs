//! Pages of inquiries: in a stable order, without repeats or omissions.

use askback_core::id::InquiryId;

use crate::sample::{
    ask, at, conversation, create, create_asking, inquiry, pending, update, update_resolving,
};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::{InquiryChange, NewRecord};
use askback_store::filters::{ConversationFilter, InquiryFilter};
use askback_store::rows::{InquiryRow, PAGE_BYTES_MAX, Page};
use askback_store::store::{Store, StoreError};

/// Pending inquiries are sorted by deadline, then by age.
pub async fn pending_inquiries_are_sorted_by_deadline_then_age(
    database: &dyn TestDatabase,
) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(numbers(&store.inquiries(pending(9, None)).await?), []);
    let deadlines = [None, Some(at(50)), Some(at(40)), None, Some(at(50))];
    for (number, deadline) in (1_u128..).zip(deadlines) {
        store.commit(create_asking(number, deadline, 1)).await?;
    }
    let page = store.inquiries(pending(9, None)).await?;
    assert_eq!((numbers(&page), page.next), (found([3, 2, 5, 1, 4]), None));
    Ok(())
}

/// While rows before and after the cursor change, the others are seen once.
pub async fn pending_pages_are_stable_while_rows_change(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=10_u128 {
        let deadline = (number % 2 == 0).then(|| at(100));
        store.commit(create_asking(number, deadline, 1)).await?;
    }
    let first = store.inquiries(pending(4, None)).await?;
    assert_eq!(numbers(&first), found([2, 4, 6, 8]));
    // One that was seen, the one at the cursor, and one that was not seen.
    for number in [4, 8, 3] {
        store
            .commit(update_resolving(number, "answered", 2))
            .await?;
    }
    store.commit(create_asking(11, Some(at(50)), 3)).await?;
    store.commit(create_asking(12, None, 3)).await?;
    let second = store.inquiries(pending(4, first.next)).await?;
    assert_eq!(numbers(&second), found([10, 1, 5, 7]));
    let third = store.inquiries(pending(4, second.next)).await?;
    assert_eq!((numbers(&third), third.next), (found([9, 12]), None));
    Ok(())
}

/// Resolved inquiries are listed newest first.
pub async fn resolved_inquiries_are_listed_newest_first(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=6_u128 {
        store.commit(create_asking(number, None, 1)).await?;
    }
    for (number, status) in [
        (5, "answered"),
        (1, "answered"),
        (3, "declined"),
        (2, "answered"),
    ] {
        store.commit(update_resolving(number, status, 2)).await?;
    }
    let answered = |limit, cursor| InquiryFilter {
        status: Some("answered".to_owned()),
        cursor,
        limit,
        ..InquiryFilter::default()
    };
    let first = store.inquiries(answered(2, None)).await?;
    assert_eq!(numbers(&first), found([5, 2]));
    let second = store.inquiries(answered(2, first.next)).await?;
    assert_eq!((numbers(&second), second.next), (found([1]), None));

    let all = |cursor| InquiryFilter {
        cursor,
        limit: 4,
        ..InquiryFilter::default()
    };
    let first = store.inquiries(all(None)).await?;
    assert_eq!(numbers(&first), found([6, 5, 4, 3]));
    let second = store.inquiries(all(first.next)).await?;
    assert_eq!((numbers(&second), second.next), (found([2, 1]), None));
    Ok(())
}

/// Every list can be filtered by conversation.
pub async fn lists_filter_by_conversation(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create(&conversation(1), 1);
    commit.inquiries = (1..=4).map(|number| ask(&inquiry(number), None)).collect();
    store.commit(commit).await?;
    store.commit(create_asking(9, None, 1)).await?;
    store.commit(update_resolving(1, "answered", 2)).await?;
    let of = |number, status: Option<&str>| InquiryFilter {
        status: status.map(str::to_owned),
        conversation: Some(conversation(number)),
        asker: None,
        cursor: None,
        limit: 3,
    };
    let list = async |filter| store.inquiries(filter).await.map(|page| numbers(&page));
    assert_eq!(list(of(1, None)).await?, found([4, 3, 2]));
    assert_eq!(list(of(1, Some("pending"))).await?, found([2, 3, 4]));
    assert_eq!(list(of(1, Some("answered"))).await?, found([1]));
    assert_eq!(list(of(2, None)).await?, []);
    assert_eq!(list(of(2, Some("pending"))).await?, []);
    Ok(())
}

/// A cursor of another list is an error.
pub async fn an_invalid_cursor_is_refused(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=3_u128 {
        store.commit(create_asking(number, None, 1)).await?;
        let mut commit = update(&conversation(number), 1, 2);
        "awaiting_user_response".clone_into(&mut commit.snapshot.state);
        store.commit(commit).await?;
    }
    let of_pending = store.inquiries(pending(1, None)).await?.next;
    assert!(of_pending.is_some());
    for cursor in ["", "x", "1", "🙂", "dz.1", "d1", "d1.", "a.b.c"] {
        assert_refused(&*store, cursor.to_owned()).await;
    }
    // A valid cursor of another list.
    let outcome = store
        .conversations(ConversationFilter {
            cursor: of_pending,
            limit: 1,
            ..ConversationFilter::default()
        })
        .await;
    assert!(matches!(outcome, Err(StoreError::BadCursor)), "{outcome:?}");
    Ok(())
}

async fn assert_refused(store: &dyn Store, cursor: String) {
    let outcome = store.inquiries(pending(1, Some(cursor.clone()))).await;
    assert!(matches!(outcome, Err(StoreError::BadCursor)), "{outcome:?}");
    let filter = ConversationFilter {
        cursor: Some(cursor),
        limit: 1,
        ..ConversationFilter::default()
    };
    let outcome = store.conversations(filter).await;
    assert!(matches!(outcome, Err(StoreError::BadCursor)), "{outcome:?}");
}

fn numbers(page: &Page<InquiryRow>) -> Vec<InquiryId> {
    page.items.iter().map(|row| row.id.clone()).collect()
}

fn found<const N: usize>(numbers: [u128; N]) -> Vec<InquiryId> {
    numbers.map(inquiry).to_vec()
}

/// A page of large rows ends early, and the next page continues after it.
pub async fn pages_are_limited_by_bytes(database: &dyn TestDatabase) -> CaseResult {
    const LARGE: usize = PAGE_BYTES_MAX * 2 / 5;
    let store = database.open().await?;
    for number in 1..=5_u128 {
        let mut commit = create_asking(number, None, 1);
        commit.record = Some(large_record(LARGE));
        commit.snapshot.json = large(LARGE);
        if let InquiryChange::Ask { inquiry: new, .. } = &mut commit.inquiries[0] {
            new.json = large(if number == 5 { 3 * LARGE } else { LARGE });
        }
        store.commit(commit).await?;
    }
    let mut pages = Vec::new();
    let mut cursor = None;
    loop {
        let page = store.inquiries(pending(9, cursor)).await?;
        pages.push(numbers(&page));
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(pages, [found([1, 2]), found([3, 4]), found([5])]);
    let conversations = store.conversations(ConversationFilter {
        limit: 9,
        ..ConversationFilter::default()
    });
    let conversations = conversations.await?;
    assert_eq!(conversations.items.len(), 2);
    assert!(conversations.next.is_some());
    let records = store.records(None, 1, 9).await?;
    let sequences: Vec<_> = records.iter().map(|record| record.last).collect();
    assert_eq!(sequences, [2, 3]);
    Ok(())
}

/// Reading large records backwards returns the newest that fit a page, oldest first.
pub async fn pages_of_records_are_limited_by_bytes(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    for version in 0..4 {
        let mut commit = match version {
            0 => create(&id, 1),
            _ => update(&id, version, 1),
        };
        commit.record = Some(large_record(PAGE_BYTES_MAX * 2 / 5));
        store.commit(commit).await?;
    }
    let sequences = async |before| {
        let records = store.records_up_to(&id, before, 9).await?;
        Ok::<Vec<_>, StoreError>(records.iter().map(|record| record.last).collect())
    };
    assert_eq!(sequences(None).await?, [3, 4]);
    assert_eq!(sequences(Some(2)).await?, [1, 2]);
    Ok(())
}

/// A reader gets the questions of the oldest pending inquiry only.
pub async fn readers_get_the_oldest_questions_only(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create(&conversation(1), 1);
    commit.inquiries = vec![ask(&inquiry(2), None), ask(&inquiry(1), Some(at(50)))];
    store.commit(commit).await?;
    let mut expected = store.load(&conversation(1)).await?;
    if let Some(loaded) = &mut expected {
        loaded.pending[1].json.clear();
    }
    assert_eq!(
        store.load_with_oldest_pending(&conversation(1)).await?,
        expected
    );
    assert_eq!(
        store.load_with_oldest_pending(&conversation(2)).await?,
        None
    );
    Ok(())
}

/// A record of one position, of this size.
fn large_record(bytes: usize) -> NewRecord {
    NewRecord {
        positions: 1,
        body: large(bytes),
    }
}

/// A JSON text of this size.
fn large(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes - 2))
}
