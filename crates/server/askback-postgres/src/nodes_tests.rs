//! Goal: several nodes on one database give out every sequence number once and in order, and a job has
//! one node at a time, whatever happens to nodes.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::*;
use crate::tests::Database;
use askback_store::RemoteChange;
use askback_store_testing::sample::create_asking;
use askback_store_testing::sample::{
    QUEUE, at, conversation, create, job, update, update_resolving,
};

const PATIENCE: Duration = Duration::from_mins(1);

/// Asks until the answer is there. Its absence is the failure.
async fn until<T>(mut look: impl AsyncFnMut() -> Option<T>) -> T {
    timeout(PATIENCE, async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .expect("it does not happen")
}

/// A record that becomes visible late would be skipped by a reader that has passed its number.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reader_sees_the_records_of_all_nodes_in_order() {
    const COMMITTERS: u64 = 6;
    const COMMITS: u64 = 25;
    let database = Database::new();
    let nodes = [database.node().await, database.node().await];
    let reader = database.node().await;
    let mut committers = JoinSet::new();
    for number in 0..COMMITTERS {
        let node = Arc::clone(&nodes[usize::try_from(number % 2).unwrap()]);
        committers.spawn(async move {
            let id = conversation(u128::from(number));
            node.commit(create(&id, 1)).await.unwrap();
            for version in 1..COMMITS {
                node.commit(update(&id, version, 1)).await.unwrap();
            }
        });
    }
    let mut seen: Vec<Sequence> = Vec::new();
    while seen.len() < usize::try_from(COMMITTERS * COMMITS).unwrap() {
        let after = seen.last().copied().unwrap_or(0);
        let records = reader.records(None, after, 64).await.unwrap();
        seen.extend(records.iter().map(|record| record.last));
    }
    committers.join_all().await;
    assert_eq!(seen, (1..=COMMITTERS * COMMITS).collect::<Vec<_>>());
}

/// Optimistic versions hold between nodes, and an answer wins once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_many_nodes_resolves_an_inquiry() {
    let database = Database::new();
    let mut nodes = Vec::new();
    for _ in 0..3 {
        nodes.push(database.node().await);
    }
    for number in 1..=8 {
        nodes[0]
            .commit(create_asking(number, None, 1))
            .await
            .unwrap();
        let mut answers = JoinSet::new();
        for node in &nodes {
            let node = Arc::clone(node);
            answers
                .spawn(async move { node.commit(update_resolving(number, "answered", 2)).await });
        }
        let answers = answers.join_all().await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    }
}

/// Several nodes start at the same time on an empty database.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn migrations_run_once() {
    let database = Arc::new(Database::new());
    let mut opening = JoinSet::new();
    for _ in 0..6 {
        let database = Arc::clone(&database);
        opening.spawn(async move { database.node().await });
    }
    let nodes = opening.join_all().await;
    let applied = database.sql("SELECT count(*) FROM askback.migrations");
    assert_eq!(applied, migrations::MIGRATIONS.len().to_string());
    assert_eq!(database.sql("SELECT count(*) FROM askback.nodes"), "6");
    drop(nodes);
    assert_eq!(database.sql("SELECT count(*) FROM askback.nodes"), "0");
}

/// A node that stops hands its jobs over at once, and the others are told.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_node_that_stops_hands_its_jobs_over() {
    let database = Database::new();
    let (stopping, staying) = (database.node().await, database.node().await);
    let mut changes = staying.remote_changes().unwrap();
    let mut commit = create(&conversation(1), 1);
    commit.jobs = vec![job("timer", 1), job("timer", 1)];
    commit.jobs[0].claim_at_once = true;
    stopping.commit(commit).await.unwrap();
    assert_eq!(
        stopping
            .claim_jobs(QUEUE, at(9), 9)
            .await
            .unwrap()
            .jobs
            .len(),
        1
    );
    assert_eq!(staying.claim_jobs(QUEUE, at(9), 9).await.unwrap().jobs, []);
    // Everything that was reported so far, such as the commit.
    until(async || matches!(changes.recv().await, Some(RemoteChange::Records(1))).then_some(()))
        .await;
    while changes.try_recv().is_ok() {}
    drop(stopping);
    until(async || matches!(changes.recv().await, Some(RemoteChange::Jobs)).then_some(())).await;
    let taken = staying.claim_jobs(QUEUE, at(9), 9).await.unwrap().jobs;
    let attempts: Vec<_> = taken.iter().map(|job| job.attempt).collect();
    assert_eq!(attempts, [2, 2]);
}

/// The jobs of a node that was killed are taken over when its lease has ended, by the clock of the
/// database.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_jobs_of_a_killed_node_are_taken_over() {
    let database = Database::new();
    let node = database.renewing_node().await;
    let mut commit = create(&conversation(1), 1);
    commit.jobs = vec![job("timer", 1)];
    node.commit(commit).await.unwrap();
    database.sql(
        "INSERT INTO askback.nodes VALUES (1, 'killed', clock_timestamp() + interval '1 second');
         UPDATE askback.jobs SET node = 1",
    );
    let taken = until(async || {
        let claim = node.claim_jobs(QUEUE, at(9), 9).await.unwrap();
        claim.jobs.into_iter().next()
    })
    .await;
    assert_eq!(taken.attempt, 1);
    assert_eq!(database.sql("SELECT count(*) FROM askback.nodes"), "1");
}

/// A node whose lease was taken away stops, cannot finish a job that another node has, and starts anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_node_without_a_lease_finishes_nothing() {
    let database = Database::new();
    let (slow, other) = (database.renewing_node().await, database.node().await);
    let mut changes = slow.remote_changes().unwrap();
    let mut commit = create(&conversation(1), 1);
    commit.jobs = vec![job("timer", 1)];
    let id = slow.commit(commit).await.unwrap().jobs[0];
    assert_eq!(
        slow.claim_jobs(QUEUE, at(9), 9).await.unwrap().jobs.len(),
        1
    );
    let slow_id = slow.shared.node().unwrap();
    database.sql(&format!("DELETE FROM askback.nodes WHERE id = {slow_id}"));
    assert_eq!(
        other.claim_jobs(QUEUE, at(9), 9).await.unwrap().jobs.len(),
        1
    );
    slow.release_job(id, at(5)).await.unwrap();
    slow.finish_job(id).await.unwrap();
    let mut finishing = update(&conversation(1), 1, 2);
    finishing.finished_jobs = vec![id];
    let refused = slow.commit(finishing.clone()).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    until(async || (changes.recv().await == Some(RemoteChange::ClaimsLost)).then_some(())).await;
    until(async || slow.shared.node().filter(|node| *node != slow_id)).await;
    other.commit(finishing).await.unwrap();
    assert_eq!(database.sql("SELECT count(*) FROM askback.jobs"), "0");
}

/// A claim whose response was lost is known to the database alone. Without this, nobody would work on the job
/// for as long as the node lives.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_claim_whose_response_was_lost_is_abandoned() {
    let database = Database::new();
    let node = database.renewing_node().await;
    let mut commit = create(&conversation(1), 1);
    commit.jobs = vec![job("timer", 1)];
    node.commit(commit).await.unwrap();
    let id = node.shared.node().unwrap();
    database.sql(&format!(
        "UPDATE askback.jobs SET node = {id}, attempts = 1"
    ));
    let claimed = until(async || {
        let claim = node.claim_jobs(QUEUE, at(9), 9).await.unwrap();
        claim.jobs.into_iter().next()
    })
    .await;
    assert_eq!(claimed.attempt, 2);
    assert_eq!(node.shared.node(), Some(id), "with the same lease");
}
