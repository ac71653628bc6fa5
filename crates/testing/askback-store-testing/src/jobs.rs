//! Jobs: each is claimed by one worker, by queue, in the order of their due times.

use std::sync::Arc;

use jiff::SignedDuration;
use tokio::task::JoinSet;

use crate::sample::{
    QUEUE, at, conversation, create, create_asking, inquiry, job, timer, update, update_resolving,
};
use crate::{CaseResult, TestDatabase};
use askback_store::commit::ObsoleteTimers;
use askback_store::rows::{JobId, JobRow};
use askback_store::store::{Store, StoreError};

/// No job.
const NONE: [JobId; 0] = [];

/// Due jobs are claimed, the longest overdue first, and the next due time is returned.
pub async fn jobs_are_claimed_in_order_of_due_time(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
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

/// A claim sees the jobs of one queue only.
pub async fn queues_are_claimed_separately(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    assert_eq!(store.job_queues().await?, [""; 0]);
    let mut commit = create(&conversation(1), 1);
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

/// A commit can claim its own jobs, due or not; the others stay unclaimed.
pub async fn a_commit_claims_its_jobs(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create(&conversation(1), 10);
    commit.jobs = vec![job("timer", 10), job("timer", 10), job("timer", 90)];
    commit.jobs[0].claim_at_once = true;
    commit.jobs[2].claim_at_once = true;
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

/// A claim does not expire, whatever the clock shows. An abandoned job can be claimed
/// again.
pub async fn a_claim_lasts_until_it_is_abandoned(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
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
    // A missing job is no error.
    store.abandon_job(ids[0] + 100);
    Ok(())
}

/// A released job is claimed again at its new time, with the next attempt.
pub async fn a_released_job_is_claimed_again(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
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
    // A missing job is no error.
    store.release_job(ids[0] + 100, at(60)).await?;
    Ok(())
}

/// The jobs of one queue can be made due earlier, but not before now.
pub async fn jobs_are_brought_forward(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create(&conversation(1), 1);
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

/// A job is finished by itself or by a commit; a refused commit leaves it claimed.
pub async fn a_finished_job_is_removed(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let ids = enqueue(&*store, &[10, 20, 30]).await?;
    assert_eq!(store.claim_jobs(QUEUE, at(99), 9).await?.jobs.len(), 3);
    store.finish_job(ids[0]).await?;
    store.finish_job(ids[0]).await?;
    let mut commit = update(&conversation(1), 1, 2);
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

/// Timers are removed with their inquiry: all of them by its outcome, some by name, and those of other
/// inquiries stay.
pub async fn timers_are_removed_with_their_inquiry(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut other = create_asking(2, None, 1);
    other.jobs = vec![timer("expire_inquiry", &inquiry(2), 50)];
    let other = store.commit(other).await?.jobs;
    let mut first = create_asking(1, None, 1);
    first.jobs = vec![
        timer("expire_inquiry", &inquiry(1), 50),
        timer("remind_inquiry", &inquiry(1), 40),
        timer("release_answer", &inquiry(1), 30),
        job("webhook", 20),
    ];
    let first = store.commit(first).await?.jobs;
    // One of them is claimed when it is removed.
    assert_eq!(store.claim_jobs("timer", at(30), 1).await?.jobs.len(), 1);
    let mut moved = update(&conversation(1), 1, 2);
    moved.obsolete_timers = vec![ObsoleteTimers {
        inquiry: inquiry(1),
        kinds: vec!["expire_inquiry".to_owned(), "remind_inquiry".to_owned()],
    }];
    moved.jobs = vec![timer("expire_inquiry", &inquiry(1), 90)];
    let moved = store.commit(moved).await?.jobs;
    store.abandon_job(first[2]);
    let left = store.claim_jobs("timer", at(99), 9).await?.jobs;
    assert_eq!(claimed_ids(&left), [first[2], other[0], moved[0]]);
    let mut answered = update_resolving(1, "answered", 3);
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

/// Of many concurrent claims, each job goes to one.
pub async fn a_job_is_claimed_once(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
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

/// The next due time is that of the first unclaimed job.
pub async fn the_next_due_time_is_of_an_unclaimed_job(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
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
    let mut commit = create(&conversation(1), 1);
    commit.jobs = seconds.iter().map(|second| job("timer", *second)).collect();
    Ok(store.commit(commit).await?.jobs)
}

fn claimed_ids(claimed: &[JobRow]) -> Vec<JobId> {
    claimed.iter().map(|job| job.id).collect()
}

/// A job gets other content when it is scheduled again, and is listed with it.
pub async fn jobs_are_listed_and_replaced(database: &dyn TestDatabase) -> CaseResult {
    let store = database.open().await?;
    let mut commit = create(&conversation(1), 1);
    for queue in ["webhook a.example", "timer", "webhook b.example"] {
        let mut job = job("timer", 10);
        queue.clone_into(&mut job.queue);
        commit.jobs.push(job);
    }
    let ids = store.commit(commit).await?.jobs;
    let claimed = store.claim_jobs("webhook a.example", at(10), 9).await?;
    assert_eq!(claimed_ids(&claimed.jobs), [ids[0]]);
    let other = "{\"other\":1}".to_owned();
    store.replace_job(ids[0], at(60), other.clone()).await?;
    let listed = store.list_jobs("webhook ", 0, 9).await?;
    assert_eq!(claimed_ids(&listed), [ids[0], ids[2]]);
    let first = &listed[0];
    assert_eq!(
        (&first.json, first.run_at, first.attempt),
        (&other, at(60), 1)
    );
    assert_eq!(first.queue, "webhook a.example");
    assert_eq!(
        claimed_ids(&store.list_jobs("webhook ", ids[0], 9).await?),
        [ids[2]]
    );
    assert_eq!(
        claimed_ids(&store.list_jobs("webhook ", 0, 1).await?),
        [ids[0]]
    );
    let again = store.claim_jobs("webhook a.example", at(60), 9).await?;
    assert_eq!(again.jobs[0].json, other);
    Ok(())
}
