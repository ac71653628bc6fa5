//! Drafts of answers.

use crate::conformance::sample::{at, create_asking, inquiry, update_resolving};
use crate::conformance::{Backend, CaseResult};
use crate::rows::DraftRow;

/// A new draft replaces the old one.
pub async fn a_draft_is_saved_and_replaced(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    store.commit(create_asking(1, None, 1)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    for second in [2, 3] {
        store.put_draft(draft(1, second)).await?;
        assert_eq!(store.draft(&inquiry(1)).await?, Some(draft(1, second)));
    }
    Ok(())
}

/// An outcome deletes the draft, and later drafts are ignored.
pub async fn an_outcome_deletes_the_draft(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
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
pub async fn a_draft_of_a_missing_inquiry_is_ignored(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
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
