//! Deleting and pruning.

use crate::conformance::sample::{
    QUEUE, answers, asks, at, begins, conversation, inquiry, job, key, pending,
};
use crate::conformance::{Backend, Verdict};
use crate::rows::{ConversationFilter, DraftRow, NewConversation};
use crate::store::Store;

/// Nothing of a deleted conversation is left: events, inquiries, jobs, drafts, keys, children.
pub async fn deleting_takes_all_that_belongs_to_it(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    for number in [1, 2] {
        let mut commit = asks(number, None, 1);
        commit.jobs = vec![job("timer", 1)];
        commit.keys = key(&format!("key {number}"), 1);
        store.commit(commit).await?;
        let draft = DraftRow {
            inquiry: inquiry(number),
            json: "{}".to_owned(),
            at: at(2),
        };
        store.put_draft(draft).await?;
    }
    let mut child = asks(3, None, 1);
    child.jobs = vec![job("timer", 1)];
    child.create = Some(NewConversation {
        driver: "built_in".to_owned(),
        app: None,
        parent: Some(conversation(1)),
    });
    store.commit(child).await?;
    assert_eq!(store.claim_jobs(QUEUE, at(2), 1).await?.jobs.len(), 1);

    assert!(store.delete(&conversation(1)).await?);
    assert!(!store.delete(&conversation(1)).await?);
    for number in [1, 3] {
        let id = conversation(number);
        assert_eq!(store.load(&id).await?, None);
        assert_eq!(store.events(Some(&id), 0, 9).await?, []);
        assert_eq!(store.inquiry(&inquiry(number)).await?, None);
        assert_eq!(store.draft(&inquiry(number)).await?, None);
    }
    let claimed = store.claim_jobs(QUEUE, at(89), 9).await?;
    let owners: Vec<_> = claimed
        .jobs
        .into_iter()
        .map(|job| job.conversation)
        .collect();
    assert_eq!(owners, [conversation(2)]);
    assert_eq!(claimed.next_at, None);
    assert_eq!(store.inquiries(pending(9, None)).await?.items.len(), 1);
    assert!(store.draft(&inquiry(2)).await?.is_some());

    // Its ids and its key may be used anew, and nothing of old is found under them.
    let mut again = asks(1, None, 5);
    again.keys = key("key 1", 2);
    store.commit(again).await?;
    assert_eq!(store.events(Some(&conversation(1)), 0, 9).await?.len(), 1);
    assert_eq!(store.draft(&inquiry(1)).await?, None);
    Ok(())
}

/// Pruning takes what rests since long ago, and spares all that is waited for or worked on.
pub async fn pruning_spares_what_waits_or_works(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    store.commit(begins(&conversation(1), 10)).await?;
    let mut failed = begins(&conversation(2), 10);
    "error".clone_into(&mut failed.snapshot.state);
    store.commit(failed).await?;
    store.commit(asks(3, None, 9)).await?;
    store.commit(answers(3, "answered", 10)).await?;
    // Spared: too young, waiting though idle, busy, and with work to do.
    store.commit(begins(&conversation(4), 20)).await?;
    let mut waiting = asks(5, None, 10);
    "idle".clone_into(&mut waiting.snapshot.state);
    store.commit(waiting).await?;
    let mut busy = begins(&conversation(6), 10);
    "llm_requesting".clone_into(&mut busy.snapshot.state);
    store.commit(busy).await?;
    // Timers are no work: whoever they were for has an outcome (F-S13).
    let mut timed = begins(&conversation(8), 10);
    let kinds = ["expire_inquiry", "release_answer", "remind_inquiry"];
    timed.jobs = kinds.map(|kind| job(kind, 900)).to_vec();
    store.commit(timed).await?;
    let mut working = begins(&conversation(7), 10);
    working.jobs = vec![job("webhook", 10)];
    store.commit(working).await?;

    assert_eq!(store.prune(at(10), 99).await?, 0);
    assert_eq!(store.prune(at(20), 99).await?, 4);
    assert_eq!(store.prune(at(20), 99).await?, 0);
    for number in 1..=8 {
        let row = store.conversation(&conversation(number)).await?;
        assert_eq!(row.is_some(), (4..8).contains(&number), "{number}");
    }
    Ok(())
}

/// Pruning takes no more than it is told to, the longest untouched first.
pub async fn pruning_is_bounded(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    for number in 1..=5_u128 {
        let second = 100 - i64::try_from(number).unwrap_or(0);
        store.commit(begins(&conversation(number), second)).await?;
    }
    assert_eq!(store.prune(at(500), 2).await?, 2);
    assert_eq!(left(&*store).await?, 3);
    assert_eq!(store.conversation(&conversation(5)).await?, None);
    assert_eq!(store.conversation(&conversation(4)).await?, None);
    assert_eq!(store.prune(at(500), 9).await?, 3);
    assert_eq!(left(&*store).await?, 0);
    Ok(())
}

async fn left(store: &dyn Store) -> Result<usize, crate::store::StoreError> {
    let filter = ConversationFilter {
        limit: 99,
        ..ConversationFilter::default()
    };
    Ok(store.conversations(filter).await?.items.len())
}
