//! Half-typed answers.

use crate::conformance::sample::{answers, asks, at, inquiry};
use crate::conformance::{Backend, Verdict};
use crate::rows::DraftRow;

/// The last draft counts.
pub async fn a_draft_is_kept_and_replaced(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    store.commit(asks(1, None, 1)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    for second in [2, 3] {
        store.put_draft(draft(1, second)).await?;
        assert_eq!(store.draft(&inquiry(1)).await?, Some(draft(1, second)));
    }
    Ok(())
}

/// When an inquiry ends, its draft goes, and no later one is kept.
pub async fn an_outcome_takes_the_draft_along(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    for number in [1, 2] {
        store.commit(asks(number, None, 1)).await?;
        store.put_draft(draft(number, 2)).await?;
    }
    store.commit(answers(1, "answered", 3)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    store.put_draft(draft(1, 4)).await?;
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    assert_eq!(store.draft(&inquiry(2)).await?, Some(draft(2, 2)));
    Ok(())
}

/// A draft for an inquiry that is not there is no error.
pub async fn a_draft_of_nothing_is_dropped(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    store.put_draft(draft(1, 1)).await?;
    store.commit(asks(1, None, 2)).await?;
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
