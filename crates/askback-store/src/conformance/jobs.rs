//! Jobs: claimed by one at a time, in the order they fall due.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::conformance::sample::{at, begins, conversation, goes_on, job};
use crate::conformance::{Backend, Verdict};
use crate::rows::{JobId, JobRow};
use crate::store::{Store, StoreError};

/// No job.
const NONE: [u32; 0] = [];

/// The longest due come first; what is not due does not come.
pub async fn jobs_come_in_the_order_they_fall_due(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[30, 10, 20, 40, 20]).await?;
    let claimed = store.claim_jobs(at(30), at(90), 3).await?;
    let expected = JobRow {
        id: ids[1],
        conversation: conversation(1),
        kind: "timer".to_owned(),
        json: "{\"attempt\":1}".to_owned(),
        run_at: at(10),
        attempt: 1,
    };
    assert_eq!(claimed.first(), Some(&expected));
    assert_eq!(claimed_ids(&claimed), [ids[1], ids[2], ids[4]]);
    let claimed = store.claim_jobs(at(30), at(90), 9).await?;
    assert_eq!(claimed_ids(&claimed), [ids[0]]);
    assert_eq!(store.claim_jobs(at(39), at(90), 9).await?, []);
    Ok(())
}

/// What is due at once can be claimed with the commit that brings it; the rest waits as ever.
pub async fn a_commit_claims_its_jobs_that_are_due(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let mut commit = begins(&conversation(1), 10);
    commit.jobs = vec![job("timer", 10), job("timer", 11)];
    commit.claim_until = Some(at(70));
    let committed = store.commit(commit).await?;
    let expected = JobRow {
        id: committed.jobs[0],
        conversation: conversation(1),
        kind: "timer".to_owned(),
        json: "{\"attempt\":1}".to_owned(),
        run_at: at(10),
        attempt: 1,
    };
    assert_eq!(committed.claimed, [expected]);
    let others = store.claim_jobs(at(11), at(70), 9).await?;
    assert_eq!(claimed_ids(&others), [committed.jobs[1]]);
    let lapsed = store.claim_jobs(at(70), at(90), 9).await?;
    let seen: Vec<_> = lapsed.iter().map(|job| (job.id, job.attempt)).collect();
    assert_eq!(seen, [(committed.jobs[0], 2), (committed.jobs[1], 2)]);
    Ok(())
}

/// A held job is taken over when its lease is over, and not before.
pub async fn a_claimed_job_is_held_until_its_lease_ends(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    enqueue(&*store, &[10]).await?;
    let attempts = async |now, until| {
        let claimed = store.claim_jobs(at(now), at(until), 9).await?;
        Ok::<Vec<_>, StoreError>(claimed.iter().map(|job| job.attempt).collect())
    };
    assert_eq!(attempts(9, 50).await?, NONE);
    assert_eq!(attempts(10, 50).await?, [1]);
    assert_eq!(attempts(49, 90).await?, NONE);
    assert_eq!(attempts(50, 90).await?, [2]);
    assert_eq!(attempts(51, 90).await?, NONE);
    Ok(())
}

/// A job that was given back comes again at its new time, with one more attempt.
pub async fn a_released_job_comes_again(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[10]).await?;
    assert_eq!(store.claim_jobs(at(10), at(500), 1).await?.len(), 1);
    store.release_job(ids[0], at(60)).await?;
    assert_eq!(store.next_job_at().await?, Some(at(60)));
    assert_eq!(store.claim_jobs(at(59), at(500), 1).await?, []);
    let claimed = store.claim_jobs(at(60), at(500), 1).await?;
    let seen: Vec<_> = claimed
        .iter()
        .map(|job| (job.run_at, job.attempt))
        .collect();
    assert_eq!(seen, [(at(60), 2)]);
    // One that is not there is left alone.
    store.release_job(ids[0] + 100, at(60)).await?;
    Ok(())
}

/// A job is finished by itself or with a commit; what is refused leaves it held.
pub async fn a_finished_job_is_gone(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[10, 20, 30]).await?;
    assert_eq!(store.claim_jobs(at(99), at(500), 9).await?.len(), 3);
    store.finish_job(ids[0]).await?;
    store.finish_job(ids[0]).await?;
    let mut commit = goes_on(&conversation(1), 1, 2);
    commit.done = vec![ids[1]];
    store.commit(commit.clone()).await?;
    commit.done = vec![ids[2]];
    let outcome = store.commit(commit).await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
    assert_eq!(store.claim_jobs(at(499), at(900), 9).await?, []);
    let claimed = store.claim_jobs(at(500), at(900), 9).await?;
    assert_eq!(claimed_ids(&claimed), [ids[2]]);
    Ok(())
}

/// Of many that claim at once, each job goes to one.
pub async fn a_job_is_claimed_by_one(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let seconds: Vec<i64> = (0..60).collect();
    let mut ids = enqueue(&*store, &seconds).await?;
    let mut workers = JoinSet::new();
    for _ in 0..8 {
        let store = Arc::clone(&store);
        workers.spawn(async move {
            let mut taken = Vec::new();
            loop {
                let claimed = store.claim_jobs(at(99), at(500), 4).await?;
                if claimed.is_empty() {
                    return Ok::<_, StoreError>(taken);
                }
                for job in claimed {
                    store.finish_job(job.id).await?;
                    taken.push(job.id);
                }
            }
        });
    }
    let mut taken = Vec::new();
    for worker in workers.join_all().await {
        taken.extend(worker?);
    }
    taken.sort_unstable();
    ids.sort_unstable();
    assert_eq!(taken, ids);
    Ok(())
}

/// The next time is that of the first job nobody holds, or the end of the first lease.
pub async fn the_next_job_is_one_that_can_be_claimed(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    assert_eq!(store.next_job_at().await?, None);
    let ids = enqueue(&*store, &[30, 10, 80]).await?;
    assert_eq!(store.next_job_at().await?, Some(at(10)));
    assert_eq!(store.claim_jobs(at(10), at(50), 9).await?.len(), 1);
    assert_eq!(store.next_job_at().await?, Some(at(30)));
    assert_eq!(store.claim_jobs(at(30), at(60), 9).await?.len(), 1);
    assert_eq!(store.next_job_at().await?, Some(at(50)));
    store.finish_job(ids[1]).await?;
    assert_eq!(store.next_job_at().await?, Some(at(60)));
    store.finish_job(ids[0]).await?;
    assert_eq!(store.next_job_at().await?, Some(at(80)));
    store.finish_job(ids[2]).await?;
    assert_eq!(store.next_job_at().await?, None);
    Ok(())
}

async fn enqueue(store: &dyn Store, seconds: &[i64]) -> Result<Vec<JobId>, StoreError> {
    let mut commit = begins(&conversation(1), 1);
    commit.jobs = seconds.iter().map(|second| job("timer", *second)).collect();
    Ok(store.commit(commit).await?.jobs)
}

fn claimed_ids(claimed: &[JobRow]) -> Vec<JobId> {
    claimed.iter().map(|job| job.id).collect()
}
