//! The feed: every event once, in one order, without a gap.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::conformance::sample::{conversation, create, event, removal, update};
use crate::conformance::{Backend, CaseResult};
use crate::rows::Sequence;
use crate::store::StoreError;

/// No event.
const NONE: [Sequence; 0] = [];

/// While sixteen tasks commit, a reader sees every event once, in order, and complete commits
/// only.
pub async fn the_feed_has_no_gaps_under_load(backend: &dyn Backend) -> CaseResult {
    const COMMITTERS: u128 = 16;
    const COMMITS: u64 = 25;
    let store = backend.open().await?;
    let mut committers = JoinSet::new();
    for number in 1..=COMMITTERS {
        let store = Arc::clone(&store);
        committers.spawn(async move {
            let id = conversation(number);
            let mut firsts = Vec::new();
            for version in 0..COMMITS {
                let mut commit = update(&id, version, 1);
                if version == 0 {
                    commit = create(&id, 1);
                }
                commit.events.push(event(1000));
                firsts.push(store.commit(commit).await?.first_sequence);
            }
            Ok::<_, StoreError>(firsts)
        });
    }

    let total = u64::try_from(COMMITTERS).unwrap_or(0) * COMMITS * 2;
    let mut seen: Vec<Sequence> = Vec::new();
    while u64::try_from(seen.len()).unwrap_or(0) < total {
        let after = seen.last().copied().unwrap_or(0);
        let events = store.events(None, after, 64).await?;
        seen.extend(events.iter().map(|event| event.sequence));
        tokio::task::yield_now().await;
    }
    assert_eq!(seen, (1..=total).collect::<Vec<_>>());

    let mut firsts = Vec::new();
    for committed in committers.join_all().await {
        let committed = committed?;
        assert!(committed.is_sorted());
        firsts.extend(committed);
    }
    firsts.sort_unstable();
    let expected: Vec<_> = (1..=total).step_by(2).collect();
    assert_eq!(firsts, expected);
    assert_eq!(store.newest_sequence().await?, total);
    Ok(())
}

/// Reads after a sequence number, in one conversation or in all.
pub async fn events_follow_a_sequence(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    let (even, odd) = (conversation(2), conversation(1));
    store.commit(create(&odd, 1)).await?;
    store.commit(create(&even, 1)).await?;
    for version in 1..4 {
        store.commit(update(&odd, version, 2)).await?;
        store.commit(update(&even, version, 2)).await?;
    }
    let sequences = async |of, after, limit| {
        let events = store.events(of, after, limit).await?;
        Ok::<Vec<_>, StoreError>(events.iter().map(|event| event.sequence).collect())
    };
    assert_eq!(sequences(None, 0, 3).await?, [1, 2, 3]);
    assert_eq!(sequences(None, 6, 3).await?, [7, 8]);
    assert_eq!(sequences(Some(&even), 0, 2).await?, [2, 4]);
    assert_eq!(sequences(Some(&even), 4, 9).await?, [6, 8]);
    assert_eq!(sequences(Some(&odd), 7, 9).await?, NONE);
    assert_eq!(sequences(None, u64::MAX, 9).await?, NONE);
    assert_eq!(sequences(Some(&conversation(3)), 0, 9).await?, NONE);
    Ok(())
}

/// Reading backwards returns the newest events, oldest first, until the beginning.
pub async fn events_are_read_backwards(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    let id = conversation(1);
    store.commit(create(&id, 1)).await?;
    store.commit(create(&conversation(2), 1)).await?;
    for version in 1..7 {
        store.commit(update(&id, version, 2)).await?;
    }
    let mut pages = Vec::new();
    let mut before = None;
    loop {
        let events = store.events_before(&id, before, 3).await?;
        let page: Vec<_> = events.iter().map(|event| event.sequence).collect();
        before = page.first().copied();
        if before.is_none() {
            break;
        }
        pages.push(page);
    }
    assert_eq!(pages, [vec![6, 7, 8], vec![3, 4, 5], vec![1]]);
    Ok(())
}

/// A sequence number is never used again, even if its event is deleted.
pub async fn sequence_numbers_are_never_reused(backend: &dyn Backend) -> CaseResult {
    let store = backend.open().await?;
    assert_eq!(store.newest_sequence().await?, 0);
    store.commit(create(&conversation(1), 1)).await?;
    store.commit(create(&conversation(2), 1)).await?;
    let mut closing = update(&conversation(2), 1, 1);
    closing.closes = true;
    store.commit(closing).await?;
    assert!(store.remove_content(removal(2)).await?);
    assert_eq!(store.events(Some(&conversation(2)), 0, 9).await?, []);
    assert_eq!(store.newest_sequence().await?, 3);
    let committed = store.commit(create(&conversation(3), 2)).await?;
    assert_eq!(committed.first_sequence, 4);
    Ok(())
}
