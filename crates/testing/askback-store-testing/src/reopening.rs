//! Closing and reopening a store.

use crate::sample::{
    QUEUE, at, conversation, create, create_asking, inquiry, job, key, pending, update,
    update_resolving,
};
use crate::{CaseResult, TestDatabase};
use askback_store::filters::ConversationFilter;
use askback_store::rows::DraftRow;
use askback_store::store::StoreError;

/// Everything is there after reopening, and sequence numbers continue.
pub async fn reopening_keeps_all(database: &dyn TestDatabase) -> CaseResult {
    let all = ConversationFilter {
        limit: 99,
        ..ConversationFilter::default()
    };
    let draft = DraftRow {
        inquiry: inquiry(2),
        json: "{\"text\":\"half\"}".to_owned(),
        at: at(3),
    };
    let mut keyed = create(&conversation(4), 4);
    keyed.keys = key("key", 1);
    keyed.jobs = vec![job("timer", 50)];

    let store = database.open().await?;
    for number in 1..=3 {
        store.commit(create_asking(number, Some(at(60)), 1)).await?;
    }
    store.commit(update_resolving(1, "answered", 2)).await?;
    store.put_draft(draft.clone()).await?;
    let jobs = store.commit(keyed.clone()).await?.jobs;
    let conversations = store.conversations(all.clone()).await?;
    let records = store.records(None, 0, 99).await?;
    let first = store.inquiries(pending(1, None)).await?;
    let second = store.inquiries(pending(1, first.next.clone())).await?;
    drop(store);

    let store = database.open().await?;
    assert_eq!(store.conversations(all).await?, conversations);
    assert_eq!(store.records(None, 0, 99).await?, records);
    assert_eq!(store.newest_sequence().await?, 5);
    // Cursors stay valid.
    assert_eq!(store.inquiries(pending(1, first.next)).await?, second);
    assert_eq!(store.draft(&inquiry(2)).await?, Some(draft));
    let outcome = store.commit(keyed).await;
    assert!(matches!(outcome, Err(StoreError::Repeated { .. })));
    let committed = store.commit(update(&conversation(4), 1, 5)).await?;
    assert_eq!(committed.first_sequence, 6);
    let claimed = store.claim_jobs(QUEUE, at(50), 9).await?.jobs;
    assert_eq!(claimed.iter().map(|job| job.id).collect::<Vec<_>>(), jobs);
    Ok(())
}
