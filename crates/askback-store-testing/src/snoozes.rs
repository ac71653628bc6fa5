//! Inquiries that are hidden from the inbox until a time.

use crate::sample::{at, create_asking, inquiry, update_resolving};
use crate::{Backend, CaseResult};
use askback_store::rows::SnoozeRow;

/// A snooze is replaced, ended, and survives a restart of the store.
pub async fn a_snooze_is_saved_replaced_and_ended(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    store.commit(create_asking(1, Some(at(90)), 1)).await?;
    store.commit(create_asking(2, None, 1)).await?;
    for second in [60, 50] {
        store.put_snooze(&inquiry(1), Some(at(second))).await?;
    }
    store.put_snooze(&inquiry(2), Some(at(40))).await?;
    drop(store);
    let store = backend.open().await?;
    let first = SnoozeRow {
        inquiry: inquiry(1),
        until: at(50),
        asked_at: at(1),
        expires_at: Some(at(90)),
    };
    let second = SnoozeRow {
        inquiry: inquiry(2),
        until: at(40),
        asked_at: at(1),
        expires_at: None,
    };
    assert_eq!(store.snoozes(at(2)).await?, [second, first.clone()]);
    assert_eq!(store.snoozes(at(40)).await?, [first]);
    assert_eq!(store.snoozes(at(50)).await?, []);
    store.put_snooze(&inquiry(1), None).await?;
    store.put_snooze(&inquiry(2), None).await?;
    assert_eq!(store.snoozes(at(2)).await?, []);
    Ok(())
}

/// An outcome ends the snooze, and neither a resolved nor a missing inquiry can be snoozed.
pub async fn only_pending_inquiries_are_snoozed(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    store.put_snooze(&inquiry(1), Some(at(60))).await?;
    store.commit(create_asking(1, None, 1)).await?;
    assert_eq!(store.snoozes(at(2)).await?, []);
    store.put_snooze(&inquiry(1), Some(at(60))).await?;
    store.commit(update_resolving(1, "answered", 3)).await?;
    assert_eq!(store.snoozes(at(3)).await?, []);
    store.put_snooze(&inquiry(1), Some(at(60))).await?;
    assert_eq!(store.snoozes(at(3)).await?, []);
    Ok(())
}
