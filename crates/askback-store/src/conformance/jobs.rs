//! Jobs: claimed by one at a time, queue by queue, in the order they fall due.

use std::sync::Arc;

use jiff::SignedDuration;
use tokio::task::JoinSet;

use crate::conformance::sample::{
    QUEUE, answers, asks, at, begins, conversation, goes_on, inquiry, job, timer,
};
use crate::conformance::{Backend, Verdict};
use crate::rows::{JobId, JobRow, ObsoleteTimers};
use crate::store::{Store, StoreError};

/// No job.
const NONE: [JobId; 0] = [];

/// The longest due come first; what is not due does not come, and the first of those is told.
pub async fn jobs_come_in_the_order_they_fall_due(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[30, 10, 20, 40, 20]).await?;
    let claimed = store.claim_jobs(QUEUE, at(30), 3).await?;
    let expected = JobRow {
        id: ids[1],
        conversation: conversation(1),
        queue: QUEUE.to_owned(),
        kind: "timer".to_owned(),
        json: "{\"attempt\":1}".to_owned(),
        run_at: at(10),
        attempt: 1,
    };
    assert_eq!(claimed.jobs.first(), Some(&expected));
    assert_eq!(claimed_ids(&claimed.jobs), [ids[1], ids[2], ids[4]]);
    assert_eq!(claimed.next_at, Some(at(30)));
    let claimed = store.claim_jobs(QUEUE, at(30), 9).await?;
    assert_eq!(claimed_ids(&claimed.jobs), [ids[0]]);
    assert_eq!(claimed.next_at, Some(at(40)));
    assert_eq!(store.claim_jobs(QUEUE, at(39), 9).await?.jobs, []);
    Ok(())
}

/// What waits in one queue is not seen by whoever claims in another (F-S3).
pub async fn queues_are_claimed_one_by_one(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    assert_eq!(store.job_queues().await?, [""; 0]);
    let mut commit = begins(&conversation(1), 1);
    let queues = ["slow", "timer", "webhook b.example", "webhook a.example"];
    for (queue, second) in queues.into_iter().zip(10..) {
        let mut job = job("timer", second);
        queue.clone_into(&mut job.queue);
        commit.jobs.extend([job.clone(), job]);
    }
    let ids = store.commit(commit).await?.jobs;
    let mut sorted = queues;
    sorted.sort_unstable();
    assert_eq!(store.job_queues().await?, sorted);
    let early = store.claim_jobs("timer", at(10), 9).await?;
    assert_eq!((early.jobs, early.next_at), (Vec::new(), Some(at(11))));
    let claimed = store.claim_jobs("timer", at(99), 9).await?;
    assert_eq!(claimed_ids(&claimed.jobs), [ids[2], ids[3]]);
    let claimed = store.claim_jobs("webhook a.example", at(99), 1).await?;
    assert_eq!(claimed_ids(&claimed.jobs), [ids[6]]);
    assert_eq!(store.claim_jobs("webhook", at(99), 9).await?.jobs, []);
    for id in &ids[2..4] {
        store.finish_job(*id).await?;
    }
    assert_eq!(store.job_queues().await?.len(), 3);
    Ok(())
}

/// A job can be claimed with the commit that brings it, due or not; the rest waits as ever.
pub async fn a_commit_claims_its_jobs(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let mut commit = begins(&conversation(1), 10);
    commit.jobs = vec![job("timer", 10), job("timer", 10), job("timer", 90)];
    commit.jobs[0].claim = true;
    commit.jobs[2].claim = true;
    let committed = store.commit(commit).await?;
    let expected = |index: usize, second| JobRow {
        id: committed.jobs[index],
        conversation: conversation(1),
        queue: QUEUE.to_owned(),
        kind: "timer".to_owned(),
        json: "{\"attempt\":1}".to_owned(),
        run_at: at(second),
        attempt: 1,
    };
    assert_eq!(committed.claimed, [expected(0, 10), expected(2, 90)]);
    let others = store.claim_jobs(QUEUE, at(99), 9).await?.jobs;
    assert_eq!(claimed_ids(&others), [committed.jobs[1]]);
    Ok(())
}

/// A claimed job is held however long that takes and however the clock is set (F-S12); another
/// worker gets it when its own has let go of it.
pub async fn a_claimed_job_is_held_until_it_is_let_go(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[10]).await?;
    let attempts = async |now| {
        let claimed = store.claim_jobs(QUEUE, at(now), 9).await?.jobs;
        Ok::<Vec<_>, StoreError>(claimed.iter().map(|job| job.attempt).collect())
    };
    assert_eq!(attempts(9).await?, [0_u32; 0]);
    assert_eq!(attempts(10).await?, [1]);
    assert_eq!(attempts(8 * 24 * 60 * 60).await?, [0_u32; 0]);
    store.abandon_job(ids[0]);
    assert_eq!(attempts(9).await?, [0_u32; 0]);
    assert_eq!(attempts(10).await?, [2]);
    assert_eq!(attempts(11).await?, [0_u32; 0]);
    // One that is not there is left alone.
    store.abandon_job(ids[0] + 100);
    Ok(())
}

/// A job that was given back comes again at its new time, with one more attempt.
pub async fn a_released_job_comes_again(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[10]).await?;
    assert_eq!(store.claim_jobs(QUEUE, at(10), 1).await?.jobs.len(), 1);
    store.release_job(ids[0], at(60)).await?;
    let early = store.claim_jobs(QUEUE, at(59), 1).await?;
    assert_eq!((early.jobs, early.next_at), (Vec::new(), Some(at(60))));
    let claimed = store.claim_jobs(QUEUE, at(60), 1).await?;
    let seen: Vec<_> = claimed
        .jobs
        .iter()
        .map(|job| (job.run_at, job.attempt))
        .collect();
    assert_eq!(seen, [(at(60), 2)]);
    // One that is not there is left alone.
    store.release_job(ids[0] + 100, at(60)).await?;
    Ok(())
}

/// Jobs can be brought forward, those of one queue, and none to before now (F-S12).
pub async fn jobs_are_brought_forward(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let mut commit = begins(&conversation(1), 1);
    let mut other = job("timer", 90);
    "other".clone_into(&mut other.queue);
    commit.jobs = vec![job("timer", 5), job("timer", 20), job("timer", 90), other];
    store.commit(commit).await?;
    let by = SignedDuration::from_secs(30);
    store.bring_forward_jobs(QUEUE, at(10), by).await?;
    let due = store.claim_jobs(QUEUE, at(60), 9).await?.jobs;
    let due: Vec<_> = due.iter().map(|job| job.run_at).collect();
    assert_eq!(due, [at(5), at(10), at(60)]);
    let claim = store.claim_jobs("other", at(60), 9).await?;
    assert_eq!((claim.jobs, claim.next_at), (Vec::new(), Some(at(90))));
    Ok(())
}

/// A job is finished by itself or with a commit; what is refused leaves it held.
pub async fn a_finished_job_is_gone(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let ids = enqueue(&*store, &[10, 20, 30]).await?;
    assert_eq!(store.claim_jobs(QUEUE, at(99), 9).await?.jobs.len(), 3);
    store.finish_job(ids[0]).await?;
    store.finish_job(ids[0]).await?;
    let mut commit = goes_on(&conversation(1), 1, 2);
    commit.finished_jobs = vec![ids[1]];
    store.commit(commit.clone()).await?;
    commit.finished_jobs = vec![ids[2]];
    let outcome = store.commit(commit).await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
    assert_eq!(store.claim_jobs(QUEUE, at(99), 9).await?.jobs, []);
    for id in &ids {
        store.abandon_job(*id);
    }
    let claimed = store.claim_jobs(QUEUE, at(99), 9).await?.jobs;
    assert_eq!(claimed_ids(&claimed), [ids[2]]);
    Ok(())
}

/// Timers go with their question: all of them with its outcome, some of them when they are told to,
/// and those of other questions stay (F-S13).
pub async fn timers_go_with_their_inquiry(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let mut other = asks(2, None, 1);
    other.jobs = vec![timer("expire_inquiry", &inquiry(2), 50)];
    let other = store.commit(other).await?.jobs;
    let mut first = asks(1, None, 1);
    first.jobs = vec![
        timer("expire_inquiry", &inquiry(1), 50),
        timer("remind_inquiry", &inquiry(1), 40),
        timer("release_answer", &inquiry(1), 30),
        job("webhook", 20),
    ];
    let first = store.commit(first).await?.jobs;
    // One of them is held while it ends.
    assert_eq!(store.claim_jobs("timer", at(30), 1).await?.jobs.len(), 1);
    let mut moved = goes_on(&conversation(1), 1, 2);
    moved.obsolete_timers = vec![ObsoleteTimers {
        inquiry: inquiry(1),
        kinds: vec!["expire_inquiry".to_owned(), "remind_inquiry".to_owned()],
    }];
    moved.jobs = vec![timer("expire_inquiry", &inquiry(1), 90)];
    let moved = store.commit(moved).await?.jobs;
    store.abandon_job(first[2]);
    let left = store.claim_jobs("timer", at(99), 9).await?.jobs;
    assert_eq!(claimed_ids(&left), [first[2], other[0], moved[0]]);
    let mut answered = answers(1, "answered", 3);
    answered.expected_version = Some(2);
    answered.snapshot.version = 3;
    store.commit(answered).await?;
    for id in [first[2], other[0], moved[0]] {
        store.abandon_job(id);
    }
    let left = store.claim_jobs("timer", at(99), 9).await?.jobs;
    assert_eq!(claimed_ids(&left), other);
    let work = store.claim_jobs(QUEUE, at(99), 9).await?.jobs;
    assert_eq!(claimed_ids(&work), [first[3]]);
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
                let claimed = store.claim_jobs(QUEUE, at(99), 4).await?.jobs;
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

/// The next time is that of the first job nobody holds.
pub async fn the_next_job_is_one_that_can_be_claimed(backend: &dyn Backend) -> Verdict {
    let store = backend.open().await?;
    let next = async |now| {
        let claimed = store.claim_jobs(QUEUE, at(now), 9).await?;
        Ok::<_, StoreError>((claimed_ids(&claimed.jobs), claimed.next_at))
    };
    assert_eq!(next(1).await?, (NONE.to_vec(), None));
    let ids = enqueue(&*store, &[30, 10, 80]).await?;
    assert_eq!(next(9).await?, (NONE.to_vec(), Some(at(10))));
    assert_eq!(next(10).await?, (vec![ids[1]], Some(at(30))));
    assert_eq!(next(30).await?, (vec![ids[0]], Some(at(80))));
    store.abandon_job(ids[1]);
    assert_eq!(next(9).await?, (NONE.to_vec(), Some(at(10))));
    store.finish_job(ids[1]).await?;
    assert_eq!(next(9).await?, (NONE.to_vec(), Some(at(80))));
    store.finish_job(ids[2]).await?;
    assert_eq!(next(9).await?, (NONE.to_vec(), None));
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
