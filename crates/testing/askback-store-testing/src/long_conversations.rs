//! Long conversations: whatever is read of them, from wherever, is what was written.

use std::collections::HashSet;

use askback_core::id::InquiryId;

use crate::sample::{
    ask, at, conversation, create, create_asking, inquiry, job, removal, resolve, update,
    update_closing,
};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::Commit;
use askback_store::filters::InquiryFilter;
use askback_store::rows::Sequence;
use askback_store::store::{Store, StoreError};

/// Records of two conversations alternate. Each is read forwards and backwards from every position.
pub async fn records_are_found_at_every_position(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let ids = [conversation(1), conversation(2)];
    for version in 0..75 {
        for id in &ids {
            let mut commit = match version {
                0 => create(id, 1),
                _ => update(id, version, 2),
            };
            if let Some(record) = &mut commit.record {
                record.positions = 2;
            }
            store.commit(commit).await?;
        }
    }
    // Each record has two positions, and those of the conversations take turns.
    let lasts: Vec<Sequence> = (0..75).map(|record| record * 4 + 2).collect();
    for position in 0..=301 {
        for limit in [1, 7, 40, 200] {
            let found = store.records(Some(&ids[0]), position, limit).await?;
            let found: Vec<_> = found.iter().map(|record| record.last).collect();
            let after = lasts.iter().copied().filter(|last| *last > position);
            let expected: Vec<_> = after.take(limit).collect();
            assert_eq!(found, expected, "{limit} after {position}");
            let found = store.records_up_to(&ids[0], Some(position), limit).await?;
            let found: Vec<_> = found.iter().map(|record| record.last).collect();
            let before = lasts.iter().filter(|last| **last < position).count();
            let end = (before + 1).min(lasts.len());
            let expected = &lasts[end.saturating_sub(limit)..end];
            assert_eq!(found, expected, "{limit} up to {position}");
        }
    }
    Ok(())
}

/// A conversation with many inquiries lists them in pages, and so do the lists over all conversations.
pub async fn inquiries_are_listed_in_pages(database: &dyn TestDatabase) -> CaseResult {
    const COUNT: u64 = 300;
    let store = database.open().await?;
    let id = conversation(1);
    store.commit(create(&id, 1)).await?;
    for number in 0..COUNT {
        let mut asking = update(&id, number * 2 + 1, 2);
        asking.inquiries = vec![ask(&inquiry(number.into()), None)];
        store.commit(asking).await?;
        let mut resolving = update(&id, number * 2 + 2, 2);
        // Two outcomes are rare. The last inquiries are pending.
        let status = match number {
            _ if number >= COUNT - 3 => None,
            140 | 290 => Some("declined"),
            _ => Some("answered"),
        };
        let resolved = status.map(|status| resolve(&inquiry(number.into()), status));
        resolving.inquiries = resolved.into_iter().collect();
        store.commit(resolving).await?;
    }
    let newest_first = |wanted: &dyn Fn(u64) -> bool| {
        let numbers = (0..COUNT).rev().filter(|number| wanted(*number));
        numbers.map(u128::from).collect::<Vec<_>>()
    };
    let is_pending = |number| number >= COUNT - 3;
    let is_declined = |number| number == 140 || number == 290;
    for of in [None, Some(id)] {
        let list = async |status: Option<&str>| {
            let filter = InquiryFilter {
                status: status.map(str::to_owned),
                conversation: of.clone(),
                limit: 40,
                ..InquiryFilter::default()
            };
            all_pages(store.as_ref(), filter).await
        };
        assert_eq!(list(None).await?, newest_first(&|_| true));
        let declined = newest_first(&is_declined);
        assert_eq!(list(Some("declined")).await?, declined);
        let answered = newest_first(&|number| !is_declined(number) && !is_pending(number));
        assert_eq!(list(Some("answered")).await?, answered);
        let mut pending = newest_first(&is_pending);
        pending.reverse();
        assert_eq!(list(Some("pending")).await?, pending);
        assert_eq!(list(Some("expired")).await?, []);
    }
    Ok(())
}

async fn all_pages(store: &dyn Store, mut filter: InquiryFilter) -> Result<Vec<u128>, StoreError> {
    let mut found = Vec::new();
    loop {
        let page = store.inquiries(filter.clone()).await?;
        let ids = page.items.iter().map(|row| &row.id);
        let number = |id: &InquiryId| (0..300).find(|number| inquiry(*number) == *id);
        found.extend(ids.filter_map(number));
        if page.next.is_none() {
            return Ok(found);
        }
        filter.cursor = page.next;
    }
}

/// The outcomes of a removed conversation are in no list any more, and those beside them still are.
pub async fn removed_outcomes_are_not_listed(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    for number in 1..=4_u128 {
        store.commit(create_asking(number, None, 1)).await?;
        store.commit(update_closing(number, 2)).await?;
    }
    let withdrawn = InquiryFilter {
        status: Some("withdrawn".to_owned()),
        limit: 9,
        ..InquiryFilter::default()
    };
    for left in [3, 2, 1, 0] {
        let number = 4 - left;
        assert!(store.remove_content(removal(number)).await?.is_complete);
        let found = all_pages(store.as_ref(), withdrawn.clone()).await?;
        assert_eq!(found.len() as u128, left, "{found:?}");
    }
    Ok(())
}

/// The ids of jobs and positions are never given out again, even if their conversation is deleted.
pub async fn job_ids_are_never_reused(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut seen = HashSet::new();
    for number in 1..=4_u128 {
        let with_jobs = |commit: Commit| Commit {
            jobs: vec![job("request_llm", 1), job("run_tool", 1)],
            ..commit
        };
        let created = store
            .commit(with_jobs(create_asking(number, None, 1)))
            .await?;
        let mut closing = with_jobs(update_closing(number, 2));
        closing.finished_jobs.clone_from(&created.jobs);
        let closed = store.commit(closing).await?;
        for id in created.jobs.iter().chain(&closed.jobs) {
            assert!(seen.insert(*id), "{id} was used before");
        }
        for id in &closed.jobs {
            store.finish_job(*id).await?;
        }
        assert_eq!(store.prune(at(9), 9).await?, 1);
    }
    Ok(())
}
