//! The feed: every event once, in one order, without a gap.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::conformance::sample::{begins, conversation, event, goes_on, removal};
use crate::conformance::{Backend, Verdict};
use crate::rows::Sequence;
use crate::store::StoreError;

/// No event.
const NONE: [Sequence; 0] = [];

/// Sixteen that commit at once, and one that reads along: it sees every event once, in order, and
/// whole commits only.
pub async fn the_feed_is_gapless_under_many_committers(backend: &dyn Backend) -> Verdict {
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
                let mut commit = goes_on(&id, version, 1);
                if version == 0 {
                    commit = begins(&id, 1);
                }
                commit.events.push(event(1000));
                firsts.push(store.commit(commit).await?.first);
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

/// Reading goes on after a sequence, in one conversation or in all.
pub async fn events_follow_a_sequence(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let (even, odd) = (conversation(2), conversation(1));
    store.commit(begins(&odd, 1)).await?;
    store.commit(begins(&even, 1)).await?;
    for version in 1..4 {
        store.commit(goes_on(&odd, version, 2)).await?;
        store.commit(goes_on(&even, version, 2)).await?;
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

/// Reading back from the end gives the last events, oldest first, down to the beginning.
pub async fn events_before_a_sequence_are_the_last_ones(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let id = conversation(1);
    store.commit(begins(&id, 1)).await?;
    store.commit(begins(&conversation(2), 1)).await?;
    for version in 1..7 {
        store.commit(goes_on(&id, version, 2)).await?;
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

/// A sequence that was given out is never given out again, even if its event is deleted.
pub async fn the_newest_sequence_never_falls(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    assert_eq!(store.newest_sequence().await?, 0);
    store.commit(begins(&conversation(1), 1)).await?;
    store.commit(begins(&conversation(2), 1)).await?;
    let mut closing = goes_on(&conversation(2), 1, 1);
    closing.closes = true;
    store.commit(closing).await?;
    assert!(store.remove_content(removal(2)).await?);
    assert_eq!(store.events(Some(&conversation(2)), 0, 9).await?, []);
    assert_eq!(store.newest_sequence().await?, 3);
    let committed = store.commit(begins(&conversation(3), 2)).await?;
    assert_eq!(committed.first, 4);
    Ok(())
}
