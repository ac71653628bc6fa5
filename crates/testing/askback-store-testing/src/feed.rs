//! The feed: every record once, in one order, without a gap.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::sample::{at, conversation, create, create_asking, update, update_closing};
use crate::{CaseResult, TestDatabase};
use askback_store::rows::Sequence;
use askback_store::store::StoreError;

/// No record.
const NONE: [Sequence; 0] = [];

/// While sixteen tasks commit, a reader sees every record once, in order, and complete.
pub async fn the_feed_has_no_gaps_under_load(database: &dyn TestDatabase) -> CaseResult {
    const COMMITTERS: u128 = 16;
    const COMMITS: u64 = 25;
    let store = database.open().await?;
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
                if let Some(record) = &mut commit.record {
                    record.positions = 2;
                }
                firsts.push(store.commit(commit).await?.first_sequence);
            }
            Ok::<_, StoreError>(firsts)
        });
    }

    let total = u64::try_from(COMMITTERS).unwrap_or(0) * COMMITS * 2;
    let mut seen: Vec<Sequence> = Vec::new();
    while seen.last().copied().unwrap_or(0) < total {
        let after = seen.last().copied().unwrap_or(0);
        let records = store.records(None, after, 64).await?;
        seen.extend(records.iter().map(|record| record.last));
        tokio::task::yield_now().await;
    }
    assert_eq!(seen, (2..=total).step_by(2).collect::<Vec<_>>());

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
pub async fn records_follow_a_sequence(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let (even, odd) = (conversation(2), conversation(1));
    store.commit(create(&odd, 1)).await?;
    store.commit(create(&even, 1)).await?;
    for version in 1..4 {
        store.commit(update(&odd, version, 2)).await?;
        store.commit(update(&even, version, 2)).await?;
    }
    let sequences = async |of, after, limit| {
        let records = store.records(of, after, limit).await?;
        Ok::<Vec<_>, StoreError>(records.iter().map(|record| record.last).collect())
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

/// Reading backwards returns the newest records, oldest first, until the beginning.
pub async fn records_are_read_backwards(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    store.commit(create(&id, 1)).await?;
    store.commit(create(&conversation(2), 1)).await?;
    for version in 1..7 {
        store.commit(update(&id, version, 2)).await?;
    }
    let expected = [
        (None, vec![6, 7, 8]),
        (Some(5), vec![3, 4, 5]),
        // The position of another conversation: the next record of this one.
        (Some(2), vec![1, 3]),
        (Some(1), vec![1]),
    ];
    for (up_to, expected) in expected {
        let records = store.records_up_to(&id, up_to, 3).await?;
        let page: Vec<_> = records.iter().map(|record| record.last).collect();
        assert_eq!(page, expected, "{up_to:?}");
    }
    let none = store.records_up_to(&conversation(3), None, 3).await?;
    assert_eq!(none, []);
    Ok(())
}

/// A position inside a record belongs to the record, whether reading forwards or backwards.
pub async fn a_position_may_lie_inside_a_record(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let id = conversation(1);
    for version in 0..3 {
        let mut commit = update(&id, version, 1);
        if version == 0 {
            commit = create(&id, 1);
        }
        if let Some(record) = &mut commit.record {
            record.positions = 3;
        }
        let committed = store.commit(commit).await?;
        assert_eq!(committed.first_sequence, version * 3 + 1);
    }
    for (after, expected) in [
        (3, vec![6, 9]),
        (4, vec![6, 9]),
        (5, vec![6, 9]),
        (6, vec![9]),
    ] {
        for of in [None, Some(&id)] {
            let records = store.records(of, after, 9).await?;
            let found: Vec<_> = records.iter().map(|record| record.last).collect();
            assert_eq!(found, expected, "after {after}");
        }
    }
    for (before, expected) in [
        (3, vec![3]),
        (4, vec![3, 6]),
        (6, vec![3, 6]),
        (10, vec![3, 6, 9]),
    ] {
        let records = store.records_up_to(&id, Some(before), 9).await?;
        let found: Vec<_> = records.iter().map(|record| record.last).collect();
        assert_eq!(found, expected, "before {before}");
    }
    let loaded = store.load(&id).await?;
    assert_eq!(loaded.map(|loaded| loaded.newest), Some(9));
    Ok(())
}

/// A sequence number is never used again, even if its record is deleted.
pub async fn sequence_numbers_are_never_reused(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(store.newest_sequence().await?, 0);
    store.commit(create_asking(1, None, 1)).await?;
    store.commit(update_closing(1, 1)).await?;
    assert_eq!(store.prune(at(9), 9).await?, 1);
    assert_eq!(store.records(None, 0, 9).await?, []);
    assert_eq!(store.newest_sequence().await?, 5);
    let committed = store.commit(create(&conversation(3), 2)).await?;
    assert_eq!(committed.first_sequence, 6);
    Ok(())
}
