//! Closing and opening again: nothing special.

use crate::conformance::sample::{
    QUEUE, answers, asks, at, begins, conversation, goes_on, inquiry, job, key, pending,
};
use crate::conformance::{Backend, Verdict};
use crate::rows::{ConversationFilter, DraftRow};
use crate::store::StoreError;

/// All that was written is there after reopening, and writing goes on where it ended.
pub async fn reopening_keeps_all(backend: &dyn Backend) -> Verdict {
    let all = ConversationFilter {
        limit: 99,
        ..ConversationFilter::default()
    };
    let draft = DraftRow {
        inquiry: inquiry(2),
        json: "{\"text\":\"half\"}".to_owned(),
        at: at(3),
    };
    let mut keyed = begins(&conversation(4), 4);
    keyed.keys = key("key", 1);
    keyed.jobs = vec![job("timer", 50)];

    let store = backend.open().await?;
    for number in 1..=3 {
        store.commit(asks(number, Some(at(60)), 1)).await?;
    }
    store.commit(answers(1, "answered", 2)).await?;
    store.put_draft(draft.clone()).await?;
    let jobs = store.commit(keyed.clone()).await?.jobs;
    let conversations = store.conversations(all.clone()).await?;
    let events = store.events(None, 0, 99).await?;
    let first = store.inquiries(pending(1, None)).await?;
    let second = store.inquiries(pending(1, first.next.clone())).await?;
    drop(store);

    let store = backend.open().await?;
    assert_eq!(store.conversations(all).await?, conversations);
    assert_eq!(store.events(None, 0, 99).await?, events);
    assert_eq!(store.newest_sequence().await?, 5);
    // A cursor from before is good after.
    assert_eq!(store.inquiries(pending(1, first.next)).await?, second);
    assert_eq!(store.draft(&inquiry(2)).await?, Some(draft));
    let outcome = store.commit(keyed).await;
    assert!(matches!(outcome, Err(StoreError::Repeated { .. })));
    let committed = store.commit(goes_on(&conversation(4), 1, 5)).await?;
    assert_eq!(committed.first, 6);
    let claimed = store.claim_jobs(QUEUE, at(50), 9).await?.jobs;
    assert_eq!(claimed.iter().map(|job| job.id).collect::<Vec<_>>(), jobs);
    Ok(())
}

/// A store that works says so, and leaves no trace in the feed.
pub async fn a_check_passes(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    store.check().await?;
    store.check().await?;
    assert_eq!(store.newest_sequence().await?, 0);
    Ok(())
}
