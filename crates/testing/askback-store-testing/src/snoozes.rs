//! Inquiries that are hidden from the inbox until a time.

use jiff::Timestamp;

use crate::sample::{at, create_asking, inquiry, update_resolving};
use crate::{CaseResult, TestDatabase};
use askback_store::store::{Store, StoreError};

/// A snooze is replaced, ended, and survives a restart of the store.
pub async fn a_snooze_is_saved_replaced_and_ended(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, Some(at(90)), 1)).await?;
    store.commit(create_asking(2, None, 1)).await?;
    for second in [60, 50] {
        store.put_snooze(&inquiry(1), Some(at(second))).await?;
    }
    drop(store);
    let store = database.open().await?;
    assert_eq!(snoozed(&*store, 1).await?, Some(at(50)));
    assert_eq!(snoozed(&*store, 2).await?, None);
    store.put_snooze(&inquiry(1), None).await?;
    assert_eq!(snoozed(&*store, 1).await?, None);
    Ok(())
}

/// An outcome ends the snooze, and neither a resolved nor a missing inquiry can be snoozed.
pub async fn only_pending_inquiries_are_snoozed(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.put_snooze(&inquiry(1), Some(at(60))).await?;
    store.commit(create_asking(1, None, 1)).await?;
    assert_eq!(snoozed(&*store, 1).await?, None);
    store.put_snooze(&inquiry(1), Some(at(60))).await?;
    store.commit(update_resolving(1, "answered", 3)).await?;
    assert_eq!(snoozed(&*store, 1).await?, None);
    store.put_snooze(&inquiry(1), Some(at(60))).await?;
    assert_eq!(snoozed(&*store, 1).await?, None);
    Ok(())
}

async fn snoozed(store: &dyn Store, number: u128) -> Result<Option<Timestamp>, StoreError> {
    let row = store.inquiry(&inquiry(number)).await?;
    Ok(row.and_then(|row| row.snoozed_until))
}
