//! Drafts of answers.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::sample::{at, create_asking, inquiry, update_resolving};
use crate::{CaseResult, TestDatabase};
use askback_store::rows::DraftRow;
use askback_store::store::StoreError;

/// A new draft replaces the old one.
pub async fn a_draft_is_saved_and_replaced(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    for second in [2, 3] {
        store.put_draft(draft(1, second)).await?;
        assert_eq!(store.draft(&inquiry(1)).await?, Some(draft(1, second)));
    }
    Ok(())
}

/// Of many who replace the same draft at once, one does.
pub async fn one_of_many_replaces_a_draft(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    for round in 0..10 {
        let stored = store.draft(&inquiry(1)).await?;
        let mut writers = JoinSet::new();
        for writer in 0..8 {
            let (store, stored) = (Arc::clone(&store), stored.clone());
            let draft = draft(1, 100 * (round + 1) + writer);
            writers.spawn(async move {
                let is_stored = store.replace_draft(draft.clone(), stored).await?;
                Ok::<_, StoreError>(is_stored.then_some(draft))
            });
        }
        let mut winners = Vec::new();
        while let Some(written) = writers.join_next().await {
            let written = written.map_err(|error| StoreError::Unavailable(error.to_string()))?;
            winners.extend(written?);
        }
        assert_eq!(winners.len(), 1, "round {round}");
        assert_eq!(store.draft(&inquiry(1)).await?, winners.pop());
    }
    store.commit(update_resolving(1, "answered", 3)).await?;
    assert!(!store.replace_draft(draft(1, 4), None).await?);
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    Ok(())
}

/// An outcome deletes the draft, and later drafts are ignored.
pub async fn an_outcome_deletes_the_draft(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in [1, 2] {
        store.commit(create_asking(number, None, 1)).await?;
        store.put_draft(draft(number, 2)).await?;
    }
    store.commit(update_resolving(1, "answered", 3)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    store.put_draft(draft(1, 4)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    assert_eq!(store.draft(&inquiry(2)).await?, Some(draft(2, 2)));
    Ok(())
}

/// A draft for a missing inquiry is ignored.
pub async fn a_draft_of_a_missing_inquiry_is_ignored(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    store.put_draft(draft(1, 1)).await?;
    store.commit(create_asking(1, None, 2)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    Ok(())
}

fn draft(number: u128, second: i64) -> DraftRow {
    DraftRow {
        inquiry: inquiry(number),
        json: format!("{{\"text\":\"Lis {second}\"}}"),
        at: at(second),
    }
}
